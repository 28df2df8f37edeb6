"""Loads Grouser's engine plugin into MuJoCo; imported by MuJoCo itself, so it imports nothing of ours or of its."""

from __future__ import annotations

import ctypes
import importlib.metadata
import os
import sys
from pathlib import Path

__all__ = ["MUJOCO_VERSION", "failure", "library_path", "load"]

MUJOCO_VERSION = "4.0.1"
"""The one version of mujoco-core the plugin is built for; its library's name carries the full version."""

OVERRIDE = "GROUSER_PLUGIN"
"""Environment variable that names another library to load."""

_library: ctypes.CDLL | None = None
_failure: str = ""


def failure() -> str:
    """Return why the plugin could not be loaded, with the remedy; empty if it was, or was not tried."""
    return _failure


def _file_name() -> str:
    return {"win32": "grouser.dll", "darwin": "libgrouser.dylib"}.get(sys.platform, "libgrouser.so")


def library_path() -> Path | None:
    """Return where the plugin's library is, or None if it was not built.

    Looked for in the file that GROUSER_PLUGIN names, beside this module, and in every `grouser_plugin` folder on the
    import path: an editable install keeps the module in the source tree and the library among the installed packages.
    """
    if os.environ.get(OVERRIDE):
        return Path(os.environ[OVERRIDE])
    folders = [Path(__file__).parent, *(Path(entry or ".") / "grouser_plugin" for entry in sys.path)]
    return next((folder / _file_name() for folder in folders if (folder / _file_name()).is_file()), None)


def _fault() -> str:
    """Return what stands in the way before the library is even opened."""
    try:
        version = importlib.metadata.version("mujoco-core")
    except importlib.metadata.PackageNotFoundError:
        return f"mujoco-core is not installed; run: pip install 'mujoco-core[rendering]=={MUJOCO_VERSION}'"
    if version != MUJOCO_VERSION:
        return (
            f"mujoco-core is {version}, but this plugin is built for {MUJOCO_VERSION}; "
            f"run: pip install 'mujoco-core[rendering]=={MUJOCO_VERSION}'"
        )
    path = library_path()
    if path is None:
        return f"{_file_name()} was not built; run: pip install --force-reinstall --no-deps grouser (or pip install -e .)"
    if not path.is_file():
        return f"{path} does not exist; unset {OVERRIDE} or name a library that does"
    return ""


def load() -> None:
    """Register Grouser's plugins with MuJoCo; once, however often it is called.

    Raises:
        ImportError: if the library is missing, built for another MuJoCo, or cannot be loaded; `failure` keeps the reason.
    """
    global _library, _failure
    if _library is not None:
        return
    _failure = _fault()
    if not _failure:
        try:
            _library = ctypes.CDLL(str(library_path()))
        except OSError as error:
            _failure = f"{library_path()} does not load: {error}; `grouser doctor` says more"
    if _failure:
        raise ImportError(f"Grouser's MuJoCo plugin: {_failure}")
