"""The table of who may know whom is kept, and breaking it is noticed; light modules stay light."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src"
HEAVY = {"collada", "imageio", "lxml", "matplotlib", "mujoco", "numpy", "rich", "scipy", "trimesh"}


LINT = """
import sys
from importlinter.cli import lint_imports
# An editable install finds its own modules first; these are about the ones in this folder.
sys.meta_path[:] = [finder for finder in sys.meta_path if "ScikitBuild" not in type(finder).__name__]
sys.exit(lint_imports(config_filename=sys.argv[1], no_cache=True))
"""


def settings() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Check the packages in `folder` against this project's contracts."""
    command = [sys.executable, "-c", LINT, str(ROOT / "pyproject.toml")]
    env = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


def test_the_contracts_are_kept():
    result = lint_imports(SOURCES)
    assert result.returncode == 0, result.stdout + result.stderr


BREACHES = [
    ("grouser.errors", "grouser.description.robot"),
    ("grouser.description.named", "grouser.tracks.belt"),
    ("grouser.description.named", "mujoco"),
    ("grouser.tracks.belt", "grouser.build.robot"),
    ("grouser.tracks.belt", "mujoco"),
    ("grouser.build.robot", "grouser.sim.world"),
    ("grouser.sim.world", "grouser.cli.command"),
    ("grouser.sim.world", "grouser.record"),
    ("grouser.record", "grouser.description.robot"),
    ("grouser_plugin", "grouser.errors"),
    ("grouser_plugin.diagnosis", "mujoco"),
]


@pytest.fixture(scope="module")
def verdict(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What is said about a copy of the sources in which all of these import what they must not."""
    copy = tmp_path_factory.mktemp("breached") / "src"
    shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    for importer, imported in BREACHES:
        path = copy.joinpath(*importer.split("."))
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        path.write_text(f"{path.read_text()}\ndef breach():\n    import {imported}\n")
    result = lint_imports(copy)
    assert result.returncode == 1, result.stdout + result.stderr
    return result.stdout


@pytest.mark.xdist_group("breaches")
@pytest.mark.parametrize(("importer", "imported"), BREACHES)
def test_a_breach_is_noticed(verdict: str, importer: str, imported: str):
    assert f"{importer} -> {imported} (" in verdict


def test_every_part_stands_in_the_table():
    listed = set(re.findall(r"grouser\.(\w+)", " ".join(settings()["contracts"][0]["layers"])))
    listed |= set(re.findall(r"grouser\.(\w+)", " ".join(settings()["contracts"][1]["layers"])))
    parts = {path.stem for path in (SOURCES / "grouser").iterdir() if not path.name.startswith(("_", "."))}
    parts -= {"py", "robots"}  # `py.typed` and the robot files hold no code.
    assert parts <= listed, f"say in pyproject.toml what these may import: {sorted(parts - listed)}"


def modules_after(statement: str) -> set[str]:
    """Return the heavy packages that a fresh interpreter has imported after a statement."""
    code = f"import sys; {statement}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return HEAVY & set(out.split())


@pytest.mark.parametrize(
    ("statement", "allowed"),
    [
        ("import grouser", set()),
        ("import grouser; dir(grouser)", set()),
        ("import grouser; grouser.Robot, grouser.RobotFileError", set()),
        ("import grouser_plugin", set()),
        ("import grouser_plugin.diagnosis", set()),
        ("import grouser.description.robot", set()),
        ("import grouser.cli", set()),
        ("import grouser; grouser.load", {"lxml", "numpy"}),
        ("import grouser.tracks", {"numpy"}),
        ("import grouser; grouser.World", {"mujoco", "numpy", "lxml"}),
    ],
)
def test_importing_is_light(statement: str, allowed: set[str]):
    assert modules_after(statement) <= allowed


def test_the_heavy_are_seen():
    assert modules_after("import numpy") == {"numpy"}
