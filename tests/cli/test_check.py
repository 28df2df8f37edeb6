"""`grouser check`: what it prints where, in which colours, as JSON, and how it exits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

BODY = (
    '<link name="base"><inertial><mass value="2"/>'
    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
)
GOOD = f'<robot name="box">{BODY}</robot>'
ODD = f'<robot name="box">{BODY}<lnik name="x"/></robot>'
BAD = f"""<robot name="box">{BODY}
<link name="base"/>
<joint name="j" type="hinge"/>
</robot>"""
TEMPLATE = GOOD.replace('"2"', '"{@@density*2}"')
MODULE = (
    '<robot><link name="arm"/><joint name="mount" type="fixed"><parent link="base"/><child link="arm"/></joint></robot>'
)


def check(*arguments: str, text: str | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "grouser", "check", *arguments]
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False, env={**environment, **env})


@pytest.fixture
def write(tmp_path: Path):
    def write(text: str, name: str = "box.urdf") -> str:
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return write


def test_a_good_file(write):
    path = write(GOOD)
    result = check(path)
    assert result.returncode == 0
    assert result.stdout == f"{path}: ok (box: 1 link, 0 joints, 0 tracks, 2 kg)\n"
    assert result.stderr == ""


def test_warnings_do_not_fail(write):
    path = write(ODD)
    result = check(path)
    assert result.returncode == 0, result.stderr
    first, last = result.stdout.splitlines()
    assert first.startswith(f"{path}:1: warning: ")
    assert last.startswith(f"{path}: 1 warning (box: ")


def test_every_error_with_its_line_and_one_line_of_summary(write):
    path = write(BAD)
    result = check(path)
    assert result.returncode == 1
    lines = result.stdout.splitlines()
    assert len(lines) >= 2
    assert all(line.startswith((f"{path}:2: error: ", f"{path}:3: error: ")) for line in lines)
    assert result.stderr == f"{path}: {len(lines)} errors\n"


def test_a_missing_file_is_one_line():
    result = check("no/such.urdf")
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "there is no file 'no/such.urdf'" in result.stderr


def test_colours_where_the_terminal_can(write):
    path = write(ODD)
    assert "\x1b[" in check(path, FORCE_COLOR="1", TERM="xterm").stdout
    assert "\x1b[" not in check(path).stdout
    assert "\x1b[" not in check(path, NO_COLOR="1").stdout


def test_long_lines_are_not_broken(write):
    assert len(check(write(ODD), COLUMNS="40").stdout.splitlines()) == 2


def test_json(write):
    path = write(BAD)
    result = check(path, "--json")
    assert result.returncode == 1
    said = json.loads(result.stdout)
    assert (said["file"], said["ok"], said["warnings"]) == (path, False, 0)
    assert said["errors"] == len(said["diagnostics"]) >= 2
    assert set(said["diagnostics"][0]) == {"file", "line", "severity", "message", "hint"}
    assert result.stderr.count("\n") == 1

    result = check(write(GOOD), "--json")
    assert json.loads(result.stdout) == {
        "file": path, "ok": True, "errors": 0, "warnings": 0, "diagnostics": [],
    }  # fmt: skip
    assert result.returncode == 0


def test_standard_input():
    assert check("-", text=GOOD).stdout.startswith("standard input: ok (box: ")
    result = check("-", text=BAD)
    assert result.stdout.startswith("<text>:2: error: ")
    assert result.returncode == 1


def test_parameters(write):
    path = write(TEMPLATE)
    assert check(path, "--param", "density=1.5").stdout.endswith("3 kg)\n")
    assert check(path, "-p", "@@density=1").stdout.endswith("2 kg)\n")
    result = check(path)
    assert result.returncode == 1
    assert "density" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--param", "density"), "'density' is not NAME=VALUE."),
        (("--param", "=3"), "'=3' is not NAME=VALUE."),
        (("-p", "a=1", "-p", "@@a=2"), "'a' is given twice."),
        (("--parm", "a=1"), "No such option"),
    ],
)
def test_bad_usage_exits_2(write, arguments: tuple[str, ...], said: str):
    result = check(write(GOOD), *arguments)
    assert result.returncode == 2
    assert said in result.stderr


def test_modules_and_their_folder(write, tmp_path: Path):
    path = write(GOOD)
    (tmp_path / "parts").mkdir()
    write(MODULE, "parts/arm.urdf")
    direct = check(path, "--module", str(tmp_path / "parts" / "arm.urdf"))
    assert "2 links, 1 joint," in direct.stdout, direct
    found = check(path, "-m", "arm.urdf", "--resource-dir", str(tmp_path / "parts"))
    assert "2 links, 1 joint," in found.stdout, found
    assert check(path, "-m", "no_such.urdf").returncode == 1
