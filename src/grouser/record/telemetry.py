"""Telemetry: a table of named columns with units, and the recorder that fills one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grouser.errors import ParameterError, UnknownNameError

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    Attributes:
        name: Unique in its table, such as "belt_speed/left".
        unit: What its numbers are in, such as "m/s"; "" for a number without unit.
    """

    name: str
    unit: str = ""

    @property
    def header(self) -> str:
        """Name and unit as they stand above the column: `name [unit]`."""
        return f"{self.name} [{self.unit}]" if self.unit else self.name


@dataclass(frozen=True, eq=False)
class Telemetry:
    """A table of numbers: one row a sample, one column a quantity.

    Attributes:
        columns: The columns, in order.
        values: The numbers, shape (rows, columns), not writable.
    """

    columns: tuple[Column, ...]
    values: Array

    def __len__(self) -> int:
        return len(self.values)

    def __contains__(self, name: str) -> bool:
        return name in self.names

    def __getitem__(self, name: str) -> Array:
        """Return the column of that name, shape (rows,).

        Raises:
            UnknownNameError: if there is no such column.
        """
        return self.values[:, self._index(name)]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(column.name for column in self.columns)

    def unit(self, name: str) -> str:
        """Return the unit of a column.

        Raises:
            UnknownNameError: if there is no such column.
        """
        return self.columns[self._index(name)].unit

    def _index(self, name: str) -> int:
        names = self.names
        if name not in names:
            raise UnknownNameError("column", name, names)
        return names.index(name)


class Recorder:
    """Fills a table row by row, into memory that it takes once.

    Args:
        columns: The columns.
        capacity: How many rows are expected, >= 1. More are taken too: the memory is then doubled.

    Raises:
        ParameterError: if two columns have one name, there are none, or the capacity is below 1.
    """

    def __init__(self, columns: Iterable[Column], capacity: int) -> None:
        self.columns = tuple(columns)
        names = [column.name for column in self.columns]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ParameterError(f"columns must have names of their own; twice there: {', '.join(twice)}")
        if not names:
            raise ParameterError("columns is empty; a table needs at least one")
        if capacity < 1:
            raise ParameterError(f"capacity is {capacity}; it must be 1 or more")
        self._rows = np.empty((capacity, len(names)))
        self._used = 0

    def __len__(self) -> int:
        return self._used

    def add(self, row: Sequence[float] | ArrayLike) -> None:
        """Add a row, one number a column.

        Raises:
            ParameterError: if it has another number of numbers.
        """
        if self._used == len(self._rows):
            self._rows = np.concatenate((self._rows, np.empty_like(self._rows)))
        numbers = np.asarray(row, dtype=float)
        if numbers.shape != (len(self.columns),):
            raise ParameterError(
                f"row has the shape {numbers.shape}; this table has {len(self.columns)} columns, so it must be "
                f"({len(self.columns)},)"
            )
        self._rows[self._used] = numbers
        self._used += 1

    def table(self) -> Telemetry:
        """Return what has been recorded so far; rows added later do not change it."""
        values = self._rows[: self._used].copy()
        values.flags.writeable = False
        return Telemetry(self.columns, values)
