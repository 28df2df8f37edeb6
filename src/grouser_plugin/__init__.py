"""Loads Grouser's engine plugin into MuJoCo; imported by MuJoCo itself, so it imports nothing of either."""

from __future__ import annotations

import ctypes
import filecmp
import importlib.util
import os
import sys
from pathlib import Path

__all__ = [
    "MUJOCO_VERSION",
    "OVERRIDE",
    "PLUGINS",
    "LoadError",
    "failure",
    "library_name",
    "library_path",
    "load",
    "mujoco_folder",
    "mujoco_libraries",
    "registered_from",
]

MUJOCO_VERSION = "4.0.1"
"""The one version of mujoco-core the plugin is built for; its library's name carries the full version."""

PLUGINS = ("grouser.belt", "grouser.contact")
"""What the library registers with MuJoCo."""

OVERRIDE = "GROUSER_PLUGIN"
"""Environment variable that names another library to load."""

INSTALL_MUJOCO = f"run: pip install --force-reinstall --no-deps 'mujoco-core=={MUJOCO_VERSION}'"
INSTALL_GROUSER = "install Grouser again (in its source tree: pip install -e .)"

_LINKER_SAYS = (
    ("undefined symbol", "it was built for another MuJoCo; {rebuild}"),
    ("libmujoco", "it was built for another MuJoCo; {rebuild}"),
    ("GLIBC", "it was built on a newer system; {rebuild} here"),
    (
        "cannot open shared object file",
        "install the library it needs (libstdc++: apt-get install libstdc++6)",
    ),
    ("Permission denied", "let this user read it: chmod a+r {path}"),
    ("failed to map segment", "move it off a file system that is mounted noexec"),
    ("", "the file is damaged, or for another kind of machine; {rebuild}"),
)
"""What the linker's messages mean: the first whose words occur in one."""


class LoadError(ImportError):
    """The plugin does not load.

    Attributes:
        what: What stands in the way.
        remedy: What to do about it.
    """

    def __init__(self, what: str, remedy: str) -> None:
        self.what, self.remedy = what, remedy
        super().__init__(f"{what}; {remedy}")


_library: ctypes.CDLL | None = None
_failure: LoadError | None = None


def failure() -> LoadError | None:
    """Return why the plugin could not be loaded; None if it was, or was not tried."""
    return _failure


def library_name() -> str:
    """Return the file name of the plugin's library on this platform."""
    return {"win32": "libgrouser.dll", "darwin": "libgrouser.dylib"}.get(sys.platform, "libgrouser.so")


def library_path() -> Path | None:
    """Return where the plugin's library is, or None if it was not built.

    It is the file that GROUSER_PLUGIN names; else the one in this package, of which an editable install keeps
    the modules in the source tree and the library among the installed packages; else the one that the
    installed distribution holds, if this module is imported straight from a source tree.
    """
    if os.environ.get(OVERRIDE):
        return Path(os.environ[OVERRIDE])
    for folder in __path__:
        if (path := Path(folder) / library_name()).is_file():
            return path
    from importlib import metadata  # Slow to import, and seldom needed.

    try:
        path = Path(str(metadata.distribution("grouser").locate_file(f"grouser_plugin/{library_name()}")))
    except metadata.PackageNotFoundError:
        return None
    return path if path.is_file() else None


def mujoco_folder() -> Path | None:
    """Return the folder of the package `mujoco`, without importing it; None if there is no such package."""
    try:
        spec = importlib.util.find_spec("mujoco")
    except ValueError:  # A module put into sys.modules by hand has no spec.
        return None
    if spec is None:
        return None
    if not spec.submodule_search_locations:
        return Path(spec.origin) if spec.origin else None
    return Path(next(iter(spec.submodule_search_locations)))


def mujoco_libraries(folder: Path) -> list[Path]:
    """Return MuJoCo's libraries in the package's folder: one in a sound install; else the right one first."""
    patterns = ("libmujoco*.so*", "libmujoco*.dylib", "mujoco.dll")
    found = [path for pattern in patterns for path in folder.glob(pattern)]
    return sorted(found, key=lambda path: (MUJOCO_VERSION not in path.name, path.name))


