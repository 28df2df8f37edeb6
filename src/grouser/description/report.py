"""Collecting what is wrong with a robot file, so that all of it is reported together."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Protocol

from grouser.errors import Diagnostic, Severity, nearest

__all__ = ["Place", "Report", "listed", "shown"]

MAX_DIAGNOSTICS = 200
"""More findings than anyone reads; a hostile file could make millions."""
MAX_COMPARISONS = 50_000
"""Finding the nearest of n names compares n: the sum over a file is bounded."""
SHOWN_LENGTH = 60
LISTED_NAMES = 12


class Place(Protocol):
    """Anything that knows where it was written."""

    @property
    def file(self) -> str:
        """Name of the file."""
        ...

    @property
    def line(self) -> int:
        """Line in it, from 1; 0 if unknown."""
        ...


class Report:
    """The findings about one robot, in the order in which they were made."""

    def __init__(self) -> None:
        self._diagnostics: list[Diagnostic] = []
        self._dropped = 0
        self._compared = 0
        self.error_count = 0

    def error(self, place: Place, message: str, hint: str = "") -> None:
        """Add an error: the robot cannot be used."""
        self._add("error", place, message, hint)

    def warning(self, place: Place, message: str, hint: str = "") -> None:
        """Add a warning: the robot loads, perhaps not as its author meant."""
        self._add("warning", place, message, hint)

    def info(self, place: Place, message: str, hint: str = "") -> None:
        """Add a remark."""
        self._add("info", place, message, hint)

    def suggest(self, name: str, known: Collection[str], what: str = "known") -> str:
        """Return a hint with the nearest known name and the list of known names."""
        if not known:
            return f"{what}: none"
        self._compared += len(known)
        close = None
        if self._compared <= MAX_COMPARISONS:
            close = nearest(name[:SHOWN_LENGTH], known)
        guess = f"did you mean '{close}'? " if close else ""
        return f"{guess}{what}: {listed(known)}"

    @property
    def has_errors(self) -> bool:
        """Whether there is an error among the findings."""
        return self.error_count > 0

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All findings; those beyond the bound are counted in a last one."""
        found = tuple(self._diagnostics)
        if not self._dropped:
            return found
        severity: Severity = "error" if self.has_errors else "warning"
        last = found[-1]
        return (*found, Diagnostic(last.file, 0, severity, f"and {self._dropped} more findings, not listed"))

    def _add(self, severity: Severity, place: Place, message: str, hint: str) -> None:
        self.error_count += severity == "error"
        finding = Diagnostic(place.file, place.line, severity, message, hint)
        if len(self._diagnostics) < MAX_DIAGNOSTICS:
            if finding not in self._diagnostics:
                self._diagnostics.append(finding)
        else:
            self._dropped += 1


def shown(value: str) -> str:
    """Return a value for a message, shortened, with control characters escaped."""
    text = value if len(value) <= SHOWN_LENGTH else value[: SHOWN_LENGTH - 3] + "..."
    return text.encode("unicode_escape").decode("ascii") if not text.isprintable() else text


def listed(names: Iterable[str]) -> str:
    """Return names for a message, the first few of them."""
    names = list(names)
    more = f", ... ({len(names)} in all)" if len(names) > LISTED_NAMES else ""
    return ", ".join(shown(name) for name in names[:LISTED_NAMES]) + more
