"""Every error Grouser raises on purpose, and the diagnostics of a robot file."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

__all__ = [
    "Diagnostic",
    "FileNotReadError",
    "GrouserError",
    "ParameterError",
    "PluginError",
    "RobotFileError",
    "SimulationError",
    "UnknownNameError",
    "UnsupportedError",
    "nearest",
]

Severity = Literal["error", "warning", "info"]


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name most like `name`, or None if none is close."""
    found = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return found[0] if found else None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding about a robot file.

    Attributes:
        file: The file it is in, or "<text>" for a robot given as text.
        line: Line in that file, from 1; 0 where no single line is to blame.
        severity: "error", "warning" or "info".
        message: What, the offending value and the rule it breaks.
        hint: What to do about it; empty if there is nothing to add.
    """

    file: str
    line: int
    severity: Severity
    message: str
    hint: str = ""

    def __str__(self) -> str:
        """Return `file:line: severity: message; hint`."""
        tail = f"; {self.hint}" if self.hint else ""
        return f"{self.file}:{self.line}: {self.severity}: {self.message}{tail}"


class GrouserError(Exception):
    """Base of every error that Grouser raises on purpose."""


class ParameterError(GrouserError, ValueError):
    """An argument is outside its range."""


class UnsupportedError(GrouserError, NotImplementedError):
    """A valid request that this version does not realise."""


class FileNotReadError(GrouserError, OSError):
    """A file that was asked for cannot be read."""


class PluginError(GrouserError, RuntimeError):
    """The MuJoCo engine plugin is missing, does not load or refuses a model."""


class SimulationError(GrouserError, RuntimeError):
    """A step failed: a number that is not finite, exhausted memory, an undefined acceleration.

    Attributes:
        time: Simulated time of the failing step [s].
        state: Snapshot from before the step, for `World.restore_state`; None if there is none.
    """

    def __init__(self, message: str, *, time: float = 0.0, state: object | None = None) -> None:
        super().__init__(message)
        self.time = time
        self.state = state


class RobotFileError(GrouserError, ValueError):
    """A robot file has errors; all of them are in `diagnostics` and in the message."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(str(d) for d in self.diagnostics))

    def __reduce__(self) -> tuple[type, tuple[tuple[Diagnostic, ...]]]:
        """Pickle by the diagnostics, not by the joined message."""
        return (type(self), (self.diagnostics,))


class UnknownNameError(GrouserError, KeyError):
    """A lookup by a name that does not exist; the message lists the names that do."""

    def __init__(self, what: str, name: object, known: Iterable[str]) -> None:
        self.what, self.name, self.known = what, name, tuple(known)
        close = nearest(str(name), self.known)
        listed = ", ".join(self.known) if self.known else "none"
        guess = f" Did you mean '{close}'?" if close else ""
        super().__init__(f"no {what} named '{name}'.{guess} Known: {listed}")

    def __str__(self) -> str:
        """Return the message itself; KeyError would show its repr."""
        return str(self.args[0])

    def __reduce__(self) -> tuple[type, tuple[str, object, tuple[str, ...]]]:
        """Pickle by the constructor's arguments."""
        return (type(self), (self.what, self.name, self.known))
