"""Names in a spec: prefixed, unique, and as the engine plugin's configuration writes them."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

from grouser.errors import ParameterError

__all__ = ["Namer", "encoded"]


class Namer:
    """Gives out the names of one kind of element of a robot.

    Args:
        kind: What they name, for messages.
        prefix: What all start with.
        taken: Names that the spec has already.
        reserved: Names that are never given out: MuJoCo or Grouser keeps them.
    """

    def __init__(self, kind: str, prefix: str, taken: Iterable[str], reserved: Iterable[str] = ()) -> None:
        self._kind, self._prefix = kind, prefix
        self._taken = set(taken) - set(reserved)
        self._given = set(reserved)

    def give(self, name: str) -> str:
        """Return `name` with the prefix; with underscores after it if the robot has used that name itself.

        Raises:
            ParameterError: if something else in the spec has the name.
        """
        full = self._prefix + name
        if full in self._taken:
            raise ParameterError(
                f"prefix is '{self._prefix}', but the spec has a {self._kind} named '{full}' already; "
                "give each robot a prefix of its own"
            )
        while full in self._given:
            full += "_"
        self._given.add(full)
        return full

    def local(self, full: str) -> str:
        """Return a name that was given out, without the prefix."""
        return full[len(self._prefix) :]


def encoded(name: str) -> str:
    """Return a name as the plugin's configuration writes it, in which these separate: white space , ; =."""
    return quote(name, safe="/")
