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

DPI = 200
EDGE, LEFT, RIGHT = 0.028, 0.062, 0.985
"""Where the title, and the axes, begin and end across the figure [-]."""

GROUND_DEPTH = 0.05
"""How much of the ground is drawn [m]."""
VIEW_HEIGHT = 1.0
"""How high the side view reaches [m]."""
BEHIND, AHEAD = 0.65, 0.95
"""How much is shown behind and ahead of a robot's base [m]."""

GROUND, STEP, STEP_EDGE, MARK, PLAIN = "#bfb8ab", "#e3ded5", "#aaa294", "#d4d7db", "#8d949c"
LOOKS: dict[str, dict[str, Any]] = {
    "body": {"edgecolor": "#30343a", "linewidth": 0.4},
    "belt": {"facecolor": "#24272c", "edgecolor": "#24272c", "linewidth": 0.4},
    "inside": {"facecolor": "#5d646d", "edgecolor": "none"},
    "wheel": {"facecolor": "#c9ced4", "edgecolor": "#30343a", "linewidth": 0.4},
}


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
    subtitle: str = "",
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
        subtitle: Under the title.

    Raises:
        UnsupportedError: if matplotlib is not installed.
    """
    require_matplotlib()
    from matplotlib.figure import Figure

    with figure_style():
        figure = Figure(figsize=(WIDTH, HEIGHT), dpi=DPI)
        rows = _rows(table, standings)
        grid = figure.add_gridspec(
            len(rows), 1, left=LEFT, right=RIGHT, top=0.905, bottom=0.545, hspace=0.12
        )
        for row, span in enumerate(rows):
            axes = figure.add_subplot(grid[row])
            _side_view(axes, robot, table, standings, span, obstacles)
        grid = figure.add_gridspec(len(panels), 1, left=LEFT, right=RIGHT, top=0.475, bottom=0.06, hspace=0.42)
        _panels([figure.add_subplot(grid[row]) for row in range(len(panels))], table, panels, standings)
        figure.text(EDGE, 0.962, title, fontsize=13, fontweight="bold")
        figure.text(EDGE, 0.931, subtitle, fontsize=9.5, color=MUTED)
        figure.savefig(path)


def _rows(table: Telemetry, standings: Sequence[Standing]) -> list[tuple[float, float]]:
    """Return from where to where the rows of the side view go [m]: equally long, no robot cut in two."""
    low, high = float(table["x"].min()) - BEHIND, float(table["x"].max()) + AHEAD
    places = [_x_at(table, standing.time) for standing in standings]
    middle = max((x for x in places if x <= (low + high) / 2), default=low)
    length = max(middle + AHEAD - low, (high - low) / 2)
    return [(low, low + length), (high - length, high)]


def _side_view(
    axes: Axes,
    robot: Robot,
    table: Telemetry,
    standings: Sequence[Standing],
    span: tuple[float, float],
    obstacles: Sequence[Array],
) -> None:
    from matplotlib.patches import Polygon

    for outline in obstacles:
        axes.add_patch(Polygon(outline, closed=True, facecolor=STEP, edgecolor=STEP_EDGE, linewidth=0.8, zorder=1))
    axes.axhspan(-GROUND_DEPTH, 0.0, color=GROUND, linewidth=0, zorder=1)
    axes.plot(table["x"], table["z"], color=PALETTE[0], linewidth=1.4, zorder=2)
    for number, standing in enumerate(standings, start=1):
        x = _x_at(table, standing.time)
        if span[0] + BEHIND <= x + 1e-6 and x - 1e-6 <= span[1] - AHEAD:
            _draw_robot(axes, robot, standing, str(number))
    axes.set(xlim=span, ylim=(-GROUND_DEPTH, VIEW_HEIGHT), aspect="equal", yticks=[])
    axes.spines[:].set_visible(False)
    axes.grid(visible=False)
    ticks = np.arange(np.ceil(span[0]), span[1])
    axes.set_xticks(ticks, [f"{tick:.0f} m" for tick in ticks])
    axes.tick_params(length=0, pad=2)


def _draw_robot(axes: Axes, robot: Robot, standing: Standing, number: str) -> None:
    from matplotlib.patches import Polygon

    patches = silhouette(robot, standing.links)
    for patch in patches:
        look = {"facecolor": patch.rgba or PLAIN, **LOOKS[patch.kind]}
        axes.add_patch(Polygon(patch.points, closed=True, zorder=3, joinstyle="round", **look))
    points = np.vstack([patch.points for patch in patches])
    highest = points[points[:, 1].argmax()]
    _badge(axes, number, (float(highest[0]), float(highest[1]) + 0.1))


def _panels(
    all_axes: Sequence[Axes], table: Telemetry, panels: Sequence[Curves], standings: Sequence[Standing]
) -> None:
    time = table["time"] - table["time"][0]
    for axes, panel in zip(all_axes, panels, strict=True):
        for color, (name, column) in zip(PALETTE, panel.columns.items(), strict=False):
            axes.plot(time, panel.factor * table[column], color=color, linewidth=1.1, label=name)
        for standing in standings:
            axes.axvline(standing.time, color=MARK, linewidth=0.7, zorder=0)
        axes.set(xlim=(0.0, time[-1]))
        axes.set_title(panel.label, loc="left", fontsize=9.5, pad=4)
        axes.grid(visible=False, axis="x")
        if len(panel.columns) > 1:
            axes.legend(loc="lower right", bbox_to_anchor=(1.0, 0.97), ncols=len(panel.columns), borderaxespad=0)
        axes.tick_params(labelbottom=axes is all_axes[-1])
    top = all_axes[0].get_ylim()[1]
    for number, standing in enumerate(standings, start=1):
        _badge(all_axes[0], str(number), (standing.time, top))
    all_axes[-1].set_xlabel("time [s]", labelpad=1)


def _badge(axes: Axes, number: str, at: tuple[float, float]) -> None:
    circle = {"boxstyle": "circle,pad=0.18", "facecolor": "white", "edgecolor": MUTED, "linewidth": 0.7}
    axes.text(*at, number, fontsize=7, ha="center", va="center", color=INK, bbox=circle, zorder=5)


def _x_at(table: Telemetry, time: float) -> float:
    return float(np.interp(time, table["time"] - table["time"][0], table["x"]))
