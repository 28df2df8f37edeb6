// Which solver settings a model with belts may have, and the message for each one that it may not.

#include <string>

#include "model.h"

namespace grouser {
namespace {

std::string Refuse(const char* what, const char* why, const char* fix) {
  return std::string("grouser: ") + what + ": " + why + ". Set " + fix + ".";
}

}  // namespace

std::string CheckOptions(const mjModel* m) {
  const mjOption& opt = m->opt;
  if (opt.cone != mjCONE_ELLIPTIC) {
    return Refuse("option cone=\"pyramidal\"", "exact friction needs the elliptic cone", "<option cone=\"elliptic\"/>");
  }
  if (opt.solver != mjSOL_NEWTON) {
    return Refuse("option solver=\"PGS\" or \"CG\"", "only the Newton solver works on the rows that belts rewrite",
                  "<option solver=\"Newton\"/>");
  }
  if (opt.noslip_iterations > 0) {
    return Refuse("option noslip_iterations > 0", "its matrices are made before belts rewrite their contacts",
                  "<option noslip_iterations=\"0\"/> (impratio=\"100\" keeps grip from creeping)");
  }
  if (opt.integrator != mjINT_EULER) {
    return Refuse("option integrator other than \"Euler\"",
                  "RK4 evaluates forces between steps, the implicit ones would count servos twice, and \"discrete\" "
                  "makes its constraints where no plugin can reach",
                  "<option integrator=\"Euler\"/>");
  }
  if (!(opt.disableflags & mjDSBL_EULERDAMP)) {
    return Refuse("flag eulerdamp=\"enable\"", "joint damping is made implicit by this plugin already",
                  "<option><flag eulerdamp=\"disable\"/></option>");
  }
  if (!(opt.disableflags & mjDSBL_ISLAND)) {
    return Refuse("flag island=\"enable\"", "a belt may couple kinematic trees that MuJoCo would solve apart",
                  "<option><flag island=\"disable\"/></option>");
  }
  if (!(opt.disableflags & mjDSBL_MULTICCD)) {
    return Refuse("flag multiccd=\"enable\"", "it gives wrong normals between a cylinder and the edge of a box",
                  "<option><flag multiccd=\"disable\"/></option>");
  }
  if (opt.enableflags & mjENBL_SLEEP) {
    return Refuse("flag sleep=\"enable\"", "a running belt would fall asleep with its robot",
                  "<option><flag sleep=\"disable\"/></option>");
  }
  if ((opt.disableflags & mjDSBL_SPRING) && (opt.disableflags & mjDSBL_DAMPER)) {
    return Refuse("flags spring=\"disable\" and damper=\"disable\"", "MuJoCo then skips the stage in which belts work",
                  "at most one of them to \"disable\"");
  }
  if (mj_isSparse(m)) {
    return Refuse("sparse constraint Jacobian", "its rows have no room for a belt's drives",
                  "<option jacobian=\"dense\"/>");
  }
  return "";
}

}  // namespace grouser
