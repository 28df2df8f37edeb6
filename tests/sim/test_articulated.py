"""Robots: their coordinates, their control, and the forces in their joints."""

from __future__ import annotations

import math

import numpy as np
import pytest

from grouser.description.read import load
from grouser.errors import ParameterError, SimulationError, UnknownNameError, UnsupportedError
from grouser.sim.articulated import ArticulatedSystem
from grouser.sim.world import World
from sim.robots import ARM, ball, joint, link, wheel

TURNED = np.array((0.5, 0.5, -0.5, 0.5))
SPHERICAL = f"""<robot name="socket"><link name="world"/>
{joint("mount", "world", "base", "fixed")}{link("base")}
{joint("shoulder", "base", "arm", "spherical")}{link("arm", com="0 0 -0.3")}</robot>"""


def in_space(text: str) -> tuple[World, ArticulatedSystem]:
    world = World(gravity=(0, 0, 0))
    return world, world.add_articulated_system(text)


def single(value: float, bot: ArticulatedSystem, name: str) -> np.ndarray:
    values = np.zeros(bot.dof)
    values[bot.velocity_index(name)] = value
    return values


# State


def test_joints_start_at_zero_or_at_the_nearest_limit() -> None:
    world = World()
    arm = world.add_articulated_system(ARM)
    np.testing.assert_array_equal(arm.generalized_coordinate, (0, 0.2))
    np.testing.assert_array_equal(arm.base_position, (0, 0, 2))
    assert arm.joint_names == ("shoulder", "elbow")
    assert (arm.dof, arm.velocity_index("elbow"), arm.coordinate_index("elbow")) == (2, 1, 1)
    np.testing.assert_array_equal(arm.base_velocity, np.zeros(6))


def test_position_places_the_base() -> None:
    world = World()
    arm = world.add_articulated_system(ARM, position=(1, 2, 3), quaternion=TURNED)
    free = world.add_articulated_system(ball(), position=(4, 5, 6), quaternion=2 * TURNED)
    for bot, position in ((arm, (1, 2, 3)), (free, (4, 5, 6))):
        np.testing.assert_allclose(bot.base_position, position, atol=1e-15)
        np.testing.assert_allclose(bot.base_quaternion, TURNED, atol=1e-15)


def test_base_velocity_is_in_world_axes() -> None:
    world, bot = in_space(ball())
    q = np.array((1, 2, 3, *TURNED))
    u = np.array((0.1, 0.2, 0.3, 0.4, 0.5, 0.6))
    bot.set_state(q, u)
    np.testing.assert_allclose(bot.generalized_velocity, u, atol=1e-15)
    np.testing.assert_allclose(bot.base_velocity, u, atol=1e-15)
    world.step(100)
    np.testing.assert_allclose(bot.base_position, q[:3] + 0.2 * u[:3], atol=1e-12)
    angle = 0.2 * np.linalg.norm(u[3:])
    turn = np.concatenate(([math.cos(angle / 2)], math.sin(angle / 2) * u[3:] / np.linalg.norm(u[3:])))
    w, v = turn[0], turn[1:]
    wanted = np.concatenate(
        ([w * TURNED[0] - v @ TURNED[1:]], w * TURNED[1:] + TURNED[0] * v + np.cross(v, TURNED[1:]))
    )
    np.testing.assert_allclose(bot.base_quaternion, wanted, atol=1e-6)


def test_what_is_returned_is_a_copy() -> None:
    _, arm = in_space(ARM)
    arm.generalized_coordinate[:] = 1
    arm.generalized_velocity[:] = 1
    np.testing.assert_array_equal(arm.generalized_coordinate, (0, 0.2))
    np.testing.assert_array_equal(arm.generalized_velocity, (0, 0))


def test_several_robots_keep_their_own_numbers() -> None:
    world = World(gravity=(0, 0, 0))
    world.add_sphere(0.1, 1.0, (0, 5, 0))
    first, second = world.add_articulated_system(ARM), world.add_articulated_system(ARM, position=(0, 3, 2))
    third = world.add_articulated_system(ball(), name="me", position=(0, 0, 9))
    assert [bot.name for bot in (first, second, third)] == ["arm", "arm_2", "me"]
    second.set_state((0.3, 0.4), (0.5, 0.6))
    third.set_state((0, 0, 8, 1, 0, 0, 0), (1, 0, 0, 0, 0, 0))
    np.testing.assert_array_equal(first.generalized_coordinate, (0, 0.2))
    np.testing.assert_array_equal(second.generalized_velocity, (0.5, 0.6))
    second.set_generalized_force((0, 1.0))
    world.step()
    np.testing.assert_allclose(first.generalized_force, 0, atol=1e-12)
    np.testing.assert_allclose(second.generalized_force, (0, 1.0), atol=1e-12)
    assert third.base_position[0] == pytest.approx(0.002)


