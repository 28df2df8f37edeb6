"""MuJoCo as the simulator uses it: compiling, and what its failures mean."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import contextmanager

import mujoco

from grouser.errors import GrouserError, PluginError

WARNING = mujoco.mjtWarning
QUIET = memoryview(array("i", [1] * int(WARNING.mjNWARNING)))
"""Warning counters of data that no step has complained about.

They stand at one: MuJoCo prints, and writes into a log file, when a counter leaves zero. `World.step` raises
instead.
"""
STATE = mujoco.mjtState


@contextmanager
def _heard_warnings() -> Iterator[list[str]]:
    """Collect MuJoCo's warnings in a list; without this they go to stderr and into a log file."""
    heard: list[str] = []
    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(heard.append)
    try:
        yield heard
    finally:
        mujoco.set_mju_user_warning(before)


def compile_world(spec: mujoco.MjSpec) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """Compile `spec`; return the model and fresh data.

    Raises:
        PluginError: if the plugin refuses the model.
        GrouserError: if MuJoCo cannot compile it.
    """
    with _heard_warnings() as heard:
        try:
            model = spec.compile()
            return model, new_data(model)
        except PluginError:
            raise
        except (ValueError, mujoco.FatalError, RuntimeError) as error:
            text = " ".join([str(error), *heard])
            if "plugin" in text or "grouser" in text:
                raise PluginError(f"the engine plugin refused the model: {text}") from error
            raise GrouserError(f"MuJoCo cannot compile the world: {text}") from error


def new_data(model: mujoco.MjModel) -> mujoco.MjData:
    """Return fresh data with quiet warning counters.

    Raises:
        PluginError: if the plugin refuses the model.
    """
    with _heard_warnings() as heard:
        try:
            data = mujoco.MjData(model)
        except (ValueError, mujoco.FatalError, RuntimeError) as error:
            raise PluginError(f"the engine plugin refused the model: {' '.join(heard) or error}") from error
    silence(data)
    return data


def silence(data: mujoco.MjData) -> None:
    """Set the warning counters back."""
    data.warning.number[:] = 1


def refresh(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Bring everything that follows from the state up to date, the state itself untouched to the bit."""
    warmstart = data.qacc_warmstart.copy()
    mujoco.mj_forward(model, data)
    data.qacc_warmstart[:] = warmstart
