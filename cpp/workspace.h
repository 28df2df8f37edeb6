// What one mjData needs while a step runs. Everything is made anew in each step: nothing here is state.

#ifndef GROUSER_WORKSPACE_H_
#define GROUSER_WORKSPACE_H_

#include <mujoco/mujoco.h>

#include <vector>

#include "anderson.h"
#include "model.h"

namespace grouser {

// A belt as it lies in the world now.
struct BeltFrame {
  mjtNum axis[3];    // unit vector
  mjtNum mid_plane;  // the mid-plane is where axis . point has this value [m]
  int newest;        // newest candidate that stays, -1 for none
};

// A contact of a belt while contacts are merged.
struct Candidate {
  int contact;      // index in mjData.contact
  int belt;         // belt whose surface it is on
  int side;         // geom of the contact that is the belt's: 0 or 1
  int other;        // the other belt where two belts touch, or -1
  int earlier;      // earlier candidate of the same belt that stays, or -1
  int body;         // body of the other geom
  bool moved;       // does it act at the mid-plane
  bool dropped;     // is it an artefact, or merged into another
  mjtNum point[3];  // where it acts, world frame [m]
};

// How the rows of a contact pull on a belt: traction -= sum of coefficient times force.
struct Pull {
  int belt;
  int row;
  int rows;
  mjtNum coefficient[3];
};

// A contact with friction, and the shift of its normal reference that makes it Coulomb's.
struct Sliding {
  int contact;
  mjtNum shift;   // in efc_aref now [m/s2]
  mjtNum wanted;  // what the last solve asks for
};

// Bounds of a servo's force, and on which of them it is.
enum class ServoState : unsigned char { kFree, kLow, kHigh };

// An affine actuator on a hinge or slide joint: force = command - slope * acceleration, within bounds.
struct Servo {
  int actuator;
  int output;  // index of its force in mjData.actuator_force
  int dof;
  mjtNum gear;
  mjtNum low, high;
  mjtNum stiffness;  // kp, of the actuator's own length
  mjtNum damping;    // kv
  mjtNum command;    // force at zero acceleration, unbounded, of this step
  mjtNum native;     // the force that MuJoCo itself applies in this step
  mjtNum slope;      // dt kv + dt^2 kp of this step, times the gear
  ServoState state;
  int flips;
};

// Work area of one mjData, owned by the leading instance.
struct Workspace {
  Description desc;

  std::vector<Candidate> candidates;
  std::vector<BeltFrame> frames;  // of each belt, where the step has met a contact of any
  std::vector<Pull> pulls;
  std::vector<Sliding> sliding;
  std::vector<mjtNum> shifts;  // of the contacts in `sliding`, while they are brought up to date
  std::vector<mjtNum> wanted;  // and what the last solve asks for
  Anderson anderson;
  std::vector<mjtNum> traction;  // of each belt [N]

  std::vector<Servo> servos;
  std::vector<mjtNum> passive_slope;  // implicit part of joint damping and springs  (nv)
  std::vector<mjtNum> added;          // what is added to the diagonal of M now      (nv)
  std::vector<mjtNum> diagonal;       // diagonal of M without it                    (nv)
  std::vector<mjtNum> bias;           // what was added to qfrc_passive              (nv)
  std::vector<mjtNum> drag;           // what was taken from it when the step ended  (nv)
  bool implicit = false;              // is anything added to M now
  bool actuated = false;              // has the actuation stage of a forward step run
  bool repeating = false;             // is mj_sensorAcc running again on our behalf

  int iterations = 0;   // solves of the correction beyond the first, last step
  mjtNum residual = 0;  // largest change of a shift in its last solve [m/s2]
};

}  // namespace grouser

#endif  // GROUSER_WORKSPACE_H_
