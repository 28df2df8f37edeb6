"""Drives any robot with a constant twist over a course, and measures it."""

from __future__ import annotations

import fnmatch
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from grouser.description.robot import Robot
from grouser.errors import ParameterError, UnknownNameError
from grouser.record import Telemetry
from grouser.sim import checks
from grouser.sim.articulated import ArticulatedSystem
from grouser.sim.world import World
from grouser.trials.courses import Course, add_course
from grouser.trials.driving import TrackDriver
from grouser.trials.meter import Meter
from grouser.trials.placing import extent_of
from grouser.trials.summary import Summary, summarise

SETTLING = 0.5
"""How long the robot stands before it drives [s]."""

CLEARANCE = 1e-3
"""How far above the ground it starts [m]."""

SAMPLE_STEPS = 5
"""A sample every so many steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveOptions:
    """How a robot is driven.

    Attributes:
        speed: Forward speed of the belts [m/s].
        turn: Turning rate that the belts would give without skidding [rad/s], counter-clockwise.
        duration: [s], > 0.
        course: What it drives over.
        positions: Where joints are held, by name or pattern such as `*_flipper_j` [rad or m].
        timestep: [s], > 0.
        track_model: How tracks are realised.
    """

    speed: float = 0.3
    turn: float = 0.0
    duration: float = 10.0
    course: Course = field(default_factory=Course)
    positions: Mapping[str, float] = field(default_factory=dict)
    timestep: float = 0.002
    track_model: str = "belt"


@dataclass(frozen=True, eq=False)
class DriveResult:
    """What a trial gave.

    Attributes:
        telemetry: A row every SAMPLE_STEPS steps, from when the robot starts to drive.
        summary: It in a few numbers.
        world: The world at its end.
        bot: The robot in it.
        steps_per_second: Steps per second of computing time.
        realtime: Simulated over computing time.
    """

    telemetry: Telemetry
    summary: Summary
    world: World
    bot: ArticulatedSystem
    steps_per_second: float
    realtime: float


def drive_robot(
    robot: Robot, options: DriveOptions, progress: Callable[[float], None] = lambda _share: None
) -> DriveResult:
    """Drive a robot over a course.

    Args:
        robot: The robot; a floating base is stood on the ground at the origin of W.
        options: How.
        progress: Called with the share that is done.

    Raises:
        SimulationError: if the motion diverges.
        GrouserError: if an argument is out of its range, or the robot cannot be built or driven.
    """
    duration, timestep = checks.positive("duration", options.duration), checks.positive("timestep", options.timestep)
    speed, turn = checks.number("speed", options.speed), checks.number("turn", options.turn)
    world, bot, driver = _stand(robot, options)
    samples = max(1, round(duration / timestep / SAMPLE_STEPS))
    meter = Meter(world, bot, driver.joints, samples + 1)
    driver.command(speed, turn)
    meter.sample()
    begin = time.perf_counter()
    for i in range(samples):
        world.step(SAMPLE_STEPS)
        meter.sample()
        progress((i + 1) / samples)
    took = time.perf_counter() - begin
    table = meter.telemetry()
    steps = samples * SAMPLE_STEPS
    return DriveResult(
        table, summarise(table, tuple(driver.drives.values())), world, bot, steps / took, steps * timestep / took
    )


def _stand(robot: Robot, options: DriveOptions) -> tuple[World, ArticulatedSystem, TrackDriver]:
    """Return a world in which the robot stands before the course, its servos on."""
    positions = _matched(robot, options.positions)
    extent = extent_of(robot, positions)
    world = World(timestep=options.timestep)
    add_course(world, options.course, float(extent.upper[0]))
    bot = world.add_articulated_system(robot, track_model=options.track_model)
    if bot.floating:
        q = bot.generalized_coordinate
        q[:3] = (0.0, 0.0, CLEARANCE - extent.lower[2])
        bot.set_state(q, bot.generalized_velocity)
    driver = TrackDriver(bot, positions)
    driver.place_held()
    driver.command(0.0, 0.0)
    world.step(round(SETTLING / options.timestep))
    return world, bot, driver


def _matched(robot: Robot, patterns: Mapping[str, float]) -> dict[str, float]:
    """Return positions by joint for positions by pattern; later patterns win.

    Raises:
        UnknownNameError: if a pattern fits no joint.
        ParameterError: if a position is not finite, or a joint cannot be held there.
    """
    found: dict[str, float] = {}
    for pattern, position in patterns.items():
        names = fnmatch.filter(robot.joints, pattern)
        if not names:
            raise UnknownNameError("joint", pattern, robot.joints)
        for name in names:
            joint = robot.joints[name]
            if joint.mimic:
                raise ParameterError(f"joint '{name}' follows '{joint.mimic.joint}'; hold that one instead")
            found[name] = checks.number(f"position of joint '{name}'", position)
    return found
