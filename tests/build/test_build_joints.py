"""Joints: types, limits, locked ones, springs, mimics, servos."""

from __future__ import annotations

import math
from dataclasses import replace

import mujoco
import numpy as np
import pytest

from build.files import joint, link, robot
from grouser.build import add_robot, compile_robot
from grouser.description.named import Named
from grouser.description.robot import JointType, Limits, Robot

HINGE, SLIDE, BALL = (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE, mujoco.mjtJoint.mjJNT_BALL)
MOUNT = joint("mount", "fixed", "world", "base")


def on_stand(*elements: str) -> Robot:
    """Return a robot on a fixed base."""
    return robot(link("world", 0), MOUNT, link("base"), *elements)


def with_joint(robot: Robot, **changes: object) -> Robot:
    """Return the robot with its last joint changed."""
    *others, (name, last) = robot.joints.items()
    return replace(robot, joints=Named("joint", (*others, (name, replace(last, **changes)))))


def stepped(model: mujoco.MjModel, seconds: float, q: dict[str, float] | None = None) -> mujoco.MjData:
    data = mujoco.MjData(model)
    for name, value in (q or {}).items():
        data.joint(name).qpos[0] = value
    mujoco.mj_step(model, data, round(seconds / model.opt.timestep))
    assert np.isfinite(data.qpos).all()
    return data


def test_dynamics_reach_the_joint():
    text = '<dynamics damping="0.5" friction="0.25" rotor_inertia="0.125" stiffness="2" spring_mount="0.75"/>'
    model, _ = compile_robot(on_stand(joint("j", "continuous", "base", "arm", text), link("arm")))
    assert model.dof_damping[0] == 0.5
    assert model.dof_frictionloss[0] == 0.25
    assert model.dof_armature[0] == 0.125
    assert model.jnt_stiffness[0] == 2
    assert model.qpos_spring[0] == 0.75


def test_angles_come_through_a_spec_in_degrees():
    arm = on_stand(
        joint(
            "j",
            "revolute",
            "base",
            "arm",
            '<limit lower="-1" upper="2" effort="3"/><dynamics stiffness="1" spring_mount="0.5"/>',
        ),
        link("arm"),
    )
    spec = mujoco.MjSpec()
    assert spec.compiler.degree
    add_robot(spec, arm)
    model = spec.compile()
    np.testing.assert_allclose(model.jnt_range[0], (-1, 2))
    np.testing.assert_allclose(model.qpos_spring[0], 0.5)


def test_effort_is_the_limit_of_the_servo_and_zero_means_none():
    limits = '<limit lower="-9" upper="9" effort="{}"/>'
    model, built = compile_robot(
        on_stand(
            joint("strong", "revolute", "base", "a", limits.format(3)),
            joint("idle", "revolute", "base", "b", limits.format(0)),
            joint("free", "continuous", "base", "c"),
            *(link(name) for name in "abc"),
        )
    )
    strong, idle, free = (model.actuator(built.actuators[name]) for name in ("strong", "idle", "free"))
    assert strong.forcerange.tolist() == [-3, 3]
    assert 0 < idle.forcerange[1] < 1e-6
    assert not model.actuator_forcelimited[free.id]
    assert model.actuator_ctrlnum.tolist() == [3, 3, 3]


def test_limits_hold_against_gravity_and_do_not_bounce():
    inertia = '<mass value="2"/><inertia ixx="0.01" iyy="0.05" izz="0.05" ixy="0" ixz="0" iyz="0"/>'
    rod = f'<inertial><origin xyz="0.5 0 0"/>{inertia}</inertial>'
    model, _ = compile_robot(
        on_stand(
            joint("j", "revolute", "base", "arm", '<limit lower="-0.5" upper="0.5" effort="9"/>'),
            f'<link name="arm">{rod}</link>',
        )
    )
    data = mujoco.MjData(model)
    deepest, rebound = 0.0, 0.0
    for _ in range(2000):
        mujoco.mj_step(model, data)
        deepest = max(deepest, data.qpos[0] - 0.5)
        if data.time > 1.0:
            rebound = max(rebound, abs(data.qvel[0]))
    assert 0 < deepest < 0.01
    assert abs(data.qpos[0] - 0.5) < 1e-4
    assert rebound < 1e-3


def test_a_limit_on_one_side_leaves_the_other_open():
    arm = on_stand(joint("j", "continuous", "base", "arm"), link("arm"))
    model, _ = compile_robot(with_joint(arm, type=JointType.REVOLUTE, limits=Limits(lower=-0.5)))
    assert model.jnt_limited[0]
    assert model.jnt_range[0, 0] == -0.5
    assert model.jnt_range[0, 1] > 1e6


def test_equal_limits_lock_the_joint_at_that_value():
    model, built = compile_robot(
        on_stand(
            joint("j", "revolute", "base", "arm", '<limit lower="0.5" upper="0.5" effort="1"/>'),
            joint("k", "fixed", "arm", "tip", '<origin xyz="1 0 0"/>'),
            link("arm"),
            link("tip"),
        )
    )
    assert model.nv == 0
    assert built.bodies["tip"] == built.bodies["arm"] == "base"
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    np.testing.assert_allclose(data.site("tip").xpos, (math.cos(0.5), 0, -math.sin(0.5)), atol=1e-12)


