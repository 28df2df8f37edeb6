// Stage 1: rewrite the constraint rows of contacts on belts (docs/physics.md, sections 1 to 3).

#ifndef GROUSER_CONTACTS_H_
#define GROUSER_CONTACTS_H_

#include "workspace.h"

namespace grouser {

// Drop artefacts, move acting points to the mid-plane, merge coincident contacts and compact their rows away,
// write the drives' columns. May run twice on one set of constraints: it rewrites, it never adds.
void RewriteContacts(const mjModel* m, mjData* d, Workspace* work);

// Give contacts the sliding friction of their pair of materials.
void ApplyMaterials(mjData* d, const Workspace& work);

// Traction of each belt, from the forces of the solver.
void MeasureTraction(const mjData* d, Workspace* work);

}  // namespace grouser

#endif  // GROUSER_CONTACTS_H_
