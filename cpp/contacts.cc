// Stage 1: rewrite the constraint rows of contacts on belts (docs/physics.md, sections 1 to 3).

#include "contacts.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace grouser {
namespace {

// A run's box ends inside the wheels; a normal that leans along the run by more than this is one of those ends.
constexpr mjtNum kEndNormal = 0.05;
// Contacts of one belt closer than this share of its width are at the same place.
constexpr mjtNum kSamePlace = 0.01;
// Normals whose cosine is at least this are the same.
constexpr mjtNum kSameNormal = 1 - 1e-6;
// MuJoCo's own lower bound on friction coefficients.
constexpr mjtNum kMinFriction = 1e-5;

int BodyOf(const mjModel* m, const mjContact& con, int side) {
  const int geom = con.geom[side];
  return geom >= 0 ? m->geom_bodyid[geom] : m->flex_vertbodyid[m->flex_vertadr[con.flex[side]]];
}

// Neither static nor kinematic (a mocap body): some degree of freedom moves it.
bool IsDynamic(const Description& desc, int body) { return desc.chain_address[body] != desc.chain_address[body + 1]; }

// The belt on one side of a contact, or -1. To the links of its own robot a conveyor is a fixed surface.
int BeltOf(const mjModel* m, const Description& desc, const mjContact& con, int side) {
  const int geom = con.geom[side];
  if (geom < 0 || desc.geom_belt[geom] < 0) return -1;
  const int body = m->geom_bodyid[geom];
  if (body > 0 && !IsDynamic(desc, body) && m->body_rootid[body] == m->body_rootid[BodyOf(m, con, 1 - side)]) {
    return -1;
  }
  return desc.geom_belt[geom];
}

// Does the normal lean along the run that this geom is the box of?
bool IsEndOfRun(const mjData* d, int geom, const mjtNum normal[3]) {
  const mjtNum* frame = d->geom_xmat + 9 * geom;  // the run is the box's x: first column
  return std::abs(normal[0] * frame[0] + normal[1] * frame[3] + normal[2] * frame[6]) > kEndNormal;
}

bool IsArtefact(const mjData* d, const Description& desc, const mjContact& con) {
  for (int side = 0; side < 2; side++) {
    const int geom = con.geom[side];
    if (geom >= 0 && desc.geom_run[geom] && IsEndOfRun(d, geom, con.frame)) return true;
  }
  return false;
}

void UpdateFrames(const mjData* d, Workspace* work) {
  for (size_t i = 0; i < work->frames.size(); i++) {
    const Belt& belt = work->desc.belts[i];
    BeltFrame& frame = work->frames[i];
    const mjtNum* pose = d->xmat + 9 * belt.body;
    mju_mulMatVec3(frame.axis, pose, belt.axis);
    frame.mid_plane = mju_dot3(frame.axis, d->xpos + 3 * belt.body) + mju_dot3(belt.axis, belt.center);
    frame.newest = -1;
  }
}

bool Coincide(const mjData* d, const Candidate& a, const Candidate& b, mjtNum reach) {
  if (!a.moved || a.body != b.body || a.other != b.other) return false;
  const mjtNum apart[3] = {a.point[0] - b.point[0], a.point[1] - b.point[1], a.point[2] - b.point[2]};
  if (mju_dot3(apart, apart) > reach * reach) return false;
  const mjContact &first = d->contact[a.contact], &second = d->contact[b.contact];
  const mjtNum sign = a.side == b.side ? 1 : -1;  // a contact's normal points from its first geom to its second
  return first.dim == second.dim && sign * mju_dot3(first.frame, second.frame) >= kSameNormal;
}

// Merge a candidate with the earlier ones at its place: the deepest stays.
void Merge(const mjData* d, Workspace* work, Candidate* added) {
  const mjtNum reach = kSamePlace * work->desc.belts[added->belt].width;
  for (int i = work->frames[added->belt].newest; i >= 0; i = work->candidates[i].earlier) {
    Candidate& earlier = work->candidates[i];
    if (earlier.dropped || !Coincide(d, earlier, *added, reach)) continue;
    if (d->contact[added->contact].dist >= d->contact[earlier.contact].dist) {
      added->dropped = true;
      return;
    }
    earlier.dropped = true;
  }
}

// Find the contacts of belts, decide where each acts and which of them stay.
void FindCandidates(const mjModel* m, const mjData* d, Workspace* work) {
  const Description& desc = work->desc;
  work->candidates.clear();
  for (int i = 0; i < d->ncon; i++) {
    const mjContact& con = d->contact[i];
    if (con.efc_address < 0) continue;
    const int belts[2] = {BeltOf(m, desc, con, 0), BeltOf(m, desc, con, 1)};
    if (belts[0] < 0 && belts[1] < 0) continue;
    if (work->candidates.empty()) UpdateFrames(d, work);
    Candidate& c = work->candidates.emplace_back();
    c.contact = i;
    // where two belts touch, the one that moves with its robot comes first: a conveyor is ground to it
    c.side = belts[0] >= 0 && (belts[1] < 0 || IsDynamic(desc, desc.belts[belts[0]].body)) ? 0 : 1;
    c.belt = belts[c.side];
    c.other = belts[1 - c.side];
    c.body = BodyOf(m, con, 1 - c.side);
    c.dropped = IsArtefact(d, desc, con);
    c.moved = !IsDynamic(desc, c.body);
    mju_copy3(c.point, con.pos);
    if (c.dropped || !c.moved) continue;
    BeltFrame& frame = work->frames[c.belt];
    mju_addToScl3(c.point, frame.axis, frame.mid_plane - mju_dot3(frame.axis, c.point));
    Merge(d, work, &c);
    if (c.dropped) continue;
    c.earlier = frame.newest;
    frame.newest = static_cast<int>(work->candidates.size()) - 1;
  }
}

// Copy everything that describes a row, its Jacobian apart.
void MoveRow(mjData* d, int from, int to) {
  d->efc_type[to] = d->efc_type[from];
  d->efc_id[to] = d->efc_id[from];
  d->efc_pos[to] = d->efc_pos[from];
  d->efc_margin[to] = d->efc_margin[from];
  d->efc_frictionloss[to] = d->efc_frictionloss[from];
  d->efc_diagA[to] = d->efc_diagA[from];
  mju_copy4(d->efc_KBIP + 4 * to, d->efc_KBIP + 4 * from);
  d->efc_D[to] = d->efc_D[from];
  d->efc_R[to] = d->efc_R[from];
}

// Add the motion of `point`, fixed to `body`, per unit velocity of one dof, to the translational rows of a contact.
void AddColumn(const mjModel* m, mjData* d, int body, int dof, const mjtNum point[3], const mjtNum* frame, mjtNum sign,
               int rows, mjtNum* entry) {
  const mjtNum* motion = d->cdof + 6 * dof;
  const mjtNum* com = d->subtree_com + 3 * m->body_rootid[body];
  const mjtNum arm[3] = {point[0] - com[0], point[1] - com[1], point[2] - com[2]};
  const mjtNum velocity[3] = {sign * (motion[3] + motion[1] * arm[2] - motion[2] * arm[1]),
                              sign * (motion[4] + motion[2] * arm[0] - motion[0] * arm[2]),
                              sign * (motion[5] + motion[0] * arm[1] - motion[1] * arm[0])};
  for (int r = 0; r < rows; r++, frame += 3, entry += m->nv) {
    *entry += frame[0] * velocity[0] + frame[1] * velocity[1] + frame[2] * velocity[2];
  }
}

void ZeroColumn(int nv, int rows, mjtNum* entry) {
  for (int r = 0; r < rows; r++, entry += nv) *entry = 0;
}

// Write what the links themselves contribute to the columns that a belt changes.
void WriteLinkColumns(const mjModel* m, mjData* d, const Description& desc, const Candidate& c, int rows, mjtNum* J) {
  const mjContact& con = d->contact[c.contact];
  const Belt& belt = desc.belts[c.belt];
  if (c.moved) {  // every column of the link is new, and the other body has none
    const mjtNum sign = c.side == 1 ? 1 : -1;
    for (int k = desc.chain_address[belt.body]; k < desc.chain_address[belt.body + 1]; k++) {
      mjtNum* entry = J + desc.chain[k];
      ZeroColumn(m->nv, rows, entry);
      AddColumn(m, d, belt.body, desc.chain[k], c.point, con.frame, sign, rows, entry);
    }
    for (const int index : {c.belt, c.other}) {
      if (index < 0) continue;
      for (const Drive& drive : desc.belts[index].drives) {
        if (!Moves(desc, belt.body, drive.dof)) ZeroColumn(m->nv, rows, J + drive.dof);
      }
    }
    return;
  }
  const int bodies[2] = {c.side == 0 ? belt.body : c.body, c.side == 0 ? c.body : belt.body};
  for (const int index : {c.belt, c.other}) {
    if (index < 0) continue;
    for (const Drive& drive : desc.belts[index].drives) {
      ZeroColumn(m->nv, rows, J + drive.dof);
      for (int side = 0; side < 2; side++) {
        if (!Moves(desc, bodies[side], drive.dof)) continue;
        AddColumn(m, d, bodies[side], drive.dof, c.point, con.frame, side == 1 ? 1 : -1, rows, J + drive.dof);
      }
    }
  }
}

// Add a belt's drives to the translational rows: its surface moves at s (axis x outward) past its link.
void AddDrives(const mjModel* m, const mjContact& con, int index, int rows, mjtNum* J, Workspace* work) {
  const mjtNum* axis = work->frames[index].axis;
  mjtNum direction[3];  // the same on either side of the contact: outward normal and sign both change
  mju_cross(direction, con.frame, axis);
  Pull& pull = work->pulls.emplace_back();
  pull.belt = index;
  pull.row = con.efc_address;
  pull.rows = rows;
  for (int r = 0; r < rows; r++) {
    const mjtNum part = mju_dot3(con.frame + 3 * r, direction);
    pull.coefficient[r] = part;
    for (const Drive& drive : work->desc.belts[index].drives) J[r * m->nv + drive.dof] += part * drive.gain;
  }
}

// Write the Jacobian rows of a contact on a belt.
void WriteRows(const mjModel* m, mjData* d, Workspace* work, const Candidate& c) {
  const mjContact& con = d->contact[c.contact];
  const int rows = std::min(con.dim, 3);
  mjtNum* J = d->efc_J + static_cast<size_t>(con.efc_address) * m->nv;
  WriteLinkColumns(m, d, work->desc, c, rows, J);
  AddDrives(m, con, c.belt, rows, J, work);
  if (c.other >= 0) AddDrives(m, con, c.other, rows, J, work);
}

}  // namespace

