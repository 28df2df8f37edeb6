"""What is built and installed: the wheel's contents, and that it works outside the source tree."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from email.parser import Parser
from importlib import metadata
from pathlib import Path

import pytest

import grouser
import grouser_plugin
from sites import Site, link_mujoco, link_packages

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.xdist_group("wheel")

DRIVE = """
import sys
import {first}
import {second}
world = grouser.World()
world.add_ground()
from pathlib import Path
robot = Path(grouser.__file__).parent / "robots" / "rescue.urdf"
bot = world.add_articulated_system(robot, position=(0, 0, 0.4))
world.step(10)
print(sorted(bot.tracks), grouser.__file__)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from a copy of the source tree."""
    tree = tmp_path_factory.mktemp("wheel") / "tree"
    for name in ("src", "cpp", "pyproject.toml", "CMakeLists.txt", "README.md", "LICENSE", ".gitignore"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            tree.mkdir(exist_ok=True)
            shutil.copy(source, tree / name)
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
        "-q",
        ".",
    ]
    result = subprocess.run([*command, "-w", "out"], cwd=tree, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return next((tree / "out").glob("*.whl"))


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A site in which that wheel is installed."""
    folder = tmp_path_factory.mktemp("installed") / "site"
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--no-deps",
        "--no-index",
        "-q",
        "--target",
        str(folder),
    ]
    subprocess.run([*command, str(wheel)], check=True, capture_output=True)
    link_packages(folder)
    link_mujoco(folder)
    return Site(folder)


def test_the_wheel_holds_every_module_and_file(wheel: Path):
    names = set(zipfile.ZipFile(wheel).namelist())
    files = {
        str(path.relative_to(ROOT / "src"))
        for path in (ROOT / "src").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert files <= names
    rest = {name for name in names - files if ".dist-info/" not in name}
    assert rest == {f"grouser_plugin/{grouser_plugin.library_name()}"}


def test_the_wheel_does_not_depend_on_a_python_version(wheel: Path):
    assert wheel.name.startswith(f"grouser-{grouser.__version__}-py3-none-")


def test_the_metadata(wheel: Path):
    archive = zipfile.ZipFile(wheel)
    info = f"grouser-{grouser.__version__}.dist-info"
    meta = Parser().parsestr(archive.read(f"{info}/METADATA").decode())
    assert meta["Version"] == grouser.__version__
    assert meta["License-Expression"] == "Apache-2.0"
    points = archive.read(f"{info}/entry_points.txt").decode()
    assert "[mujoco.plugins]\ngrouser=grouser_plugin:load" in points.replace(" = ", "=")
    assert "grouser=grouser.cli:main" in points.replace(" = ", "=")
    assert f"{info}/licenses/LICENSE" in archive.namelist()


@pytest.mark.parametrize(("first", "second"), [("grouser", "mujoco"), ("mujoco", "grouser")])
def test_the_wheel_works_outside_the_source_tree(site: Site, first: str, second: str):
    result = site.run("-W", "error", "-c", DRIVE.format(first=first, second=second))
    assert result.returncode == 0, result.stderr
    assert "left" in result.stdout
    assert str(site.folder) in result.stdout


def test_the_library_finds_mujoco_by_itself(site: Site):
    library = site.folder / "grouser_plugin" / grouser_plugin.library_name()
    result = site.run("-c", f"import ctypes; ctypes.CDLL({str(library)!r})")
    assert result.returncode == 0, result.stderr


def test_the_library_shows_no_symbols(site: Site):
    nm = shutil.which("nm")
    if nm is None:
        pytest.skip("no nm to list symbols with (Debian: apt-get install binutils)")
    library = site.folder / "grouser_plugin" / grouser_plugin.library_name()
    listed = subprocess.run([nm, "-D", "--defined-only", "-C", library], capture_output=True, text=True, check=True)
    assert not [line for line in listed.stdout.splitlines() if "grouser::" in line]


def test_nothing_pulls_in_plain_mujoco():
    names = {re.split(r"[ ;<>=!\[(]", need)[0].lower() for need in metadata.requires("grouser") or ()}
    assert "mujoco-core" in names
    assert "mujoco" not in names
    assert f"mujoco-core[rendering]=={grouser_plugin.MUJOCO_VERSION}" in (metadata.requires("grouser") or ())
    for name in names:
        try:
            needs = metadata.requires(name) or ()
        except metadata.PackageNotFoundError:  # An extra that is not installed here.
            continue
        assert not [need for need in needs if re.match(r"mujoco\b(?!-)", need) and "extra ==" not in need]


def test_one_version_of_mujoco_everywhere():
    version = grouser_plugin.MUJOCO_VERSION
    for name in ("pyproject.toml", "CMakeLists.txt"):
        text = (ROOT / name).read_text()
        assert set(re.findall(r"mujoco-core\[rendering\]==([\d.]+)", text)) == {version}


def test_the_changelog_tells_of_this_version():
    assert f"## [{grouser.__version__}]" in (ROOT / "CHANGELOG.md").read_text()
