"""A robot alone: as a compiled model, and as MJCF text."""

from __future__ import annotations

import mujoco

from grouser.build.built import BuildOptions, BuiltRobot
from grouser.build.engine import compile_spec, exact_numbers
from grouser.build.options import add_contact_plugin, configure
from grouser.build.robot import add_robot
from grouser.description.robot import Robot
from grouser.errors import UnsupportedError

__all__ = ["compile_robot", "to_mjcf", "write_spring_rests"]

TIMESTEP = 0.002
"""Timestep that an exported model starts with [s]."""
GRAVITY = (0.0, 0.0, -9.81)
"""Gravity that an exported model starts with [m/s²]."""


def compile_robot(
    robot: Robot, *, track_model: str = "belt", options: BuildOptions | None = None
) -> tuple[mujoco.MjModel, BuiltRobot]:
    """Return a model of a robot alone, without ground, and what it holds; its names have no prefix.

    Raises:
        GrouserError: if MuJoCo cannot compile it; and all that `add_robot` raises.
    """
    spec, built = _spec_of(robot, track_model, options)
    model = compile_spec(spec, f"robot '{robot.name}'")
    write_spring_rests(model, built)
    return model, built


def to_mjcf(robot: Robot, track_model: str = "belt") -> str:
    """Return a robot as MJCF text that runs in any MuJoCo program that has the engine plugin.

    Numbers are written with all digits. Mesh files are named by absolute paths, or written out where MuJoCo
    does not read their kind.

    Args:
        robot: The robot.
        track_model: How its tracks are realised.

    Raises:
        UnsupportedError: if MJCF has no place for something of the robot.
        GrouserError: if MuJoCo cannot compile it; and all that `add_robot` raises.
    """
    spec, built = _spec_of(robot, track_model, None)
    if built.spring_rests:
        joint, mount = next(iter(built.spring_rests.items()))
        raise UnsupportedError(
            f"robot '{robot.name}', joint '{joint}': spring_mount is {mount}, and MJCF has no place for "
            "where the spring of a spherical joint rests; remove it, or turn the joint's origin instead"
        )
    compile_spec(spec, f"robot '{robot.name}'")
    with exact_numbers():
        return spec.to_xml()


def write_spring_rests(model: mujoco.MjModel, built: BuiltRobot) -> None:
    """Write where the springs of spherical joints rest into a compiled model."""
    for joint, quaternion in built.spring_rests.items():
        start = int(model.joint(built.joints[joint]).qposadr[0])
        model.qpos_spring[start : start + 4] = quaternion


def _spec_of(robot: Robot, track_model: str, options: BuildOptions | None) -> tuple[mujoco.MjSpec, BuiltRobot]:
    spec = mujoco.MjSpec()
    spec.modelname = robot.name
    configure(spec, TIMESTEP, GRAVITY)
    built = add_robot(spec, robot, track_model=track_model, options=options)
    members: dict[str, list[str]] = {}
    for geom, material in built.materials.items():
        members.setdefault(material, []).append(geom)
    add_contact_plugin(spec, members=members)
    return spec, built
