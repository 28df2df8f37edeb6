"""What this machine offers besides the plugin: Python, processors, optional packages, rendering."""

from __future__ import annotations

import importlib.util
import os
import platform
import subprocess
import sys
from collections.abc import Iterator

from grouser_plugin.diagnosis import Finding

OLDEST_PYTHON = (3, 11)

OPTIONAL = {"video": ("imageio", "imageio_ffmpeg")}
"""Packages of each extra, by the names they are imported by."""

RENDERERS = {
    "egl": "apt-get install libegl1 libgl1-mesa-dri",
    "osmesa": "apt-get install libosmesa6",
}
"""Ways to render without a screen, the faster first, and the Debian packages each needs."""

RENDER_SECONDS = 60
"""How long making one picture may take before it counts as hanging [s]."""

RENDER = """
import mujoco
model = mujoco.MjModel.from_xml_string('<mujoco><worldbody><geom size="1"/></worldbody></mujoco>')
data = mujoco.MjData(model)
with mujoco.Renderer(model, 16, 16) as renderer:
    renderer.update_scene(data)
    renderer.render()
"""


def survey() -> list[Finding]:
    """Return what was found about this machine."""
    return [_python(), _processors(), *_extras(), _rendering()]


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
            yield Finding(extra, "warning", f"optional: {', '.join(missing)} not installed", remedy)
        else:
            yield Finding(extra, "ok", ", ".join(modules))


def renders(backend: str) -> bool:
    """Return whether MuJoCo makes a picture with this value of MUJOCO_GL; tried in a process of its own.

    Args:
        backend: "egl" or "osmesa".
    """
    command = [sys.executable, "-c", RENDER]
    env = {**os.environ, "MUJOCO_GL": backend}
    try:
        # The command is our own text and this interpreter.
        run = subprocess.run(command, capture_output=True, timeout=RENDER_SECONDS, check=False, env=env)  # noqa: S603
    except subprocess.TimeoutExpired:
        return False
    return run.returncode == 0


def _rendering() -> Finding:
    """Look for a way to render without a screen, for video."""
    working = next((backend for backend in RENDERERS if renders(backend)), None)
    if working:
        return Finding("rendering", "ok", f"MUJOCO_GL={working} makes pictures without a screen")
    found = "optional: neither EGL nor OSMesa works, so no video"
    return Finding("rendering", "warning", found, f"Debian: {' or '.join(RENDERERS.values())}")
