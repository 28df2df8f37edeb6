"""`grouser run`: drives a robot file over a course and says what came of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grouser.cli.robot_file import RobotFile, robot_file

if TYPE_CHECKING:
    from grouser.trials.drive_trial import DriveResult


@click.command()
@robot_file
@click.option("--speed", default=0.3, show_default=True, metavar="V", help="Belt speed forwards [m/s].")
@click.option(
    "--turn", default=0.0, show_default=True, metavar="W",
    help="Turning rate, counter-clockwise, that the belts would give without skidding [rad/s].",
)  # fmt: skip
@click.option("--for", "duration", default=10.0, show_default=True, metavar="T", help="How long [s].")
@click.option(
    "--world", "-w", "course", default="flat", show_default=True, metavar="NAME[:KEY=NUMBER,...]",
    help="What it drives over: flat, stairs, steps, ramp or rough; as in stairs:rise=0.12,run=0.28.",
)  # fmt: skip
@click.option(
    "--joint", "-j", "joints", multiple=True, metavar="NAME=ANGLE",
    help="Hold a joint there [rad or m]; * and ? stand for any letters; repeatable.",
)  # fmt: skip
@click.option("--timestep", default=0.002, show_default=True, metavar="DT", help="Of the simulation [s].")
@click.option("--track-model", default="belt", show_default=True, help="How tracks are realised.")
@click.option(
    "--out", "-o", metavar="DIR", type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the scene as MJCF and the telemetry as CSV.  [default: none is written]",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def run(
    robot_file: RobotFile,
    *,
    course: str,
    joints: tuple[str, ...],
    out: Path | None,
    as_json: bool,
    **numbers: object,
) -> None:
    """Drive a robot over a course and say how far it got.

    The robot is stood on the ground before the course. Its left and right tracks are driven with the twist;
    joints that drive no track are held where they are, or where --joint puts them. Options of the courses, in
    metres: distance (of the first obstacle from the robot's origin); stairs: rise, run, steps, width, landing;
    steps: height, length, gap, count, width; ramp: slope_deg, length, width; rough: relief, size, nodes, seed.
    """
    from grouser.cli.results import progress_bar
    from grouser.trials.courses import parse_course
    from grouser.trials.drive_trial import DriveOptions, drive_robot

    options = DriveOptions(course=parse_course(course), positions=_positions(joints), **numbers)  # type: ignore[arg-type]
    robot = robot_file.load()
    with progress_bar("driving", quiet=as_json) as progress:
        result = drive_robot(robot, options, progress)
    files = [] if out is None else _write(result, out)
    if as_json:
        click.echo(json.dumps(_as_dict(result, course, files), indent=2))
    else:
        _show(result, course, files)


def _positions(joints: tuple[str, ...]) -> dict[str, float]:
    """Return positions by name or pattern of a list of NAME=NUMBER."""
    positions: dict[str, float] = {}
    for text in joints:
        name, _, value = text.rpartition("=")
        try:
            positions[name.strip()] = float(value)
        except ValueError:
            name = ""
        if not name.strip():
            raise click.BadParameter(f"'{text}' is not NAME=NUMBER.", param_hint="--joint")
    return positions


def _write(result: DriveResult, out: Path) -> list[Path]:
    from grouser.record import write_csv

    out.mkdir(parents=True, exist_ok=True)
    model, table = out / "scene.xml", out / "telemetry.csv"
    model.write_text(result.world.to_mjcf(), encoding="utf-8")
    write_csv(result.telemetry, table)
    return [model, table]


def _show(result: DriveResult, course: str, files: list[Path]) -> None:
    from grouser.cli.results import degrees, joint_table, quantity_table, rows_of, show, speed_row

    summary = result.summary
    time, distance, *rest = rows_of(summary)
    rows = [
        time,
        distance,
        ("forward, left", f"{summary.forward:.3f} m, {summary.left:.3f} m"),
        ("heading changed", degrees(summary.turned)),
        ("height changed", f"{summary.rise:.3f} m"),
        *rest,
        speed_row(result.steps_per_second, result.realtime),
    ]
    title = f"{result.bot.robot.name} on {course}; tracks: {', '.join(result.bot.tracks)}"
    show(title, (quantity_table(rows), joint_table(summary.joints)), files)


def _as_dict(result: DriveResult, course: str, files: list[Path]) -> dict[str, object]:
    return {
        "robot": result.bot.robot.name,
        "world": course,
        **result.summary.as_dict(),
        "steps_per_second": result.steps_per_second,
        "realtime": result.realtime,
        "files": [str(path) for path in files],
    }
