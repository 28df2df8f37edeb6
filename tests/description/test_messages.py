"""One tiny robot for each message: its severity, its line, what it says and what it advises."""

from __future__ import annotations

import pytest

from description.tiny_robots import BODY, joined, robot, spoilt
from description.track_errors import TRACK_ERRORS
from grouser.description.read import check, load
from grouser.errors import RobotFileError

LIMIT = '<limit lower="-1" upper="1"/>'
SHAPE = "<geometry><sphere radius='0.1'/></geometry>"


def inertial(mass: str = "1", inertia: str = 'ixx="1" iyy="1" izz="1"') -> str:
    return f'<inertial><mass value="{mass}"/><inertia {inertia}/></inertial>'


def on_base(inner: str) -> str:
    return f'<robot name="r">\n<link name="base">\n{inner}</link></robot>'


ERRORS = [
    # The file
    ("", 0, "is empty", "starts with '<'"),
    ("<robot>", 1, "not well-formed XML", ""),
    ("<robot name='r'>\n<link name='a'>\n</robot>", 3, "not well-formed XML", ""),
    ("<html/>", 1, "the root element is <html>", "<robot>"),
    ("<sdf/>", 1, "the root element is <sdf>", "SDF"),
    ("<mujoco/>", 1, "the root element is <mujoco>", "MJCF"),
    (
        "<!DOCTYPE r []>\n<robot name='r'><link name='a'/></robot>",
        1,
        "document types and entities",
        "DOCTYPE",
    ),
    ("<robot name='r'/>", 1, "has no links", "<link"),
    ("<robot name='r' xmlns:xacro='x'>\n<xacro:if/></robot>", 2, "looks like xacro", "xacro FILE"),
    (robot('<link name="${x}"/>'), 3, "looks like xacro", "xacro FILE"),
    # Names and the tree
    (robot('<link name="base"/>'), 3, "link 'base' is there twice; the first is in line 2", "unique"),
    (robot("<link/>"), 3, "<link> has no 'name'", "write"),
    (robot('<link name=""/>'), 3, "name is empty", ""),
    (robot(*joined("fixed"), *joined("fixed", child="leg")), 6, "joint 'j' is there twice", "rename"),
    (robot('<link name="other"/>'), 3, "2 root links, it must have one: base, other", "child of a joint"),
    (
        robot(*joined("fixed"), '<joint name="k" type="fixed"><parent link="arm"/><child link="base"/></joint>'),
        5,
        "joints j, k make a loop",
        "<constraints>",
    ),
    (
        robot(*joined("fixed"), '<joint name="k" type="fixed"><parent link="arm"/><child link="arm"/></joint>'),
        5,
        "child of two joints, 'j' and 'k'",
        "one parent",
    ),
    (
        robot('<joint name="j" type="fixed"><parent link="bass"/><child link="base"/></joint>'),
        3,
        "joint 'j': its parent link 'bass' does not exist",
        "did you mean 'base'",
    ),
    (
        robot('<joint name="j" type="fixed"><parent link="base"/><child link="arm"/></joint>'),
        3,
        "joint 'j': its child link 'arm' does not exist",
        "links: base",
    ),
    (
        robot('<joint name="j" type="fixed"><parent link="base"/></joint>'),
        3,
        "it has no <child>",
        "<child link",
    ),
    (
        robot('<joint name="j" type="fixed"><child link="base"/></joint>'),
        3,
        "it has no <parent>",
        "<parent link",
    ),
    (robot(*joined("fixed", child="world")), 3, "link 'world' is not the root", "rename"),
    (robot(*joined("floating")), 4, "a floating joint starts from the root link 'world'", "'base'"),
    (
        '<robot name="r"><link name="world"/>\n<link name="a"/><link name="b"/>'
        '<joint name="j" type="floating"><parent link="world"/><child link="a"/></joint>'
        '<joint name="k" type="fixed"><parent link="world"/><child link="b"/></joint></robot>',
        2,
        "a floating base is the only child of 'world'",
        "j, k",
    ),
    # Links
    (on_base("<inertial/>"), 3, "<inertial> has no <mass>", "<mass value"),
    (on_base(inertial(mass="-1")), 2, "mass -1.0 kg is negative", ""),
    (on_base(inertial(mass="nan")), 3, "value is not a number", ""),
    (on_base(inertial(mass="1e999")), 3, "value is not finite", ""),
    (on_base(inertial(mass="2junk")), 3, '<mass value="2junk">: value is not a number', ""),
    (on_base(inertial(mass="1_0")), 3, "value is not a number", ""),
    (on_base(inertial(mass="0,5")), 3, "value is not a number", "no commas"),
    (on_base(inertial(mass="{1/0}")), 3, "value is not a number", "expression"),
    (
        on_base('<inertial><mass value="1"/></inertial>'),
        3,
        "a mass of 1.0 kg and no <inertia>",
        "<inertia ixx",
    ),
    (on_base(inertial(inertia='ixx="1" iyy="1"')), 3, "<inertia> has no 'izz'", ""),
    (on_base(inertial(inertia='ixx="1" iyy="1" izz="-1"')), 2, "not positive semidefinite", "0 or more"),
    (on_base(inertial(inertia='ixx="1" iyy="1" izz="1" ixy="2"')), 2, "a principal moment is -1", "products"),
    (on_base("<collision/>"), 3, "<collision> has no <geometry>", "shapes: box"),
    (on_base("<collision><geometry/></collision>"), 3, "<geometry> holds no shape", "shapes: box"),
    (
        on_base("<collision><geometry>\n<spere/></geometry></collision>"),
        4,
        "<spere> is not a shape",
        "'sphere'",
    ),
    (on_base("<visual><geometry><box/></geometry></visual>"), 3, "<box> has no 'size'", ""),
    (on_base('<visual><geometry><box size="1 2"/></geometry></visual>'), 3, "size is not 3 numbers", ""),
    (on_base('<visual><geometry><box size="1 2 3 4"/></geometry></visual>'), 3, "size is not 3 numbers", ""),
    (
        on_base('<visual><geometry><box size="1 2 x"/></geometry></visual>'),
        3,
        "'x' is not a finite number",
        "",
    ),
    (
        on_base('<visual>\n<geometry><box size="1 0 1"/></geometry></visual>'),
        3,
        "visual <box>: size 0.0 m",
        "",
    ),
    (on_base('<collision><geometry><sphere radius="-1"/></geometry></collision>'), 3, "radius -1.0 m", ""),
    (
        on_base('<collision><geometry><capsule radius="1" length="0"/></geometry></collision>'),
        3,
        "collision <capsule>: length 0.0 m",
        "",
    ),
    (
        on_base('<collision><geometry><mesh filename="a.stl"/></geometry></collision>'),
        3,
        "a robot given as text has no folder",
        "resource_dir",
    ),
    (
        on_base('<collision><geometry><mesh filename="/nowhere/a.stl"/></geometry></collision>'),
        3,
        "there is no such file",
        "looked for '/nowhere/a.stl'",
    ),
    (
        on_base('<collision><geometry><mesh filename="../../etc/passwd"/></geometry></collision>'),
        3,
        "not a mesh file",
        ".stl",
    ),
    (
        on_base('<collision><geometry><mesh filename="/a.step"/></geometry></collision>'),
        3,
        "'.step' meshes are not read",
        "convert",
    ),
    (
        on_base('<collision><geometry><mesh filename="https://x/a.stl"/></geometry></collision>'),
        3,
        "'https' addresses are not fetched",
        "download",
    ),
    (
        on_base('<visual><geometry><mesh filename="a.stl" scale="0 1 1"/></geometry></visual>'),
        3,
        "scale (0.0, 1.0, 1.0)",
        "",
    ),
    (on_base('<visual><geometry><mesh filename=""/></geometry></visual>'), 3, "filename is empty", ""),
    (
        on_base(f'<collision>{SHAPE}<origin quat_xyzw="0 0 0 0"/></collision>'),
        3,
        "quat_xyzw is zero",
        "",
    ),
    (
        on_base(f'<collision>{SHAPE}<origin quat_xyzw="0 0 0 1" rpy="0 0 0"/></collision>'),
        3,
        "both rpy and quat_xyzw",
        "keep one",
    ),
    (
        on_base(f"<collision>{SHAPE}<material><contact/></material></collision>"),
        3,
        "<contact> has no 'name'",
        "",
    ),
    (on_base(f'<visual>{SHAPE}<material><color rgba="1 0"/></material></visual>'), 3, "rgba is not 4", ""),
    # Joints
    (robot(*joined("revolve")), 4, "'revolve' is not a joint type", "did you mean 'revolute'"),
    (robot(*joined("continuous", '<axis xyz="0 0 0"/>')), 4, "axis '0 0 0' is zero", ""),
    (robot(*joined("continuous", '<axis xyz="0 0"/>')), 4, "xyz is not 3 numbers", ""),
    (robot(*joined("continuous", '<origin xyz="0, 0, 1"/>')), 4, "xyz is not 3 numbers", "no commas"),
    (robot(*joined("revolute", '<limit lower="1" upper="-1"/>')), 4, "lower limit 1.0 is above", "swap"),
    (robot(*joined("revolute", '<limit lower="a" upper="1"/>')), 4, "lower is not a number", ""),
    (robot(*joined("continuous", '<dynamics damping="-1"/>')), 4, "damping -1.0 must be", ""),
    (robot(*joined("continuous", '<dynamics friction="-1"/>')), 4, "friction -1.0 must be", ""),
    (robot(*joined("continuous", '<dynamics rotor_inertia="-1"/>')), 4, "rotor_inertia -1.0 must be", ""),
    (robot(*joined("continuous", '<dynamics stiffness="-1"/>')), 4, "stiffness -1.0 must be", ""),
    (robot(*joined("spherical", '<dynamics spring_mount="0 0 0 0"/>')), 4, "spring_mount is zero", "1 0 0 0"),
    (robot(*joined("spherical", '<dynamics spring_mount="1"/>')), 4, "spring_mount is not 4 numbers", ""),
    (robot(*joined("continuous", '<mimic joint="jj"/>')), 4, "mimics joint 'jj', which does not", "mean 'j'"),
    (robot(*joined("continuous", "<mimic/>")), 4, "<mimic> has no 'joint'", ""),
    (robot(*joined("continuous", '<mimic joint="j"/>')), 4, "mimic each other in a circle: j, j", "free"),
    (
        robot(
            *joined("continuous", '<mimic joint="k"/>'),
            *joined("continuous", '<mimic joint="j"/>', name="k", child="leg"),
        ),
        4,
        "mimic each other in a circle: j, k, j",
        "free",
    ),
    (robot(*joined("fixed", '<mimic joint="j"/>')), 4, "a fixed joint cannot mimic", "revolute"),
    (
        robot(*joined("spherical"), *joined("continuous", '<mimic joint="j"/>', name="k", child="leg")),
        6,
        "mimics 'j', a spherical joint",
        "revolute",
    ),
    *TRACK_ERRORS,
]

