"""Grouser: robots on tracks, and conveyors, simulated on MuJoCo."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from grouser.errors import Diagnostic, GrouserError

if TYPE_CHECKING:
    from grouser.description.read import check, load
    from grouser.description.robot import Robot

__all__ = ["Diagnostic", "GrouserError", "Robot", "check", "load"]

_HOMES = {
    "Robot": "grouser.description.robot",
    "check": "grouser.description.read",
    "load": "grouser.description.read",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'grouser' has no attribute '{name}'")
    return getattr(importlib.import_module(_HOMES[name]), name)
