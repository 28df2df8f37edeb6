"""Tries things out in processes of their own: a broken library can end the process that opens it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

__all__ = ["SECONDS", "Outcome", "Trial", "outcome_of", "start", "try_alone", "try_loading"]

SECONDS = 60
"""How long a trial may take before it counts as hanging [s]."""

FIND_MODULES = "import json, sys; sys.path[:] = json.loads(sys.argv[1])\n"
"""The other process imports from where this one does."""

LOADING = """
import ctypes, warnings
import grouser_plugin
with warnings.catch_warnings(record=True) as heard:
    warnings.simplefilter("always")
    import mujoco
said = [str(warning.message).partition("plugin entry point ")[2] for warning in heard]
failures = [words for words in said if words]
engine = ctypes.CDLL(str(grouser_plugin.mujoco_libraries(grouser_plugin.mujoco_folder())[0]))
by_itself = grouser_plugin.registered_from(engine) is not None
failure = None
try:
    grouser_plugin.load()
except grouser_plugin.LoadError as error:
    failure = [error.what, error.remedy]
print(json.dumps({
    "version": mujoco.__version__, "by_itself": by_itself, "failure": failure, "failures": failures,
    "origin": str(grouser_plugin.registered_from(engine) or ""),
}))
"""

ALONE = "import ctypes; ctypes.CDLL(sys.argv[2])"


@dataclass(frozen=True, slots=True)
class Trial:
    """A Python program that runs in another process.

    Attributes:
        process: The process.
    """

    process: subprocess.Popen[str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a trial ended.

    Attributes:
        output: Its last line of output; empty if it printed none.
        failure: Why it failed, in one line; empty if it did not.
    """

    output: str
    failure: str


def start(program: str, *args: str, **environment: str) -> Trial:
    """Run a Python program in a process that imports from where this one does.

    Args:
        program: Its text; `sys` and `json` are imported.
        args: Its arguments, from sys.argv[2].
        environment: Environment variables to change.
    """
    without_site = ["-S"] if sys.flags.no_site else []
    command = [sys.executable, *without_site, "-c", FIND_MODULES + program, json.dumps(sys.path), *args]
    # The command is our own text and this interpreter.
    process = subprocess.Popen(  # noqa: S603
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )
    return Trial(process)


def outcome_of(trial: Trial) -> Outcome:
    """Wait for a trial and return how it ended."""
    try:
        output, complaints = trial.process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        trial.process.kill()
        trial.process.communicate()
        return Outcome("", f"took longer than {SECONDS} s")
    last = (output.strip().splitlines() or [""])[-1]
    if not trial.process.returncode:
        return Outcome(last, "")
    said = (complaints.strip() or last).splitlines() or [f"ended with code {trial.process.returncode}"]
    # MuJoCo's own errors begin with a line of their name; Python's end with one.
    return Outcome(last, next((line for line in said if line.startswith("ERROR")), said[-1]).strip())


def try_loading() -> Trial:
    """Import MuJoCo, and see whether that registers the plugin; prints JSON."""
    # Whatever is wrong with rendering has its own trial.
    return start(LOADING, MUJOCO_GL="off")


def try_alone(library: Path) -> Trial:
    """Open the plugin's library where nothing has opened MuJoCo's before it."""
    return start(ALONE, str(library))