WARNINGS = [
    ('<robot>\n<link name="a">' + inertial() + "</link></robot>", 1, "<robot> has no name", "name="),
    ('<robot name="r" version="7">' + f'<link name="a">{BODY}</link></robot>', 1, "version '7'", "1.2"),
    (
        robot(*joined("continuous", '<axis xyz="0 0 2"/>')),
        4,
        "joint 'j': axis '0 0 2' is normalised",
        "0 0 1",
    ),
    (robot(*joined("continuous", '<axis xyz="1 0 0" rpy="0 0 0"/>')), 4, "rpy on <axis>", "<origin>"),
    (robot(*joined("revolute")), 4, "a revolute joint without <limit> is taken as unlimited", "<limit"),
    (robot(*joined("prismatic", '<limit effort="1"/>')), 4, "neither lower nor upper", "lock"),
    (robot(*joined("revolute", '<limit lower="-1"/>')), 4, "<limit> has 'lower' only", "both"),
    (robot(*joined("revolute", f"{LIMIT}{LIMIT}")), 4, "has 2 <limit> elements; the first", "remove"),
    (
        robot(*joined("revolute", LIMIT.replace("/", ' effort="-1"/'))),
        4,
        "negative is taken as unl",
        "positive",
    ),
    (
        robot(*joined("revolute", LIMIT.replace("/", ' velocity="-1"/'))),
        4,
        "negative is taken as unl",
        "leave",
    ),
    (
        robot(*joined("fixed"), *joined("continuous", '<mimic joint="j" offset="0.5"/>', name="k", child="leg")),
        6,
        "mimics the fixed joint 'j', so that it stays at 0.5",
        "fixed",
    ),
    (
        robot('<link name="arm"/>', joined("continuous")[1]),
        4,
        "joint 'j' moves no mass and has no rotor_inertia and no damping",
        "rotor_inertia",
    ),
    (
        robot(f'<link name="arm"><collision>{SHAPE}</collision></link>', joined("continuous")[1]),
        3,
        "link 'arm' has collision geometry and no <inertial>",
        "<inertial>",
    ),
    ('<robot name="r">\n<link name="a"/></robot>', 2, "the robot has no mass", "world"),
    (
        robot(f'<link name="arm">{inertial(mass="0")}</link>', joined("fixed")[1]),
        3,
        "link 'arm' has inertia without mass on a fixed joint; it is dropped",
        "",
    ),
    (on_base(inertial(inertia='ixx="1" iyy="1" izz="3"')), 2, "triangle inequality", "check"),
    (on_base(inertial(inertia='ixx="0" iyy="0" izz="0"')), 2, "its inertia is zero: 1.0 kg in one point", ""),
    (on_base(f'{inertial()}<visual>{SHAPE}<material name="x"/></visual>'), 3, "'x' is not defined", "none"),
    (
        on_base(f'{inertial()}<visual>{SHAPE}<material><color rgba="255 0 0 1"/></material></visual>'),
        3,
        "clipped to [0, 1]",
        "255",
    ),
    (
        on_base(f'{inertial()}<visual><geometry><mesh filename="/no.stl"/></geometry></visual>'),
        3,
        "no such file; it is not drawn",
        "looked for",
    ),
    (
        on_base(f"{inertial()}<visual><geometry><plane/></geometry></visual>"),
        3,
        "<plane> is not a shape",
        "box",
    ),
    (
        on_base(f"{inertial()}<collision><geometry><sphere radius='1'/><box size='1 1 1'/></geometry></collision>"),
        3,
        "has 2 shapes; the first, <sphere>",
        "one shape",
    ),
    (robot("<actuator/>"), 3, "actuators are not simulated by this version", ""),
    (robot("<constraints/>"), 3, "closed loops are not simulated by this version", ""),
    (
        f'<robot name="r">\n<link name="a" sensor="x.xml">{BODY}</link></robot>',
        2,
        "sensors are not simul",
        "",
    ),
    (robot('<lnk name="b"/>'), 3, "<lnk> in <robot> is not known and is skipped", "<link>"),
    (robot(*joined("continuous", "<orgin/>")), 4, "<orgin> in <joint> is not known", "<origin>"),
    (
        spoilt('  <axis xyz="0 1 0"/>\n  <wheel', '  <axis xyz="0 2 0"/>\n  <wheel'),
        8,
        "is normalised",
        "0 1 0",
    ),
    (
        spoilt("<track name", '<track support="even:11" name'),
        7,
        "support 'even:11' is read but not",
        "'ends'",
    ),
    (spoilt("<track name", '<track support="wheels" name'), 7, "support 'wheels' is read but not", "'ends'"),
    (spoilt("<track name", '<track efficiency="0.9" name'), 7, "efficiency '0.9' is read but not", "ideal"),
    (spoilt("<track name", '<track skip_torque="9" name'), 7, "skip_torque '9.0' is read but not", "ideal"),
    (
        spoilt("</track>", '<drive joint="left" gain="1"/></track>'),
        12,
        "drives this belt twice",
        "one <drive>",
    ),
]

