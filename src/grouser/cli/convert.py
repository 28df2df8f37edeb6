"""`grouser convert`: a robot file as MJCF that any MuJoCo program runs, or as plain URDF."""

from __future__ import annotations

from pathlib import Path

import click

from grouser.cli.robot_file import RobotFile, robot_file
from grouser.errors import GrouserError

STDOUT = "-"
SUFFIXES = {".xml": "mjcf", ".mjcf": "mjcf", ".urdf": "urdf"}


@click.command()
@robot_file
@click.option(
    "--output",
    "-o",
    default=STDOUT,
    metavar="FILE",
    help='Where to write; "-", the default, is standard output.',
)
@click.option(
    "--to",
    "kind",
    type=click.Choice(["mjcf", "urdf"]),
    help="What to write.  [default: urdf if FILE ends so, else mjcf]",
)
@click.option("--track-model", default="belt", show_default=True, help="How tracks are realised, in MJCF.")
def convert(robot_file: RobotFile, output: str, kind: str | None, track_model: str) -> None:
    """Write a robot file as MJCF, or as plain URDF.

    The MJCF runs in MuJoCo's Python package where Grouser is installed: in its viewer, in your programs, and
    included or attached in larger scenes. The URDF has parameters and modules filled in; tracks stay.
    Meshes below the folder of FILE are named relative to it, so that the folder can move; others absolutely.
    """
    kind = kind or SUFFIXES.get(Path(output).suffix.lower(), "mjcf")
    robot = robot_file.load()
    text = robot.to_urdf() if kind == "urdf" else robot.to_mjcf(track_model)
    if output == STDOUT:
        click.echo(text, nl=not text.endswith("\n"))
        return
    path = Path(output)
    if robot_file.path != "-" and path.exists() and path.samefile(robot_file.path):
        raise GrouserError(f"{output} is the robot file itself; choose another name for the output")
    if kind == "mjcf":
        text = _with_movable_meshes(text, path.absolute().parent)
    path.write_text(text, encoding="utf-8")
    click.echo(f"{output}: {kind.upper()} of {robot.name}, with {len(robot.tracks)} tracks", err=True)


def _with_movable_meshes(mjcf: str, folder: Path) -> str:
    """Return MJCF with the mesh files below a folder named relative to it.

    Args:
        mjcf: MJCF text in which mesh files have absolute paths.
        folder: Where the text will be; MuJoCo looks for relative names there.
    """
    from lxml import etree

    # Meshes written out are longer than the parser's limits; the text is our own.
    root = etree.fromstring(mjcf.encode(), etree.XMLParser(huge_tree=True))
    for mesh in root.iterfind("asset/mesh[@file]"):
        file = Path(mesh.get("file", ""))
        if file.is_absolute() and file.is_relative_to(folder.resolve()):
            mesh.set("file", file.relative_to(folder.resolve()).as_posix())
    return etree.tostring(root, encoding="unicode") + "\n"
