"""How the results of a trial are shown: tables on a terminal, and the rows that every trial has."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich import box
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from grouser.trials.summary import JointSummary, Summary

__all__ = ["degrees", "joint_table", "progress_bar", "quantity_table", "rows_of", "show", "speed_row"]

ROW = tuple[str, str]
NOTHING = "–"

WIDTH = 100
"""Of tables where there is no terminal [characters]."""


@contextmanager
def progress_bar(what: str, *, quiet: bool) -> Iterator[Callable[[float], None]]:
    """Show a bar on stderr within the block; what it yields is called with the share that is done."""
    columns = (TextColumn("[bold]{task.description}"), BarColumn(40), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), disable=quiet, transient=True) as progress:
        task = progress.add_task(what, total=1.0)
        yield lambda share: progress.update(task, completed=share)


def rows_of(summary: Summary) -> list[ROW]:
    """Return what every trial has to say, as text by name."""
    slip = NOTHING if summary.slip is None else f"{100 * summary.slip:.1f} %"
    return [
        ("time", f"{summary.duration:.2f} s"),
        ("distance", f"{summary.distance:.2f} m"),
        ("slip", slip),
        ("energy in", f"{summary.energy:.0f} J"),
    ]


def speed_row(steps_per_second: float, realtime: float) -> ROW:
    """Return how fast it was computed."""
    return ("speed", f"{steps_per_second:,.0f} steps/s, {realtime:.1f} × real time".replace(",", "\u202f"))


def degrees(angle: float) -> str:
    """Return an angle given in radians as text in degrees."""
    return f"{math.degrees(angle):.1f}°"


def quantity_table(rows: Sequence[ROW]) -> Table:
    """Return a table of names and values."""
    table = Table(box=box.ROUNDED, border_style="dim", show_header=False)
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    for name, value in rows:
        table.add_row(Text(name), Text(value))
    return table


def joint_table(joints: Sequence[JointSummary]) -> Table:
    """Return a table of what the joints did."""
    table = Table(box=box.ROUNDED, border_style="dim", header_style="bold")
    table.add_column("joint", style="cyan", no_wrap=True)
    for name in ("peak torque", "peak power", "energy in"):
        table.add_column(name, justify="right", no_wrap=True)
    for joint in joints:
        table.add_row(
            Text(joint.joint),
            f"{joint.peak_torque:.1f} {joint.unit.replace(' ', '·')}",
            f"{joint.peak_power:.0f} W",
            f"{joint.energy:.0f} J",
        )
    return table


def show(title: str, tables: Sequence[Table], files: Sequence[Path], notes: Sequence[str] = ()) -> None:
    """Print what came of a trial on stdout: a title, tables, the files written, and what else there is to say."""
    out = Console(highlight=False)
    if not out.is_terminal:
        out.width = WIDTH
    out.print(Text(title, style="bold"), soft_wrap=True)
    for table in tables:
        out.print(table)
    for path in files:
        out.print(Text(f"  {path}"), soft_wrap=True)
    for note in notes:
        out.print(Text(f"  {note}", style="yellow"), soft_wrap=True)
