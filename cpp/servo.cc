// Stiff servos, joint damping and springs in the effective mass (docs/physics.md, section 6).

#include "servo.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace grouser {
namespace {

constexpr mjtNum kUnbounded = std::numeric_limits<mjtNum>::infinity();
// A servo that changes its mind more often than this in one step stays where it is.
constexpr int kMaxFlips = 10;
// Share of a servo's range by which its force may miss the bound it is at.
constexpr mjtNum kSlack = 1e-9;

bool IsDisabled(const mjModel* m, int actuator) {
  const int group = m->actuator_group[actuator];
  return group >= 0 && group <= 30 && (m->opt.disableactuator & (1 << group));
}

int Diagonal(const mjModel* m, int dof) { return m->M_rowadr[dof] + m->M_rownnz[dof] - 1; }

mjtNum Bounded(const Servo& s) {
  switch (s.state) {
    case ServoState::kLow:
      return s.low;
    case ServoState::kHigh:
      return s.high;
    default:
      return s.command;
  }
}

mjtNum Slope(const Servo& s) { return s.state == ServoState::kFree ? s.gear * s.slope : 0; }

// Force at the given acceleration of the joint, were there no bounds.
mjtNum Wanted(const Servo& s, const mjtNum* acceleration) { return s.command - s.slope * acceleration[s.dof]; }

ServoState StateOf(const Servo& s, mjtNum force) {
  if (force > s.high) return ServoState::kHigh;
  return force < s.low ? ServoState::kLow : ServoState::kFree;
}

// Read gains and bounds as they are now: both may change while a model runs.
bool Refresh(const mjModel* m, Servo* s) {
  const int i = s->actuator;
  s->stiffness = std::max<mjtNum>(0, -m->actuator_biasprm[mjNBIAS * i + 1]);
  s->damping = std::max<mjtNum>(0, -m->actuator_biasprm[mjNBIAS * i + 2]);
  s->gear = m->actuator_gear[6 * s->output];
  s->low = -kUnbounded;
  s->high = kUnbounded;
  if (m->actuator_forcelimited[i]) {
    s->low = m->actuator_forcerange[2 * i];
    s->high = m->actuator_forcerange[2 * i + 1];
  }
  return !IsDisabled(m, i) && (s->stiffness > 0 || s->damping > 0);
}

// Undo what an earlier run on the same M has added.
void RestoreDiagonal(const mjModel* m, mjData* d, Workspace* work) {
  for (int dof = 0; dof < m->nv; dof++) {
    mjtNum* entry = d->M + Diagonal(m, dof);
    if (work->added[dof] != 0 && *entry == work->diagonal[dof] + work->added[dof]) *entry = work->diagonal[dof];
    work->added[dof] = 0;
  }
}

void AddToDiagonal(const mjModel* m, mjData* d, Workspace* work) {
  for (int dof = 0; dof < m->nv; dof++) {
    mjtNum* entry = d->M + Diagonal(m, dof);
    work->diagonal[dof] = *entry;
    *entry += work->added[dof];
  }
  mj_factorM(m, d);
}

// Set one servo's share of the smooth force and of the diagonal of M to what its state asks for.
void Switch(const mjModel* m, mjData* d, Workspace* work, Servo* s, ServoState state) {
  const mjtNum force = Bounded(*s), slope = Slope(*s);
  s->state = state;
  s->flips++;
  const mjtNum more = s->gear * (Bounded(*s) - force);
  work->bias[s->dof] += more;
  d->qfrc_passive[s->dof] += more;
  d->qfrc_smooth[s->dof] += more;
  work->added[s->dof] += s->gear * (Slope(*s) - slope);
  d->M[Diagonal(m, s->dof)] = work->diagonal[s->dof] + work->added[s->dof];
}

}  // namespace

void FindServos(const mjModel* m, Workspace* work) {
  for (int i = 0; i < m->nactuator; i++) {
    if (m->actuator_trntype[i] != mjTRN_JOINT || m->actuator_dyntype[i] != mjDYN_NONE ||
        m->actuator_biastype[i] != mjBIAS_AFFINE || m->actuator_plugin[i] >= 0 || m->actuator_delay[i] > 0 ||
        (m->actuator_gaintype[i] != mjGAIN_FIXED && m->actuator_gaintype[i] != mjGAIN_PID)) {
      continue;
    }
    const int joint = m->actuator_trnid[2 * i];
    if (m->jnt_type[joint] != mjJNT_HINGE && m->jnt_type[joint] != mjJNT_SLIDE) continue;
    if (m->jnt_actfrclimited[joint]) continue;  // a bound on a sum of actuators: left explicit
    Servo s{};
    s.actuator = i;
    s.output = m->actuator_outadr[i];
    s.dof = m->jnt_dofadr[joint];
    work->servos.push_back(s);
  }
  work->passive_slope.assign(m->nv, 0);
  work->added.assign(m->nv, 0);
  work->diagonal.assign(m->nv, 0);
  work->bias.assign(m->nv, 0);
  work->drag.assign(m->nv, 0);
}

