"""Finds out why the plugin does not load: every way it can fail, each with its remedy."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal

import grouser_plugin
from grouser_plugin import INSTALL_GROUSER, MUJOCO_VERSION
from grouser_plugin.trial import Outcome, outcome_of, try_alone, try_loading

__all__ = ["Finding", "Status", "diagnose"]

Status = Literal["ok", "info", "warning", "error"]

ENTRY_POINT = "grouser_plugin:load"
REPLACE_MUJOCO = (
    f"run: pip uninstall -y mujoco mujoco-core mujoco-studio && pip install 'mujoco-core[rendering]=={MUJOCO_VERSION}'"
)
UNINSTALL = "pip uninstall grouser until none is left (it removes one at a time), then install it once"
TWICE = "two libraries register the plugin: unset GROUSER_PLUGIN, remove copies of libgrouser, and " + UNINSTALL


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        name: What was looked at.
        status: "ok"; "info" (not there, and not needed), "warning" (works, but asks for trouble; or is
            optional) or "error".
        found: What was found.
        remedy: What to do about it; empty if it is ok.
    """

    name: str
    status: Status
    found: str
    remedy: str = ""


def diagnose() -> list[Finding]:
    """Return what stands between MuJoCo and the plugin, from the outermost cause to the innermost."""
    path = grouser_plugin.library_path()
    loading = try_loading()
    alone = try_alone(path) if path and path.is_file() else None
    findings = [*_packages(), *_installs(), _library(path), _entry_point()]
    known = {finding.found for finding in findings}
    tried = [*_loading(path, outcome_of(loading))]
    if alone:
        tried += _alone(outcome_of(alone), loads=any(finding.status == "ok" for finding in tried))
    return [*findings, *(finding for finding in tried if finding.found not in known)]


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


def _installs() -> Iterator[Finding]:
    """Look at Grouser itself: whether it is installed, and once."""
    found = _versions("grouser")
    place = Path(grouser_plugin.__file__).parent.parent
    if not found:
        said = f"imported from {place}, but not installed: MuJoCo cannot find it"
        yield Finding("Grouser", "error", said, INSTALL_GROUSER)
        return
    listed = ", ".join(f"{version} in {folder}" for version, folder in found)
    if len(found) > 1:
        yield Finding("Grouser", "warning", f"installed {len(found)} times: {listed}", UNINSTALL)
    else:
        imported = "" if place == found[0][1] else f", its modules in {place}"
        yield Finding("Grouser", "ok", listed + imported)


def _library(path: Path | None) -> Finding:
    """Look at the library's file."""
    if path is None:
        remedy = f"{INSTALL_GROUSER}; this needs a C++ compiler (Debian: apt-get install g++)"
        return Finding("library", "error", f"{grouser_plugin.library_name()} was not built", remedy)
    override = os.environ.get(grouser_plugin.OVERRIDE)
    if not path.is_file():
        remedy = f"unset {grouser_plugin.OVERRIDE}, or set it to the library"
        found = f"{grouser_plugin.OVERRIDE} names {path}, which is not a file"
        return Finding("library", "error", found, remedy)
    if not os.access(path, os.R_OK):
        return Finding("library", "error", f"{path} may not be read by this user", f"chmod a+r {path}")
    if override:
        remedy = f"unset {grouser_plugin.OVERRIDE} to use the one that Grouser was installed with"
        return Finding("library", "warning", f"{path}, which {grouser_plugin.OVERRIDE} names", remedy)
    sources = Path(grouser_plugin.__file__).parents[2] / "cpp"
    built = path.stat().st_mtime
    newer = sorted(source.name for source in sources.glob("*.[ch]*") if source.stat().st_mtime > built)
    if newer:
        found = f"{path} is older than {', '.join(newer)}"
        return Finding("library", "warning", found, "build it again, in the source tree: pip install -e .")
    return Finding("library", "ok", str(path))


def _entry_point() -> Finding:
    """Look for the entry point through which MuJoCo finds the plugin."""
    points = [point for point in metadata.entry_points(group="mujoco.plugins") if point.value == ENTRY_POINT]
    if not points:
        found = "MuJoCo's programs will not find the plugin: no entry point in the group mujoco.plugins"
        return Finding("entry point", "error", found, INSTALL_GROUSER)
    if len(points) > 1:
        found = f"{len(points)} in the group mujoco.plugins call {ENTRY_POINT}"
        return Finding("entry point", "warning", found, UNINSTALL)
    return Finding("entry point", "ok", f"mujoco.plugins: {points[0].name} = {points[0].value}")


def _loading(path: Path | None, outcome: Outcome) -> Iterator[Finding]:
    """Look at how importing MuJoCo went, which is what loads the plugin."""
    if outcome.failure:
        twice = "already registered" in outcome.failure
        remedy = TWICE if twice else f"if the lines above are all ok, {REPLACE_MUJOCO}"
        yield Finding("loading", "error", f"importing MuJoCo fails: {outcome.failure}", remedy)
        return
    result = json.loads(outcome.output)
    for failure in result["failures"]:
        name, _, why = failure.partition(": ")
        if name != "grouser":
            yield Finding("other plugins", "warning", f"the one of the entry point {name} fails: {why}", "not ours")
    if result["failure"]:
        yield Finding("loading", "error", *result["failure"])
        return
    if path and Path(result["origin"]).is_file() and not path.samefile(result["origin"]):
        found = f"{result['origin']}, a copy of the library, registers the plugin before {path} can"
        yield Finding("copies", "warning", found, "remove it: it will not be updated with Grouser")
    if not result["by_itself"]:
        found = "MuJoCo, when imported, does not register the plugin; programs that do not import Grouser lack it"
        yield Finding("loading", "error", found, INSTALL_GROUSER)
        return
    names = " and ".join(grouser_plugin.PLUGINS)
    yield Finding("loading", "ok", f"importing mujoco {result['version']} registers {names}")


def _alone(outcome: Outcome, *, loads: bool) -> Iterator[Finding]:
    """Look at whether the library finds MuJoCo's by itself, as programs in C++ need."""
    if loads and "libmujoco" in outcome.failure:
        found = f"the library finds MuJoCo's only where Python has loaded it: {outcome.failure}"
        remedy = "install Grouser and mujoco-core into the same site-packages, if a program in C++ loads it"
        yield Finding("run path", "info", found, remedy)
