"""Module files: fragments that are added to a robot as if they stood before its </robot>."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from grouser.description.report import Report, shown
from grouser.description.robot import Source
from grouser.description.text import Text, open_text
from grouser.errors import FileNotReadError

__all__ = ["open_modules"]

PLACES = (".", "modules", "../modules", "module", "../module")
"""Where a module is looked for, from the robot's folder, after its name as an absolute path."""


def open_modules(modules: Sequence[object], base: Path | None, place: Source, report: Report) -> list[Text]:
    """Return the texts of module files, in order.

    Args:
        modules: Names of files, or XML text.
        base: The folder where they are looked for; None for a robot given as text.
        place: Where errors are reported.
        report: Gets an error for each module that is not there.
    """
    texts: list[Text] = []
    for number, module in enumerate(modules, start=1):
        source = module
        if isinstance(module, (str, os.PathLike)) and not str(module).lstrip("\ufeff \t\r\n").startswith("<"):
            source = _find(os.fsdecode(module), base, place, report)
        if source is None:
            continue
        try:
            text = open_text(source, f"<module {number}>", report)
        except FileNotReadError as error:
            report.error(place, f"module '{shown(str(module))}': {error}")
            continue
        if text is not None:
            texts.append(text)
    return texts


def _find(name: str, base: Path | None, place: Source, report: Report) -> Path | None:
    folders = [base / sub for sub in PLACES] if base else []
    # Joining an absolute path to a folder gives that path: it needs no case of its own.
    candidates = list(dict.fromkeys(Path(os.path.normpath(folder / name)) for folder in folders))
    if Path(name).is_absolute():
        candidates = [Path(name)]
    for candidate in candidates:
        if _is_file(candidate):
            return candidate
    message = f"module '{shown(name)}' is not there"
    tried = ", ".join(f"'{candidate}'" for candidate in candidates)
    hint = f"tried {tried}" if tried else "a robot given as text has no folder: pass resource_dir, or an absolute path"
    report.error(place, message, hint)
    return None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