INFOS = [
    (robot(*joined("revolute", LIMIT.replace("/", ' effort="0"/'))), 4, "effort limit 0", "leave effort out"),
    (robot(*joined("continuous", LIMIT)), 4, "a continuous joint has no lower and upper limit", ""),
]


@pytest.mark.parametrize(("text", "line", "said", "advice"), ERRORS)
def test_error(text, line, said, advice):
    found = [d for d in check(text) if d.severity == "error"]
    match = [d for d in found if said in d.message]
    assert match, found
    assert (match[0].line, match[0].file) == (line, "<text>"), match[0]
    assert advice in match[0].hint
    if text:
        with pytest.raises(RobotFileError) as caught:
            load(text)
        assert str(match[0]) in str(caught.value)


@pytest.mark.parametrize(("text", "line", "said", "advice"), WARNINGS)
def test_warning(text, line, said, advice):
    found = check(text)
    match = [d for d in found if said in d.message]
    assert match, found
    assert (match[0].severity, match[0].line) == ("warning", line), match[0]
    assert advice in match[0].hint
    load(text)


@pytest.mark.parametrize(("text", "line", "said", "advice"), INFOS)
def test_info(text, line, said, advice):
    (found,) = check(text)
    assert (found.severity, found.line) == ("info", line)
    assert said in found.message
    assert advice in found.hint


# A fault can show twice, as where what is missing is needed elsewhere too; mostly it must not.
@pytest.mark.parametrize(("text", "said"), [(case[0], case[2]) for case in TRACK_ERRORS])
def test_one_fault_of_a_track_gives_one_error(text, said):
    found = [d for d in check(text) if d.severity == "error"]
    allowed = {"thicknes": 2, "a fixed joint": 2, "cannot drive": 2, "not on a fixed": 2, "is there twice": 7}
    most = next((count for key, count in allowed.items() if key in said), 1)
    assert len(found) <= most, found


def test_all_errors_are_reported_together_in_order_of_finding():
    text = spoilt('width="0.08"', 'width="wide"', spoilt('<wheel joint="left"', '<wheel joint="no"'))
    with pytest.raises(RobotFileError) as caught:
        load(text)
    assert len(caught.value.diagnostics) == 2
    assert "width" in str(caught.value)
    assert "'no'" in str(caught.value)
