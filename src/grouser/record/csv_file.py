"""Telemetry as CSV: a header of `name [unit]`, then a line a sample; all digits are kept."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import numpy as np

from grouser.errors import FileNotReadError
from grouser.record.telemetry import Column, Telemetry

_HEADER = re.compile(r"(?P<name>.*?)(?: \[(?P<unit>[^\[\]]*)\])?")


def write_csv(table: Telemetry, path: str | Path) -> None:
    """Write a table. Numbers are written with as many digits as they need to be read back the same."""
    with Path(path).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(column.header for column in table.columns)
        writer.writerows(table.values.tolist())


def read_csv(path: str | Path) -> Telemetry:
    """Read a table that `write_csv` has written, or any CSV of numbers with such a header.

    Raises:
        FileNotReadError: if the file cannot be read, or a line does not have one number a column.
    """
    try:
        with Path(path).open(newline="", encoding="utf-8") as file:
            lines = list(csv.reader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise FileNotReadError(f"cannot read '{path}': {error}") from error
    if not lines:
        raise FileNotReadError(f"'{path}' is empty; its first line must name the columns")
    columns = tuple(_column(text) for text in lines[0])
    rows = [_numbers(path, i, line, len(columns)) for i, line in enumerate(lines[1:], start=2) if line]
    values = np.array(rows).reshape(len(rows), len(columns))
    values.flags.writeable = False
    return Telemetry(columns, values)


def _column(header: str) -> Column:
    found = _HEADER.fullmatch(header.strip())
    return Column(found["name"], found["unit"] or "") if found else Column(header.strip())


def _numbers(path: str | Path, line: int, texts: list[str], columns: int) -> list[float]:
    if len(texts) != columns:
        raise FileNotReadError(f"{path}:{line}: {len(texts)} values; the header names {columns} columns")
    try:
        return [float(text) for text in texts]
    except ValueError as error:
        raise FileNotReadError(f"{path}:{line}: {error}; every value must be a number") from None
