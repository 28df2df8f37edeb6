"""A world as MJCF text, ready to run where Grouser's Python is not."""

from __future__ import annotations

import mujoco

from grouser.build.engine import compile_spec, exact_numbers

KEYFRAME = "now"
"""Name of the keyframe that holds the state and the commands."""


def world_to_mjcf(spec: mujoco.MjSpec, model: mujoco.MjModel, data: mujoco.MjData) -> str:
    """Return the text.

    Args:
        spec: What is in the world.
        model: Its compiled model, which has the gains.
        data: Its state and commands.
    """
    spec = spec.copy()
    for actuator in spec.actuators:
        gains = actuator.biasprm.copy()
        gains[1:3] = model.actuator_biasprm[model.actuator(actuator.name).id, 1:3]
        actuator.biasprm = gains
    if model.nq:
        spec.add_key(name=KEYFRAME, time=data.time, qpos=data.qpos, qvel=data.qvel, ctrl=data.ctrl)
    compile_spec(spec, "the world")
    with exact_numbers():
        return spec.to_xml()