def _open_mujoco() -> ctypes.CDLL:
    """Return MuJoCo's own library: the one in the process, or the one that `import mujoco` will use."""
    folder = mujoco_folder()
    if folder is None:
        raise LoadError("there is no package `mujoco`", INSTALL_MUJOCO)
    libraries = mujoco_libraries(folder)
    if not libraries:
        raise LoadError(
            f"{folder} is imported as `mujoco`, and holds no MuJoCo library",
            f"rename it if it is a file or folder of yours, else {INSTALL_MUJOCO}",
        )
    try:
        mujoco = ctypes.CDLL(str(libraries[0]))
        mujoco.mj_versionString.restype = ctypes.c_char_p
    except (OSError, AttributeError) as error:
        raise LoadError(f"MuJoCo's library does not load: {error}", INSTALL_MUJOCO) from error
    version = mujoco.mj_versionString().decode()
    if version != MUJOCO_VERSION:
        what = f"MuJoCo in {folder} is {version}; the plugin is built for {MUJOCO_VERSION} and no other"
        raise LoadError(what, INSTALL_MUJOCO)
    return mujoco


class _Plugin(ctypes.Structure):
    """The beginning of MuJoCo's `mjpPlugin`, up to the first function."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("nattribute", ctypes.c_int),
        ("attributes", ctypes.c_void_p),
        ("capabilityflags", ctypes.c_int),
        ("needstage", ctypes.c_int),
        ("nstate", ctypes.c_void_p),
    )


class _Symbol(ctypes.Structure):
    """The C library's `Dl_info`."""

    _fields_ = (
        ("file", ctypes.c_char_p),
        ("base", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
    )


def registered_from(mujoco: ctypes.CDLL) -> Path | None:
    """Return the library that registered Grouser's plugins in this process, None if none did.

    Args:
        mujoco: MuJoCo's library.
    """
    mujoco.mjp_getPlugin.restype = ctypes.POINTER(_Plugin)
    plugin = mujoco.mjp_getPlugin(PLUGINS[0].encode(), None)
    if not plugin:
        return None
    symbol = _Symbol()
    try:
        found = ctypes.CDLL(None).dladdr(ctypes.c_void_p(plugin.contents.nstate), ctypes.byref(symbol))
    except (AttributeError, TypeError):  # No such function on this platform.
        found = 0
    return Path(symbol.file.decode()) if found and symbol.file else Path("<unknown>")


def _remedy(said: str, path: Path) -> str:
    """Return what to do when the linker refuses the library with these words."""
    rebuild = f"unset {OVERRIDE}, or build that library again" if os.environ.get(OVERRIDE) else INSTALL_GROUSER
    return next(remedy for words, remedy in _LINKER_SAYS if words in said).format(rebuild=rebuild, path=path)


def _open() -> ctypes.CDLL:
    """Open the library, which registers its plugins as it is opened."""
    path = library_path()
    if path is None:
        raise LoadError(f"{library_name()} was not built", INSTALL_GROUSER)
    if not path.is_file():
        what = f"{OVERRIDE} names {path}, which is not a file"
        raise LoadError(what, f"unset {OVERRIDE}, or set it to the library")
    mujoco = _open_mujoco()  # First: the plugin's library then finds this one, wherever it lies itself.
    other = registered_from(mujoco)
    if other is not None:
        if other.is_file() and filecmp.cmp(other, path, shallow=False):
            return ctypes.CDLL(str(other))
        # MuJoCo ends the process when a name is registered twice with different functions.
        what = f"{other}, which differs from {path}, has registered {PLUGINS[0]} before it"
        raise LoadError(what, "remove the one that is too old")
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        said = str(error)
        raise LoadError(f"{path} does not load: {said.removeprefix(f'{path}: ')}", _remedy(said, path)) from error
    if registered_from(mujoco) is None:
        remedy = f"unset {OVERRIDE}" if os.environ.get(OVERRIDE) else INSTALL_GROUSER
        raise LoadError(f"{path} is not Grouser's plugin: it registers no {PLUGINS[0]}", remedy)
    return library


def load() -> None:
    """Register Grouser's plugins with MuJoCo; once, however often it is called.

    MuJoCo calls this while it is being imported and turns what it raises into a warning; `failure` keeps it.

    Raises:
        LoadError: if the library is missing, built for another MuJoCo, or cannot be loaded.
    """
    global _library, _failure  # noqa: PLW0603 - what a process has loaded is the process's state
    if _library is not None:
        return
    try:
        _library = _open()
    except LoadError as error:
        _failure = error
        raise
    _failure = None
