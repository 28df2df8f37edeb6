"""The arguments that name a robot: its file, parameters, modules and folder; the same for every command."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from grouser.cli.diagnostics import console, line_of
from grouser.description.read import read
from grouser.description.robot import Robot
from grouser.errors import Diagnostic, RobotFileError

__all__ = ["RobotFile", "robot_file"]

STDIN = "-"


@dataclass(frozen=True, slots=True)
class RobotFile:
    """A robot as the command line names it.

    Attributes:
        path: The file; "-" is standard input.
        params: Values of the template's parameters, by name without "@@".
        modules: Module files.
        resource_dir: Where modules and meshes are looked for first; None: the file's folder.
    """

    path: str
    params: Mapping[str, str]
    modules: tuple[str, ...]
    resource_dir: str | None

    @property
    def shown(self) -> str:
        """What messages call it."""
        return "standard input" if self.path == STDIN else self.path

    def load(self) -> Robot:
        """Return the robot; what is doubtful about it goes to stderr.

        Raises:
            RobotFileError: if it cannot be read or has errors.
        """
        robot, diagnostics = self.read()
        if robot is None:
            raise RobotFileError(d for d in diagnostics if d.severity == "error")
        out = console(stderr=True)
        for diagnostic in diagnostics:
            out.print(line_of(diagnostic))
        return robot

    def read(self) -> tuple[Robot | None, tuple[Diagnostic, ...]]:
        """Return the robot, None if there are errors, and all diagnostics."""
        return read(self._source(), self.params, self.modules, self.resource_dir)

    def _source(self) -> str | bytes:
        return sys.stdin.buffer.read() if self.path == STDIN else self.path


def robot_file(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the arguments ROBOT, --param, --module and --resource-dir, as one: `robot_file`."""

    @click.argument("robot", metavar="ROBOT")
    @click.option(
        "--param", "-p", "params", multiple=True, metavar="NAME=VALUE", callback=_parse_params,
        help="Value of a parameter of a template; repeatable.",
    )  # fmt: skip
    @click.option(
        "--module", "-m", "modules", multiple=True, metavar="FILE",
        help="Module file whose elements are added to the robot; repeatable.",
    )  # fmt: skip
    @click.option(
        "--resource-dir", metavar="DIR",
        help="Where modules and meshes are looked for first.  [default: the folder of ROBOT]",
    )  # fmt: skip
    @functools.wraps(command)
    def wrapped(
        robot: str,
        params: Mapping[str, str],
        modules: tuple[str, ...],
        resource_dir: str | None,
        **others: object,
    ) -> object:
        given = tuple(_from_here(module) for module in modules)
        return command(robot_file=RobotFile(robot, params, given, resource_dir), **others)

    return wrapped


def _from_here(module: str) -> str:
    """Return the absolute path of a module that is there, seen from the working directory; else the name as it is."""
    path = Path(module)
    return str(path.absolute()) if path.is_file() else module


def _parse_params(
    ctx: click.Context,  # noqa: ARG001 - the signature is click's
    param: click.Parameter,  # noqa: ARG001
    values: tuple[str, ...],
) -> dict[str, str]:
    """Return values by name of a list of NAME=VALUE."""
    params: dict[str, str] = {}
    for value in values:
        name, equals, rest = value.partition("=")
        name = name.strip().removeprefix("@@")
        if not equals or not name:
            raise click.BadParameter(f"'{value}' is not NAME=VALUE.")
        if name in params:
            raise click.BadParameter(f"'{name}' is given twice.")
        params[name] = rest.strip()
    return params
