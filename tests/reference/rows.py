"""Constraint rows of one state: MuJoCo's own, with those of belt contacts rebuilt from docs/physics.md §1-§3."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from .description import Belt, Contact

Array = NDArray[np.float64]

RUN_END_COSINE = 0.05
"""A contact of a run box whose unit normal has more than this along the run touches a hidden end."""
MERGE_WIDTHS = 0.01
"""Contacts nearer than this many belt widths are one contact."""
SAME_NORMAL = 1.0 - 1e-6
"""Two normals whose cosine is at least this are the same."""
MINIMUM_FRICTION = 1e-5
"""MuJoCo's mjMINMU: no friction coefficient is smaller."""


@dataclass
class Block:
    """The rows of one constraint: one row, or the `dim` rows of a frictional contact.

    Attributes:
        kind: MuJoCo's mjtConstraint of the rows.
        jacobian: Shape (dim, nv).
        reference: Reference acceleration, before any correction for sliding, shape (dim,).
        regularisation: R, shape (dim,).
        friction: Friction coefficients of a contact's friction rows, shape (dim - 1,); empty otherwise.
        bound: Greatest force of a dry friction row.
        contact: Index in `data.contact`, or -1.
    """

    kind: mujoco.mjtConstraint
    jacobian: Array
    reference: Array
    regularisation: Array
    friction: Array
    bound: float = 0.0
    contact: int = -1


@dataclass(frozen=True)
class _Belted:
    """A belt found in a model, with its world-frame geometry in one state."""

    belt: Belt
    body: int
    axis: Array
    center: Array
    gains: Array  # shape (nv,): s = gains @ qvel


@dataclass
class _Touch:
    """A contact that keeps its rows, on its way to them."""

    index: int
    point: Array
    normal: Array
    depth: float
    belts: tuple[_Belted | None, _Belted | None]
    fixed: tuple[bool, bool]
    geoms: tuple[int, int]
    bodies: tuple[int, int]


@dataclass(frozen=True)
class Rows:
    """All constraint blocks of a state, and what became of the contacts."""

    blocks: tuple[Block, ...]
    kept: tuple[int, ...]
    artefacts: tuple[int, ...]
    merged: dict[int, int]  # contact that carries nothing -> contact that carries its load


def belt_gains(model: mujoco.MjModel, belt: Belt) -> Array:
    """Return g of `s = g @ qvel` [m], shape (nv,)."""
    gains = np.zeros(model.nv)
    for joint, gain in belt.drives.items():
        gains[model.joint(joint).dofadr[0]] += gain
    return gains


def build_rows(model: mujoco.MjModel, data: mujoco.MjData, belts: Sequence[Belt], contact: Contact) -> Rows:
    """Return the constraint rows of a state after `mj_fwdPosition`.

    Rows of equalities, joint friction and limits are MuJoCo's. Those of contacts are built anew, by the
    rules of belts where one touches. Order is MuJoCo's.
    """
    by_geom = _belts_by_geom(model, data, belts)
    touches = [_touch(model, data, i, by_geom) for i in range(data.ncon) if data.contact[i].efc_address >= 0]
    artefacts = tuple(t.index for t in touches if _is_artefact(model, data, t))
    live = [t for t in touches if t.index not in artefacts]
    merged = _merge(live)
    live = [t for t in live if t.index not in merged]
    blocks = list(_stock_blocks(model, data))
    blocks += [_contact_block(model, data, t, _pair_friction(model, contact, t.geoms)) for t in live]
    return Rows(tuple(blocks), tuple(t.index for t in live), artefacts, merged)


def _belts_by_geom(model: mujoco.MjModel, data: mujoco.MjData, belts: Iterable[Belt]) -> dict[int, _Belted]:
    by_geom: dict[int, _Belted] = {}
    for belt in belts:
        geoms = [model.geom(name).id for name in belt.geoms]
        body = int(model.geom_bodyid[geoms[0]])
        rotation = data.xmat[body].reshape(3, 3)
        axis = rotation @ np.asarray(belt.axis) / np.linalg.norm(belt.axis)
        center = data.xpos[body] + rotation @ np.asarray(belt.center)
        by_geom |= dict.fromkeys(geoms, _Belted(belt, body, axis, center, belt_gains(model, belt)))
    return by_geom


def _touch(model: mujoco.MjModel, data: mujoco.MjData, index: int, by_geom: dict[int, _Belted]) -> _Touch:
    """Return a contact with its acting point: the mid-plane against bodies that cannot move (§2)."""
    contact = data.contact[index]
    geoms = (int(contact.geom[0]), int(contact.geom[1]))
    belts = (by_geom.get(geoms[0]), by_geom.get(geoms[1]))
    fixed = (_is_fixed(model, geoms[0]), _is_fixed(model, geoms[1]))
    point = contact.pos.copy()
    for side, belt in enumerate(belts):
        if belt is not None and fixed[1 - side]:
            point = point - ((point - belt.center) @ belt.axis) * belt.axis
    bodies = (int(model.geom_bodyid[geoms[0]]), int(model.geom_bodyid[geoms[1]]))
    return _Touch(index, point, contact.frame[:3].copy(), contact.dist, belts, fixed, geoms, bodies)


def _is_fixed(model: mujoco.MjModel, geom: int) -> bool:
    """Return whether a geom's body has no degree of freedom: static or kinematic (mocap)."""
    return bool(model.body_treeid[model.geom_bodyid[geom]] < 0)


