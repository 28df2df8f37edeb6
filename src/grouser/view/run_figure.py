"""One figure of a run over steps: the robot's way seen from the side, and its belts, drives and pitch over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from grouser.description.robot import Robot
from grouser.record import Telemetry
from grouser.view.plotting import INK, MUTED, PALETTE, figure_style, require_matplotlib
from grouser.view.silhouette import LinkPoses, silhouette

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

WIDTH, HEIGHT = 10.0, 7.4
"""Of the figure [in]; at 880 px, as in a README, its text is 11 px high."""

GROUND_DEPTH = 0.06
"""How much of the ground is drawn [m]."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The robot at one moment: since the start [s], and where its links are."""

    time: float
    links: LinkPoses


@dataclass(frozen=True, slots=True)
class Curves:
    """What one panel shows over time.

    Attributes:
        label: Of the panel, with the unit.
        columns: Column of the telemetry by legend text.
        factor: What the numbers are multiplied with.
    """

    label: str
    columns: dict[str, str]
    factor: float = 1.0


def save_run_figure(
    path: Path,
    robot: Robot,
    table: Telemetry,
    *,
    standings: Sequence[Standing],
    obstacles: Sequence[Array],
    panels: Sequence[Curves],
    title: str,
) -> None:
    """Draw a run and save it; the file's ending says as what.

    Args:
        path: Where; `.png` or `.svg`, or another ending that matplotlib knows.
        robot: The robot.
        table: Its telemetry, with the columns time, x and z.
        standings: The moments at which the robot is drawn.
        obstacles: Outlines in x and z [m], each of shape (n, 2).
        panels: The panels under the side view.
        title: Over the figure.

    Raises:
        UnsupportedError: if matplotlib is not installed.
    """
    require_matplotlib()
    from matplotlib.figure import Figure

    with figure_style():
        figure = Figure(figsize=(WIDTH, HEIGHT), dpi=200)
        grid = figure.add_gridspec(
            2 + len(panels), 1, height_ratios=[1.15, 1.15, *[1.0] * len(panels)],
            left=0.075, right=0.985, top=0.93, bottom=0.07, hspace=0.22,
        )
        halves = _halves(table, obstacles)
        for row, span in enumerate(halves):
            _side_view(figure.add_subplot(grid[row]), robot, table, standings, obstacles, span)
        shared: Axes | None = None
        for row, panel in enumerate(panels, start=2):
            axes = figure.add_subplot(grid[row], sharex=shared)
            shared = shared or axes
            _curves(axes, table, panel, standings, last=row == len(panels) + 1)
        figure.text(0.075, 0.965, title, fontsize=12.5, fontweight="bold", color=INK)
        figure.savefig(path)


def _halves(table: Telemetry, obstacles: Sequence[Array]) -> list[tuple[float, float]]:
    low, high = float(table["x"].min()) - 0.65, float(table["x"].max()) + 0.95
    middle = (low + high) / 2
    return [(low, middle + 0.05), (middle - 0.05, high)]


def _side_view(axes: Axes, robot: Robot, table: Telemetry, standings: Sequence[Standing],
               obstacles: Sequence[Array], span: tuple[float, float]) -> None:
    from matplotlib.patches import Polygon

    for outline in obstacles:
        axes.add_patch(Polygon(outline, closed=True, facecolor="#d9d4cb", edgecolor="#a39b8d", linewidth=0.8, zorder=1))
    axes.axhspan(-GROUND_DEPTH, 0.0, color="#bdb6a9", linewidth=0, zorder=1)
    axes.plot(table["x"], table["z"], color=PALETTE[0], linewidth=1.3, zorder=2)
    for number, standing in enumerate(standings, start=1):
        _robot(axes, robot, standing, number, span)
    axes.set(xlim=span, ylim=(-GROUND_DEPTH, 0.98), aspect="equal", anchor="W")
    for side in ("top", "right", "left", "bottom"):
        axes.spines[side].set_visible(False)
    axes.set_yticks([])
    axes.set_xticks(np.arange(np.ceil(span[0]), span[1]))
    axes.tick_params(length=0)


def _robot(axes: Axes, robot: Robot, standing: Standing, number: int, span: tuple[float, float]) -> None:
    from matplotlib.patches import Polygon

    looks: dict[str, dict[str, Any]] = {
        "body": {"edgecolor": "#30343a", "linewidth": 0.5},
        "belt": {"facecolor": "#24272c", "edgecolor": "#24272c", "linewidth": 0.4},
        "inside": {"facecolor": "#6b727c", "edgecolor": "none"},
        "wheel": {"facecolor": "#c9ced4", "edgecolor": "#30343a", "linewidth": 0.4},
    }
    for patch in silhouette(robot, standing.links):
        look = {"facecolor": patch.rgba or "#8d949c", **looks[patch.kind]}
        axes.add_patch(Polygon(patch.points, closed=True, zorder=3, joinstyle="round", **look))


def _curves(axes: Axes, table: Telemetry, panel: Curves, standings: Sequence[Standing], *, last: bool) -> None:
    time = table["time"] - table["time"][0]
    for color, (name, column) in zip(PALETTE, panel.columns.items(), strict=False):
        axes.plot(time, panel.factor * table[column], color=color, linewidth=1.1, label=name)
    axes.set(xlim=(0.0, time[-1]), ylabel=panel.label)
    axes.legend(loc="upper right", ncols=4)
    axes.tick_params(labelbottom=last)
