"""`grouser doctor`: says whether Grouser can run here, and what to do if it cannot."""

from __future__ import annotations

import dataclasses
import json
import platform
from concurrent.futures import ThreadPoolExecutor

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from grouser import __version__
from grouser.cli.diagnostics import console
from grouser.cli.environment import survey
from grouser_plugin.diagnosis import Finding, diagnose

MARKS = {"ok": ("✓", "green"), "info": ("·", "dim"), "warning": ("!", "yellow"), "error": ("✗", "bold red")}
PIPED_WIDTH = 400
"""Width where no terminal tells its own [columns]: nothing wraps, so that lines can be searched."""

FAILS = "Grouser cannot run here: begin with the first ✗ of the engine plugin, which may cause the others"


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def doctor(ctx: click.Context, as_json: bool) -> None:
    """Say whether Grouser can run here, and what to do if not.

    Exits 0 if all that Grouser needs is there, 1 otherwise; what is optional does not count.
    """
    with ThreadPoolExecutor() as pool:  # Both spend their time waiting for other processes.
        machine, plugin = (future.result() for future in (pool.submit(survey), pool.submit(diagnose)))
    ok = all(finding.status != "error" for finding in (*machine, *plugin))
    if as_json:
        listed = [dataclasses.asdict(finding) for finding in (*plugin, *machine)]
        click.echo(json.dumps({"ok": ok, "version": __version__, "findings": listed}, indent=2))
    else:
        _show({"The engine plugin": plugin, "This machine": machine}, ok=ok)
    if not ok:
        console(stderr=True).print(Text(FAILS, style="bold red"))
        ctx.exit(1)


def _show(groups: dict[str, list[Finding]], *, ok: bool) -> None:
    """Print each group of findings under its title, and the verdict below them."""
    out = Console(highlight=False)
    if not out.is_terminal:
        out.width = PIPED_WIDTH
    out.print(Text.assemble(("Grouser ", "bold"), (__version__, "bold"), (f" on {platform.platform()}", "dim")))
    width = max(len(finding.name) for findings in groups.values() for finding in findings)
    for title, findings in groups.items():
        out.print(Text(f"\n{title}", style="bold cyan"))
        out.print(_table(findings, width))
    out.print(Text("\nGrouser can run here.", style="bold green") if ok else Text())


def _table(findings: list[Finding], width: int) -> Table:
    """Return findings one a row: a mark, the name, what was found and what to do."""
    table = Table.grid(padding=(0, 1))
    table.add_column(width=3, justify="right")
    table.add_column(width=width + 1, no_wrap=True)
    table.add_column(overflow="fold")
    for finding in findings:
        mark, style = MARKS[finding.status]
        said = Text(finding.found, style="dim" if finding.status == "info" else "")
        if finding.remedy:
            said.append(f"\n→ {finding.remedy}", style=style)
        table.add_row(Text(mark, style=style), Text(finding.name, style="bold"), said)
    return table
