"""`grouser convert`: what it writes runs in plain MuJoCo, and finds its meshes from where it lies."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import grouser
from grouser.robots import RESCUE

INERTIA = '<mass value="10"/><inertia ixx="0.3" iyy="0.3" izz="0.3" ixy="0" ixz="0" iyz="0"/>'


def side(name: str, y: float) -> str:
    return f"""<link name="{name}_sprocket"/>
<joint name="{name}" type="continuous"><parent link="base"/><child link="{name}_sprocket"/>
<origin xyz="0.3 {y} 0"/><axis xyz="0 1 0"/><dynamics rotor_inertia="0.1"/></joint>
<track name="{name}" link="base" width="0.08" thickness="0.0"><axis xyz="0 1 0"/>
<wheel joint="{name}" radius="0.1"/><wheel xyz="-0.3 {y} 0" radius="0.1"/><drive joint="{name}" gain="0.1"/></track>"""


ROBOT = f"""<robot name="two tracks"><link name="base"><inertial>{INERTIA}</inertial></link>
{side("left", 0.25)}{side("right", -0.25)}</robot>"""

DRIVE = """
import sys
import mujoco
spec = mujoco.MjSpec.from_file(sys.argv[1])
spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1], friction=[0.8, 0.005, 0.0001])
model = spec.compile()
data = mujoco.MjData(model)
data.qpos[2] = 0.1
model.actuator_biasprm[:, 2] = -50.0
for name in ("left", "right"):
    data.ctrl[model.actuator_ctrladr[model.actuator(name).id] + 1] = 5.0
mujoco.mj_step(model, data, 1000)
assert not any(name == "grouser" or name.startswith("grouser.") for name in sys.modules)
print(data.qpos[0], data.qvel[0], data.sensor("track/left").data[0])
"""
"""MuJoCo alone: velocity servos of 5 rad/s on the sprockets, 2 s."""


def convert(*arguments: str, cwd: Path, text: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "grouser", "convert", *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False, cwd=cwd)


def python(code: str, *arguments: str, cwd: Path) -> str:
    result = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False, cwd=cwd
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_the_belts_drive_in_plain_mujoco(tmp_path: Path):
    (tmp_path / "robot.urdf").write_text(ROBOT)
    result = convert("robot.urdf", "-o", "robot.xml", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout == ""
    assert result.stderr == "robot.xml: MJCF of two tracks, with 2 tracks\n"
    x, speed, belt = map(float, python(DRIVE, "robot.xml", cwd=tmp_path).split())
    assert belt == pytest.approx(0.5, rel=1e-3)
    assert speed == pytest.approx(belt, rel=1e-5)
    assert 0.8 < x < 1.0


def test_the_robot_of_the_demo_steps_in_plain_mujoco(tmp_path: Path):
    assert convert(str(RESCUE), "-o", "rescue.xml", cwd=tmp_path).returncode == 0
    code = (
        "import mujoco; m = mujoco.MjModel.from_xml_path('rescue.xml'); d = mujoco.MjData(m); "
        "mujoco.mj_step(m, d, 20); print(m.nplugin, sum(m.body_mass))"
    )
    plugins, mass = python(code, cwd=tmp_path).split()
    assert int(plugins) == 5
    assert float(mass) == pytest.approx(grouser.load(RESCUE).total_mass, rel=1e-9)


def test_standard_output_is_the_default(tmp_path: Path):
    (tmp_path / "robot.urdf").write_text(ROBOT)
    result = convert("robot.urdf", cwd=tmp_path)
    assert result.stdout.startswith("<mujoco ")
    assert result.stderr == ""
    assert convert("robot.urdf", "-o", "-", cwd=tmp_path).stdout == result.stdout
    assert convert("-", cwd=tmp_path, text=ROBOT).stdout == result.stdout


def write_pyramid(path: Path) -> None:
    """Write an OBJ of four corners."""
    path.parent.mkdir(parents=True, exist_ok=True)
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]) * 0.1
    lines = [
        *("v {} {} {}".format(*corner) for corner in corners),
        "f 1 3 2",
        "f 1 2 4",
        "f 2 3 4",
        "f 1 4 3",
    ]
    path.write_text("\n".join(lines))


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with robots/robot.urdf that names meshes/pyramid.obj beside it."""
    package = tmp_path / "package"
    write_pyramid(package / "meshes" / "pyramid.obj")
    shape = '<geometry><mesh filename="../meshes/pyramid.obj"/></geometry>'
    link = f'<link name="base"><inertial>{INERTIA}</inertial><visual>{shape}</visual></link>'
    (package / "robots").mkdir()
    (package / "robots" / "robot.urdf").write_text(f'<robot name="r">{link}</robot>')
    return package


