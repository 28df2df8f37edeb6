"""The command group: exit codes, failures in one line, and the version."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest

import grouser
from grouser.cli import command


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "grouser", *arguments], capture_output=True, text=True, check=False)


def test_every_command_is_there_and_described():
    context = click.Context(command.grouser)
    for name in command.COMMANDS:
        found = command.grouser.get_command(context, name)
        assert found is not None
        assert found.name == name
        assert found.get_short_help_str()


def test_help_lists_the_commands():
    result = run("--help")
    assert result.returncode == 0
    assert all(name in result.stdout for name in command.COMMANDS)


def test_the_version_is_the_packages():
    assert run("--version").stdout == f"grouser, version {grouser.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("doctr",), "No such command 'doctr'. Did you mean 'doctor'?"),
        (("zzz",), "No such command 'zzz'"),
        (("doctor", "--nope"), "No such option"),
    ],
)
def test_bad_usage_exits_2(arguments: tuple[str, ...], said: str):
    result = run(*arguments)
    assert result.returncode == 2
    assert said in result.stderr


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (grouser.ParameterError("speed must be finite"), "grouser: speed must be finite\n"),
        (FileNotFoundError(2, "No such file or directory", "a.urdf"), "'a.urdf'"),
        (ZeroDivisionError("division by zero"), "ZeroDivisionError: division by zero (unexpected; GROUSER_TRACEBACK=1"),
    ],
)
def test_a_failure_is_one_line_and_exits_1(
    error: Exception, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(command, "grouser", fail)
    with pytest.raises(SystemExit) as caught:
        command.main()
    assert caught.value.code == 1
    shown = capsys.readouterr().err
    assert said in shown
    assert shown.count("\n") == 1


def test_the_traceback_can_be_had(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    def fail(**_: object) -> None:
        raise grouser.ParameterError("speed must be finite")

    monkeypatch.setattr(command, "grouser", fail)
    monkeypatch.setenv("GROUSER_TRACEBACK", "1")
    with pytest.raises(SystemExit):
        command.main()
    assert "Traceback" in capsys.readouterr().err
