"""The command group, its exit codes, and how a failure is shown: one clear line, never a traceback."""

from __future__ import annotations

import importlib
import io
import os
import sys
import traceback
import warnings
from collections.abc import Mapping, Sequence
from typing import NamedTuple, NoReturn

import click

from grouser import __version__
from grouser.errors import GrouserError, RobotFileError, nearest

__all__ = ["COMMANDS", "DEBUG", "Home", "main"]


class Home(NamedTuple):
    """Where a subcommand is, and what the list of commands says of it."""

    module: str
    name: str
    summary: str


COMMANDS: Mapping[str, Home] = {
    "demo": Home("grouser.cli.demo", "demo", "Drive a robot with four tracks over a row of steps."),
    "run": Home("grouser.cli.run", "run", "Drive a robot over a course and say how far it got."),
    "check": Home("grouser.cli.check", "check", "Find every fault of a robot file."),
    "convert": Home("grouser.cli.convert", "convert", "Write a robot file as MJCF, or as plain URDF."),
    "doctor": Home("grouser.cli.doctor", "doctor", "Say whether Grouser can run here, and what to do if not."),
}
"""The subcommands. A module is imported when its command is called, not before: `check` needs no MuJoCo."""

DEBUG = "GROUSER_DEBUG"
"""Environment variable that shows where a failure comes from, for reports."""

FAILED = 1
INTERRUPTED = 130
"""128 + SIGINT, as shells have it."""
PIPE_CLOSED = 141
"""128 + SIGPIPE, as if the signal had ended us: nobody reads on."""


class LazyGroup(click.Group):
    """Imports a subcommand when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - the signature is click's
        """Return the subcommands' names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return the subcommand, or None if there is none by that name."""
        if cmd_name not in COMMANDS:
            return None
        home = COMMANDS[cmd_name]
        return getattr(importlib.import_module(home.module), home.name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of subcommands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, home.summary) for name, home in COMMANDS.items()])

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


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 on success, 1 on failure, 2 on bad usage.

    Args:
        args: The arguments; default: those of the process.
    """
    sys.exit(_run(args))


def _run(args: Sequence[str] | None) -> int:
    """Return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # A terminal that knows no ✓ shows a ? instead.
    # What MuJoCo says when the plugin does not load; Grouser's own error says it better, where it matters.
    warnings.filterwarnings("ignore", message="Failed to load mujoco plugin entry point grouser")
    try:
        code = grouser.main(args=args, prog_name="grouser", standalone_mode=False)
        sys.stdout.flush()
    except click.Abort:  # Ctrl-C: click has turned KeyboardInterrupt into this.
        click.echo("grouser: interrupted", err=True)
        return INTERRUPTED
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except BrokenPipeError:
        # Python flushes once more when it exits, and would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except Exception as error:  # noqa: BLE001 - the last place where a failure can become one line
        if os.environ.get(DEBUG):
            traceback.print_exc()
        else:
            click.echo(f"grouser: {_in_words(error)}", err=True)
        return FAILED
    return code if isinstance(code, int) else 0


def _in_words(error: Exception) -> str:
    """Return what to tell the user, in one line; a failure nobody foresaw says how to report it."""
    if isinstance(error, RobotFileError) and error.diagnostics:
        more = len(error.diagnostics) - 1
        tail = f" (and {more} more: `grouser check` lists them)" if more else ""
        said = f"{error.diagnostics[0]}{tail}"
    elif isinstance(error, GrouserError):
        said = str(error)
    elif isinstance(error, OSError) and error.strerror:
        said = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    elif isinstance(error, ImportError):
        said = f"{error}; `grouser doctor` says what to do"
    else:
        said = f"{type(error).__name__}: {error} (not foreseen: please report it, with what {DEBUG}=1 shows)"
    return " ".join(said.split())
