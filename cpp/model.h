// What the plugin knows of a model: its belts, contact materials and servos, read once per mjData.

#ifndef GROUSER_MODEL_H_
#define GROUSER_MODEL_H_

#include <mujoco/mujoco.h>

#include <string>
#include <vector>

namespace grouser {

inline constexpr char kBeltPlugin[] = "grouser.belt";
inline constexpr char kContactPlugin[] = "grouser.contact";

// A joint that moves a belt: its degree of freedom and the belt speed per unit joint velocity.
struct Drive {
  int dof;
  mjtNum gain;
};

// A belt, in the frame of the body that carries its geoms.
struct Belt {
  int instance;      // plugin instance
  int body;          // body that carries the geoms; 0 is the world
  mjtNum axis[3];    // unit vector the wheels turn about
  mjtNum center[3];  // a point of the mid-plane [m]
  mjtNum width;      // [m]
  std::vector<Drive> drives;
};

// Where a sensor of one of our instances writes; belt is -1 for a grouser.contact instance.
struct SensorOutput {
  int address;
  int belt;
};

// Everything about a model that does not change while it runs.
struct Description {
  std::vector<Belt> belts;
  std::vector<int> geom_belt;         // belt of each geom, -1 for none            (ngeom)
  std::vector<char> geom_run;         // is the geom the box of a run of a belt    (ngeom)
  std::vector<int> geom_material;     // contact material of each geom             (ngeom)
  int materials = 1;                  // number of contact materials; 0 is "default"
  std::vector<mjtNum> friction;       // sliding friction of a pair, -1: the geoms' own  (materials^2)
  std::vector<int> chain;             // dofs that move a body, all bodies in one list
  std::vector<int> chain_address;     // start of each body's dofs in `chain`      (nbody + 1)
  std::vector<SensorOutput> outputs;  // sensors that belong to our instances
  bool acceleration_sensors = false;  // has the model built-in sensors that read accelerations
  int iterations = 20;                // most solves of the Coulomb correction in a step
  mjtNum tolerance = 1e-4;            // its stopping rule, relative to the largest shift
};

// Is one of our plugins behind this instance?
bool IsOurs(const mjModel* m, int instance);

// The lowest of our instances: it does the work that belongs to the whole model.
int Leader(const mjModel* m);

// Read every instance of ours in the model. Returns an empty string, or what is wrong and how to mend it.
std::string Describe(const mjModel* m, Description* out);

// Check that the model's options are those that belts need. Returns an empty string, or the setting to change.
std::string CheckOptions(const mjModel* m);

// Does this dof move this body?
inline bool Moves(const Description& desc, int body, int dof) {
  for (int i = desc.chain_address[body]; i < desc.chain_address[body + 1]; i++) {
    if (desc.chain[i] == dof) return true;
  }
  return false;
}

}  // namespace grouser

#endif  // GROUSER_MODEL_H_
