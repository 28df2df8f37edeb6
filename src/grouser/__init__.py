"""Grouser: robots on tracks, and conveyors, simulated on MuJoCo."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from grouser.description.robot import Robot, register_exporter
from grouser.errors import (
    Diagnostic,
    FileNotReadError,
    GrouserError,
    ParameterError,
    PluginError,
    RobotFileError,
    SimulationError,
    UnknownNameError,
    UnsupportedError,
)

if TYPE_CHECKING:
    from grouser.description.read import check, load
    from grouser.sim.articulated import ArticulatedSystem, ArticulatedSystemOptions
    from grouser.sim.contacts import Contact
    from grouser.sim.meshes import CoacdOptions
    from grouser.sim.track import Track
    from grouser.sim.world import World

__all__ = [
    "ArticulatedSystem",
    "ArticulatedSystemOptions",
    "CoacdOptions",
    "Contact",
    "Diagnostic",
    "FileNotReadError",
    "GrouserError",
    "ParameterError",
    "PluginError",
    "Robot",
    "RobotFileError",
    "SimulationError",
    "Track",
    "UnknownNameError",
    "UnsupportedError",
    "World",
    "__version__",
    "check",
    "load",
]

__version__ = "0.1.0"

# Where the other public names live. They are imported on first use, so that `import grouser` costs next to
# nothing and reading robots needs no MuJoCo.
_HOMES = {
    "ArticulatedSystem": "grouser.sim.articulated",
    "ArticulatedSystemOptions": "grouser.sim.articulated",
    "CoacdOptions": "grouser.sim.meshes",
    "Contact": "grouser.sim.contacts",
    "Track": "grouser.sim.track",
    "World": "grouser.sim.world",
    "check": "grouser.description.read",
    "load": "grouser.description.read",
}


def _to_mjcf(robot: Robot, **options: Any) -> str:
    """Write a robot as MJCF; here, because a description may not know MuJoCo."""
    from grouser.build import to_mjcf

    return to_mjcf(robot, **options)


register_exporter("mjcf", _to_mjcf)


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'grouser' has no attribute '{name}'")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
