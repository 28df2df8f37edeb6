"""Videos of a scene, rendered off screen in a process of their own.

MuJoCo chooses its OpenGL when it is first imported, and a driver that fails can take the process with it: so the
rendering is a job apart (`render_job`), which is tried with each OpenGL that may be there.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from grouser.errors import UnsupportedError
from grouser.view.render_job import PROGRESS

__all__ = ["save_video"]

Array = NDArray[np.float64]

NO_ENCODER = "no video: it needs imageio with ffmpeg: pip install 'grouser[video]'"
NO_OPENGL = (
    "no video: no OpenGL to render with ({tried}). On Debian or Ubuntu: apt install libegl1 libgl1-mesa-dri, "
    "or libosmesa6 for rendering in software"
)
LAST_WORDS = 200
"""How much of a failed job's last line is shown [characters]."""


def save_video(
    path: Path, scene: str, frames: Array, fps: float, progress: Callable[[float], None] = lambda _share: None
) -> None:
    """Render a scene through a row of states and save it as MP4.

    Where rendering is slow, as in software, every second or third frame is left out.

    Args:
        path: Where, ending in `.mp4`.
        scene: MJCF with looks, from `stage`.
        frames: MuJoCo coordinates, shape (frames, nq).
        fps: Frames per second of simulated time.
        progress: Called with the share that is done.

    Raises:
        UnsupportedError: if there is no OpenGL or no encoder; the message says what to install.
    """
    if importlib.util.find_spec("imageio") is None or importlib.util.find_spec("imageio_ffmpeg") is None:
        raise UnsupportedError(NO_ENCODER)
    with tempfile.TemporaryDirectory() as folder:
        model, states = Path(folder, "scene.xml"), Path(folder, "frames.npy")
        model.write_text(scene, encoding="utf-8")
        np.save(states, frames)
        failures: list[str] = []
        for backend in _backends():
            failure = _render(backend, [str(model), str(states), str(path), str(fps)], progress)
            if failure is None:
                return
            failures.append(f"{backend}: {failure}")
    raise UnsupportedError(NO_OPENGL.format(tried="; ".join(failures)))


def _backends() -> list[str]:
    """Return the values of MUJOCO_GL worth trying: the user's own, or all that need no display."""
    chosen = os.environ.get("MUJOCO_GL")
    if chosen:
        return [chosen]
    return ["egl", "osmesa", *(["glfw"] if os.environ.get("DISPLAY") else [])]


def _render(backend: str, arguments: list[str], progress: Callable[[float], None]) -> str | None:
    """Run the job; return None, or the last thing it said if it failed."""
    command = [sys.executable, "-m", "grouser.view.render_job", *arguments]
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said,
        subprocess.Popen(  # noqa: S603 - our own interpreter and module
            command,
            env={**os.environ, "MUJOCO_GL": backend},
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
        ) as job,
    ):
        for line in job.stdout or ():
            if line.startswith(PROGRESS):
                progress(float(line.removeprefix(PROGRESS)))
        if job.wait() == 0:
            return None
        said.seek(0)
        lines = said.read().strip().splitlines() or [f"exit code {job.returncode}"]
        return lines[-1][:LAST_WORDS]
