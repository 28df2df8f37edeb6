"""`grouser doctor`: says whether Grouser can run here, and what to do if it cannot."""

from __future__ import annotations

import dataclasses
import json
import sys

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from grouser import __version__
from grouser.cli.environment import survey
from grouser_plugin.diagnosis import Finding, diagnose

MARKS = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "error": ("✗", "bold red")}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def doctor(as_json: bool) -> None:
    """Say whether Grouser can run here, and what to do if it cannot.

    Exits 0 if all that Grouser needs is there, 1 otherwise; what is optional does not count.
    """
    machine, plugin = survey(), diagnose()
    findings = [*machine, *plugin]
    ok = all(finding.status != "error" for finding in findings)
    if as_json:
        listed = [dataclasses.asdict(finding) for finding in findings]
        click.echo(json.dumps({"ok": ok, "findings": listed}, indent=2))
    else:
        _show(machine, plugin, ok=ok)
    sys.exit(0 if ok else 1)


def _show(*groups: list[Finding], ok: bool) -> None:
    """Print each group of findings as a section of a table, and the verdict below it."""
    table = Table(box=box.ROUNDED, border_style="dim", title=f"Grouser {__version__}", title_justify="left")
    table.add_column("")
    table.add_column("looked at", style="bold", no_wrap=True)
    table.add_column("found, and → what to do", overflow="fold", ratio=1)
    for group in groups:
        for finding in group:
            mark, style = MARKS[finding.status]
            said = Text(finding.found)
            if finding.remedy:
                said.append(f"\n→ {finding.remedy}", style=style)
            table.add_row(Text(mark, style=style), finding.name, said)
        table.add_section()
    console = Console(highlight=False)
    console.print(table)
    if ok:
        console.print(Text("Grouser can run here.", style="green"))
    else:
        verdict = "Grouser cannot run here. Begin with the first ✗: it may cause the others."
        console.print(Text(verdict, style="bold red"))
