"""The command `grouser`: parses arguments, calls the other parts, shows what they return."""

from grouser.cli.command import main

__all__ = ["main"]
