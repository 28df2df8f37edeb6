"""One step of a belt model, computed without the plugin: what `mj_step` with it has to give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from . import laws
from .description import Belt, Contact
from .rows import Block, Rows, belt_gains, build_rows
from .servos import joint_springs, other_actuation, pid_servos
from .solve import ContactLaw, Problem, block_response, solve

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Step:
    """The accelerations and forces of one state.

    Attributes:
        acceleration: qacc, shape (nv,).
        rows: The constraint rows and the fate of each contact.
        row_forces: Force of each block of `rows.blocks`, each of shape (dim,).
        constraint_force: Generalized force of all rows, qfrc_constraint, shape (nv,).
        actuator_force: Generalized force of all actuators as it really acts, qfrc_actuator, shape (nv,).
        belt_speed: s of each belt before the step [m/s].
        traction: Pull of each belt along its own motion, positive when it drives the robot [N].
    """

    acceleration: Array
    rows: Rows
    row_forces: tuple[Array, ...]
    constraint_force: Array
    actuator_force: Array
    belt_speed: dict[str, float]
    traction: dict[str, float]


def reference_step(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    belts: Sequence[Belt] = (),
    contact: Contact | None = None,
    law: ContactLaw = laws.coulomb,
    *,
    implicit: bool = True,
) -> Step:
    """Return what one step does from the state in `data`; `data` is brought up to date, but not advanced.

    Args:
        model: A model without the plugin, with elliptic cones and a dense Jacobian.
        data: Its state and controls; `qacc_warmstart`, if not zero, is where the search begins.
        belts: The tracks.
        contact: Material pairs; None for none.
        law: The contact law; `laws.convex_cone` gives MuJoCo's own.
        implicit: Whether servos, springs and dampers are implicit, as with the plugin. If not, they are
            MuJoCo's explicit ones.

    Raises:
        NotSolvedError: if the solution is not found.
    """
    mujoco.mj_fwdPosition(model, data)
    mujoco.mj_fwdVelocity(model, data)
    mujoco.mj_fwdActuation(model, data)
    rows = build_rows(model, data, belts, contact or Contact())
    mass = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, mass)
    servos = pid_servos(model, data) if implicit else []
    passive_actuation = other_actuation(model, data) if implicit else data.qfrc_actuator.copy()
    force = data.qfrc_passive - data.qfrc_bias + data.qfrc_applied + passive_actuation + _body_forces(model, data)
    if implicit:
        mass = mass + np.diag(joint_springs(model))
    start = data.qacc_warmstart if np.any(data.qacc_warmstart) else None
    acceleration = solve(Problem(mass, force, servos, rows.blocks, law), start)

    row_forces = tuple(block_response(b, b.jacobian @ acceleration - b.reference, law)[0] for b in rows.blocks)
    actuator_force = passive_actuation
    for servo in servos:
        actuator_force[servo.dof] += servo.force(acceleration[servo.dof])[0]
    constraint = sum((b.jacobian.T @ f for b, f in zip(rows.blocks, row_forces, strict=True)), np.zeros(model.nv))
    return Step(
        acceleration=acceleration,
        rows=rows,
        row_forces=row_forces,
        constraint_force=constraint,
        actuator_force=actuator_force,
        belt_speed={b.name: float(belt_gains(model, b) @ data.qvel) for b in belts},
        traction={b.name: _traction(model, data, b, rows.blocks, row_forces) for b in belts},
    )


def advance(model: mujoco.MjModel, data: mujoco.MjData, step: Step) -> None:
    """Advance `data` by one timestep, semi-implicitly, with the accelerations of a step."""
    data.qacc_warmstart[:] = step.acceleration
    data.qvel += model.opt.timestep * step.acceleration
    mujoco.mj_integratePos(model, data.qpos, data.qvel, model.opt.timestep)
    data.time += model.opt.timestep


def _body_forces(model: mujoco.MjModel, data: mujoco.MjData) -> Array:
    """Return the generalized force of `xfrc_applied`."""
    total = np.zeros(model.nv)
    for body in range(1, model.nbody):
        wrench = data.xfrc_applied[body]
        mujoco.mj_applyFT(model, data, wrench[:3], wrench[3:], data.xipos[body], body, total)
    return total


def _traction(
    model: mujoco.MjModel, data: mujoco.MjData, belt: Belt, blocks: Sequence[Block], forces: Sequence[Array]
) -> float:
    """Return -sum t.lambda over the belt's contacts, lambda the force on the belt [N]."""
    geoms = {model.geom(name).id for name in belt.geoms}
    body = int(model.geom_bodyid[next(iter(geoms))])
    axis = data.xmat[body].reshape(3, 3) @ np.asarray(belt.axis) / np.linalg.norm(belt.axis)
    total = 0.0
    for block, force in zip(blocks, forces, strict=True):
        if block.contact < 0:
            continue
        contact = data.contact[block.contact]
        frame = contact.frame.reshape(3, 3)
        for side, sign in ((0, -1.0), (1, 1.0)):
            if int(contact.geom[side]) in geoms:
                size = min(force.size, 3)
                on_belt = sign * frame[:size].T @ force[:size]
                total -= float(np.cross(axis, -sign * frame[0]) @ on_belt)
    return total
