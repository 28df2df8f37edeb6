"""Tracks: what the belts do to a robot, its drives, and what touches them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from grouser.errors import UnknownNameError, UnsupportedError
from grouser.sim.articulated import ArticulatedSystem
from grouser.sim.contacts import ContactRank
from grouser.sim.world import World
from sim.robots import ARM, belt_on_frame, tracked

RADIUS, MASS, BETWEEN, LENGTH = 0.08, 12.0, 0.4, 0.6
WEIGHT = MASS * 9.81
SIDES = ("port", "starboard")


def standing(friction: float = 0.8, slope: float = 0.0, **options) -> tuple[World, ArticulatedSystem]:
    """The tracked robot at rest on a plane that is inclined by turning gravity."""
    world = World(gravity=(-9.81 * math.sin(slope), 0, -9.81 * math.cos(slope)))
    world.add_ground()
    world.set_material_pair("belt", "default", friction=friction)
    bot = world.add_articulated_system(tracked(**options), position=(0, 0, RADIUS))
    world.step(150)
    return world, bot


def servo(bot: ArticulatedSystem, speeds: dict[str, float], gain: float = 50.0) -> None:
    gains, targets = np.zeros(bot.dof), np.zeros(bot.dof)
    for name, speed in speeds.items():
        gains[bot.velocity_index(name)] = gain
        targets[bot.velocity_index(name)] = speed
    bot.set_pd_gains(np.zeros(bot.dof), gains)
    bot.set_pd_target(bot.generalized_coordinate, targets)


def torque(bot: ArticulatedSystem, value: float) -> None:
    values = np.zeros(bot.dof)
    values[[bot.velocity_index(name) for name in SIDES]] = value
    bot.set_generalized_force(values)


def acceleration(world: World, bot: ArticulatedSystem, steps: int = 50) -> float:
    before = bot.base_velocity[0]
    world.step(steps)
    return (bot.base_velocity[0] - before) / (steps * world.timestep)


# What a belt does


def test_a_belt_that_grips_moves_the_robot_at_its_speed() -> None:
    world, bot = standing()
    servo(bot, dict.fromkeys(SIDES, 5.0))
    world.step(500)
    for track in bot.tracks.values():
        assert track.speed == pytest.approx(0.4, rel=1e-4)
        assert bot.base_velocity[0] == pytest.approx(track.speed, rel=1e-5)
    assert abs(bot.base_velocity[2]) < 1e-5


@pytest.mark.parametrize(("rotor", "value"), [(0.02, 0.5), (0.02, 2.0), (0.3, 2.0)])
def test_torque_accelerates_the_robot_with_its_rotors(rotor: float, value: float) -> None:
    world, bot = standing(rotor=rotor)
    torque(bot, value)
    wanted = 2 * value / RADIUS / (MASS + 2 * rotor / RADIUS**2)
    assert acceleration(world, bot) == pytest.approx(wanted, rel=1e-3)
    for track in bot.tracks.values():
        # what the belt passes on is the torque less what its rotor takes
        passed = value - rotor * wanted / RADIUS
        assert track.traction == pytest.approx(passed / RADIUS, rel=2e-3)
        assert bot.joint_torque(track.drives[0].joint) == pytest.approx(passed, rel=2e-3)


def test_a_belt_that_slides_pulls_with_friction() -> None:
    world, bot = standing(friction=0.5)
    torque(bot, 30.0)
    assert acceleration(world, bot) == pytest.approx(0.5 * 9.81, rel=1e-2)
    assert sum(track.traction for track in bot.tracks.values()) == pytest.approx(0.5 * WEIGHT, rel=1e-2)


def test_drives_do_the_work_that_the_robot_gains() -> None:
    world, bot = standing(mass=10.0, rotor=0.05)
    torque(bot, 1.0)
    start = bot.generalized_velocity[bot.velocity_index("port")]
    world.step(200)
    speed = bot.generalized_velocity[bot.velocity_index("port")] - start
    work = 2 * 1.0 * (speed * 0.4 / 2)
    energy = 0.5 * 10.0 * (RADIUS * speed) ** 2 + 2 * 0.5 * 0.05 * speed**2
    assert work == pytest.approx(energy, rel=5e-3)


def test_a_blocked_robot_stalls_its_drives() -> None:
    world, bot = standing(effort=3.0)
    world.add_box((0.2, 2, 1), position=(LENGTH / 2 + RADIUS + 0.15, 0, 0.5), material="ice")
    world.set_material_pair("belt", "ice", friction=0.0)
    servo(bot, dict.fromkeys(SIDES, 5.0))
    world.step(1500)
    for name in SIDES:
        assert abs(bot.track_speed(name)) < 1e-3
        assert bot.generalized_force[bot.velocity_index(name)] == pytest.approx(3.0, rel=1e-3)
        assert bot.joint_torque(name) == pytest.approx(3.0, rel=1e-2)
        assert bot.tracks[name].traction == pytest.approx(3.0 / RADIUS, rel=1e-2)


def test_stopped_belts_hold_on_a_slope_and_slide_beyond_friction() -> None:
    world, bot = standing(slope=0.4)
    servo(bot, dict.fromkeys(SIDES, 0.0), gain=1e5)
    world.step(300)
    start = bot.base_position[0]
    world.step(500)
    assert abs(bot.base_position[0] - start) < 1e-4
    world, bot = standing(friction=0.3, slope=0.4)
    servo(bot, dict.fromkeys(SIDES, 0.0), gain=1e5)
    world.step(20)
    assert acceleration(world, bot) == pytest.approx(-9.81 * (math.sin(0.4) - 0.3 * math.cos(0.4)), rel=1e-3)


@pytest.mark.parametrize("heading", [0.0, 0.7])
def test_turning_in_place_on_four_ends(heading: float) -> None:
    world, bot = standing()
    q = bot.generalized_coordinate
    q[3:7] = (math.cos(heading / 2), 0, 0, math.sin(heading / 2))
    bot.set_state(q, np.zeros(bot.dof))
    servo(bot, {"port": -4.0, "starboard": 4.0}, gain=500)
    world.step(400)
    total = 0.0
    for _ in range(400):
        world.step()
        total += bot.base_velocity[5] * world.timestep
    ratio = total / 0.8 * BETWEEN / (2 * bot.track_speed("starboard"))
    assert ratio == pytest.approx(BETWEEN**2 / (BETWEEN**2 + LENGTH**2), rel=1e-2)


def test_a_conveyor_carries_a_box_with_friction_until_it_has_its_speed() -> None:
    world = World()
    world.set_material_pair("belt", "default", friction=0.5)
    feeder = world.add_articulated_system(belt_on_frame())
    servo(feeder, {"roll": 1.0 / 0.1}, gain=1e4)
    box = world.add_box((0.1, 0.1, 0.1), 1.0, (-0.8, 0.05, 1.05))
    world.step(20)
    before = box.velocity[0]
    world.step(50)
    assert (box.velocity[0] - before) / 0.1 == pytest.approx(0.5 * 9.81, rel=1e-2)
    assert feeder.tracks["top"].traction == pytest.approx(0.5 * 9.81, rel=1e-2)
    world.step(200)
    assert box.velocity[0] == pytest.approx(1.0, rel=1e-3)
    # friction against the belt loads its drive while the box gathers speed, and no longer
    assert feeder.joint_torque("roll") == pytest.approx(0, abs=0.02)


# What a track tells


def test_a_track_describes_itself() -> None:
    _, bot = standing()
    track = bot.tracks["starboard"]
    assert (track.name, track.link, track.width, track.thickness) == ("starboard", "hull", 0.06, 0.0)
    np.testing.assert_array_equal(track.axis, (0, 1, 0))
    drive = track.drives[0]
    assert (drive.joint, drive.gain, drive.velocity_index) == ("starboard", RADIUS, 7)
    assert [bot.track_index(name) for name in SIDES] == [0, 1]
    assert bot.track_speed(1) == bot.track_speed("starboard") == track.speed
    assert repr(track) == "<Track 'starboard' on 'hull'>"


def test_track_speed_is_that_of_the_end_of_the_step() -> None:
    world, bot = standing()
    servo(bot, dict.fromkeys(SIDES, 5.0))
    world.step(3)
    assert bot.track_speed(0) == RADIUS * bot.generalized_velocity[bot.velocity_index("port")]


def test_unknown_tracks_list_the_known_ones() -> None:
    _, bot = standing()
    for look in (bot.track_index, bot.track_speed, bot.tracks.__getitem__):
        with pytest.raises(UnknownNameError, match=r"no track named 'prt'. Did you mean 'port'\?"):
            look("prt")
    with pytest.raises(UnknownNameError, match=r"no track named '2'.*0 \(port\), 1 \(starboard\)"):
        bot.track_speed(2)


def test_contacts_of_belts_merge_and_carry_the_weight() -> None:
    world, bot = standing()
    belts = {name for track in bot.tracks.values() for name in track.collision_bodies}
    assert all(name.startswith("hull/") for name in belts)
    solved = [c for c in world.contacts if c.rank == ContactRank.SOLVED]
    merged = [c for c in world.contacts if c.rank == ContactRank.OBJECT_SOLVED_CONTACT]
    assert len(solved) == 4
    assert len(merged) >= 4
    assert {c.collision_a for c in world.contacts} <= belts
    assert {(c.object_a, c.body_a, c.object_b) for c in world.contacts} == {("tracked", "hull", "ground")}
    assert all((c.impulse == 0).all() for c in merged)
    carried = sum(c.frame @ c.impulse for c in solved)
    np.testing.assert_allclose(carried, (0, 0, WEIGHT * world.timestep), atol=1e-6)


def test_a_state_with_belts_is_restored_to_the_bit() -> None:
    world, bot = standing()
    servo(bot, {"port": 2.0, "starboard": 5.0})
    world.step(50)
    saved = world.save_state()

    def run() -> np.ndarray:
        rows = []
        for _ in range(100):
            world.step()
            rows.append(np.concatenate((bot.generalized_coordinate, bot.generalized_velocity)))
        return np.array(rows)

    first = run()
    servo(bot, dict.fromkeys(SIDES, -5.0), gain=7)
    world.step(10)
    world.restore_state(saved)
    np.testing.assert_array_equal(run(), first)


# Driving with a twist


@pytest.mark.parametrize("axis", ["0 1 0", "0 -1 0"])
def test_a_twist_sets_both_belts(axis: str) -> None:
    world, bot = standing(axis=axis)
    forward = 1 if axis == "0 1 0" else -1
    bot.drive(0.3, 0.5)
    world.step(500)
    assert forward * bot.track_speed("port") == pytest.approx(0.3 - 0.5 * BETWEEN / 2, rel=1e-3)
    assert forward * bot.track_speed("starboard") == pytest.approx(0.3 + 0.5 * BETWEEN / 2, rel=1e-3)
    bot.drive(0.3, 0)
    world.step(300)
    speed = np.linalg.norm(bot.base_velocity[:2])
    assert speed == pytest.approx(0.3, rel=1e-3)
    assert abs(bot.base_velocity[5]) < 1e-3


def test_a_twist_keeps_gains_that_were_set() -> None:
    world, bot = standing()
    servo(bot, dict.fromkeys(SIDES, 0.0), gain=7.0)
    bot.drive(0.1, 0)
    assert world.model.actuator("tracked/port").biasprm[2] == -7.0


def test_a_robot_without_a_pair_says_what_is_needed() -> None:
    world = World()
    for text in (ARM, belt_on_frame()):
        bot = world.add_articulated_system(text)
        with pytest.raises(UnsupportedError, match="has no single pair of tracks"):
            bot.drive(0.1, 0)
