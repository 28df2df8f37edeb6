// Exact Coulomb friction with MuJoCo's convex solver: De Saxce's correction (docs/physics.md, section 5).

#include "coulomb.h"

#include <algorithm>
#include <cmath>

namespace grouser {
namespace {

// Shifts are compared with the largest of a step, but never with less than this [m/s2].
constexpr mjtNum kSmallestScale = 1e-3;
// The acceleration may extrapolate a change by this many times at most.
constexpr mjtNum kLargestStep = 20;

mjtNum Dot(const mjtNum* a, const mjtNum* b, int n) {
  mjtNum sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

// Weight of the last solve but one in the next shifts: Anderson's acceleration of depth one. The plain iteration
// often shrinks the error by the same factor, 0.6 say, in each solve; then this finds the fixed point at once.
mjtNum SecantWeight(const Workspace& work) {
  mjtNum along = 0, squares = 0;
  for (const Sliding& s : work.sliding) {
    const mjtNum change = s.wanted - s.shift, difference = change - s.change_before;
    along += change * difference;
    squares += difference * difference;
  }
  return squares > mjMINVAL ? mju_clip(along / squares, -kLargestStep, 0.5) : 0;
}

}  // namespace

void PredictShifts(const mjModel* m, mjData* d, Workspace* work) {
  work->sliding.clear();
  const size_t width = static_cast<size_t>(m->nv);
  for (int i = 0; i < d->ncon; i++) {
    const mjContact& con = d->contact[i];
    if (con.efc_address < 0 || con.dim < 3) continue;
    const int row = con.efc_address;
    mjtNum squares = 0;
    for (int r = 1; r < con.dim; r++) {
      const mjtNum* J = d->efc_J + (row + r) * width;
      const mjtNum speed = Dot(J, d->qvel, m->nv) + (r < 4 ? con.surfacevel[r - 1] : 0);
      const mjtNum slip = Dot(J, d->qacc_warmstart, m->nv) + d->efc_KBIP[4 * (row + r) + 1] * speed;
      squares += con.friction[r - 1] * slip * con.friction[r - 1] * slip;
    }
    const mjtNum stiffness = d->efc_KBIP[4 * row] * d->efc_KBIP[4 * row + 2];
    const mjtNum shift = stiffness > mjMINVAL ? std::sqrt(squares) : 0;
    d->efc_margin[row] = con.includemargin - (shift > 0 ? shift / stiffness : 0);
    work->sliding.push_back({i, shift, shift, shift, 0});
  }
}

bool UpdateShifts(const mjModel* m, mjData* d, Workspace* work) {
  const size_t width = static_cast<size_t>(m->nv);
  mjtNum change = 0, scale = kSmallestScale;
  for (Sliding& s : work->sliding) {
    const mjContact& con = d->contact[s.contact];
    const int row = con.efc_address;
    s.wanted = s.shift;
    if (d->efc_force[row] <= 0) {  // open, and right to be so unless the bodies approach without the shift
      const mjtNum approach = Dot(d->efc_J + row * width, d->qacc, m->nv) - d->efc_aref[row] - s.shift;
      if (approach >= 0) continue;
    }
    mjtNum squares = 0;
    for (int r = 1; r < con.dim; r++) {
      const mjtNum part =
          con.friction[r - 1] * (Dot(d->efc_J + (row + r) * width, d->qacc, m->nv) - d->efc_aref[row + r]);
      squares += part * part;
    }
    s.wanted = std::sqrt(squares);
    scale = std::max(scale, s.wanted);
    change = std::max(change, std::abs(s.wanted - s.shift));
  }
  work->residual = change;
  return change > work->desc.tolerance * scale;
}

void ApplyShifts(mjData* d, Workspace* work) {
  const mjtNum mix = work->iterations > 0 ? SecantWeight(*work) : 0;
  for (Sliding& s : work->sliding) {
    const mjtNum change = s.wanted - s.shift;
    const mjtNum next = std::max<mjtNum>(0, s.wanted - mix * (s.wanted - s.before));
    d->efc_aref[d->contact[s.contact].efc_address] -= next - s.shift;
    s.before = s.wanted;
    s.change_before = change;
    s.shift = next;
  }
}

}  // namespace grouser
