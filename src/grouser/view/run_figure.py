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

WIDTH, HEIGHT = 10.0, 8.0
"""Of the figure [in]; at 880 px, as in a README, its text is 11 px high."""

DPI = 200
EDGE, LEFT, RIGHT = 0.028, 0.062, 0.985
"""Where the title, and the axes, begin and end across the figure [-]."""

SIDE_TOP, ROW_GAP = 0.915, 0.03
"""Where the side view begins, and how far its rows are apart, up the figure [-]."""

GROUND_DEPTH = 0.05
"""How much of the ground is drawn [m]."""
VIEW_HEIGHT = 1.0
"""How high the side view reaches [m]."""
BEHIND, AHEAD = 0.6, 0.9
"""How much is shown behind and ahead of a robot's base [m]."""

BADGE_ROOM = 12.0
"""Over the first panel, for the numbers of the moments [pt]."""

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
        top = SIDE_TOP
        for row in _rows(table, standings):
            # As high as makes a metre as long up as along.
            height = (GROUND_DEPTH + VIEW_HEIGHT) / (row.span[1] - row.span[0]) * (RIGHT - LEFT) * WIDTH / HEIGHT
            axes = figure.add_axes((LEFT, top - height, RIGHT - LEFT, height))
            _side_view(axes, robot, table, row, obstacles)
            if top == SIDE_TOP:
                _name_path(axes, table, row.span)
            top -= height + ROW_GAP
        grid = figure.add_gridspec(len(panels), 1, left=LEFT, right=RIGHT, top=top - 0.05, bottom=0.058, hspace=0.42)
        _panels([figure.add_subplot(grid[row]) for row in range(len(panels))], table, panels, standings)
        figure.text(EDGE, 0.962, title, fontsize=13, fontweight="bold")
        figure.text(EDGE, 0.931, subtitle, fontsize=9.5, color=MUTED)
        figure.savefig(path)


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of the side view: from where to where along x [m], and the robots in it by number."""

    span: tuple[float, float]
    robots: dict[int, Standing]


def _rows(table: Telemetry, standings: Sequence[Standing]) -> list[_Row]:
    """Return the two rows of the side view: equally long, together as long as the way, and no robot cut in two."""
    low, high = float(table["x"].min()) - BEHIND, float(table["x"].max()) + AHEAD
    places = [_x_at(table, standing.time) for standing in standings]
    first = [x for x in places if x <= (low + high) / 2]
    rest = places[len(first) :]
    length = max((high - low) / 2, max(first, default=low) + AHEAD - low, high - min(rest, default=high) + BEHIND)
    numbered = dict(enumerate(standings, start=1))
    return [
        _Row((low, low + length), {n: s for n, s in numbered.items() if n <= len(first)}),
        _Row((high - length, high), {n: s for n, s in numbered.items() if n > len(first)}),
    ]


def _side_view(
    axes: Axes,
    robot: Robot,
    table: Telemetry,
    row: _Row,
    obstacles: Sequence[Array],
) -> None:
    from matplotlib.patches import Polygon

    for outline in obstacles:
        axes.add_patch(Polygon(outline, closed=True, facecolor=STEP, edgecolor=STEP_EDGE, linewidth=0.8, zorder=1))
    axes.axhspan(-GROUND_DEPTH, 0.0, color=GROUND, linewidth=0, zorder=1)
    axes.plot(table["x"], table["z"], color=PALETTE[0], linewidth=1.4, zorder=2)
    for number, standing in row.robots.items():
        _draw_robot(axes, robot, standing, str(number))
    axes.set(xlim=row.span, ylim=(-GROUND_DEPTH, VIEW_HEIGHT), aspect="equal", yticks=[])
    axes.spines[:].set_visible(False)
    axes.grid(visible=False)
    ticks = np.arange(np.ceil(row.span[0]), row.span[1])
    axes.set_xticks(ticks, [f"{round(tick)} m" for tick in ticks])
    axes.tick_params(length=0, pad=2)


def _name_path(axes: Axes, table: Telemetry, span: tuple[float, float]) -> None:
    """Write what the line is where it leaves a row."""
    height = float(np.interp(span[1], table["x"], table["z"]))
    style = {"fontsize": 8, "color": PALETTE[0], "ha": "right", "va": "bottom"}
    axes.text(span[1], height + 0.03, "path of the base", **style)


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
        lift = BADGE_ROOM if axes is all_axes[0] else 0.0
        points_high = axes.get_position().height * HEIGHT * 72
        axes.set_title(panel.label, loc="left", fontsize=9.5, pad=4 + lift)
        axes.grid(visible=False, axis="x")
        if len(panel.columns) > 1:
            axes.legend(
                loc="lower right",
                bbox_to_anchor=(1.0, 1.0 + lift / points_high),
                ncols=len(panel.columns),
                borderaxespad=0.0,
                borderpad=0.2,
            )
        axes.tick_params(labelbottom=axes is all_axes[-1])
    for number, standing in enumerate(standings, start=1):
        _badge(all_axes[0], str(number), (standing.time, 1.08), over_time=True)
    all_axes[-1].set_xlabel("time [s]", labelpad=1)


def _badge(axes: Axes, number: str, at: tuple[float, float], *, over_time: bool = False) -> None:
    """Write a number in a circle; `over_time` takes the height as a share of the axes'."""
    circle = {"boxstyle": "circle,pad=0.18", "facecolor": "white", "edgecolor": MUTED, "linewidth": 0.7}
    where: dict[str, Any] = {"transform": axes.get_xaxis_transform()} if over_time else {}
    axes.text(*at, number, fontsize=7, ha="center", va="center", color=INK, bbox=circle, zorder=5, **where)


def _x_at(table: Telemetry, time: float) -> float:
    return float(np.interp(time, table["time"] - table["time"][0], table["x"]))
