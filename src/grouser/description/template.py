"""Templates: `@@name` and `{expression}` in a robot file, replaced by values before it is parsed."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from html import escape

from grouser.description.expression import ExpressionError, evaluate
from grouser.description.report import Report, shown
from grouser.description.robot import Source
from grouser.description.text import Text

__all__ = ["Parameters", "expand"]

MAX_EXPRESSION = 1002
"""Longest stretch in which the closing brace is looked for: the longest expression and one brace more."""
MAX_REPLACED = 100_000

_MARK = re.compile(r"<!--|<!\[CDATA\[|<\?|@@|\{")
_CLOSING = {"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>"}
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_MINUS_IS_SIGN = re.compile(r"[\s\"'=({*/+,-]-$")


class Parameters:
    """The values given for a template, and which of them a file has used.

    Args:
        values: Value by name; a number, or text.
    """

    def __init__(self, values: Mapping[str, object]) -> None:
        self.values = {str(name): _written(value) for name, value in values.items()}
        self.used: set[str] = set()

    def __len__(self) -> int:
        return len(self.values)

    def text(self, name: str) -> str:
        """Return a parameter's value as text.

        Raises:
            ExpressionError: if there is no such parameter.
        """
        if name not in self.values:
            raise ExpressionError(f"parameter '@@{shown(name)}' has no value")
        self.used.add(name)
        return self.values[name]

    def number(self, name: str) -> float:
        """Return a parameter's value as a number.

        Raises:
            ExpressionError: if there is no such parameter, or its value is not a finite number.
        """
        text = self.text(name)
        value = float(text) if _NUMBER.fullmatch(text.strip()) else math.nan
        if not math.isfinite(value):
            raise ExpressionError(f"parameter '@@{name}' is '{shown(text)}', not a number")
        return value

    def report_unused(self, place: Source, report: Report) -> None:
        """Warn of parameters that no file has used."""
        for name in self.values:
            if name not in self.used:
                message = f"parameter '{shown(name)}' is not used: no '@@{shown(name)}' in the file"
                report.warning(place, message, "leave it out, or check its spelling")


def expand(text: Text, parameters: Parameters, report: Report) -> Text:
    """Return the text with parameters and expressions replaced by their values.

    In a template (parameters are given, or "@@" occurs) what cannot be evaluated is an error. In any
    other file, braces that hold no expression are left as they are: other tools' elements have them.
    Comments and CDATA sections are not touched.
    """
    if "@@" not in text.text and "{" not in text.text:
        return text
    strict = len(parameters) > 0 or "@@" in text.text
    said: set[str] = set()
    out: list[str] = []
    done = line = 0
    for count, (start, end) in enumerate(_marks(text.text)):
        line += text.text.count("\n", done, start)
        place = Source(text.name, line + 1)
        if count >= MAX_REPLACED:
            report.error(place, f"more than {MAX_REPLACED} parameters and expressions, the most that are replaced")
            break
        out.append(text.text[done:start])
        mark = text.text[start:end]
        try:
            out.append(_joined(out, _value(mark, parameters)))
        except ExpressionError as error:
            out.append(mark)
            if strict and str(error) not in said:
                # A parameter that is missing is missing everywhere: once is enough.
                said.add(str(error))
                hint = report.suggest(mark.strip("@{}"), parameters.values, "parameters")
                report.error(place, f"'{shown(mark)}': {error}", hint)
        line += mark.count("\n")
        done = end
    out.append(text.text[done:])
    return Text(text.name, text.folder, "".join(out))


def _marks(text: str) -> Iterator[tuple[int, int]]:
    """Yield where parameters and expressions stand, outside comments and the like."""
    position = 0
    while (found := _MARK.search(text, position)) is not None:
        start, mark = found.start(), found.group()
        position = found.end()
        if mark in _CLOSING:
            end = text.find(_CLOSING[mark], position)
            if end < 0:
                return
            position = end
        elif mark == "@@":
            name = _NAME.match(text, position)
            position = name.end() if name else position
            yield start, position
        # "${" belongs to other tools, such as xacro.
        elif text[max(0, start - 1)] != "$":
            end = text.find("}", position, position + MAX_EXPRESSION)
            end = end if end >= 0 else min(len(text), position + MAX_EXPRESSION)
            position = end + 1
            yield start, position


def _value(mark: str, parameters: Parameters) -> str:
    if mark.startswith("@@"):
        if len(mark) == 2:
            raise ExpressionError("a parameter's name is missing after '@@'")
        return escape(parameters.text(mark[2:]))
    if not mark.endswith("}"):
        raise ExpressionError("'}' is missing")
    return repr(evaluate(mark[1:-1], parameters.number))


def _joined(out: list[str], value: str) -> str:
    """Return `value`, taking a minus sign before it into account: "-" before "-3" makes "3"."""
    before = out[-1]
    if value.startswith("-") and _NUMBER.fullmatch(value) and _MINUS_IS_SIGN.search("".join(out[-3:])[-2:]):
        out[-1] = before[:-1]
        return value[1:]
    return value


def _written(value: object) -> str:
    return repr(value) if isinstance(value, float) else str(value)