def test_link_poses_are_those_of_the_end_of_the_step() -> None:
    world = World()
    arm = world.add_articulated_system(ARM)
    arm.set_state((0.4, 0.5), (2.0, -1.0))
    world.step(3)
    first, second = arm.generalized_coordinate
    position, quaternion = arm.link_pose("lower")
    np.testing.assert_allclose(position, (-0.5 * math.sin(first), 0, 2 - 0.5 * math.cos(first)), atol=1e-12)
    half = (first + second) / 2
    np.testing.assert_allclose(quaternion, (math.cos(half), 0, math.sin(half), 0), atol=1e-12)
    # a link that was merged into another
    np.testing.assert_allclose(arm.link_pose("world")[0], (0, 0, 0), atol=1e-12)
    with pytest.raises(UnknownNameError, match="no link"):
        arm.link_pose("hand")


# Control


@pytest.mark.parametrize("kind", ["continuous", "prismatic"])
def test_one_step_of_a_servo_is_implicit(kind: str) -> None:
    dt, kp, kd, ff, inertia = 0.002, 4e4, 90.0, 0.7, 2.0 if kind == "prismatic" else 0.05
    limits = '<limit lower="-5" upper="5" effort="1e9" velocity="1"/>' if kind == "prismatic" else ""
    world, bot = in_space(wheel(kind, inside=limits))
    bot.set_state([0.1], [0.3])
    bot.set_pd_gains([kp], [kd])
    bot.set_pd_target([0.2], [-0.4])
    bot.set_generalized_force([ff])
    world.step()
    force = kp * (0.2 - 0.1) + kd * (-0.4) + ff
    # I (u' - u) / dt = kp (q_ref - q - dt u') + kd (u_ref - u') + ff
    wanted = (inertia * 0.3 + dt * force) / (inertia + dt * kd + dt**2 * kp)
    assert bot.generalized_velocity[0] == pytest.approx(wanted, rel=1e-9)
    assert bot.generalized_force[0] == pytest.approx(inertia * (wanted - 0.3) / dt, rel=1e-9)


def test_effort_limits_servo_and_feedforward_together() -> None:
    world, bot = in_space(wheel(inside='<limit effort="3" velocity="100"/>'))
    bot.set_pd_gains([0], [1e4])
    bot.set_pd_target([0], [50])
    bot.set_generalized_force([-1000])
    world.step()
    assert bot.generalized_force[0] == pytest.approx(3)
    assert bot.generalized_velocity[0] == pytest.approx(3 / 0.05 * 0.002, rel=1e-9)
    bot.set_generalized_force([-1e6])
    world.step()
    assert bot.generalized_force[0] == pytest.approx(-3)


def test_force_on_a_base_acts_in_world_axes_while_it_turns() -> None:
    world, bot = in_space(ball(mass=2.0, inertia=0.1))
    spin = np.array((3.0, 0.5, -2.0))
    bot.set_state((0, 0, 0, *TURNED), (0, 0, 0, *spin))
    wrench = np.array((1.0, -2.0, 3.0, 0.4, 0.5, -0.6))
    bot.set_generalized_force(wrench)
    world.step(500)
    np.testing.assert_allclose(bot.base_velocity[:3], wrench[:3] / 2.0, rtol=1e-9)
    np.testing.assert_allclose(bot.base_velocity[3:], spin + wrench[3:] / 0.1, rtol=1e-3)
    np.testing.assert_allclose(bot.generalized_force[:3], wrench[:3], rtol=1e-12)
    bot.set_generalized_force(np.zeros(6))
    before = bot.base_velocity
    world.step(10)
    np.testing.assert_allclose(bot.base_velocity, before, rtol=1e-9)


