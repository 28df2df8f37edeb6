"""Reading the attributes of one element, with a message for everything that is wrong with them."""

from __future__ import annotations

import math
import re
from collections.abc import Collection

from grouser.description.report import Report, shown
from grouser.description.robot import Vector3
from grouser.description.xml import Node

__all__ = ["Fields", "only_child"]

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_INFINITE = re.compile(r"[+-]?inf(?:inity)?", re.ASCII | re.IGNORECASE)


class Fields:
    """The attributes of one element.

    Every reader returns a harmless value where it reports an error, so that the rest is still checked.

    Args:
        node: The element.
        owner: What it belongs to, for messages: "joint 'j1'".
        report: Where errors go.
    """

    def __init__(self, node: Node, owner: str, report: Report) -> None:
        self._node = node
        self._owner = owner
        self._report = report

    def __contains__(self, name: str) -> bool:
        return name in self._node.attributes

    def only(self, known: Collection[str], children: Collection[str] = ()) -> None:
        """Report every attribute and child element that is not one of the known ones."""
        node = self._node
        for name in node.attributes:
            if name not in known and not name.startswith("{"):
                hint = self._report.suggest(name, known, "attributes")
                message = f"{self._owner}: <{node.tag}> has no attribute '{shown(name)}'"
                self._report.error(node, message, hint)
        for child in node.children:
            if child.tag not in children and not child.tag.startswith("{"):
                hint = self._report.suggest(child.tag, children, "elements")
                message = f"{self._owner}: <{node.tag}> has no element <{shown(child.tag)}>"
                self._report.error(child, message, hint)

    def text(self, name: str, default: str | None = None) -> str:
        """Return an attribute as it is written; without `default` it must be there and not be empty."""
        value = self._node.attributes.get(name)
        if default is not None:
            return default if value is None else value
        if value is None:
            self._missing(name)
        elif not value.strip():
            self._wrong(name, "is empty")
        return value or ""

    def number(
        self,
        name: str,
        default: float | None = None,
        *,
        fallback: float = 1.0,
        infinite: bool = False,
    ) -> float:
        """Return an attribute as a number.

        Args:
            name: The attribute.
            default: Its value where it is absent; None: it must be there.
            fallback: The result after an error.
            infinite: Whether "inf" is a number here.
        """
        value = self._node.attributes.get(name)
        if value is None:
            if default is None:
                self._missing(name)
                return fallback
            return default
        text = value.strip()
        if infinite and _INFINITE.fullmatch(text):
            return float(text)
        if not _NUMBER.fullmatch(text):
            self._wrong(name, "is not a number", _advice(text))
            return fallback
        number = float(text)
        if not math.isfinite(number):
            self._wrong(name, "is not finite: it is beyond 1.8e308")
            return fallback
        return number

    def numbers(
        self,
        name: str,
        count: int,
        default: tuple[float, ...] | None = None,
        *,
        fallback: tuple[float, ...] | None = None,
    ) -> tuple[float, ...]:
        """Return an attribute as `count` numbers separated by white space.

        Args:
            name: The attribute.
            count: How many numbers.
            default: Its value where it is absent; None: it must be there.
            fallback: The result after an error; None: zeros.
        """
        fallback = (0.0,) * count if fallback is None else fallback
        value = self._node.attributes.get(name)
        if value is None:
            if default is None:
                self._missing(name)
                return fallback
            return default
        # One word more than wanted is enough to see that there are too many.
        words = value.split(None, count)
        if len(words) != count:
            self._wrong(name, f"is not {count} numbers separated by spaces", _advice(value))
            return fallback
        numbers = []
        for word in words:
            number = float(word) if _NUMBER.fullmatch(word) else math.nan
            if not math.isfinite(number):
                what = f"'{shown(word)}' is not a finite number"
                self._wrong(name, f"is not {count} numbers separated by spaces: {what}", _advice(value))
                return fallback
            numbers.append(number)
        return tuple(numbers)

    def vector(self, name: str, default: Vector3 | None = None, *, fallback: Vector3 = (0.0, 0.0, 0.0)) -> Vector3:
        """Return an attribute as three numbers; `fallback` after an error."""
        x, y, z = self.numbers(name, 3, default, fallback=fallback)
        return (x, y, z)

    def flag(self, name: str, default: bool) -> bool:
        """Return an attribute that is "true" or "false" ("1" or "0")."""
        value = self._node.attributes.get(name)
        if value is None:
            return default
        if value.strip().lower() in ("true", "1"):
            return True
        if value.strip().lower() not in ("false", "0"):
            self._wrong(name, "is not 'true' or 'false'")
            return default
        return False

    def _missing(self, name: str) -> None:
        hint = f'write <{self._node.tag} {name}="..."/>'
        self._report.error(self._node, f"{self._owner}: <{self._node.tag}> has no '{name}'", hint)

    def _wrong(self, name: str, rule: str, hint: str = "") -> None:
        value = shown(self._node.attributes[name])
        self._report.error(self._node, f'{self._owner}: <{self._node.tag} {name}="{value}">: {name} {rule}', hint)


def only_child(node: Node, tag: str, owner: str, report: Report) -> Node | None:
    """Return the child of that name, or None; of several the first, with a warning."""
    found = node.all(tag)
    if len(found) > 1:
        message = f"{owner}: <{node.tag}> has {len(found)} <{tag}> elements; the first is used"
        report.warning(found[1], message, "remove the others")
    return found[0] if found else None


def _advice(value: str) -> str:
    if "," in value:
        return "numbers are separated by spaces and have a decimal point, no commas"
    if "{" in value or "@@" in value:
        return "an expression holds numbers, @@parameters, + - * / ( ) pi sin cos log exp"
    return ""
