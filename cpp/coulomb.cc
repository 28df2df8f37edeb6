// Exact Coulomb friction with MuJoCo's convex solver: De Saxce's correction (docs/physics.md, section 5).

#include "coulomb.h"

#include <algorithm>
#include <cmath>

namespace grouser {
namespace {

// Shifts are compared with the largest of a step, but never with less than this [m/s2].
constexpr mjtNum kSmallestScale = 1e-3;

mjtNum Dot(const mjtNum* a, const mjtNum* b, int n) {
  mjtNum sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
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
    work->sliding.push_back({i, shift, shift});
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

void ApplyShifts(mjData* d, Workspace* work, bool restart) {
  const int n = static_cast<int>(work->sliding.size());
  if (restart) work->anderson.Start(n);
  work->shifts.resize(n);
  work->wanted.resize(n);
  for (int i = 0; i < n; i++) {
    work->shifts[i] = work->sliding[i].shift;
    work->wanted[i] = work->sliding[i].wanted;
  }
  work->anderson.Advance(work->shifts.data(), work->wanted.data());
  for (int i = 0; i < n; i++) {
    Sliding& s = work->sliding[i];
    const mjtNum next = std::max<mjtNum>(0, work->shifts[i]);
    d->efc_aref[d->contact[s.contact].efc_address] -= next - s.shift;
    s.shift = next;
  }
}

}  // namespace grouser
