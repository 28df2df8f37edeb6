"""From a robot to MuJoCo: what a `Robot` becomes in an `MjSpec`."""

from grouser.build.built import BuildOptions, BuiltRobot, BuiltTrack
from grouser.build.engine import compile_spec, load_plugin
from grouser.build.export import compile_robot, to_mjcf, write_spring_rests
from grouser.build.options import add_contact_plugin, configure
from grouser.build.robot import add_robot

__all__ = [
    "BuildOptions",
    "BuiltRobot",
    "BuiltTrack",
    "add_contact_plugin",
    "add_robot",
    "compile_robot",
    "compile_spec",
    "configure",
    "load_plugin",
    "to_mjcf",
    "write_spring_rests",
]
