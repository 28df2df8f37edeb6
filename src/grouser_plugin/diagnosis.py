"""Finds out why the plugin does not load: every way it can fail, each with its remedy."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

import grouser_plugin
from grouser_plugin import INSTALL_GROUSER, MUJOCO_VERSION

__all__ = ["Finding", "diagnose"]

Status = Literal["ok", "warning", "error"]

ENTRY_POINT = "grouser_plugin:load"
REPLACE_MUJOCO = (
    "run: pip uninstall -y mujoco mujoco-core mujoco-studio && "
    f"pip install 'mujoco-core[rendering]=={MUJOCO_VERSION}'"
)
PROBE_SECONDS = 60
"""How long importing MuJoCo may take before it counts as hanging [s]."""

PROBE = """
import json, sys, warnings
sys.path[:] = json.loads(sys.argv[1])
import grouser_plugin
with warnings.catch_warnings(record=True) as heard:
    warnings.simplefilter("always")
    import mujoco
said = [str(w.message) for w in heard if "plugin entry point" in str(w.message)]
import ctypes
engine = ctypes.CDLL(str(grouser_plugin.mujoco_libraries(grouser_plugin.mujoco_folder())[0]))
by_itself = grouser_plugin.registered_from(engine)
failure = None
try:
    grouser_plugin.load()
except grouser_plugin.LoadError as error:
    failure = [error.what, error.remedy]
origin = grouser_plugin.registered_from(engine)
print(json.dumps({
    "mujoco": mujoco.__version__, "by_itself": by_itself is not None,
    "origin": str(origin) if origin else "", "failure": failure, "said": said,
}))
"""
"""Runs in a process of its own: a broken library can end the process that opens it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        name: What was looked at.
        status: "ok", "warning" (works, but asks for trouble; or optional) or "error".
        found: What was found.
        remedy: What to do about it; empty if it is ok.
    """

    name: str
    status: Status
    found: str
    remedy: str = ""


def diagnose() -> list[Finding]:
    """Return what stands between MuJoCo and the plugin, from the outermost cause to the innermost."""
    findings = [*_packages(), _installs(), _library(), _entry_point()]
    known = {finding.found for finding in findings}
    return [*findings, *(finding for finding in _trial() if finding.found not in known)]


def _versions(name: str) -> list[tuple[str, Path]]:
    """Return version and folder of every installed distribution of a name, the one that counts first."""
    found = []
    for distribution in metadata.distributions(name=name):
        place = Path(str(distribution.locate_file("")))
        if distribution.metadata["Name"] and (distribution.version, place) not in found:
            found.append((distribution.version, place))
    return found


def _packages() -> Iterator[Finding]:
    """Look at MuJoCo: which packages, of which version, from where."""
    folder = grouser_plugin.mujoco_folder()
    core, plain = _versions("mujoco-core"), _versions("mujoco")
    if folder is None:
        yield Finding("MuJoCo", "error", "there is no package `mujoco`", REPLACE_MUJOCO)
    elif not grouser_plugin.mujoco_libraries(folder):
        if core and not folder.resolve().is_relative_to(core[0][1].resolve()):
            remedy = "rename that file or folder, or run from another folder: it hides the installed package"
        else:
            remedy = REPLACE_MUJOCO
        found = f"{folder} is imported as `mujoco`, and holds no MuJoCo library"
        yield Finding("MuJoCo", "error", found, remedy)
    elif not core:
        yield Finding("MuJoCo", "error", f"{folder} is not from the package mujoco-core", REPLACE_MUJOCO)
    elif core[0][0] != MUJOCO_VERSION:
        found = f"mujoco-core {core[0][0]}; the plugin is built for {MUJOCO_VERSION} and no other"
        yield Finding("MuJoCo", "error", found, REPLACE_MUJOCO)
    else:
        yield Finding("MuJoCo", "ok", f"mujoco-core {core[0][0]} in {folder}")
    if plain:
        beside = " beside mujoco-core: they overwrite each other's files" if core else ""
        yield Finding("plain mujoco", "error", f"mujoco {plain[0][0]} is installed{beside}", REPLACE_MUJOCO)


def _installs() -> Finding:
    """Look for more than one Grouser."""
    found = _versions("grouser")
    place = Path(grouser_plugin.__file__).parent.parent
    if not found:
        said = f"imported from {place}, but not installed: MuJoCo cannot find it"
        return Finding("Grouser", "error", said, INSTALL_GROUSER)
    listed = ", ".join(f"{version} in {folder}" for version, folder in found)
    if len(found) > 1:
        remedy = "pip uninstall grouser until none is left (it removes one at a time), then install it once"
        return Finding("Grouser", "warning", f"installed {len(found)} times: {listed}", remedy)
    imported = "" if place == found[0][1] else f", its modules in {place}"
    return Finding("Grouser", "ok", listed + imported)


def _library() -> Finding:
    """Look for the library's file."""
    path = grouser_plugin.library_path()
    name = grouser_plugin.library_name()
    if path is None:
        remedy = f"{INSTALL_GROUSER}; this needs a C++ compiler (Debian: apt-get install g++)"
        return Finding("library", "error", f"{name} was not built", remedy)
    override = os.environ.get(grouser_plugin.OVERRIDE)
    if not path.is_file():
        remedy = f"unset {grouser_plugin.OVERRIDE}, or set it to the library"
        found = f"{grouser_plugin.OVERRIDE} names {path}, which is not a file"
        return Finding("library", "error", found, remedy)
    sources = Path(grouser_plugin.__file__).parents[2] / "cpp"
    built = path.stat().st_mtime
    newer = sorted(source.name for source in sources.glob("*.[ch]*") if source.stat().st_mtime > built)
    if newer and not override:
        found = f"{path} is older than {', '.join(newer)}"
        return Finding("library", "warning", found, "build it again, in the source tree: pip install -e .")
    return Finding("library", "ok", f"{path}{f' (from {grouser_plugin.OVERRIDE})' if override else ''}")