def test_gains_and_targets_outlive_a_rebuild() -> None:
    moved, left = in_space(ARM), in_space(ARM)
    for _, bot in (moved, left):
        bot.set_pd_gains((50, 40), (5, 4))
        bot.set_pd_target((0.5, 0.9), (0, 0))
        bot.set_generalized_force((0.1, 0.2))
    for world, _ in (moved, left):
        world.step(20)
    moved[0].add_articulated_system(ball(), position=(0, 0, 50))
    for world, _ in (moved, left):
        world.step(20)
    np.testing.assert_allclose(moved[1].generalized_coordinate, left[1].generalized_coordinate, atol=1e-12)


def test_gains_are_part_of_the_state() -> None:
    world, bot = in_space(ball())
    saved = world.save_state()
    bot.set_generalized_force((0, 0, 0, 1, 0, 0))
    world.step(5)
    world.restore_state(saved)
    world.step(5)
    np.testing.assert_array_equal(bot.base_velocity, np.zeros(6))
    world, arm = in_space(ARM)
    saved = world.save_state()
    arm.set_pd_gains((50, 50), (5, 5))
    arm.set_pd_target((1, 1), (0, 0))
    world.restore_state(saved)
    world.step(5)
    np.testing.assert_array_equal(arm.generalized_coordinate, (0, 0.2))


# Forces


def test_a_joint_that_holds_reads_the_weight() -> None:
    world = World()
    arm = world.add_articulated_system(ARM)
    arm.set_pd_gains((1e5, 1e5), (1e3, 1e3))
    q = np.array((0.6, 0.7))
    arm.set_state(q, (0, 0))
    arm.set_pd_target(q, (0, 0))
    world.step(400)
    first, second = arm.generalized_coordinate
    # about y, a rod that hangs at the angle q pulls with -m g l sin(q)
    lower = 1.0 * 9.81 * 0.25 * math.sin(first + second)
    upper = 2.0 * 9.81 * 0.25 * math.sin(first) + 1.0 * 9.81 * 0.5 * math.sin(first)
    assert arm.joint_torque("elbow") == pytest.approx(lower, rel=1e-3)
    assert arm.joint_torque("shoulder") == pytest.approx(upper + lower, rel=1e-3)
    np.testing.assert_allclose(arm.generalized_force, (upper + lower, lower), rtol=1e-3)


def test_a_rotor_keeps_its_share_of_the_torque() -> None:
    world, bot = in_space(wheel(inertia=0.05, inside='<dynamics rotor_inertia="0.15"/>'))
    bot.set_generalized_force([2.0])
    world.step()
    assert bot.joint_torque("axle") == pytest.approx(0.5, rel=1e-6)
    assert bot.generalized_force[0] == pytest.approx(2.0)


def test_damping_and_friction_are_part_of_the_joint_torque() -> None:
    world, bot = in_space(wheel(inertia=0.05, inside='<dynamics damping="0.3" friction="0.2"/>'))
    bot.set_generalized_force([2.0])
    world.step(2000)
    assert bot.generalized_velocity[0] == pytest.approx(6.0, rel=1e-3)
    assert bot.joint_torque("axle") == pytest.approx(0, abs=2e-3)
    assert bot.generalized_force[0] == pytest.approx(2.0)


def test_a_stop_is_part_of_the_joint_torque() -> None:
    world = World()
    arm = world.add_articulated_system(ARM)
    arm.set_pd_gains((1e5, 0), (1e3, 0))
    arm.set_pd_target((0, 0), (0, 0))
    world.step(1000)
    held = 1.0 * 9.81 * 0.25 * math.sin(sum(arm.generalized_coordinate))
    assert arm.generalized_coordinate[1] == pytest.approx(0.2, abs=2e-3)
    assert arm.joint_torque("elbow") == pytest.approx(held, rel=1e-2)
    assert arm.generalized_force[1] == 0


def test_a_spherical_joint_has_three_torques() -> None:
    world = World()
    bot = world.add_articulated_system(SPHERICAL)
    assert (bot.dof, len(bot.generalized_coordinate)) == (3, 4)
    bot.set_state(2 * TURNED, np.zeros(3))
    np.testing.assert_allclose(bot.generalized_coordinate, TURNED)
    torque = bot.joint_torque("shoulder")
    assert np.shape(torque) == (3,)
    np.testing.assert_allclose(torque, 0, atol=1e-9)
    bot.set_generalized_force((1, 2, 3))
    world.step()
    np.testing.assert_allclose(bot.joint_torque("shoulder"), (1, 2, 3))
    with pytest.raises(UnsupportedError, match="spherical joint: this version has servos on"):
        bot.set_pd_gains((0, 1, 0), np.zeros(3))
    bot.set_pd_gains(np.zeros(3), np.zeros(3))


