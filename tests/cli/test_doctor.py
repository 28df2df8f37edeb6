"""`grouser doctor`: its table, its JSON, its exit code; what it says about the machine."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from grouser.cli import environment
from sites import Site, library, make_site

LOOKED_AT = {"Python", "processors", "extra video", "MuJoCo", "Grouser", "library", "entry point", "loading"}


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return make_site(tmp_path / "site")


def test_all_is_well(site: Site):
    result = site.run("-m", "grouser", "doctor", "--json")
    said = json.loads(result.stdout)
    assert result.returncode == 0, result.stdout
    assert said["ok"] is True
    assert {finding["name"] for finding in said["findings"]} >= LOOKED_AT


def test_the_table_names_every_fault_and_its_remedy(site: Site):
    (site.folder / "grouser_plugin" / library().name).unlink()
    result = site.run("-m", "grouser", "doctor")
    assert result.returncode == 1
    assert "libgrouser.so was not built" in result.stdout
    assert "→ install Grouser again" in result.stdout
    assert "Grouser cannot run here: begin with the first ✗" in result.stderr
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


@pytest.fixture
def no_screen(monkeypatch: pytest.MonkeyPatch):
    for name in (*environment.SCREENS, environment.GL):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("no_screen")
def test_no_way_to_render_is_optional(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(environment, "OFF_SCREEN", {"no-such-backend": ("None such", "install something")})
    findings = {finding.name: finding for finding in environment._rendering()}
    assert findings["None such"].status == "warning"
    assert findings["None such"].remedy == "install something"
    assert findings["GLFW"].status == "info"


@pytest.mark.usefixtures("no_screen")
@pytest.mark.parametrize(
    ("chosen", "works", "status"),
    [("egl", True, None), ("egl", False, "warning"), ("off", True, "info"), ("nonsense", True, "warning")],
)
def test_the_chosen_renderer_is_judged(chosen: str, works: bool, status: str | None, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(environment.GL, chosen)
    found = [finding.status for finding in environment._chosen({"egl": works})]
    assert found == ([status] if status else [])
