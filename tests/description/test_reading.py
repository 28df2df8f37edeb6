"""What is read from well-formed robots: sources, elements, tracks, modules, meshes."""

from __future__ import annotations

import csv
import math
import re
from pathlib import Path

import pytest

from description.tiny_robots import BODY, CRAWLER, joined, robot, spoilt
from grouser.description.read import check, load, read
from grouser.description.robot import Box, Capsule, Cylinder, JointType, Limits, Mimic, Sphere
from grouser.errors import FileNotReadError, RobotFileError

SHARED = Path(__file__).parents[3] / "shared"
CASES = SHARED / "urdf-cases"
MODELS = SHARED / "models"


def verdict(found) -> str:
    severities = {d.severity for d in found}
    return "error" if "error" in severities else "warn" if "warning" in severities else "ok"


# Sources


@pytest.mark.parametrize("text", [CRAWLER, "\ufeff" + CRAWLER, '\n <?xml version="1.0" encoding="UTF-16"?>' + CRAWLER])
def test_text(text):
    assert load(text) == load(CRAWLER)
    assert load(text).folder is None


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1"])
def test_encodings(tmp_path, encoding):
    text = spoilt('name="crawler"', 'name="crawler_ä"')
    declared = f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig")}"?>{text}'
    (tmp_path / "r.urdf").write_bytes(declared.encode(encoding))
    for source in (tmp_path / "r.urdf", str(tmp_path / "r.urdf"), declared.encode(encoding)):
        assert load(source).name == "crawler_ä"
    assert load(tmp_path / "r.urdf").folder == tmp_path


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"\xff<robot/>", "not utf-8 text"),
        (b'<?xml version="1.0" encoding="utf-7"?><robot/>', "encoding 'utf-7' is not read"),
        (b'<?xml version="1.0" encoding="cp1259"?><robot/>', "encoding 'cp1259' is not known"),
    ],
)
def test_bytes_that_are_no_text(data, said):
    (found,) = check(data)
    assert found.severity == "error"
    assert said in found.message


def test_files_that_cannot_be_read(tmp_path):
    for path in (tmp_path / "no.urdf", tmp_path, "/dev/zero", "a\0b", "x" * 5000, Path("/dev/null")):
        with pytest.raises(FileNotReadError):
            load(path)
        (found,) = check(path)
        assert found.severity == "error"
        assert found.line == 0
    assert "is a folder" in check(tmp_path)[0].message


@pytest.mark.parametrize("source", [None, 3, ["a"], object()])
def test_sources_of_the_wrong_type(source):
    (found,) = check(source)
    assert "a path or from XML text" in found.message
    with pytest.raises(RobotFileError):
        load(source)


def test_lines_of_tags_over_several_lines():
    text = '<robot name="r"><!-- <link\n -->\n<link\n name="a"\n/><link\n\nname="a"/><![CDATA[<\n]]><x/></robot>'
    (found,) = [d for d in check(text) if d.severity == "error"]
    assert (found.line, found.message) == (5, "link 'a' is there twice; the first is in line 3")


def test_lines_beyond_65535():
    text = '<robot name="r">' + "\n" * 70_000 + "<link/></robot>"
    assert check(text)[0].line == 70_001


def test_default_namespace_and_foreign_elements():
    text = f"""<robot name="r" xmlns="http://example.org/r" xmlns:x="http://example.org/x">
    <link name="a">{BODY}<x:link name="b"/></link><x:link name="c" y="1"/>
    <gazebo><link name="d"/></gazebo></robot>"""
    assert list(load(text).links) == ["a"]
    assert check(text) == []


# Links and joints


def test_a_link_in_full():
    text = """<robot name="r"><material name="red"><color rgba="1 0 0 1"/></material><link name="a">
    <inertial><origin xyz="1 2 3" rpy=".1 .2 .3"/><mass value="2"/>
      <inertia ixx="1" ixy=".1" ixz=".2" iyy="2" iyz=".3" izz="2.5"/></inertial>
    <collision name="c"><origin xyz="1 0 0"/><geometry><capsule radius=".1" length=".5"/></geometry>
      <material name=""><contact name="ice"/></material></collision>
    <collision><geometry><box size="1 2 3"/></geometry></collision>
    <visual name="v"><geometry><cylinder radius=".1" length=".5"/></geometry><material name="red"/></visual>
    <visual><geometry><sphere radius="1"/></geometry><material name="z">
      <color rgba="0 0 1 .5"/></material></visual>
    </link></robot>"""
    link = load(text).links["a"]
    assert link.inertial is not None
    assert (link.inertial.mass, link.inertial.origin.xyz, link.inertial.iyz) == (2.0, (1.0, 2.0, 3.0), 0.3)
    assert link.inertial.origin.rpy == (0.1, 0.2, 0.3)
    assert [c.geometry for c in link.collisions] == [Capsule(0.1, 0.5), Box((1.0, 2.0, 3.0))]
    assert [c.material for c in link.collisions] == ["ice", ""]
    assert [c.name for c in link.collisions] == ["c", ""]
    assert [v.geometry for v in link.visuals] == [Cylinder(0.1, 0.5), Sphere(1.0)]
    assert [v.rgba for v in link.visuals] == [(1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 0.5)]
    assert (link.source.line, link.visuals[1].source.line) == (1, 8)


