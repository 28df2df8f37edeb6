// Exact Coulomb friction with MuJoCo's convex solver: De Saxce's correction (docs/physics.md, section 5).

#ifndef GROUSER_COULOMB_H_
#define GROUSER_COULOMB_H_

#include "workspace.h"

namespace grouser {

// Before the references are made: predict each contact's shift from its sliding velocity, through its margin.
void PredictShifts(const mjModel* m, mjData* d, Workspace* work);

// After a solve: what shifts it asks for. Returns whether they differ enough for another solve.
bool UpdateShifts(const mjModel* m, mjData* d, Workspace* work);

// Bring efc_aref up to date with the shifts asked for. `restart`: the problem is another than in the last solve.
void ApplyShifts(mjData* d, Workspace* work, bool restart);

}  // namespace grouser

#endif  // GROUSER_COULOMB_H_
