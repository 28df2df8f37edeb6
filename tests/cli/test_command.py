"""The command group: exit codes, failures in one line, and the version."""

from __future__ import annotations

import os
import subprocess
import sys

import click
import pytest

import grouser
from grouser.cli import command
from grouser.robots import RESCUE

FAULT = grouser.Diagnostic("a.urdf", 3, "error", "no wheels", "add two")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "grouser", *arguments], capture_output=True, text=True, check=False)


def test_every_command_is_there_and_described():
    context = click.Context(command.grouser)
    for name in command.COMMANDS:
        found = command.grouser.get_command(context, name)
        assert found is not None
        assert found.name == name
        assert found.get_short_help_str(limit=200) == command.COMMANDS[name].summary


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


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch):
    """A command line that raises what it is given; it returns the exit code."""

    def run(error: BaseException) -> int:
        def fail(**_: object) -> None:
            raise error

        monkeypatch.setattr(command.grouser, "main", fail)
        with pytest.raises(SystemExit) as caught:
            command.main([])
        return int(str(caught.value.code))

    return run


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (grouser.ParameterError("speed must be finite"), "grouser: speed must be finite\n"),
        (FileNotFoundError(2, "No such file or directory", "a.urdf"), "a.urdf: No such file or directory"),
        (grouser.RobotFileError([FAULT]), "a.urdf:3: error: no wheels; add two\n"),
        (grouser.RobotFileError([FAULT] * 3), "(and 2 more: `grouser check` lists them)"),
        (ZeroDivisionError("division by zero"), "ZeroDivisionError: division by zero (not foreseen"),
    ],
)
def test_a_failure_is_one_line_and_exits_1(failing, error: Exception, said: str, capsys: pytest.CaptureFixture[str]):
    assert failing(error) == 1
    shown = capsys.readouterr().err
    assert said in shown
    assert shown.count("\n") == 1


def test_the_traceback_can_be_had(failing, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv(command.DEBUG, "1")
    assert failing(grouser.ParameterError("speed must be finite")) == 1
    assert "Traceback" in capsys.readouterr().err


def test_an_interruption_exits_as_shells_have_it(failing, capsys: pytest.CaptureFixture[str]):
    assert failing(click.Abort()) == 130
    assert capsys.readouterr().err == "grouser: interrupted\n"


def test_a_reader_that_stops_reading_hears_no_complaint():
    reader, writer = os.pipe()
    os.close(reader)
    command_line = [sys.executable, "-m", "grouser", "convert", str(RESCUE)]
    result = subprocess.run(command_line, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert result.returncode in (1, command.PIPE_CLOSED)  # 1 where click meets the closed pipe first.
    assert result.stderr == ""
