"""Each way the plugin can fail to load is told apart, with its remedy."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from sites import INSTALLED, Site, add_metadata, library, make_site

DIAGNOSE = """
import dataclasses, json
from grouser_plugin.diagnosis import diagnose
print(json.dumps([dataclasses.asdict(finding) for finding in diagnose()]))
"""
REPLACE = "run: pip uninstall -y mujoco mujoco-core mujoco-studio && pip install 'mujoco-core[rendering]==4.0.1'"
REINSTALL = "install Grouser again (in its source tree: pip install -e .)"


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return make_site(tmp_path / "site")


def findings(site: Site) -> dict[str, dict[str, str]]:
    """Return the findings by name."""
    result = site.run("-c", DIAGNOSE)
    assert result.returncode == 0, result.stderr
    return {finding["name"]: finding for finding in json.loads(result.stdout)}


def faults(site: Site) -> dict[str, str]:
    """Return what is not ok, by name: status, what was found, and the remedy."""
    found = findings(site).values()
    assert all(bool(finding["remedy"]) == (finding["status"] != "ok") for finding in found)
    return {
        finding["name"]: f"{finding['status']}: {finding['found']} -> {finding['remedy']}"
        for finding in found
        if finding["status"] != "ok"
    }


def test_a_sound_install_has_no_faults(site: Site):
    assert faults(site) == {}
    assert list(findings(site)) == ["MuJoCo", "Grouser", "library", "entry point", "loading"]


def test_the_library_is_missing(site: Site):
    (site.folder / "grouser_plugin" / library().name).unlink()
    assert list(faults(site)) == ["library"]
    assert "error: libgrouser.so was not built" in faults(site)["library"]
    assert "C++ compiler (Debian: apt-get install g++)" in faults(site)["library"]


def test_the_override_names_no_file(site: Site):
    said = faults(Site(site.folder, env={"GROUSER_PLUGIN": "/no/such.so"}))
    assert said == {
        "library": "error: GROUSER_PLUGIN names /no/such.so, which is not a file -> "
        "unset GROUSER_PLUGIN, or set it to the library"
    }


def test_the_library_is_older_than_its_sources(site: Site, tmp_path: Path):
    tree = tmp_path / "tree"
    shutil.copytree(site.folder / "grouser_plugin", tree / "src" / "grouser_plugin")
    (tree / "cpp").mkdir()
    source = tree / "cpp" / "plugin.cc"
    source.touch()
    there = Site(site.folder, before=(tree / "src",))
    path = tree / "src" / "grouser_plugin" / library().name
    os.utime(path, (0, 0))
    assert faults(there)["library"].startswith(f"warning: {path} is older than plugin.cc -> build it again")
    os.utime(source, (0, 0))
    assert "library" not in faults(there)


def test_no_mujoco(site: Site):
    shutil.rmtree(site.folder / "mujoco")
    said = faults(site)
    assert said["MuJoCo"] == f"error: there is no package `mujoco` -> {REPLACE}"
    assert "importing MuJoCo fails: ModuleNotFoundError: No module named 'mujoco'" in said["loading"]


def test_mujoco_without_its_library(site: Site):
    (site.folder / "mujoco" / "libmujoco.so.4.0.1").unlink()
    assert faults(site)["MuJoCo"].endswith(f"holds no MuJoCo library -> {REPLACE}")


def test_mujoco_is_a_file_of_the_users(site: Site, tmp_path: Path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "mujoco.py").write_text("")
    said = faults(Site(site.folder, before=(tmp_path / "mine",)))
    assert f"{tmp_path / 'mine' / 'mujoco.py'} is imported as `mujoco`" in said["MuJoCo"]
    assert "it hides the installed package" in said["MuJoCo"]


def test_mujoco_of_another_version(site: Site):
    shutil.rmtree(next(site.folder.glob("mujoco_core-*.dist-info")))
    add_metadata(site.folder, "mujoco-core", "4.0.0")
    assert faults(site) == {
        "MuJoCo": f"error: mujoco-core 4.0.0; the plugin is built for 4.0.1 and no other -> {REPLACE}"
    }


def test_plain_mujoco_alone(site: Site):
    shutil.rmtree(next(site.folder.glob("mujoco_core-*.dist-info")))
    add_metadata(site.folder, "mujoco", "3.3.0")
    said = faults(site)
    assert said["MuJoCo"] == f"error: {site.folder / 'mujoco'} is not from the package mujoco-core -> {REPLACE}"
    assert said["plain mujoco"] == f"error: mujoco 3.3.0 is installed -> {REPLACE}"


def test_plain_mujoco_beside_mujoco_core(site: Site):
    add_metadata(site.folder, "mujoco", "4.0.0")
    said = faults(site)
    assert list(said) == ["plain mujoco"]
    assert "mujoco 4.0.0 is installed beside mujoco-core: they overwrite each other's files" in said["plain mujoco"]
    assert said["plain mujoco"].endswith(f" -> {REPLACE}")


def test_grouser_is_not_installed(site: Site):
    shutil.rmtree(next(site.folder.glob("grouser-*.dist-info")))
    said = faults(site)
    assert said["Grouser"].startswith(f"error: imported from {site.folder}, but not installed")
    assert said["entry point"].endswith(f"no entry point in the group mujoco.plugins -> {REINSTALL}")
    assert "MuJoCo, when imported, does not register the plugin" in said["loading"]


def test_two_grousers(site: Site, tmp_path: Path):
    add_metadata(tmp_path / "other", "grouser", "0.0.1", "[mujoco.plugins]\ngrouser = grouser_plugin:load\n")
    said = faults(Site(site.folder, before=(tmp_path / "other",)))
    assert list(said) == ["Grouser"]
    assert f"warning: installed 2 times: 0.0.1 in {tmp_path / 'other'}" in said["Grouser"]


def test_the_entry_point_is_missing(site: Site):
    (next(site.folder.glob("grouser-*.dist-info")) / "entry_points.txt").unlink()
    assert list(faults(site)) == ["entry point", "loading"]


def test_a_copy_among_mujocos_plugins(site: Site):
    copy = site.folder / "mujoco" / "plugin" / library().name
    shutil.copy(library(), copy)
    said = faults(site)
    assert list(said) == ["copies"]
    assert said["copies"].startswith(f"warning: {copy}, a copy of the library")


def test_another_version_among_mujocos_plugins(site: Site):
    copy = site.folder / "mujoco" / "plugin" / library().name
    copy.write_bytes(library().read_bytes() + b"\0")
    said = faults(site)
    assert list(said) == ["loading"]
    assert f"{copy}, which differs from" in said["loading"]
    assert "remove the one that is too old" in said["loading"]


def test_a_library_that_does_not_load(site: Site):
    (site.folder / "grouser_plugin" / library().name).write_text("text")
    said = faults(site)
    assert list(said) == ["loading"]
    assert "does not load: file too short" in said["loading"]
    assert said["loading"].endswith(f"the file is damaged, or for another kind of machine; {REINSTALL}")


def test_a_mujoco_that_ends_the_process(site: Site):
    (site.folder / "mujoco" / "__init__.py").unlink()
    (site.folder / "mujoco" / "__init__.py").write_text("import os; os._exit(3)")
    assert "error: importing MuJoCo fails: ended with code 3 -> " in faults(site)["loading"]


def test_the_packages_of_the_tests_are_not_seen(site: Site):
    assert str(INSTALLED) not in site.run("-c", DIAGNOSE).stdout