void RewriteContacts(const mjModel* m, mjData* d, Workspace* work) {
  work->pulls.clear();
  FindCandidates(m, d, work);
  if (work->candidates.empty()) return;
  const size_t width = static_cast<size_t>(m->nv);
  size_t upcoming = 0;
  int next = d->contact[work->candidates[0].contact].efc_address;  // rows before it stay where they are
  for (int i = work->candidates[0].contact; i < d->ncon; i++) {
    mjContact& con = d->contact[i];
    if (con.efc_address < 0) continue;
    const bool ours = upcoming < work->candidates.size() && work->candidates[upcoming].contact == i;
    const Candidate* c = ours ? &work->candidates[upcoming++] : nullptr;
    if (c && c->dropped) {
      con.efc_address = -1;
      continue;
    }
    if (con.efc_address != next) {
      for (int r = 0; r < con.dim; r++) MoveRow(d, con.efc_address + r, next + r);
      std::memmove(d->efc_J + next * width, d->efc_J + con.efc_address * width, con.dim * width * sizeof(mjtNum));
      con.efc_address = next;
    }
    if (c) WriteRows(m, d, work, *c);
    next += con.dim;
  }
  d->nefc = next;
  d->nJ = static_cast<int>(next * width);
}

void ApplyMaterials(mjData* d, const Workspace& work) {
  const Description& desc = work.desc;
  if (desc.materials < 2 && desc.friction[0] < 0) return;
  for (int i = 0; i < d->ncon; i++) {
    mjContact& con = d->contact[i];
    if (con.efc_address < 0 || con.dim < 3 || con.geom[0] < 0 || con.geom[1] < 0) continue;
    const mjtNum wanted =
        desc.friction[desc.geom_material[con.geom[0]] * desc.materials + desc.geom_material[con.geom[1]]];
    if (wanted < 0) continue;
    const mjtNum friction = std::max(wanted, kMinFriction);
    con.mu *= friction / con.friction[0];
    con.friction[0] = con.friction[1] = friction;
    const int row = con.efc_address;
    for (int r = 2; r < con.dim; r++) {  // rows of one contact have R in inverse proportion to friction squared
      const mjtNum ratio = friction / con.friction[r - 1];
      d->efc_R[row + r] = d->efc_R[row + 1] * ratio * ratio;
      d->efc_D[row + r] = 1 / d->efc_R[row + r];
    }
  }
}

void MeasureTraction(const mjData* d, Workspace* work) {
  std::fill(work->traction.begin(), work->traction.end(), 0);
  for (const Pull& pull : work->pulls) {
    for (int r = 0; r < pull.rows; r++) {
      work->traction[pull.belt] -= pull.coefficient[r] * d->efc_force[pull.row + r];
    }
  }
}

}  // namespace grouser