LOADS = "import mujoco, sys; print(mujoco.MjModel.from_xml_path(sys.argv[1]).nmesh)"


@pytest.mark.parametrize("place", ["package/robot.xml", "package/robots/robot.xml", "elsewhere/robot.xml"])
def test_meshes_are_found_from_wherever_it_lies(package: Path, tmp_path: Path, place: str):
    (tmp_path / "elsewhere").mkdir()
    assert convert("package/robots/robot.urdf", "-o", place, cwd=tmp_path).returncode == 0
    assert python(LOADS, str(tmp_path / place), cwd=Path("/")) == "1\n"


def test_a_folder_with_its_meshes_can_move(package: Path, tmp_path: Path):
    assert convert("package/robots/robot.urdf", "-o", "package/robot.xml", cwd=tmp_path).returncode == 0
    assert 'file="meshes/pyramid.obj"' in (package / "robot.xml").read_text()
    shutil.move(package, tmp_path / "moved")
    assert python(LOADS, str(tmp_path / "moved" / "robot.xml"), cwd=Path("/")) == "1\n"


def test_urdf_has_parameters_and_modules_filled_in(tmp_path: Path):
    (tmp_path / "robot.urdf").write_text(ROBOT.replace('value="10"', 'value="{@@m}"'))
    result = convert("robot.urdf", "-p", "m=12", "-o", "plain.urdf", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    robot = grouser.load(tmp_path / "plain.urdf")
    assert robot.total_mass == 12
    assert list(robot.tracks) == ["left", "right"]
    assert convert("robot.urdf", "-p", "m=12", "--to", "urdf", cwd=tmp_path).stdout == robot.to_urdf()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("none.urdf",), 1, "there is no file 'none.urdf'"),
        (("robot.urdf", "-o", "robot.urdf"), 1, "robot.urdf is the robot file itself"),
        (("robot.urdf", "-o", "no/such/folder.xml"), 1, "no/such/folder.xml: No such file or directory"),
        (("robot.urdf", "--track-model", "belts"), 1, "Did you mean 'belt'?"),
        (("robot.urdf", "--track-model", "pads"), 1, "does not realise it"),
        (("robot.urdf", "--to", "sdf"), 2, "'sdf' is not one of"),
        ((), 2, "Missing argument 'ROBOT'"),
    ],
)
def test_failures_are_one_line(tmp_path: Path, arguments: tuple[str, ...], code: int, said: str):
    (tmp_path / "robot.urdf").write_text(ROBOT)
    result = convert(*arguments, cwd=tmp_path)
    assert result.returncode == code
    assert said in result.stderr
    assert result.stderr.count("\n") == (1 if code == 1 else 4)
    assert (tmp_path / "robot.urdf").read_text() == ROBOT


def test_what_is_doubtful_is_said_on_stderr(tmp_path: Path):
    (tmp_path / "odd.urdf").write_text(ROBOT.replace("</robot>", '<lnik name="x"/></robot>'))
    result = convert("odd.urdf", cwd=tmp_path)
    assert result.returncode == 0
    assert "warning: " in result.stderr
    assert result.stdout.startswith("<mujoco ")