@pytest.mark.parametrize("kind", [k for k in JointType if k is not JointType.FLOATING])
def test_every_type_of_joint(kind):
    read_back = load(robot(*joined(kind.value, '<origin xyz="0 0 1"/><axis xyz="0 0 1"/>'))).joints["j"]
    assert (read_back.type, read_back.axis, read_back.origin.xyz) == (kind, (0.0, 0.0, 1.0), (0.0, 0.0, 1.0))


def test_a_joint_in_full():
    inner = """<limit lower="-1" upper="2" effort="3" velocity="4"/>
    <mimic joint="k" multiplier="-2" offset=".5"/>
    <dynamics damping="1" friction="2" rotor_inertia="3" stiffness="4" spring_mount=".5"/>"""
    joint = load(robot(*joined("revolute", inner), *joined("continuous", name="k", child="leg"))).joints["j"]
    assert joint.limits == Limits(-1.0, 2.0, 3.0, 4.0)
    assert joint.mimic == Mimic("k", -2.0, 0.5)
    d = joint.dynamics
    assert (d.damping, d.friction, d.rotor_inertia, d.stiffness, d.spring_mount) == (
        1.0,
        2.0,
        3.0,
        4.0,
        (0.5,),
    )


def test_a_spherical_spring_is_normalised():
    inner = '<dynamics stiffness="1" spring_mount="2 0 2 0"/>'
    mount = load(robot(*joined("spherical", inner))).joints["j"].dynamics.spring_mount
    assert mount == pytest.approx((math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0))


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        ('lower="-1e16" upper="+1.E16" effort="1e11" velocity="inf"', Limits()),
        ('lower="0" upper="0" effort="0" velocity="4"', Limits(0.0, 0.0, 0.0, 4.0)),
        ('lower="-inf" upper=" .5 "', Limits(None, 0.5)),
        ('effort="1"', Limits(effort=1.0)),
        ('upper="1"', Limits(0.0, 1.0)),
        ('lower="-1" upper="1" effort="-1" velocity="-2"', Limits(-1.0, 1.0)),
    ],
)
def test_limits(limit, expected):
    assert load(robot(*joined("revolute", f"<limit {limit}/>"))).joints["j"].limits == expected


def test_quaternion_origins():
    rpy = load(robot(*joined("fixed", '<origin quat_xyzw="0 0 1 1"/>'))).joints["j"].origin.rpy
    assert rpy == pytest.approx((0.0, 0.0, math.pi / 2))


def test_axes_written_with_few_digits_are_unit_vectors():
    text = robot(*joined("continuous", '<axis xyz="0.7071 0 0.7071"/>'))
    assert check(text) == []
    assert math.hypot(*load(text).joints["j"].axis) == pytest.approx(1.0, abs=1e-15)


def test_inertia_without_mass_is_dropped_on_fixed_joints_only():
    rotor = '<inertial><mass value="0"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
    for kind, kept in (("fixed", False), ("continuous", True)):
        text = robot(*joined(kind)).replace(f'"arm">{BODY}', f'"arm">{rotor}')
        assert (load(text).links["arm"].inertial is not None) is kept


def test_massless_links_may_hang_on_anything_that_resists():
    for inner in ('<dynamics rotor_inertia="1"/>', '<dynamics damping="1"/>'):
        assert check(robot('<link name="arm"/>', joined("continuous", inner)[1])) == []


# Tracks