def test_a_planar_joint_is_two_slides_and_a_hinge_about_its_axis():
    model, built = compile_robot(on_stand(joint("p", "planar", "base", "puck", axis="0 0 1"), link("puck")))
    assert list(built.joints) == ["p/x", "p/y", "p/yaw"]
    assert model.jnt_type.tolist() == [SLIDE, SLIDE, HINGE]
    np.testing.assert_allclose(model.jnt_axis, np.eye(3))
    assert not built.actuators


def test_a_floating_joint_inside_a_robot_has_six_freedoms():
    # files may not say so, but robots made in Python may
    model, built = compile_robot(
        with_joint(robot(link("base"), joint("f", "fixed", "base", "drone"), link("drone")), type=JointType.FLOATING)
    )
    assert list(built.joints) == ["f/x", "f/y", "f/z", "f/rotation"]
    assert model.nv == 12
    data = stepped(model, 0.5)
    np.testing.assert_allclose(data.qvel[2], -9.81 * 0.5, rtol=1e-9)
    np.testing.assert_allclose(data.qvel[6:], 0, atol=1e-9)


def test_a_spherical_spring_rests_where_its_mount_says():
    turn = (math.cos(0.4), 0.0, math.sin(0.4), 0.0)
    mount = " ".join(map(str, turn))
    inside = f'<dynamics stiffness="50" damping="3" spring_mount="{mount}"/>'
    model, built = compile_robot(on_stand(joint("ball", "spherical", "base", "head", inside), link("head")))
    assert model.jnt_type.tolist() == [BALL]
    assert built.spring_rests["ball"] == pytest.approx(turn)
    model.opt.gravity[:] = 0
    np.testing.assert_allclose(stepped(model, 5.0).qpos, turn, atol=1e-3)


def test_friction_of_a_spherical_joint_is_ignored():
    inside = '<dynamics friction="5"/>'
    model, _ = compile_robot(on_stand(joint("ball", "spherical", "base", "head", inside), link("head")))
    assert not model.dof_frictionloss.any()


MIMIC = '<mimic joint="{}" multiplier="{}" offset="{}"/>'


def test_a_chain_of_mimics_follows_its_leader():
    model, built = compile_robot(
        on_stand(
            joint("lead", "continuous", "base", "a"),
            joint("second", "continuous", "base", "b", MIMIC.format("lead", -2, 0.5)),
            joint("third", "continuous", "base", "c", MIMIC.format("second", 0.5, 0.25)),
            *(link(name) for name in "abc"),
        )
    )
    assert built.initial_positions == pytest.approx({"second": 0.5, "third": 0.5})
    model.opt.gravity[:] = 0
    data = mujoco.MjData(model)
    for name, value in built.initial_positions.items():
        data.joint(name).qpos[0] = value
    data.ctrl[2] = 0.05
    mujoco.mj_step(model, data, 500)
    lead, second, third = (data.joint(name).qpos[0] for name in ("lead", "second", "third"))
    assert lead > 0.05
    assert second == pytest.approx(-2 * lead + 0.5, abs=1e-3)
    assert third == pytest.approx(0.5 * second + 0.25, abs=1e-3)


def test_what_mimics_a_joint_that_stands_still_stands_still():
    model, built = compile_robot(
        on_stand(
            joint("lead", "revolute", "base", "a", '<limit lower="0.5" upper="0.5" effort="1"/>'),
            joint("follow", "prismatic", "base", "b", MIMIC.format("lead", 2, 0.25), axis="1 0 0"),
            link("a"),
            link("b"),
        )
    )
    assert not built.joints
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    np.testing.assert_allclose(data.site("b").xpos, (1.25, 0, 0))


def test_a_joint_starts_within_its_limits():
    limits = '<limit lower="{}" upper="{}" effort="1"/>'
    _, built = compile_robot(
        on_stand(
            joint("up", "revolute", "base", "a", limits.format(0.5, 1)),
            joint("down", "revolute", "base", "b", limits.format(-1, -0.25)),
            joint("around", "revolute", "base", "c", limits.format(-1, 1)),
            *(link(name) for name in "abc"),
        )
    )
    assert built.initial_positions == {"up": 0.5, "down": -0.25}


def test_joints_without_mass_below_them_do_not_disturb_the_mass():
    model, built = compile_robot(
        robot(
            link("base", 20),
            *(joint(f"w{i}", "continuous", "base", f"l{i}", '<dynamics rotor_inertia="0.01"/>') for i in range(40)),
            *(link(f"l{i}", 0) for i in range(40)),
        )
    )
    assert model.body_mass.sum() == pytest.approx(20, rel=1e-12)
    assert built.total_mass == 20
    stepped(model, 0.2)
