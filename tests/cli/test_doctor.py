"""`grouser doctor`: its table, its JSON, its exit code; what it says about the machine."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from grouser.cli import environment
from sites import Site, library, make_site

NEEDED = {"Python", "processors", "video", "rendering", "MuJoCo", "Grouser", "library", "entry point", "loading"}


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return make_site(tmp_path / "site")


def test_all_is_well(site: Site):
    result = site.run("-m", "grouser", "doctor", "--json")
    said = json.loads(result.stdout)
    assert result.returncode == 0, result.stdout
    assert said["ok"] is True
    assert {finding["name"] for finding in said["findings"]} == NEEDED


def test_the_table_names_every_fault_and_its_remedy(site: Site):
    (site.folder / "grouser_plugin" / library().name).unlink()
    result = site.run("-m", "grouser", "doctor")
    assert result.returncode == 1
    assert "libgrouser.so was not built" in result.stdout
    assert "→ install Grouser again" in result.stdout
    assert "Grouser cannot run here. Begin with the first ✗" in result.stdout
    assert "Traceback" not in result.stdout + result.stderr


def test_it_runs_without_mujoco(site: Site):
    (site.folder / "mujoco").rename(site.folder / "elsewhere")
    result = site.run("-m", "grouser", "doctor", "--json")
    assert result.returncode == 1
    assert json.loads(result.stdout)["ok"] is False


def test_an_old_python_is_an_error(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "version_info", (3, 10, 12))
    finding = environment._python()
    assert finding.status == "error"
    assert finding.remedy.startswith("install Python 3.11 or newer")


def test_missing_extras_are_optional(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(environment, "OPTIONAL", {"video": ("no_such_package",)})
    (finding,) = environment._extras()
    assert finding.status == "warning"
    assert finding.found == "optional: no_such_package not installed"
    assert "pip install 'grouser[video]'" in finding.remedy


def test_no_way_to_render_is_optional(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(environment, "RENDERERS", {"no-such-backend": "apt-get install something"})
    finding = environment._rendering()
    assert finding.status == "warning"
    assert finding.remedy == "Debian: apt-get install something"
