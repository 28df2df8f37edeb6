"""The public face: every name is there, is imported late, and type checkers see it."""

from __future__ import annotations

import ast
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import grouser

PROMISED = {"load", "check", "Robot", "World", "Contact", "Track", "Diagnostic", "GrouserError"}
PROMISED |= {"ArticulatedSystemOptions", "CoacdOptions"}


def test_all_is_complete_sorted_and_resolves():
    assert set(grouser.__all__) >= PROMISED
    assert dir(grouser) == sorted(grouser.__all__)
    for name in grouser.__all__:
        assert getattr(grouser, name) is getattr(grouser, name)


def test_type_checkers_see_the_late_names():
    tree = ast.parse(Path(grouser.__file__).read_text())
    guarded = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {
        alias.name: node.module
        for block in guarded
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == grouser._HOMES


def test_an_unknown_name_is_refused():
    with pytest.raises(AttributeError, match="no attribute 'Wrold'"):
        _ = grouser.Wrold


def test_star_import_works():
    code = "from grouser import *; print(World.__name__, load.__name__)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).split() == ["World", "load"]


ROBOT = """
from grouser.description.robot import Link, Robot
from grouser.description.named import Named
robot = Robot("box", Named("link", {"base": Link("base")}))
"""


@pytest.mark.parametrize(("method", "root"), [("to_mjcf", "<mujoco"), ("to_urdf", "<robot")])
def test_a_robot_writes_itself_without_the_public_face(method: str, root: str):
    code = f"{ROBOT}\nprint(robot.{method}())"
    assert root in subprocess.check_output([sys.executable, "-c", code], text=True)


@pytest.mark.parametrize(
    "error",
    [
        grouser.UnknownNameError("joint", "lfet", ["left", "right"]),
        grouser.RobotFileError([grouser.Diagnostic("a.urdf", 3, "error", "no", "yes")]),
        grouser.PluginError("not built"),
    ],
)
def test_errors_survive_pickling(error: grouser.GrouserError):
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
