"""Checks of arguments: each returns the value in its working type, or raises with the rule it breaks."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grouser.errors import ParameterError

Array = NDArray[np.float64]

UNIT_TOLERANCE = 1e-9
"""Quaternions shorter than this have no direction [-]."""


def number(what: str, value: object) -> float:
    """Return `value` as a finite float.

    Raises:
        ParameterError: if it is not a finite number.
    """
    if isinstance(value, str | bytes | bool | np.bool_):
        raise ParameterError(f"{what} is {value!r}; it must be a finite number")
    try:
        result = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise ParameterError(f"{what} is {value!r}; it must be a finite number") from None
    if not math.isfinite(result):
        raise ParameterError(f"{what} is {result}; it must be a finite number")
    return result


def positive(what: str, value: object) -> float:
    """Return `value` as a finite float above zero.

    Raises:
        ParameterError: if it is anything else.
    """
    result = number(what, value)
    if result <= 0:
        raise ParameterError(f"{what} is {result:g}; it must be greater than 0")
    return result


def not_negative(what: str, value: object) -> float:
    """Return `value` as a finite float, zero or more.

    Raises:
        ParameterError: if it is anything else.
    """
    result = number(what, value)
    if result < 0:
        raise ParameterError(f"{what} is {result:g}; it must be 0 or more")
    return result


def count(what: str, value: Any, least: int) -> int:
    """Return `value` as an int of at least `least`.

    Raises:
        ParameterError: if it is not a whole number (True and 3.0 are not) or too small.
    """
    try:
        if isinstance(value, bool | np.bool_):
            raise TypeError
        result = operator.index(value)
    except TypeError:
        raise ParameterError(f"{what} is {value!r}; it must be a whole number") from None
    if result < least:
        raise ParameterError(f"{what} is {result}; it must be {least} or more")
    return result


def array(what: str, value: ArrayLike, shape: tuple[int, ...]) -> Array:
    """Return `value` as a new finite float64 array of `shape`.

    Raises:
        ParameterError: if its shape differs or an element is not a finite number.
    """
    try:
        result = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(f"{what} is {value!r}; it must be numbers of shape {shape}") from None
    if result.shape != shape:
        raise ParameterError(f"{what} has shape {result.shape}; it must have shape {shape}")
    if not np.isfinite(result).all():
        bad = np.argwhere(~np.isfinite(result))[0]
        where = ", ".join(str(i) for i in bad)
        raise ParameterError(f"{what}[{where}] is {result[tuple(bad)]}; every element must be finite")
    return result


def vector3(what: str, value: ArrayLike) -> Array:
    """Return `value` as three finite numbers."""
    return array(what, value, (3,))


def positive3(what: str, value: ArrayLike) -> Array:
    """Return `value` as three numbers above zero.

    Raises:
        ParameterError: if it is anything else.
    """
    result = array(what, value, (3,))
    if (result <= 0).any():
        raise ParameterError(f"{what} is {tuple(result.tolist())}; every element must be greater than 0")
    return result


def quaternion(what: str, value: ArrayLike) -> Array:
    """Return `value` as a unit quaternion w, x, y, z.

    Raises:
        ParameterError: if it is not four finite numbers or has no length.
    """
    result = array(what, value, (4,))
    length = float(np.linalg.norm(result))
    if length < UNIT_TOLERANCE:
        raise ParameterError(f"{what} is {tuple(result.tolist())}; it must be a quaternion w, x, y, z that is not zero")
    # A quaternion that is one already keeps its bits.
    return result if abs(length - 1) < 4 * np.finfo(float).eps else result / length


def name(what: str, value: object) -> str:
    """Return `value` as a name.

    Raises:
        ParameterError: if it is not text with at least one character, or reserved.
    """
    if not isinstance(value, str) or not value.strip():
        raise ParameterError(f"{what} is {value!r}; it must be a text that is not empty")
    return value


def choice(what: str, value: object, known: Sequence[str]) -> str:
    """Return `value`, one of the texts in `known`.

    Raises:
        ParameterError: if it is none of them.
    """
    if value not in known:
        raise ParameterError(f"{what} is {value!r}; it must be one of {', '.join(known)}")
    return str(value)
