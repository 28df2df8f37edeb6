"""The command group, its exit codes, and how a failure is shown: one clear line, never a traceback."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from collections.abc import Mapping

import click

from grouser import __version__
from grouser.errors import GrouserError, nearest

COMMANDS: Mapping[str, str] = {
    "doctor": "grouser.cli.doctor:doctor",
}
"""Subcommands and where each is; a module is imported when its command is called or listed."""

TRACEBACK = "GROUSER_TRACEBACK"
"""Environment variable that shows where a failure comes from, for reports."""


class LazyGroup(click.Group):
    """Imports a subcommand when it is asked for, so that `grouser doctor` works without MuJoCo."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - the signature is click's
        """Return the subcommands' names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return the subcommand, or None if there is none by that name."""
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name].split(":")
        return getattr(importlib.import_module(module), name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the subcommand that the arguments name; offer the nearest name for an unknown one."""
        if args and args[0] not in COMMANDS and (close := nearest(args[0], COMMANDS)):
            ctx.fail(f"No such command '{args[0]}'. Did you mean '{close}'?")
        return super().resolve_command(ctx, args)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="grouser")
def grouser() -> None:
    """Robots on tracks, and conveyors, simulated on MuJoCo."""


def main() -> None:
    """Run the command line and exit: 0 on success, 1 on failure, 2 on bad usage."""
    try:
        grouser(prog_name="grouser")
    except Exception as error:  # noqa: BLE001 - the last place where a failure can become one line
        if os.environ.get(TRACEBACK):
            traceback.print_exc()
        else:
            click.echo(_in_words(error), err=True)
        sys.exit(1)


def _in_words(error: Exception) -> str:
    """Return what to tell the user; a failure nobody foresaw says how to report it."""
    if isinstance(error, GrouserError | OSError):
        return f"grouser: {error}"
    return f"grouser: {type(error).__name__}: {error} (unexpected; {TRACEBACK}=1 shows where it comes from)"
