"""Random robots keep their mass, inertia, frames and names, whatever is merged."""

from __future__ import annotations

import mujoco
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from build.random_robots import ONE_AXIS, mass_and_inertia, place_links, random_positions, robots
from grouser.build import BuiltRobot, compile_robot, to_mjcf
from grouser.description.robot import JointType, Robot

SEEDS = st.integers(0, 2**32 - 1)


def frame(model: mujoco.MjModel, data: mujoco.MjData, built: BuiltRobot, link: str):
    """Return rotation and position in W of a link's frame."""
    if built.frames[link] == built.bodies[link]:
        body = data.body(built.frames[link])
        return body.xmat.reshape(3, 3), body.xpos
    site = data.site(built.frames[link])
    return site.xmat.reshape(3, 3), site.xpos


def posed(robot: Robot, q: dict[str, float]) -> tuple[mujoco.MjModel, mujoco.MjData, BuiltRobot]:
    model, built = compile_robot(robot)
    data = mujoco.MjData(model)
    for name, full in built.joints.items():
        if name in q:
            data.qpos[model.joint(full).qposadr[0]] = q[name]
    mujoco.mj_forward(model, data)
    return model, data, built


@given(robot=robots(), seed=SEEDS)
@settings(max_examples=150)
def test_mass_centre_and_inertia_are_those_of_the_links(robot, seed):
    q = random_positions(robot, seed)
    model, data, _ = posed(robot, q)
    mass, center, inertia = mass_and_inertia(robot, place_links(robot, q))
    np.testing.assert_allclose(model.body_mass.sum(), mass, rtol=1e-12)
    np.testing.assert_allclose(data.subtree_com[0], center, rtol=0, atol=1e-10)
    found = np.zeros((3, 3))
    for i in range(1, model.nbody):
        r, c = data.ximat[i].reshape(3, 3), data.xipos[i]
        found += r @ np.diag(model.body_inertia[i]) @ r.T
        found += model.body_mass[i] * (c @ c * np.eye(3) - np.outer(c, c))
    np.testing.assert_allclose(found, inertia, rtol=0, atol=1e-9 * np.abs(inertia).max() + 1e-10)


@given(robot=robots(), seed=SEEDS)
def test_every_link_is_where_its_joints_put_it(robot, seed):
    q = random_positions(robot, seed)
    model, data, built = posed(robot, q)
    for link, at in place_links(robot, q).items():
        rotation, position = frame(model, data, built, link)
        np.testing.assert_allclose(rotation, at.rotation, rtol=0, atol=1e-9)
        np.testing.assert_allclose(position, at.position, rtol=0, atol=1e-9)


@given(robot=robots())
def test_names_are_complete_and_joints_in_the_order_of_velocities(robot):
    model, built = compile_robot(robot)
    assert set(built.bodies) == set(built.frames) == set(robot.links)
    moving = {
        name
        for name, joint in robot.joints.items()
        if joint.type is not JointType.FIXED
        and (joint.limits.lower is None or joint.limits.lower != joint.limits.upper)
    }
    assert {name.split("/")[0] for name in built.joints} == moving
    assert set(built.actuators) == {name for name in moving if robot.joints[name].type in ONE_AXIS}
    addresses = [int(model.joint(full).dofadr[0]) for full in built.joints.values()]
    assert addresses == sorted(addresses)
    assert built.floating
    assert int(model.joint(built.root_joint).dofadr[0]) == 0
    shapes = sum(len(link.collisions) for link in robot.links.values())
    assert len(built.collisions) == shapes
    for geom, (link, local) in built.collisions.items():
        owner = int(model.geom(geom).bodyid[0])
        assert model.body(owner).name == built.bodies[link]
        assert local.rpartition("/")[0] == link
        assert model.geom(geom).contype[0] == 1


@given(robot=robots())
@settings(max_examples=40)
def test_mjcf_gives_the_same_model(robot):
    model, _ = compile_robot(robot)
    again = mujoco.MjModel.from_xml_string(to_mjcf(robot))
    for field in ("body_mass", "body_inertia"):
        np.testing.assert_array_equal(getattr(again, field), getattr(model, field), err_msg=field)
    # MuJoCo writes what is almost a default as the default, and normalises quaternions when it reads them
    for field in ("body_ipos", "body_pos", "body_quat", "body_iquat", "geom_quat", "jnt_axis", "jnt_range"):
        np.testing.assert_allclose(getattr(again, field), getattr(model, field), atol=1e-15, err_msg=field)
