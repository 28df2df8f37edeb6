"""The arithmetic of templates: numbers, parameters, + - * /, parentheses, pi, sin, cos, log, exp."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

__all__ = ["ExpressionError", "evaluate"]

MAX_LENGTH = 1000
MAX_DEPTH = 50
"""An expression longer or nested deeper than this was not written by a person."""

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|@@(?P<parameter>[A-Za-z_]\w*)"
    r"|(?P<name>[A-Za-z_]\w*)|(?P<sign>[-+*/()]))",
    re.ASCII,
)
_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "sin": math.sin,
    "cos": math.cos,
    "log": math.log,
    "exp": math.exp,
}


class ExpressionError(ValueError):
    """An expression that cannot be read or has no value; the message says why."""


def evaluate(text: str, parameter: Callable[[str], float]) -> float:
    """Return the value of an expression.

    Args:
        text: The expression, without its braces.
        parameter: Gives the value of a parameter; may raise ExpressionError.

    Raises:
        ExpressionError: if it is not an expression, or its value is not a finite number.
    """
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"longer than {MAX_LENGTH} characters")
    parser = _Parser(_tokens(text), parameter)
    try:
        value = parser.sum()
    except ZeroDivisionError:
        raise ExpressionError("division by zero") from None
    except OverflowError:
        raise ExpressionError("the value is too large") from None
    parser.expect_end()
    if not math.isfinite(value):
        raise ExpressionError(f"the value is not finite: {value}")
    return value


def _tokens(text: str) -> list[tuple[str, str]]:
    tokens: list[tuple[str, str]] = []
    position, end = 0, len(text.rstrip())
    while position < end:
        found = _TOKEN.match(text, position)
        if found is None or found.lastgroup is None:
            raise ExpressionError(f"'{text[position:].strip()[:20]}' is not part of an expression")
        tokens.append((found.lastgroup, found.group(found.lastgroup)))
        position = found.end()
    return tokens


class _Parser:
    """Recursive descent: sum = product {+- product}, product = factor {*/ factor}, factor = sign | atom."""

    def __init__(self, tokens: list[tuple[str, str]], parameter: Callable[[str], float]) -> None:
        self._tokens = tokens
        self._next = 0
        self._depth = 0
        self._parameter = parameter

    def sum(self) -> float:
        value = self._product()
        while (sign := self._take("+", "-")) is not None:
            value = value + self._product() if sign == "+" else value - self._product()
        return value

    def expect_end(self) -> None:
        if self._next < len(self._tokens):
            raise ExpressionError(f"'{self._tokens[self._next][1]}' is not expected here")

    def _product(self) -> float:
        value = self._factor()
        while (sign := self._take("*", "/")) is not None:
            value = value * self._factor() if sign == "*" else value / self._factor()
        return value

    def _factor(self) -> float:
        negative = False
        while (sign := self._take("+", "-")) is not None:
            negative ^= sign == "-"
        value = self._atom()
        return -value if negative else value

    def _atom(self) -> float:
        if self._next >= len(self._tokens):
            raise ExpressionError("it ends too early" if self._tokens else "it is empty")
        kind, text = self._tokens[self._next]
        self._next += 1
        if kind == "number":
            return float(text)
        if kind == "parameter":
            return self._parameter(text)
        if kind == "name" and text == "pi":
            return math.pi
        if kind == "name":
            return self._call(text)
        if text == "(":
            return self._inner()
        raise ExpressionError(f"'{text}' is not expected here")

    def _call(self, name: str) -> float:
        function = _FUNCTIONS.get(name)
        if function is None:
            raise ExpressionError(f"'{name}' is not known; known: pi, {', '.join(_FUNCTIONS)}, and @@parameters")
        if self._take("(") is None:
            raise ExpressionError(f"'(' is missing after '{name}'")
        argument = self._inner()
        try:
            return function(argument)
        except ValueError:
            raise ExpressionError(f"{name}({argument!r}) has no value") from None

    def _inner(self) -> float:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ExpressionError(f"nested deeper than {MAX_DEPTH} parentheses")
        value = self.sum()
        if self._take(")") is None:
            raise ExpressionError("')' is missing")
        self._depth -= 1
        return value

    def _take(self, *signs: str) -> str | None:
        if self._next < len(self._tokens):
            kind, text = self._tokens[self._next]
            if kind == "sign" and text in signs:
                self._next += 1
                return text
        return None
