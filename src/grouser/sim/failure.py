"""Why a step failed, in words: MuJoCo only counts warnings and goes on."""

from __future__ import annotations

import mujoco
import numpy as np

from grouser.sim.engine import WARNING
from grouser.sim.state import OBJECT

LARGEST = 1e10
"""MuJoCo takes a number beyond this for a failure."""

MEBIBYTE = 1024 * 1024

_UNSTABLE = (
    "the motion is unstable: try a smaller timestep, lower gains, or look for links that are very light for "
    "the forces on them"
)


def explain_warnings(model: mujoco.MjModel, data: mujoco.MjData) -> str:
    """Return what the warnings that MuJoCo has counted say; "" if the counters are quiet."""
    found = [WARNING(i) for i in np.flatnonzero(data.warning.number > 1)]
    infos = data.warning.lastinfo
    # what comes first here is the cause where several happen together
    exhausted = explain_exhaustion(model, data)
    if exhausted:
        return exhausted
    for kind in (
        WARNING.mjWARN_BADCTRL,
        WARNING.mjWARN_BADQPOS,
        WARNING.mjWARN_BADQVEL,
        WARNING.mjWARN_BADQACC,
    ):
        if kind in found:
            return _bad_number(model, data, kind, int(infos[kind]))
    if WARNING.mjWARN_INERTIA in found:
        where = name_of_dof(model, int(infos[WARNING.mjWARN_INERTIA]))
        return f"the mass matrix is singular at {where}: give what it moves a mass, or it a rotor inertia"
    return ""


def explain_exhaustion(model: mujoco.MjModel, data: mujoco.MjData) -> str:
    """Return what MuJoCo's warnings say of its memory; "" if there was enough."""
    for what, kind in (("contacts", WARNING.mjWARN_CONTACTFULL), ("constraints", WARNING.mjWARN_CNSTRFULL)):
        if data.warning[kind].number > 1:
            return f"the memory for {what} is full at {data.ncon} contacts ({_advice(model)})"
    return ""


def explain_fatal(model: mujoco.MjModel, message: str) -> str:
    """Return what an error of MuJoCo's engine says."""
    if "out of memory" in message or "overflow" in message:
        return f"the memory for contacts and constraints is full ({_advice(model)})"
    return f"MuJoCo's engine stopped: {' '.join(message.split())}"


def _advice(model: mujoco.MjModel) -> str:
    size = model.narena
    return f"{size / MEBIBYTE:.3g} MiB; build the world with more, World(memory={_rounded(4 * size)})"


def _rounded(size: int) -> int:
    """Return the next power of two, in bytes."""
    return 1 << (int(size) - 1).bit_length()


def _bad_number(model: mujoco.MjModel, data: mujoco.MjData, kind: mujoco.mjtWarning, index: int) -> str:
    if kind == WARNING.mjWARN_BADCTRL:
        actuator = int(np.searchsorted(model.actuator_ctrladr, index, side="right")) - 1
        name = mujoco.mj_id2name(model, OBJECT.mjOBJ_ACTUATOR, actuator)
        return f"the command of joint '{name}' is {data.ctrl[index]}; it must be finite"
    what, values, where = {
        WARNING.mjWARN_BADQPOS: ("coordinate", data.qpos, name_of_coordinate(model, index)),
        WARNING.mjWARN_BADQVEL: ("velocity", data.qvel, name_of_dof(model, index)),
        WARNING.mjWARN_BADQACC: ("acceleration", data.qacc, name_of_dof(model, index)),
    }[kind]
    value = values[index] if index < len(values) else np.nan
    return f"the {what} of {where} is {value:.6g}, not finite or beyond {LARGEST:g}; {_UNSTABLE}"


def name_of_dof(model: mujoco.MjModel, dof: int) -> str:
    """Return what a velocity belongs to, in words."""
    return _name_of_joint(model, int(model.dof_jntid[dof]))


def name_of_coordinate(model: mujoco.MjModel, index: int) -> str:
    """Return what a coordinate belongs to, in words."""
    return _name_of_joint(model, int(np.searchsorted(model.jnt_qposadr, index, side="right")) - 1)


def _name_of_joint(model: mujoco.MjModel, joint: int) -> str:
    if model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_FREE:
        return f"body '{mujoco.mj_id2name(model, OBJECT.mjOBJ_BODY, int(model.jnt_bodyid[joint]))}'"
    return f"joint '{mujoco.mj_id2name(model, OBJECT.mjOBJ_JOINT, joint)}'"
