"""`grouser check`: every fault of a robot file, with its line and what to do about it."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence

import click
from rich.text import Text

from grouser.cli.diagnostics import STYLES, console, line_of
from grouser.cli.robot_file import RobotFile, robot_file
from grouser.description.robot import Robot
from grouser.errors import Diagnostic


@click.command()
@robot_file
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def check(ctx: click.Context, robot_file: RobotFile, as_json: bool) -> None:
    """Find every fault of a robot file.

    ROBOT is a URDF file, with or without tracks; "-" reads it from standard input. Exits 1 if it has errors.
    """
    robot, found = robot_file.read()
    diagnostics = sorted(found, key=lambda diagnostic: (diagnostic.file, diagnostic.line))
    if as_json:
        click.echo(json.dumps(_as_json(robot_file, robot, diagnostics), indent=2))
    else:
        _show(robot_file, robot, diagnostics)
    if robot is None:
        _fail(robot_file, diagnostics)
        ctx.exit(1)


def _as_json(file: RobotFile, robot: Robot | None, diagnostics: Sequence[Diagnostic]) -> dict[str, object]:
    return {
        "file": file.path,
        "ok": robot is not None,
        "errors": _count(diagnostics, "error"),
        "warnings": _count(diagnostics, "warning"),
        "diagnostics": [dataclasses.asdict(diagnostic) for diagnostic in diagnostics],
    }


def _show(file: RobotFile, robot: Robot | None, diagnostics: Sequence[Diagnostic]) -> None:
    """Print the diagnostics, and for a robot that can be used a summary below them."""
    out = console()
    if not _is_about_the_file(diagnostics):
        for diagnostic in diagnostics:
            out.print(line_of(diagnostic))
    if robot is not None:
        counted = _counted(diagnostics)
        style = STYLES["warning"] if counted else "bold green"
        verdict = Text(f"{file.shown}: {counted or 'ok'}", style=style)
        out.print(verdict.append(f" ({_summary(robot)})", style="not bold dim"))


def _fail(file: RobotFile, diagnostics: Sequence[Diagnostic]) -> None:
    """Say in one line on stderr that the robot cannot be used."""
    if _is_about_the_file(diagnostics):
        console(stderr=True).print(line_of(diagnostics[0]))
    else:
        console(stderr=True).print(Text(f"{file.shown}: {_counted(diagnostics)}", style=STYLES["error"]))


def _is_about_the_file(diagnostics: Sequence[Diagnostic]) -> bool:
    """Say whether the file itself is the trouble, as one that is not there: nothing is left to sum up."""
    return len(diagnostics) == 1 and diagnostics[0].severity == "error" and diagnostics[0].line == 0


def _counted(diagnostics: Sequence[Diagnostic]) -> str:
    """Return how many errors and warnings there are; empty if none."""
    counts = ((severity, _count(diagnostics, severity)) for severity in ("error", "warning"))
    return ", ".join(f"{count} {severity}{'s' if count > 1 else ''}" for severity, count in counts if count)


def _summary(robot: Robot) -> str:
    """Return what a robot consists of, in a few words."""
    counts = ((robot.links, "link"), (robot.joints, "joint"), (robot.tracks, "track"))
    parts = [f"{len(things)} {word}{'' if len(things) == 1 else 's'}" for things, word in counts]
    return f"{robot.name}: {', '.join(parts)}, {robot.total_mass:.4g} kg"


def _count(diagnostics: Sequence[Diagnostic], severity: str) -> int:
    return sum(diagnostic.severity == severity for diagnostic in diagnostics)
