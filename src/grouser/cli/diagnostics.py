"""How a terminal shows the findings about a robot file."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from grouser.errors import Diagnostic

__all__ = ["STYLES", "console", "line_of"]

STYLES = {"error": "bold red", "warning": "bold yellow", "info": "bold cyan"}
"""Colour of each severity."""


def console(*, stderr: bool = False) -> Console:
    """Return where lines are printed, in colour where the terminal can, and never broken."""
    return Console(highlight=False, soft_wrap=True, stderr=stderr)


def line_of(diagnostic: Diagnostic) -> Text:
    """Return `file:line: severity: message; hint` with its colours."""
    text = Text.assemble(
        (f"{diagnostic.file}:{diagnostic.line}:", "bold"),
        " ",
        (f"{diagnostic.severity}:", STYLES[diagnostic.severity]),
        f" {diagnostic.message}",
    )
    return text.append(f"; {diagnostic.hint}", style="dim") if diagnostic.hint else text
