"""The state of a world: saved and restored to the bit, and carried over by name when the world is rebuilt."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from grouser.errors import ParameterError
from grouser.sim.checks import Array
from grouser.sim.engine import STATE

FULL = int(STATE.mjSTATE_INTEGRATION)
"""Everything that the next step depends on."""

MOVING = int(STATE.mjSTATE_FULLPHYSICS) | int(STATE.mjSTATE_WARMSTART)
"""The part of FULL that a step changes."""

OBJECT = mujoco.mjtObj


@dataclass(frozen=True, eq=False)
class WorldState:
    """Everything that the next step of a world depends on, but for its structure and materials.

    It is plain data: it can be pickled and restored into any world that was built in the same way.

    Attributes:
        time: Simulated time [s].
        values: MuJoCo's integration state: coordinates, velocities, warm start, commands, applied forces.
        gains: PD gains of all joints in MuJoCo's form (actuator_biasprm).
        torques: Torque on each robot's floating base [N m], in W, by robot.
        structure: Names of the bodies, joints, actuators and so on, each with its kind.
    """

    time: float
    values: Array
    gains: Array
    torques: dict[str, Array]
    structure: tuple[str, ...]


def structure_of(model: mujoco.MjModel) -> tuple[str, ...]:
    """Return what must agree for a state of one model to fit another."""
    kinds = (
        ("body", OBJECT.mjOBJ_BODY, model.nbody),
        ("joint", OBJECT.mjOBJ_JOINT, model.njnt),
        ("actuator", OBJECT.mjOBJ_ACTUATOR, model.nactuator),
        ("constraint", OBJECT.mjOBJ_EQUALITY, model.neq),
    )
    found = [f"{kind} '{name}'" for kind, code, n in kinds for name in names(model, code, n)]
    return (*found, f"state of {mujoco.mj_stateSize(model, FULL)} numbers")


def names(model: mujoco.MjModel, code: mujoco.mjtObj, n: int) -> list[str]:
    """Return the names of the `n` elements of one kind, in the model's order."""
    return [mujoco.mj_id2name(model, code, i) or "" for i in range(n)]


def read(model: mujoco.MjModel, data: mujoco.MjData, signature: int = FULL) -> Array:
    """Return MuJoCo's state vector of that signature."""
    values = np.empty(mujoco.mj_stateSize(model, signature))
    mujoco.mj_getState(model, data, values, signature)
    return values


def require_fit(state: object, structure: tuple[str, ...]) -> WorldState:
    """Return `state` if it fits a world of `structure`.

    Raises:
        ParameterError: if it is no state, or one of a world that was built otherwise.
    """
    if not isinstance(state, WorldState):
        raise ParameterError(f"state is a {type(state).__name__}; it must be what World.save_state() returned")
    if state.structure != structure:
        missing = sorted(set(state.structure) - set(structure))
        added = sorted(set(structure) - set(state.structure))
        raise ParameterError(
            "the state belongs to a world that was built otherwise: "
            f"only there: {_listed(missing)}; only here: {_listed(added)}. "
            "A state fits the world it was saved from until something is added, or one built the same way"
        )
    return state


def _listed(items: list[str]) -> str:
    shown = ", ".join(items[:4]) or "nothing"
    return f"{shown} and {len(items) - 4} more" if len(items) > 4 else shown


def carry_over(old: mujoco.MjModel, before: mujoco.MjData, new: mujoco.MjModel, after: mujoco.MjData) -> None:
    """Copy the state of everything in `old` that `new` has under the same name, to the bit.

    Args:
        old: The model before the change.
        before: Its data.
        new: The model after the change.
        after: Its data, fresh.
    """
    after.time = before.time
    for i, j in _same(OBJECT.mjOBJ_JOINT, old, old.njnt, new, new.njnt):
        q_old, q_new = _span(old.jnt_qposadr, i, old.nq), _span(new.jnt_qposadr, j, new.nq)
        after.qpos[q_new] = before.qpos[q_old]
        v_old, v_new = _span(old.jnt_dofadr, i, old.nv), _span(new.jnt_dofadr, j, new.nv)
        for field in ("qvel", "qacc_warmstart", "qfrc_applied"):
            getattr(after, field)[v_new] = getattr(before, field)[v_old]
    for i, j in _same(OBJECT.mjOBJ_ACTUATOR, old, old.nactuator, new, new.nactuator):
        new.actuator_biasprm[j] = old.actuator_biasprm[i]
        after.ctrl[_span(new.actuator_ctrladr, j, new.nu)] = before.ctrl[_span(old.actuator_ctrladr, i, old.nu)]
        if old.actuator_actadr[i] >= 0:
            here, there = old.actuator_actadr[i], new.actuator_actadr[j]
            after.act[there : there + old.actuator_actnum[i]] = before.act[here : here + old.actuator_actnum[i]]
    for i, j in _same(OBJECT.mjOBJ_BODY, old, old.nbody, new, new.nbody):
        after.xfrc_applied[j] = before.xfrc_applied[i]
        if old.body_mocapid[i] >= 0 and new.body_mocapid[j] >= 0:
            after.mocap_pos[new.body_mocapid[j]] = before.mocap_pos[old.body_mocapid[i]]
            after.mocap_quat[new.body_mocapid[j]] = before.mocap_quat[old.body_mocapid[i]]
    for i, j in _same(OBJECT.mjOBJ_EQUALITY, old, old.neq, new, new.neq):
        after.eq_active[j] = before.eq_active[i]


def _same(
    code: mujoco.mjtObj, old: mujoco.MjModel, n_old: int, new: mujoco.MjModel, n_new: int
) -> list[tuple[int, int]]:
    """Return the indices, before and after, of the elements of one kind that both models have by name."""
    there = {name: j for j, name in enumerate(names(new, code, n_new)) if name}
    return [(i, there[name]) for i, name in enumerate(names(old, code, n_old)) if name in there]


def _span(addresses: Array, index: int, end: int) -> slice:
    """Return where the numbers of element `index` lie, given where those of every element start."""
    following = addresses[index + 1] if index + 1 < len(addresses) else end
    return slice(int(addresses[index]), int(following))
