// The two plugins as MuJoCo sees them: what runs in which stage of a step.

#include <mujoco/mujoco.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>

#include "contacts.h"
#include "coulomb.h"
#include "model.h"
#include "servo.h"
#include "workspace.h"

namespace grouser {
namespace {

int Init(const mjModel* m, mjData* d, int instance) {
  d->plugin_data[instance] = 0;
  if (Leader(m) != instance) return 0;
  auto work = std::make_unique<Workspace>();
  std::string fault = CheckOptions(m);
  if (fault.empty()) fault = Describe(m, &work->desc);
  if (!fault.empty()) {
    mju_warning("%s", fault.c_str());
    return -1;
  }
  work->frames.resize(work->desc.belts.size());
  work->traction.assign(work->desc.belts.size(), 0);
  FindServos(m, work.get());
  d->plugin_data[instance] = reinterpret_cast<uintptr_t>(work.release());
  return 0;
}

void Destroy(mjData* d, int instance) {
  delete reinterpret_cast<Workspace*>(d->plugin_data[instance]);
  d->plugin_data[instance] = 0;
}

// A number that no solve leaves in efc_b: it tells a forward step from inverse dynamics.
constexpr mjtNum kNotSolved = std::numeric_limits<mjtNum>::max();

bool HasSolved(const mjData* d, const Workspace& work) {
  return d->nefc > 0 ? d->efc_b[0] != kNotSolved : work.actuated;
}

// Does MuJoCo call plugins in the actuation stage? Without actuators it does not.
bool HasActuationStage(const mjModel* m) { return m->nactuator > 0 && !(m->opt.disableflags & mjDSBL_ACTUATION); }

void PassiveStage(const mjModel* m, mjData* d, Workspace* work) {
  const std::string fault = CheckOptions(m);
  if (!fault.empty()) mju_error("%s", fault.c_str());
  work->actuated = false;
  ForgetPassive(work);
  RewriteContacts(m, d, work);
  ApplyMaterials(d, *work);
  PredictShifts(m, d, work);
  if (d->nefc > 0) d->efc_b[0] = kNotSolved;
  if (!HasActuationStage(m)) {
    ApplyImplicit(m, d, work);
    work->actuated = true;
  }
}

void ActuationStage(const mjModel* m, mjData* d, Workspace* work) {
  ApplyImplicit(m, d, work);
  work->actuated = true;
}

// Solve again until friction is Coulomb's and every servo is within its bounds.
bool Correct(const mjModel* m, mjData* d, Workspace* work) {
  bool changed = false;
  work->iterations = 0;
  work->residual = 0;
  while (work->iterations < work->desc.iterations) {
    const bool servos = UpdateServos(m, d, work);
    const bool friction = UpdateShifts(m, d, work);
    if (!servos && !friction) break;
    ApplyShifts(d, work, servos || work->iterations == 0);
    mj_fwdConstraint(m, d);
    work->iterations++;
    changed = true;
  }
  return changed;
}

void WriteOutputs(mjData* d, Workspace* work) {
  if (work->desc.outputs.empty()) return;
  if (d->nefc > 0) {
    MeasureTraction(d, work);
  } else {
    std::fill(work->traction.begin(), work->traction.end(), 0);
  }
  for (const SensorOutput& output : work->desc.outputs) {
    mjtNum* value = d->sensordata + output.address;
    if (output.belt < 0) {
      value[0] = work->iterations;
      value[1] = work->residual;
      continue;
    }
    value[0] = 0;
    for (const Drive& drive : work->desc.belts[output.belt].drives) value[0] += drive.gain * d->qvel[drive.dof];
    value[1] = work->traction[output.belt];
  }
}

void AccelerationStage(const mjModel* m, mjData* d, Workspace* work) {
  if (HasSolved(d, *work)) {
    const bool implicit = work->implicit;
    const bool changed = Correct(m, d, work);
    FinishImplicit(m, d, work);
    if (changed) d->flg_rnepost = 0;
    if ((changed || implicit) && work->desc.acceleration_sensors) {
      // MuJoCo has filled its own sensors before it called us: they must see what we changed
      work->repeating = true;
      mj_sensorAcc(m, d);
      work->repeating = false;
    }
  }
  WriteOutputs(d, work);
}

void Compute(const mjModel* m, mjData* d, int instance, int capability) {
  Workspace* work = reinterpret_cast<Workspace*>(d->plugin_data[instance]);  // only the leader has one
  if (!work || work->repeating) return;
  switch (capability) {
    case mjPLUGIN_PASSIVE:
      return PassiveStage(m, d, work);
    case mjPLUGIN_ACTUATOR:
      return ActuationStage(m, d, work);
    case mjPLUGIN_SENSOR:
      return AccelerationStage(m, d, work);
    default:
      return;
  }
}

int NoState(const mjModel*, int) { return 0; }
void NoReset(const mjModel*, mjtNum*, void*, int) {}
int TwoNumbers(const mjModel*, int, int) { return 2; }

const char* const kBeltKeys[] = {"name", "geoms", "axis", "center", "width", "drives"};
const char* const kContactKeys[] = {"name", "iterations", "tolerance", "members", "pairs"};

template <int n>
void Register(const char* name, const char* const (&keys)[n]) {
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = name;
  plugin.nattribute = n;
  plugin.attributes = keys;
  plugin.capabilityflags = mjPLUGIN_PASSIVE | mjPLUGIN_ACTUATOR | mjPLUGIN_SENSOR;
  plugin.needstage = mjSTAGE_ACC;
  plugin.nstate = NoState;
  plugin.nsensordata = TwoNumbers;
  plugin.init = Init;
  plugin.destroy = Destroy;
  plugin.reset = NoReset;
  plugin.compute = Compute;
  mjp_registerPlugin(&plugin);
}

}  // namespace

mjPLUGIN_LIB_INIT(grouser) {
  Register(kBeltPlugin, kBeltKeys);
  Register(kContactPlugin, kContactKeys);
}

}  // namespace grouser
