"""Robots alone: MJCF that runs elsewhere, and errors of MuJoCo's compiler."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import mujoco
import pytest

from build.files import joint, link, robot, solid, track
from grouser.build import compile_robot, to_mjcf
from grouser.build.engine import exact_numbers
from grouser.description.named import Named
from grouser.description.robot import Robot, Sphere
from grouser.errors import GrouserError, UnsupportedError

RUN = """
import sys
import mujoco
import grouser_plugin
grouser_plugin.load()
model = mujoco.MjModel.from_xml_path(sys.argv[1])
data = mujoco.MjData(model)
data.joint("drive").qvel[0] = 2.0
mujoco.mj_step(model, data)
print(abs(model.body_mass.sum() / 21.1 - 1) < 1e-12, data.sensor("track/left").data[0])
assert "grouser" not in sys.modules
"""


def crawler(base: str = "base") -> Robot:
    return robot(
        link(base, 21.1, solid()), joint("drive", "continuous", base, "sprocket"), link("sprocket", 0),
        track("left", base, "drive", 'material="rubber"'),
    )  # fmt: skip


def test_mjcf_runs_in_a_fresh_process_that_knows_the_plugin_only(tmp_path):
    path = tmp_path / "robot.xml"
    path.write_text(to_mjcf(crawler()))
    done = subprocess.run([sys.executable, "-c", RUN, str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    kept, speed = done.stdout.split()
    assert kept == "True"
    assert float(speed) == pytest.approx(0.2, rel=1e-3)


def test_writing_exactly_does_not_change_how_others_write():
    spec = mujoco.MjSpec.from_string(
        '<mujoco><worldbody><body><geom size="0.12345678901234" type="sphere"/></body></worldbody></mujoco>'
    )
    before = spec.to_xml()
    with exact_numbers():
        assert "0.1234567890123" in spec.to_xml()
    assert spec.to_xml() == before


def test_what_mujoco_refuses_names_the_robot_and_the_reason():
    bad = crawler()
    first = bad.links["base"]
    shape = replace(first.collisions[0], geometry=Sphere(-1.0))
    links = [(name, replace(first, collisions=(shape,)) if name == "base" else x) for name, x in bad.links.items()]
    with pytest.raises(GrouserError, match=r"robot 'tiny': MuJoCo cannot compile it: .*size"):
        compile_robot(replace(bad, links=Named("link", links)))


def test_mjcf_says_what_it_has_no_place_for():
    inside = '<dynamics stiffness="5" spring_mount="0 1 0 0"/>'
    ball = robot(link("base"), joint("ball", "spherical", "base", "head", inside), link("head"))
    with pytest.raises(UnsupportedError, match="joint 'ball': spring_mount"):
        to_mjcf(ball)


def test_the_settings_that_belts_need_are_in_the_text():
    model = mujoco.MjModel.from_xml_string(to_mjcf(crawler()))
    assert model.opt.cone == mujoco.mjtCone.mjCONE_ELLIPTIC
    assert model.opt.integrator == mujoco.mjtIntegrator.mjINT_EULER
    assert model.opt.jacobian == mujoco.mjtJacobian.mjJAC_DENSE
    assert model.opt.impratio == 100
    bits = mujoco.mjtDisableBit
    for flag in (bits.mjDSBL_MULTICCD, bits.mjDSBL_ISLAND, bits.mjDSBL_EULERDAMP):
        assert model.opt.disableflags & int(flag)