def _is_artefact(model: mujoco.MjModel, data: mujoco.MjData, touch: _Touch) -> bool:
    """Return whether the contact is with the end of a run's box, which the belt's wheels hide (§3)."""
    for geom, belt in zip(touch.geoms, touch.belts, strict=True):
        if belt is not None and model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_BOX:
            along = data.geom_xmat[geom].reshape(3, 3)[:, 0]
            if abs(along @ touch.normal) > RUN_END_COSINE:
                return True
    return False


def _merge(touches: list[_Touch]) -> dict[int, int]:
    """Return, for each contact that coincides with a deeper one, the one that carries its load (§3)."""
    kept: list[_Touch] = []
    merged: dict[int, int] = {}
    for touch in sorted(touches, key=lambda t: (t.depth, t.index)):
        carrier = next((k for k in kept if _coincide(k, touch)), None)
        if carrier is None:
            kept.append(touch)
        else:
            merged[touch.index] = carrier.index
    return merged


def _belt_side(touch: _Touch) -> int | None:
    """Return the side of a belt whose contacts may merge: one on a moving body against what cannot move."""
    for side, belt in enumerate(touch.belts):
        if belt is not None and touch.fixed[1 - side] and not touch.fixed[side]:
            return side
    return None


def _coincide(a: _Touch, b: _Touch) -> bool:
    """Return whether two contacts of one belt with one fixed body are at the same place, facing the same way.

    Either may have the belt as its first geom, so that normals are compared outward from the belt.
    """
    side_a, side_b = _belt_side(a), _belt_side(b)
    if side_a is None or side_b is None:
        return False
    belt_a, belt_b = a.belts[side_a], b.belts[side_b]
    same_pair = belt_a is belt_b and a.bodies[1 - side_a] == b.bodies[1 - side_b]
    if belt_a is None or not same_pair:
        return False
    outward_a, outward_b = (1 - 2 * side_a) * a.normal, (1 - 2 * side_b) * b.normal
    near = np.linalg.norm(a.point - b.point) <= MERGE_WIDTHS * belt_a.belt.width
    return bool(near and outward_a @ outward_b >= SAME_NORMAL)


def _pair_friction(model: mujoco.MjModel, contact: Contact, geoms: tuple[int, int]) -> float | None:
    """Return the sliding friction that a material pair imposes, or None to keep MuJoCo's."""
    material = {name: key for key, names in contact.members.items() for name in names}
    a, b = (material.get(model.geom(geom).name, "default") for geom in geoms)
    friction = contact.pairs.get((a, b), contact.pairs.get((b, a)))
    return None if friction is None else max(friction, MINIMUM_FRICTION)


def _contact_block(model: mujoco.MjModel, data: mujoco.MjData, touch: _Touch, pair_friction: float | None) -> Block:
    """Return the rows of one contact: `frame (J_2 - J_1)`, with `t g^T` of a belt on either side (§1)."""
    contact = data.contact[touch.index]
    dim, address = contact.dim, contact.efc_address
    friction = contact.friction[: dim - 1].copy()
    if pair_friction is not None and dim > 1:
        friction[:2] = pair_friction
    jacobian = _relative_jacobian(model, data, touch)[:dim]
    velocity = jacobian @ data.qvel
    velocity[1 : min(dim, 4)] += contact.surfacevel[: min(dim, 4) - 1]
    stiffness, damping, impedance, _ = data.efc_KBIP[address : address + dim].T
    position = data.efc_pos[address : address + dim] - data.efc_margin[address : address + dim]
    regularisation = data.efc_R[address : address + dim].copy()
    if dim > 1:
        regularisation[1] = regularisation[0] / max(model.opt.impratio, mujoco.mjMINVAL)
        regularisation[2:] = regularisation[1] * (friction[0] / friction[1:]) ** 2
    return Block(
        kind=mujoco.mjtConstraint(data.efc_type[address]),
        jacobian=jacobian,
        reference=-damping * velocity - stiffness * impedance * position,
        regularisation=regularisation,
        friction=friction,
        contact=touch.index,
    )


def _relative_jacobian(model: mujoco.MjModel, data: mujoco.MjData, touch: _Touch) -> Array:
    """Return all six rows of a contact: three of velocity, three of angular velocity, in its frame."""
    linear, angular = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    for side, sign in ((0, -1.0), (1, 1.0)):
        jac_p, jac_r = np.zeros((3, model.nv)), np.zeros((3, model.nv))
        mujoco.mj_jac(model, data, jac_p, jac_r, touch.point, int(model.geom_bodyid[touch.geoms[side]]))
        belt = touch.belts[side]
        if belt is not None:
            outward = -sign * touch.normal  # the contact's normal points from side 0 to side 1
            jac_p += np.outer(np.cross(belt.axis, outward), belt.gains)
        linear += sign * jac_p
        angular += sign * jac_r
    frame = data.contact[touch.index].frame.reshape(3, 3)
    return np.vstack((frame @ linear, frame @ angular))


def _stock_blocks(model: mujoco.MjModel, data: mujoco.MjData) -> Iterable[Block]:
    """Yield MuJoCo's own rows of everything but contacts, one block a row."""
    jacobian = data.efc_J.reshape(-1, model.nv)
    velocity = jacobian @ data.qvel
    for row in range(data.ne + data.nf + data.nl):
        stiffness, damping, impedance, _ = data.efc_KBIP[row]
        position = data.efc_pos[row] - data.efc_margin[row]
        yield Block(
            kind=mujoco.mjtConstraint(data.efc_type[row]),
            jacobian=jacobian[row : row + 1].copy(),
            reference=np.array([-damping * velocity[row] - stiffness * impedance * position]),
            regularisation=data.efc_R[row : row + 1].copy(),
            friction=np.zeros(0),
            bound=float(data.efc_frictionloss[row]),
        )
