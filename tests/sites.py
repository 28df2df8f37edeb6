"""Folders of installed packages made by hand: of ours, what a test wants to be there, and nothing else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

import mujoco

import grouser_plugin

SOURCES = Path(__file__).parents[1] / "src"
INSTALLED = Path(mujoco.__file__).parents[1]
OURS = ("grouser", "_grouser", "_editable", "__editable__", "mujoco")
"""How the names begin of what a site does not take over from the environment of the tests."""


@dataclass(frozen=True)
class Site:
    """A folder that takes the place of site-packages in the interpreters it runs.

    Attributes:
        folder: The folder.
        before: Folders that come before it on the path.
        env: Environment variables on top of the test's own.
    """

    folder: Path
    before: tuple[Path, ...] = ()
    env: dict[str, str] = field(default_factory=dict)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run Python with these arguments, with this site and no other packages, outside the source tree."""
        path = os.pathsep.join(map(str, (*self.before, self.folder)))
        env = {name: value for name, value in os.environ.items() if name != grouser_plugin.OVERRIDE}
        env |= {"PYTHONPATH": path, "COLUMNS": "200", **self.env}
        return subprocess.run(
            [sys.executable, "-S", *arguments],
            cwd=self.folder.parent,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )


def link_packages(folder: Path) -> None:
    """Put links to all installed packages into a folder, but for Grouser and MuJoCo."""
    for entry in INSTALLED.iterdir():
        if not entry.name.startswith(OURS) and not (folder / entry.name).exists():
            (folder / entry.name).symlink_to(entry)


def link_mujoco(folder: Path) -> None:
    """Put MuJoCo into a folder: links to its files, in a folder of its own."""
    (folder / "mujoco").mkdir()
    for entry in (INSTALLED / "mujoco").iterdir():
        if entry.name != "plugin":
            (folder / "mujoco" / entry.name).symlink_to(entry)
    (folder / "mujoco" / "plugin").mkdir()
    add_metadata(folder, "mujoco-core", metadata.version("mujoco-core"))


def add_metadata(folder: Path, name: str, version: str, entry_points: str = "") -> Path:
    """Make a folder hold the metadata of a distribution; return where."""
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    if entry_points:
        (info / "entry_points.txt").write_text(entry_points)
    return info


def make_site(folder: Path) -> Site:
    """Return a site in which Grouser is installed as a wheel would install it."""
    folder.mkdir()
    link_packages(folder)
    link_mujoco(folder)
    shutil.copytree(SOURCES / "grouser_plugin", folder / "grouser_plugin")
    (folder / "grouser").symlink_to(SOURCES / "grouser")
    shutil.copy(library(), folder / "grouser_plugin")
    points = "[mujoco.plugins]\ngrouser = grouser_plugin:load\n"
    add_metadata(folder, "grouser", metadata.version("grouser"), points)
    return Site(folder)


def library() -> Path:
    """Return the plugin's library in the environment of the tests."""
    path = grouser_plugin.library_path()
    if path is None:
        raise FileNotFoundError("the plugin's library is not built: pip install -e .")
    return path