def test_a_track_in_full():
    attributes = 'material="rubber" color="1 0 0 1" visual="false" support="even: 5" replaces="a b" '
    text = spoilt("<track ", f'<track {attributes}efficiency="0.9" skip_torque="5" ')
    text = spoilt("</robot>", '<link name="a"/><link name="b"/></robot>', text)
    for child in "ab":
        text = spoilt(
            "</robot>",
            f'<joint name="{child}" type="fixed"><parent link="base"/><child link="{child}"/></joint></robot>',
            text,
        )
    track = load(text).tracks["belt"]
    assert (track.link, track.width, track.thickness, track.axis) == ("base", 0.08, 0.01, (0.0, 1.0, 0.0))
    assert (track.material, track.rgba, track.visual) == ("rubber", (1.0, 0.0, 0.0, 1.0), False)
    assert (track.support, track.replaces) == ("even:5", ("a", "b"))
    assert (track.efficiency, track.skip_torque) == (0.9, 5.0)
    assert [(w.center, w.radius, w.joint) for w in track.wheels] == [
        ((0.4, 0.25, 0.0), 0.1, "left"),
        ((-0.4, 0.25, 0.0), 0.1, ""),
    ]
    assert [(d.joint, d.gain) for d in track.drives] == [("left", 0.11)]
    assert [w.source.line for w in track.wheels] == [9, 10]
    assert track.outline.length == pytest.approx(1.6 + math.tau * 0.11)


def test_the_order_of_elements_does_not_matter():
    lines = CRAWLER.splitlines()
    track_first = [lines[0], *lines[6:12], *lines[1:6], lines[12]]
    assert load("\n".join(track_first)) == load(CRAWLER)


@pytest.mark.parametrize(
    "change",
    [
        ("  <drive", '  <wheel xyz="0 0.25 0" radius="0.1"/>\n  <drive'),
        ("  <drive", '  <wheel xyz="0.45 0.25 0" radius="0.1"/>\n  <drive'),
        ('<axis xyz="0 1 0"/><dynamics', '<axis xyz="0 -1 0"/><dynamics'),
        ('<axis xyz="0 1 0"/><dynamics', '<axis xyz="0 0 1"/><dynamics'),
        ('type="continuous"', 'type="revolute"'),
        (
            "</robot>",
            '<track name="two" link="sprocket" width="1" thickness="0"><axis xyz="0 1 0"/>'
            '<wheel xyz="0 0 0" radius="1"/><wheel xyz="3 0 0" radius="1"/>'
            '<drive joint="left" gain="-1"/></track></robot>',
        ),
    ],
    ids=[
        "road wheel",
        "wheels that overlap",
        "axis reversed",
        "axis turned by rpy",
        "revolute",
        "belt of another track on the wheel link",
    ],
)
def test_tracks_that_can_be_built(change):
    text = spoilt(*change)
    text = (
        text.replace('xyz="0.4 0.25 0"/>', 'xyz="0.4 0.25 0" rpy="-1.5708 0 0"/>') if '"0 0 1"' in change[1] else text
    )
    text = text.replace('rotor_inertia="0.01"/>', 'rotor_inertia="0.01"/><limit lower="-1" upper="1"/>')
    assert [d for d in check(text) if d.severity != "info"] == []


def test_a_wheel_link_that_is_replaced_may_collide():
    sphere = '<collision><geometry><sphere radius="0.1"/></geometry></collision>'
    text = spoilt('<link name="sprocket"/>', f'<link name="sprocket">{BODY}{sphere}</link>')
    assert verdict(check(text)) == "error"
    assert check(spoilt("<track ", '<track replaces="sprocket" ', text)) == []


def test_links_fixed_to_a_wheel_collide_with_it():
    tyre = '<link name="tyre"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>'
    mount = '<joint name="m" type="fixed"><parent link="sprocket"/><child link="tyre"/></joint>'
    found = check(spoilt("</robot>", tyre + mount + "</robot>"))
    assert any("'tyre' has collision geometry of its own" in d.message for d in found)


def test_a_conveyor_on_the_world():
    text = CRAWLER.replace('"base"', '"world"')
    assert load(text).root == "world"


# Files of others


def rows() -> list[tuple[str, str]]:
    if not (CASES / "expected.csv").is_file():
        return []
    with (CASES / "expected.csv").open() as file:
        return [(row["file"], row["verdict"]) for row in csv.DictReader(file)]


@pytest.mark.skipif(not CASES.is_dir(), reason="../shared/urdf-cases is not there")
@pytest.mark.parametrize(("name", "expected"), rows())
def test_awkward_files(name, expected):
    made, found = read(CASES / name)
    assert verdict(found) == expected, found
    assert (made is None) == (expected == "error")
    if made is not None:
        assert load(made.to_urdf()) == made


@pytest.mark.skipif(not MODELS.is_dir(), reason="../shared/models is not there")
@pytest.mark.parametrize("path", sorted(MODELS.rglob("*.urdf")), ids=lambda path: path.name)
def test_public_robots(path):
    params = {}
    if "@@" in path.read_text():
        params = dict.fromkeys(re.findall(r"@@(\w+)", path.read_text()), 0.1)
    made = load(path, params)
    assert made.total_mass > 0.0
    assert load(made.to_urdf()) == made