def _entry_point() -> Finding:
    """Look for the entry point through which MuJoCo finds the plugin."""
    points = [point for point in metadata.entry_points(group="mujoco.plugins") if point.value == ENTRY_POINT]
    if not points:
        found = "MuJoCo's programs will not find the plugin: no entry point in the group mujoco.plugins"
        return Finding("entry point", "error", found, INSTALL_GROUSER)
    return Finding("entry point", "ok", f"mujoco.plugins: {points[0].name} = {points[0].value}")


def _probe() -> dict[str, Any] | str:
    """Import MuJoCo in another process; return what happened, or how that process ended."""
    without_site = ["-S"] if sys.flags.no_site else []
    command = [sys.executable, *without_site, "-c", PROBE, json.dumps(sys.path)]
    try:
        # The command is our own text and this interpreter.
        run = subprocess.run(command, capture_output=True, text=True, timeout=PROBE_SECONDS, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:
        return f"importing MuJoCo took longer than {PROBE_SECONDS} s"
    if run.returncode:
        lines = (run.stderr.strip() or run.stdout.strip() or "no message").splitlines()
        return f"importing MuJoCo ended with code {run.returncode}: {lines[-1]}"
    return json.loads(run.stdout.strip().splitlines()[-1])


def _trial() -> Iterator[Finding]:
    """Load the plugin as MuJoCo does."""
    result = _probe()
    if isinstance(result, str):
        yield Finding("loading", "error", result, f"if the lines above are all ok: {REPLACE_MUJOCO}")
        return
    if result["failure"]:
        yield Finding("loading", "error", *result["failure"])
        return
    path = grouser_plugin.library_path()
    if path and Path(result["origin"]).is_file() and not path.samefile(result["origin"]):
        found = f"{result['origin']}, a copy of the library, registers the plugin before {path} can"
        yield Finding("copies", "warning", found, "remove it: it will not be updated with Grouser")
    if not result["by_itself"]:
        found = "; ".join(result["said"]) or "MuJoCo, when imported, did not call the plugin's entry point"
        yield Finding("loading", "error", found, INSTALL_GROUSER)
        return
    names = " and ".join(grouser_plugin.PLUGINS)
    yield Finding("loading", "ok", f"importing mujoco {result['mujoco']} registers {names}")
