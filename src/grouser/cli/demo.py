"""`grouser demo`: the rescue robot drives over a row of steps, and what it did is shown and kept in a folder."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grouser.errors import GrouserError, UnsupportedError

if TYPE_CHECKING:
    from grouser.trials.rescue import DemoResult

FOLLOWED = "rescue/base_link"
"""The body that the camera follows."""


@click.command()
@click.option("--dynamic", is_flag=True, help="Make the steps boxes of 100 kg that can move.")
@click.option(
    "--out", "-o", default="demo", show_default=True, metavar="DIR", type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the model, telemetry, figure and video.",
)  # fmt: skip
@click.option(
    "--steps-seed", type=click.IntRange(min=0), metavar="N",
    help="Draw the heights of the steps at random.  [default: 0.20, 0.25, 0.30, 0.25, 0.20 m]",
)  # fmt: skip
@click.option("--no-video", is_flag=True, help="Render no video.")
@click.option("--no-figure", is_flag=True, help="Draw no figure.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def demo(*, dynamic: bool, out: Path, steps_seed: int | None, no_video: bool, no_figure: bool, as_json: bool) -> None:
    """Drive a robot with four tracks over a row of steps.

    A rescue robot of 58 kg, its sprockets at 5 rad/s, climbs five steps of 0.2 to 0.3 m; its flippers lift it.
    The folder gets the scene as MJCF, which runs in plain MuJoCo once Grouser is installed, a table of
    telemetry, a figure, and a video where there is OpenGL.
    """
    from grouser.cli.results import progress_bar
    from grouser.trials.rescue import DemoOptions, run_demo

    out.mkdir(parents=True, exist_ok=True)
    with progress_bar("driving", quiet=as_json) as progress:
        result = run_demo(DemoOptions(dynamic=dynamic, seed=steps_seed), progress)
    files, notes = _write(result, out, figure=not no_figure, video=not no_video, quiet=as_json)
    if as_json:
        click.echo(json.dumps(_as_dict(result, files, notes), indent=2))
    else:
        _show(result, files, notes)
    if not result.finished:
        x = result.telemetry["x"][-1]
        raise GrouserError(
            f"the robot did not get over all steps: after {result.summary.duration:.0f} s it is at {x:.2f} m"
        )


def _write(result: DemoResult, out: Path, *, figure: bool, video: bool, quiet: bool) -> tuple[list[Path], list[str]]:
    """Write what is kept; return the files, and what to say about those that could not be made."""
    from grouser.cli.results import progress_bar
    from grouser.record import write_csv
    from grouser.trials.rescue import FRAME_RATE
    from grouser.view.stage import stage
    from grouser.view.video import save_video

    scene = stage(result.mjcf, FOLLOWED)
    model, table = out / "scene.xml", out / "telemetry.csv"
    model.write_text(scene, encoding="utf-8")
    write_csv(result.telemetry, table)
    files, notes = [model, table], []
    if figure:
        files += _figures(result, out)
    if video:
        path = out / "video.mp4"
        try:
            with progress_bar("rendering", quiet=quiet) as progress:
                save_video(path, scene, result.frames, FRAME_RATE, progress)
            files.append(path)
        except UnsupportedError as error:
            notes.append(str(error))
    return files, notes


def _figures(result: DemoResult, out: Path) -> list[Path]:
    from grouser.view.run_figure import Curves, Standing, save_run_figure

    panels = (
        Curves("Belt speed [m/s]", {"main belt": "belt_speed/left", "flipper belt": "belt_speed/left_flipper"}),
        Curves("Drive torque [N m]", {"sprocket": "torque/left_sprocket", "flipper": "torque/left_flipper_joint"}),
        Curves("Pitch, nose up [°]", {"pitch": "pitch"}, -180.0 / math.pi),
    )
    heights = [step.size[2] for step in result.steps]
    paths = [out / "figure.png", out / "figure.svg"]
    for path in paths:
        save_run_figure(
            path,
            result.robot,
            result.telemetry,
            standings=[Standing(moment.time, moment.links) for moment in result.moments],
            obstacles=[step.outline() for step in result.steps],
            panels=panels,
            title=f"A tracked robot climbs {len(heights)} steps of {min(heights):.2f} to {max(heights):.2f} m",
            subtitle=_subtitle(result),
        )
    return paths


def _subtitle(result: DemoResult) -> str:
    summary = result.summary
    slip = "" if summary.slip is None else f", {100 * summary.slip:.0f} % slip"
    return (
        f"{result.robot.total_mass:.0f} kg, two main tracks and two flippers; {summary.distance:.1f} m in "
        f"{summary.duration:.1f} s{slip}. The curves are those of the left side."
    )


def _rows(result: DemoResult) -> list[tuple[str, str]]:
    from grouser.cli.results import degrees, rows_of, speed_row

    summary = result.summary
    time, distance, *rest = rows_of(summary)
    return [
        time,
        distance,
        ("height gained, all climbs", f"{summary.climbed:.2f} m"),
        ("steepest pitch", degrees(summary.max_pitch)),
        *rest,
        speed_row(result.steps_per_second, result.realtime),
    ]


def _show(result: DemoResult, files: list[Path], notes: list[str]) -> None:
    from grouser.cli.results import joint_table, quantity_table, show

    kind = "movable" if result.dynamic else "fixed"
    heights = ", ".join(f"{step.size[2]:.2f}" for step in result.steps)
    title = f"The rescue robot over {kind} steps of {heights} m"
    show(title, (quantity_table(_rows(result)), joint_table(result.summary.joints)), files, notes)


def _as_dict(result: DemoResult, files: list[Path], notes: list[str]) -> dict[str, object]:
    return {
        "finished": result.finished,
        "dynamic": result.dynamic,
        "step_heights": [step.size[2] for step in result.steps],
        **result.summary.as_dict(),
        "steps_per_second": result.steps_per_second,
        "realtime": result.realtime,
        "files": [str(path) for path in files],
        "notes": notes,
    }
