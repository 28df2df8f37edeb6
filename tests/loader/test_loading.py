"""Loading the plugin: from wherever it lies, in both import orders, and every way it can fail."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from sites import Site, add_metadata, library, make_site

MODEL = '<mujoco><extension><plugin plugin="grouser.belt"/></extension><worldbody/></mujoco>'
COMPILE = f"mujoco.MjModel.from_xml_string('''{MODEL}''')"
LOAD = """
import grouser_plugin
try:
    grouser_plugin.load()
    print("loaded from", grouser_plugin._library._name)
except grouser_plugin.LoadError as error:
    print(type(error).__name__, "|", error.what, "|", error.remedy)
"""
NEEDS_PLUGIN = """
import grouser
from grouser.build import load_plugin
try:
    load_plugin()
except grouser.PluginError as error:
    print("PluginError:", error)
"""


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return make_site(tmp_path / "site")


@pytest.fixture(scope="session")
def compiler() -> str:
    found = shutil.which(os.environ.get("CXX", "c++"))
    if not found:
        pytest.skip("no C++ compiler to make broken libraries with")
    return found


def build(compiler: str, path: Path, source: str, *flags: str) -> None:
    """Compile a library of a few lines."""
    path.with_suffix(".cc").write_text(source)
    command = [compiler, "-shared", "-fPIC", str(path.with_suffix(".cc")), "-o", str(path), *flags]
    subprocess.run(command, check=True)


def loading(site: Site) -> str:
    """Load the plugin by hand; return what came of it."""
    result = site.run("-c", LOAD)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize(
    "imports",
    [
        "import mujoco",
        "import mujoco, grouser",
        "import grouser, mujoco",
        "import grouser; grouser.World; import mujoco",
    ],
)
def test_every_import_order_registers_the_plugin(site: Site, imports: str):
    result = site.run("-W", "error", "-c", f"{imports}\n{COMPILE}\nprint('compiled')")
    assert result.stdout == "compiled\n", result.stderr


def test_the_library_is_the_one_beside_the_module(site: Site):
    assert loading(site) == f"loaded from {site.folder / 'grouser_plugin' / library().name}\n"


def test_the_library_may_lie_anywhere(site: Site, tmp_path: Path):
    moved = tmp_path / "elsewhere.so"
    (site.folder / "grouser_plugin" / library().name).rename(moved)
    assert "was not built" in loading(site)
    assert loading(Site(site.folder, env={"GROUSER_PLUGIN": str(moved)})) == f"loaded from {moved}\n"


def test_a_source_tree_uses_the_installed_library(site: Site, tmp_path: Path):
    tree = tmp_path / "tree"
    tree.mkdir()
    for name in ("__init__.py", "diagnosis.py"):
        (tree / "grouser_plugin").mkdir(exist_ok=True)
        shutil.copy(site.folder / "grouser_plugin" / name, tree / "grouser_plugin")
    assert str(site.folder) in loading(Site(site.folder, before=(tree,)))


def test_loading_twice_registers_once(site: Site):
    result = site.run("-c", f"import mujoco\n{LOAD}{LOAD}{COMPILE}\nprint(grouser_plugin.failure())")
    assert result.returncode == 0, result.stderr
    assert result.stdout.endswith("None\n")


def test_the_reason_outlives_the_import_of_mujoco(site: Site):
    (site.folder / "grouser_plugin" / library().name).unlink()
    code = f"import mujoco, grouser_plugin\nprint(grouser_plugin.failure())\n{NEEDS_PLUGIN}"
    result = site.run("-c", code)
    assert "Failed to load mujoco plugin entry point grouser" in result.stderr
    reason = "libgrouser.so was not built; install Grouser again"
    assert result.stdout.startswith(reason)
    assert f"PluginError: the MuJoCo engine plugin did not load: {reason}" in result.stdout
    assert "grouser doctor" in result.stdout


def test_a_copy_among_mujocos_plugins_is_taken(site: Site):
    copy = site.folder / "mujoco" / "plugin" / library().name
    shutil.copy(library(), copy)
    result = site.run("-W", "error", "-c", f"import mujoco\n{LOAD}{COMPILE}")
    assert result.stdout == f"loaded from {copy}\n", result.stderr


def test_another_version_among_mujocos_plugins_is_refused(site: Site):
    copy = site.folder / "mujoco" / "plugin" / library().name
    copy.write_bytes(library().read_bytes() + b"\0")
    result = site.run("-c", f"import mujoco\n{LOAD}{COMPILE}")
    assert f"LoadError | {copy}, which differs from" in result.stdout, result.stderr
    assert result.returncode == 0, "MuJoCo would have ended the process at a second registration"


class TestFailures:
    def test_no_mujoco(self, site: Site):
        shutil.rmtree(site.folder / "mujoco")
        assert "LoadError | there is no package `mujoco` | run: pip install" in loading(site)

    def test_mujoco_is_a_file_of_the_users(self, site: Site, tmp_path: Path):
        (tmp_path / "mine").mkdir()
        (tmp_path / "mine" / "mujoco.py").write_text("")
        said = loading(Site(site.folder, before=(tmp_path / "mine",)))
        assert f"{tmp_path / 'mine' / 'mujoco.py'} is imported as `mujoco`, and holds no MuJoCo library" in said
        assert "rename it" in said

    def test_override_names_no_file(self, site: Site):
        said = loading(Site(site.folder, env={"GROUSER_PLUGIN": "/no/such.so"}))
        assert "GROUSER_PLUGIN names /no/such.so, which is not a file | unset GROUSER_PLUGIN" in said

    def test_not_a_library(self, site: Site):
        (site.folder / "grouser_plugin" / library().name).write_text("text")
        assert "does not load:" in loading(site)

    def test_mujoco_of_another_version(self, site: Site, compiler: str):
        (site.folder / "mujoco" / "libmujoco.so.4.0.1").unlink()
        source = 'extern "C" const char* mj_versionString() { return "4.0.0"; }'
        build(compiler, site.folder / "mujoco" / "libmujoco.so.4.0.0", source)
        assert "is 4.0.0; the plugin is built for 4.0.1 and no other | run: pip install" in loading(site)

    def test_soname_not_found(self, site: Site, compiler: str, tmp_path: Path):
        other = tmp_path / "libmujoco.so"
        build(compiler, other, "int mj_other() { return 0; }", "-Wl,-soname,libmujoco.so.9.9.9")
        target = site.folder / "grouser_plugin" / library().name
        build(compiler, target, "int mj_other(); int f() { return mj_other(); }", str(other))
        assert "does not load: libmujoco.so.9.9.9: cannot open shared object file" in loading(site)

    def test_symbol_missing(self, site: Site, compiler: str):
        source = 'extern "C" int mj_gone(); int gone = mj_gone();'
        build(compiler, site.folder / "grouser_plugin" / library().name, source)
        assert "undefined symbol: mj_gone" in loading(site)

    def test_a_library_that_registers_nothing(self, site: Site, compiler: str):
        build(compiler, site.folder / "grouser_plugin" / library().name, "int nothing;")
        assert "is not Grouser's plugin: it registers no grouser.belt" in loading(site)

    def test_entry_point_missing(self, site: Site):
        info = next(site.folder.glob("grouser-*.dist-info"))
        (info / "entry_points.txt").unlink()
        result = site.run("-c", f"import mujoco\n{COMPILE}")
        assert "grouser.belt" in result.stderr
        assert "loaded from" in loading(site)

    def test_two_grousers_load_once(self, site: Site, tmp_path: Path):
        add_metadata(tmp_path / "other", "grouser", "0.0.1", "[mujoco.plugins]\ngrouser = grouser_plugin:load\n")
        result = Site(site.folder, before=(tmp_path / "other",)).run("-W", "error", "-c", f"import mujoco\n{COMPILE}")
        assert result.returncode == 0, result.stderr
