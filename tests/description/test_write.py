"""Writing a robot and reading it again gives the same robot."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import HealthCheck, given, settings

from description.random_robots import robots
from description.tiny_robots import CRAWLER
from grouser.description.checks import validate
from grouser.description.named import Named
from grouser.description.read import load, read
from grouser.description.robot import Joint, JointType, Limits, Link, Robot
from grouser.description.write import to_urdf


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(robots())
def test_round_trip(robot):
    assert [d for d in validate(robot) if d.severity == "error"] == []
    again = load(to_urdf(robot))
    assert again == robot
    assert again.total_mass == robot.total_mass
    assert to_urdf(again) == to_urdf(robot)


def test_the_method_is_the_function():
    robot = load(CRAWLER)
    assert robot.to_urdf() == to_urdf(robot)
    assert load(robot.to_urdf()) == robot


def test_meshes_are_found_again_from_anywhere(tmp_path):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "a b.stl").touch()
    file = tmp_path / "r.urdf"
    mesh = '<geometry><mesh filename="meshes/a%20b.stl"/></geometry>'
    file.write_text(
        f'<robot name="r"><link name="a"><visual>{mesh}</visual><collision>{mesh}</collision></link></robot>'
    )
    robot = load(file)
    again = load(robot.to_urdf())
    assert again == robot
    assert again.links["a"].collisions[0].geometry.path == tmp_path / "meshes" / "a b.stl"


def test_named_colours_do_not_mix():
    visuals = "".join(
        f'<visual><geometry><sphere radius="1"/></geometry><material name=""><color rgba="{rgba}"/></material></visual>'
        for rgba in ("1 0 0 1", "0 1 0 1", "1 0 0 1")
    )
    text = f'<robot name="r"><link name="a">{visuals}</link></robot>'
    written = load(text).to_urdf()
    assert written.count('"color_1"') == 2
    assert written.count('"color_2"') == 1
    assert load(written) == load(text)


@pytest.mark.parametrize("name", ["{1 + 1}", "@@x", "${x}", "$(x)", "<&'\"> ", " a\n\tb\r", "{", "ä\u2028\U0001f600"])
def test_names_that_look_like_markup_or_templates(name):
    robot = Robot(name, Named("link", [(name, Link(name))]))
    assert load(to_urdf(robot)) == robot


def test_what_is_default_is_not_written():
    written = load(CRAWLER).to_urdf()
    for word in ("support", "efficiency", "skip_torque", "rpy", "limit", "damping", "color", "visual"):
        assert word not in written


def one(joint: Joint) -> Robot:
    links = Named("link", [("a", Link("a")), ("b", Link("b"))])
    return Robot("r", links, Named("joint", [(joint.name, joint)]))


GOOD = Joint("j", JointType.CONTINUOUS, "a", "b")


@pytest.mark.parametrize(
    ("robot", "said"),
    [
        (one(dataclasses.replace(GOOD, axis=(0.0, 0.0, 2.0))), "not a unit vector"),
        (one(dataclasses.replace(GOOD, limits=Limits(effort=1e11))), "beyond 1e+10"),
        (one(dataclasses.replace(GOOD, limits=Limits(effort=-1.0))), "is negative"),
        (one(dataclasses.replace(GOOD, limits=Limits(lower=-1.0))), "no lower and upper limit"),
        (one(dataclasses.replace(GOOD, name="k\0")), "characters that XML cannot hold"),
        (Robot("r", Named("link", [("a", Link("b"))])), "listed under the name 'a'"),
        (Robot("r", Named("link", [("", Link(""))])), "a link has no name"),
        (Robot("r\0", Named("link", [("a", Link("a"))])), "characters that XML cannot hold"),
    ],
)
def test_validate_finds_what_only_python_can_make(robot, said):
    assert any(said in d.message for d in validate(robot) if d.severity == "error"), validate(robot)


def test_validate_agrees_with_reading():
    robot, found = read(CRAWLER)
    assert robot is not None
    assert found == ()
    assert validate(robot) == []
