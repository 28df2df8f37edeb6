"""What this machine offers besides the plugin: Python, processors, optional packages, rendering."""

from __future__ import annotations

import importlib.util
import os
import platform
import sys
from collections.abc import Iterator

from grouser_plugin.diagnosis import Finding
from grouser_plugin.trial import outcome_of, start

__all__ = ["survey"]

OLDEST_PYTHON = (3, 11)

OPTIONAL = {"video": ("imageio", "imageio_ffmpeg")}
"""Packages of each extra, by the names they are imported by."""

OFF_SCREEN = {
    "egl": ("EGL", "Debian: apt-get install libegl1 libgl1-mesa-dri"),
    "osmesa": ("OSMesa", "Debian: apt-get install libosmesa6"),
}
"""Values of MUJOCO_GL that render without a screen, the faster first; their names, and what they need."""

ON_SCREEN = ("glfw", "GLFW", "Debian: apt-get install libglfw3; or render without a screen")
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY")
GL = "MUJOCO_GL"
GL_OFF = ("disable", "disabled", "off", "false", "0")

RENDERING = """
import mujoco
model = mujoco.MjModel.from_xml_string('<mujoco><worldbody><geom size="1"/></worldbody></mujoco>')
data = mujoco.MjData(model)
with mujoco.Renderer(model, 16, 16) as renderer:
    renderer.update_scene(data)
    renderer.render()
"""


def survey() -> list[Finding]:
    """Return what was found about this machine."""
    return [_python(), _processors(), *_extras(), *_rendering()]


def _python() -> Finding:
    """Look at Python's version."""
    found = f"{platform.python_version()} in {sys.executable}"
    if sys.version_info < OLDEST_PYTHON:
        needed = ".".join(map(str, OLDEST_PYTHON))
        return Finding("Python", "error", found, f"install Python {needed} or newer, and Grouser into it")
    return Finding("Python", "ok", found)


def _processors() -> Finding:
    """Count the processors this process may use."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return Finding("processors", "ok", f"{count}, {platform.machine()}")


def _extras() -> Iterator[Finding]:
    """Look for the packages of the optional extras."""
    for extra, modules in OPTIONAL.items():
        missing = [name for name in modules if importlib.util.find_spec(name) is None]
        if missing:
            remedy = f"run: pip install 'grouser[{extra}]' (in its source tree: pip install -e '.[{extra}]')"
            found = f"optional: {', '.join(missing)} not installed"
            yield Finding(f"extra {extra}", "warning", found, remedy)
        else:
            yield Finding(f"extra {extra}", "ok", ", ".join(modules))


def _rendering() -> Iterator[Finding]:
    """Look for the ways to render, for video: each is tried, by making a small picture."""
    screen = any(os.environ.get(name) for name in SCREENS)
    trials = {backend: start(RENDERING, **{GL: backend}) for backend in OFF_SCREEN}
    if screen:
        trials[ON_SCREEN[0]] = start(RENDERING, **{GL: ON_SCREEN[0]})
    works = {backend: not outcome_of(trial).failure for backend, trial in trials.items()}
    enough = any(works[backend] for backend in OFF_SCREEN)
    for backend, (name, remedy) in OFF_SCREEN.items():
        if works[backend]:
            yield Finding(name, "ok", f"{GL}={backend} renders without a screen")
        elif enough:
            yield Finding(name, "info", "optional: does not work, and is not needed beside the other")
        else:
            yield Finding(name, "warning", "optional: does not work, so no video", remedy)
    backend, name, remedy = ON_SCREEN
    if not screen:
        yield Finding(name, "info", f"optional: no screen ({' and '.join(SCREENS)} are not set)")
    elif works[backend]:
        yield Finding(name, "ok", f"{GL}={backend} renders on the screen")
    else:
        yield Finding(name, "warning", "optional: does not work on this screen", remedy)
    yield from _chosen(works)


def _chosen(works: dict[str, bool]) -> Iterator[Finding]:
    """Look at what the environment says about rendering."""
    chosen = os.environ.get(GL, "").lower().strip()
    if not chosen or works.get(chosen):
        return
    known = ", ".join([*OFF_SCREEN, ON_SCREEN[0]])
    if chosen in GL_OFF:
        yield Finding(GL, "info", f"{GL}={chosen} is set: nothing renders", f"unset it for video, or set it to {known}")
    elif chosen not in works:
        yield Finding(
            GL,
            "warning",
            f"{GL}={chosen} is set, which nothing here renders with",
            f"unset it, or set it to {known}",
        )
    else:
        yield Finding(GL, "warning", f"{GL}={chosen} is set, and does not work", f"unset it, or set it to {known}")