void ForgetPassive(Workspace* work) { std::fill(work->drag.begin(), work->drag.end(), 0); }

void ApplyImplicit(const mjModel* m, mjData* d, Workspace* work) {
  const mjtNum dt = m->opt.timestep;
  const bool damper = !(m->opt.disableflags & mjDSBL_DAMPER), spring = !(m->opt.disableflags & mjDSBL_SPRING);
  RestoreDiagonal(m, d, work);
  std::fill(work->bias.begin(), work->bias.end(), 0);
  work->implicit = false;
  for (int dof = 0; dof < m->nv; dof++) {
    d->qfrc_passive[dof] += work->drag[dof];  // nothing, unless the passive stage was skipped this time
    work->drag[dof] = 0;
    work->passive_slope[dof] =
        (damper ? dt * m->dof_damping[dof] : 0) + (spring ? dt * dt * m->jnt_stiffness[m->dof_jntid[dof]] : 0);
    work->added[dof] = work->passive_slope[dof];
    work->implicit |= work->added[dof] != 0;
  }
  const bool actuation = !(m->opt.disableflags & mjDSBL_ACTUATION);
  for (Servo& s : work->servos) {
    s.flips = 0;
    s.slope = 0;
    if (!Refresh(m, &s) || !actuation) continue;
    // actuator_force is still unbounded here: MuJoCo clamps it after the plugins have run
    const mjtNum raw = d->actuator_force[s.output];
    s.native = std::min(std::max(raw, s.low), s.high);
    s.command = raw - dt * s.stiffness * d->actuator_velocity[s.output];
    s.slope = s.gear * (dt * s.damping + dt * dt * s.stiffness);
    s.state = StateOf(s, Wanted(s, d->qacc_warmstart));
    const mjtNum more = s.gear * (Bounded(s) - s.native);
    work->bias[s.dof] += more;
    d->qfrc_passive[s.dof] += more;
    work->added[s.dof] += Slope(s);
    work->implicit = true;
  }
  if (work->implicit) AddToDiagonal(m, d, work);
}

bool UpdateServos(const mjModel* m, mjData* d, Workspace* work) {
  bool changed = false;
  for (Servo& s : work->servos) {
    if (s.slope == 0 || s.flips >= kMaxFlips || (s.low == -kUnbounded && s.high == kUnbounded)) continue;
    const mjtNum force = Wanted(s, d->qacc);
    const mjtNum slack = kSlack * (s.high - s.low);
    if (s.state == ServoState::kFree ? force <= s.high + slack && force >= s.low - slack
                                     : StateOf(s, force) == s.state) {
      continue;
    }
    // One that leaves a bound is free first: at the bound it accelerates a light rotor so much that it would seem to
    // belong to the opposite one, and the right state lies between.
    Switch(m, d, work, &s, s.state == ServoState::kFree ? StateOf(s, force) : ServoState::kFree);
    changed = true;
  }
  if (!changed) return false;
  mj_factorM(m, d);
  mj_solveM(m, d, d->qacc_smooth, d->qfrc_smooth, 1);
  return true;
}

void FinishImplicit(const mjModel* m, mjData* d, Workspace* work) {
  if (!work->implicit) return;
  for (const Servo& s : work->servos) {
    if (s.slope == 0) continue;
    const mjtNum force = s.state == ServoState::kFree ? Wanted(s, d->qacc) : Bounded(s);
    d->actuator_force[s.output] = force;
    d->qfrc_actuator[s.dof] += s.gear * (force - s.native);
    d->qfrc_smooth[s.dof] -= Slope(s) * d->qacc[s.dof];
  }
  for (int dof = 0; dof < m->nv; dof++) {
    work->drag[dof] = work->passive_slope[dof] * d->qacc[dof];
    d->qfrc_passive[dof] -= work->bias[dof] + work->drag[dof];
    d->qfrc_smooth[dof] -= work->drag[dof];
    work->bias[dof] = 0;
  }
  RestoreDiagonal(m, d, work);
  work->implicit = false;
}

}  // namespace grouser
