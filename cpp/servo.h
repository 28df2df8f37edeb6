// Stiff servos, joint damping and springs in the effective mass (docs/physics.md, section 6).

#ifndef GROUSER_SERVO_H_
#define GROUSER_SERVO_H_

#include "workspace.h"

namespace grouser {

// Find the servos of a model: affine, stateless actuators on hinge and slide joints.
void FindServos(const mjModel* m, Workspace* work);

// The passive forces have been made anew: nothing of ours is in them.
void ForgetPassive(Workspace* work);

// Before the accelerations: add what is implicit to the diagonal of M, and what is not to qfrc_passive.
void ApplyImplicit(const mjModel* m, mjData* d, Workspace* work);

// After a solve: correct the servos that are wrongly within or at their bounds. True if another solve is needed.
bool UpdateServos(const mjModel* m, mjData* d, Workspace* work);

// After the last solve: M as it was, and in qfrc_actuator and qfrc_passive the forces that really acted.
void FinishImplicit(const mjModel* m, mjData* d, Workspace* work);

}  // namespace grouser

#endif  // GROUSER_SERVO_H_
