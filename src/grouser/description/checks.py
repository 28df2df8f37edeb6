"""Checks over a whole robot, from a file or made in Python."""

from __future__ import annotations

from grouser.description.check_joint import check_joints
from grouser.description.check_link import check_links
from grouser.description.check_track import check_tracks
from grouser.description.check_tree import check_masses, check_names, check_tree
from grouser.description.parts import Parts, parts_of
from grouser.description.report import Report
from grouser.description.robot import Robot
from grouser.errors import Diagnostic

__all__ = ["check_parts", "validate"]


def validate(robot: Robot) -> list[Diagnostic]:
    """Return everything that is wrong or doubtful about a robot; with no error in it, it can be built."""
    report = Report()
    parts = parts_of(robot)
    for what, table in (("link", robot.links), ("joint", robot.joints), ("track", robot.tracks)):
        for key, item in table.items():
            if key != item.name:
                report.error(item.source, f"{what} '{item.name}' is listed under the name '{key}'")
    check_parts(parts, report)
    return list(report.diagnostics)


def check_parts(parts: Parts, report: Report) -> None:
    """Report everything that is wrong or doubtful about the parts of a robot."""
    check_names(parts, report)
    check_links(parts, report)
    check_joints(parts, report)
    if check_tree(parts, report):
        check_masses(parts, report)
    check_tracks(parts, report)