# Undefined motion


def test_a_joint_that_moves_nothing_raises_and_is_named() -> None:
    world, bot = in_space(wheel(mass=0))
    bot.set_state([0.5], [0.0])
    assert bot.generalized_coordinate[0] == 0.5
    with pytest.raises(SimulationError, match=r"in 'wheel', joint 'axle' moves nothing") as caught:
        world.step()
    assert caught.value.time == 0
    bot.set_pd_gains([0], [1.0])
    world.step()
    bot.set_pd_gains([0], [0])
    with pytest.raises(SimulationError, match="'axle'"):
        world.step()


@pytest.mark.parametrize("attribute", ["rotor_inertia", "damping"])
def test_what_defines_the_motion_of_a_massless_joint(attribute: str) -> None:
    world, bot = in_space(wheel(mass=0, inside=f'<dynamics {attribute}="0.1"/>'))
    bot.set_generalized_force([0.01])
    world.step(5)
    assert np.isfinite(bot.generalized_velocity).all()


def test_a_floating_base_without_mass_raises() -> None:
    world, _ = in_space('<robot name="ghost"><link name="body"/></robot>')
    with pytest.raises(SimulationError, match="in 'ghost', the floating base has no mass"):
        world.step()


# Arguments


@pytest.mark.parametrize(
    ("method", "arguments", "message"),
    [
        ("set_state", (np.zeros(3), np.zeros(2)), r"q has shape \(3,\); it must have shape \(2,\)"),
        ("set_state", (np.zeros(2), (0, math.nan)), r"u\[1\] is nan"),
        ("set_pd_gains", ((-1, 0), (0, 0)), r"kp\[0\] is -1; gains must be 0 or more"),
        ("set_pd_gains", ((0, 0), 1.0), r"kd has shape \(\)"),
        ("set_pd_target", ((0, math.inf), (0, 0)), r"q_ref\[1\] is inf"),
        ("set_pd_target", ((0, 0), (0,)), r"u_ref has shape \(1,\)"),
        ("set_generalized_force", (("a", 0),), "tau is .* it must be numbers"),
        ("track_speed", (1.5,), "track is 1.5; it must be a whole number"),
        ("drive", (math.nan, 0), "v is nan"),
    ],
)
def test_arguments_out_of_range(method: str, arguments: tuple, message: str) -> None:
    _, arm = in_space(ARM)
    with pytest.raises(ParameterError, match=message):
        getattr(arm, method)(*arguments)


def test_a_floating_base_has_no_gains() -> None:
    _, bot = in_space(ball())
    with pytest.raises(ParameterError, match=r"kd\[0:6\] is .* a floating base has no servo"):
        bot.set_pd_gains(np.zeros(6), np.eye(6)[2])
    with pytest.raises(ParameterError, match=r"q\[3:7\] is .* not zero"):
        bot.set_state(np.zeros(7), np.zeros(6))


@pytest.mark.parametrize("method", ["velocity_index", "coordinate_index", "joint_torque"])
def test_unknown_joints_list_the_known_ones(method: str) -> None:
    _, arm = in_space(ARM)
    with pytest.raises(UnknownNameError, match=r"'elbo'\. Did you mean 'elbow'\? Known: shoulder, elbow"):
        getattr(arm, method)("elbo")


def test_a_loaded_robot_takes_no_parameters() -> None:
    world, robot = World(), load(ARM)
    with pytest.raises(ParameterError, match="params is given, but the robot is loaded already"):
        world.add_articulated_system(robot, params={"a": 1})
    assert world.add_articulated_system(robot).robot is robot


def test_a_robot_that_is_refused_leaves_nothing_behind() -> None:
    world = World()
    world.add_ground()
    with pytest.raises(ParameterError, match="position"):
        world.add_articulated_system(ARM, position=(1, 2))
    with pytest.raises(UnknownNameError, match="slime"):
        world.add_articulated_system(ARM, track_model="slime")
    world.step()
    assert world.model.nbody == 1
    assert world.add_articulated_system(ARM).name == "arm"
