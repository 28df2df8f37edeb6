"""The engine plugin and MuJoCo's compiler as building uses them: what their failures mean."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

import mujoco

from grouser.errors import GrouserError, PluginError

__all__ = ["BELT_PLUGIN", "CONTACT_PLUGIN", "activate", "compile_spec", "exact_numbers", "load_plugin"]

BELT_PLUGIN = "grouser.belt"
CONTACT_PLUGIN = "grouser.contact"

EXACT_DIGITS = 17
"""Digits that write any double so that reading gives the same one."""

_writing = Lock()


def load_plugin() -> None:
    """Register the engine plugin with MuJoCo, once per process.

    Raises:
        PluginError: if it is not there or does not load.
    """
    try:
        import grouser_plugin

        grouser_plugin.load()
    except PluginError:
        raise
    except (ImportError, OSError, RuntimeError) as error:
        raise PluginError(
            f"the MuJoCo engine plugin did not load: {error}. Run `grouser doctor`, which says why and what to do"
        ) from error


def activate(spec: mujoco.MjSpec, plugin: str) -> None:
    """Declare that a spec uses a plugin.

    Raises:
        PluginError: if the plugin is not there or does not load.
    """
    load_plugin()
    spec.activate_plugin(plugin)


def compile_spec(spec: mujoco.MjSpec, what: str) -> mujoco.MjModel:
    """Return the compiled model.

    Args:
        spec: The spec.
        what: What it holds, for messages.

    Raises:
        GrouserError: if MuJoCo cannot compile it.
    """
    try:
        return spec.compile()
    except (ValueError, mujoco.FatalError, RuntimeError) as error:
        said = " ".join(str(error).split()).removeprefix("Error: ")
        raise GrouserError(f"{what}: MuJoCo cannot compile it: {said}") from error


@contextmanager
def exact_numbers() -> Iterator[None]:
    """Make MuJoCo write XML with all digits; it writes six otherwise, which changes every mass.

    The setting is one of the library's own that Python's binding leaves out. Grouser requires one exact
    version of MuJoCo, and a test of the round trip fails where the setting is gone.
    """
    library = ctypes.CDLL(str(next(Path(mujoco.__file__).parent.glob("*mujoco.*"))))
    with _writing:
        before = library._mjPRIVATE__get_xml_precision()
        library._mjPRIVATE__set_xml_precision(EXACT_DIGITS)
        try:
            yield
        finally:
            library._mjPRIVATE__set_xml_precision(before)
