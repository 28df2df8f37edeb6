"""The trial of `grouser demo`: the rescue robot drives over a row of five steps, its flippers lifting it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from grouser.description.read import load
from grouser.description.robot import Robot
from grouser.errors import ParameterError
from grouser.record import Telemetry
from grouser.robots import RESCUE
from grouser.sim.articulated import ArticulatedSystem
from grouser.sim.objects import SingleBody, StaticBody
from grouser.sim.world import World
from grouser.trials.meter import Meter, roll_pitch_yaw
from grouser.trials.placing import extent_of
from grouser.trials.summary import Summary, summarise

Array = NDArray[np.float64]

SPROCKETS = ("left_sprocket", "right_sprocket")
FLIPPERS = ("left_flipper_joint", "right_flipper_joint")
BELTS = ("left", "right")

HEIGHTS = (0.20, 0.25, 0.30, 0.25, 0.20)
LOWEST, HIGHEST = 0.20, 0.30
STEP_LENGTH, STEP_WIDTH, GAP = 1.0, 3.0, 1.0
FIRST_STEP = 1.2
"""x of the first riser [m]; the robot starts at 0."""
RUN_OUT = 1.6
"""How far behind the last step the robot's base must get [m]."""
STEP_MASS = 100.0
"""Of a step that can move [kg]."""

SPROCKET_SPEED = 5.0
SPROCKET_GAIN = 50.0
SPEED_UP = 0.5
"""Over which the sprockets are brought to speed [s]."""
FLIPPER_GAINS = (800.0, 60.0)

TIMESTEP = 0.002
CONTROL_STEPS = 5
FRAME_STEPS = 15
"""Steps between frames that are kept."""
FRAME_RATE = 1.0 / (FRAME_STEPS * TIMESTEP)
"""Frames a second of simulated time [Hz]."""
SETTLING = 0.3
TIME_LIMIT = 60.0
PLACES = (0.0, 1.15, 2.42, 3.85, 5.15, 6.46, 7.8, 9.1, 10.38)
"""x of the base at which the scene is kept [m], besides the goal."""


@dataclass(frozen=True, slots=True)
class FlipperLaw:
    """Where the flippers are to be at a pitch of the robot; angles in radians, down positive.

    Raised while the robot is level, so that they meet the next step. As the nose rises, they are pressed down in
    proportion, to beyond straight: they lift the robot onto the step and then bear on its top. As the nose drops, they
    come forward to meet the ground.

    Attributes:
        raised: Angle while level.
        gain: Angle per pitch [-].
        pressed: Greatest angle with the nose high.
        reaching: Greatest angle with the nose low.
        rate: Greatest change [rad/s].
    """

    raised: float = -0.8
    gain: float = 2.5
    pressed: float = 0.3
    reaching: float = -0.3
    rate: float = 2.5

    def angle(self, nose_up: float) -> float:
        """Return the angle for a pitch [rad]."""
        return min(self.raised + self.gain * abs(nose_up), self.pressed if nose_up > 0 else self.reaching)


@dataclass(frozen=True, slots=True)
class DemoOptions:
    """What the demo runs.

    Attributes:
        dynamic: Whether the steps are boxes of 100 kg that can move.
        seed: Draws the heights of the steps between 0.2 and 0.3 m; None for HEIGHTS.
        law: How the flippers are moved.
    """

    dynamic: bool = False
    seed: int | None = None
    law: FlipperLaw = field(default_factory=FlipperLaw)


@dataclass(frozen=True, slots=True)
class StepAt:
    """A step at some moment: its size [m], position in W [m] and turn about y [rad]."""

    size: tuple[float, float, float]
    position: tuple[float, float, float]
    pitch: float

    def outline(self) -> Array:
        """Return the corners seen from the side: x and z in W [m], counter-clockwise, shape (4, 2)."""
        half = np.array((self.size[0], self.size[2])) / 2
        corners = half * ((-1, -1), (1, -1), (1, 1), (-1, 1))
        sine, cosine = math.sin(self.pitch), math.cos(self.pitch)
        # A positive turn about y takes x towards -z.
        return corners @ np.array(((cosine, -sine), (sine, cosine))) + (self.position[0], self.position[2])


@dataclass(frozen=True, eq=False)
class Moment:
    """The scene at one moment.

    Attributes:
        time: Since the robot set off [s].
        links: Position in W [m] and quaternion of each link of the robot.
    """

    time: float
    links: dict[str, tuple[Array, Array]]


@dataclass(frozen=True, eq=False)
class DemoResult:
    """What the demo gave.

    Attributes:
        robot: The robot.
        telemetry: A row every 10 ms.
        summary: It in a few numbers.
        dynamic: Whether the steps could move.
        finished: Whether the robot got over all steps in time.
        moments: The scene, at places evenly spread over the course.
        steps: The steps where they ended up.
        frames: MuJoCo coordinates of the whole world, a row every FRAME_STEPS steps.
        mjcf: The world at the start, as MJCF.
        steps_per_second: Steps per second of computing time, control and recording included.
        realtime: Simulated over computing time.
    """

    robot: Robot
    telemetry: Telemetry
    summary: Summary
    dynamic: bool
    finished: bool
    moments: tuple[Moment, ...]
    steps: tuple[StepAt, ...]
    frames: Array
    mjcf: str
    steps_per_second: float
    realtime: float


def step_heights(seed: int | None) -> tuple[float, ...]:
    """Return the heights of the steps [m]: HEIGHTS, or drawn at random.

    Raises:
        ParameterError: if the seed is negative.
    """
    if seed is None:
        return HEIGHTS
    if seed < 0:
        raise ParameterError(f"seed is {seed}; it must be 0 or more")
    return tuple(np.random.default_rng(seed).uniform(LOWEST, HIGHEST, len(HEIGHTS)).tolist())


def run_demo(options: DemoOptions, progress: Callable[[float], None] = lambda _share: None) -> DemoResult:
    """Run the demo.

    Args:
        options: What to run.
        progress: Called with the share of the course that is done.

    Raises:
        SimulationError: if the motion diverges.
        GrouserError: if the engine plugin does not load, or an option is out of its range.
    """
    run = _Run(options)
    mjcf = run.world.to_mjcf()
    begin = time.perf_counter()
    while not run.arrived and run.time < TIME_LIMIT:
        run.advance()
        progress(min(1.0, max(0.0, run.x / run.goal)))
    took = time.perf_counter() - begin
    table = run.meter.telemetry()
    return DemoResult(
        robot=run.robot,
        telemetry=table,
        summary=summarise(table, BELTS),
        dynamic=options.dynamic,
        finished=run.arrived,
        moments=tuple(run.moments),
        steps=run.steps_now(),
        frames=np.array(run.frames),
        mjcf=mjcf,
        steps_per_second=run.time / TIMESTEP / took,
        realtime=run.time / took,
    )


class _Run:
    """A demo under way."""

    def __init__(self, options: DemoOptions) -> None:
        self.law = options.law
        self.heights = step_heights(options.seed)
        self.robot = load(RESCUE)
        self.world = World(timestep=TIMESTEP)
        self.world.add_ground()
        self._boxes = _add_steps(self.world, self.heights, STEP_MASS if options.dynamic else None)
        self.bot = _stand(self.world, self.robot, self.law.raised)
        self.goal = FIRST_STEP + len(self.heights) * (STEP_LENGTH + GAP) - GAP + RUN_OUT
        self._flippers = self.law.raised
        self._q, self._u = self.bot.generalized_coordinate, np.zeros(self.bot.dof)
        self._start = self.world.time
        self._sprockets = [self.bot.velocity_index(joint) for joint in SPROCKETS]
        self._command(0.0)
        self.meter = Meter(
            self.world, self.bot, (*SPROCKETS, *FLIPPERS), round(TIME_LIMIT / TIMESTEP / CONTROL_STEPS) + 1
        )
        self.moments: list[Moment] = []
        self._places = (*PLACES, self.goal)
        self.frames: list[Array] = []
        self._counted = 0
        self._look()

    @property
    def time(self) -> float:
        """Since the robot set off [s]."""
        return self.world.time - self._start

    @property
    def x(self) -> float:
        """Of the base [m]."""
        return float(self.bot.base_position[0])

    @property
    def arrived(self) -> bool:
        """Whether the robot is over all steps."""
        return self.x >= self.goal

    def advance(self) -> None:
        """Control, step and record once."""
        pitch = roll_pitch_yaw(self.bot.base_quaternion)[1]
        most = self.law.rate * TIMESTEP * CONTROL_STEPS
        self._flippers += float(np.clip(self.law.angle(-pitch) - self._flippers, -most, most))
        self._command(SPROCKET_SPEED * min(1.0, self.time / SPEED_UP))
        self.world.step(CONTROL_STEPS)
        self._look()

    def steps_now(self) -> tuple[StepAt, ...]:
        """Return the steps where they are."""
        return tuple(
            StepAt(
                (STEP_LENGTH, STEP_WIDTH, height),
                (float(box.position[0]), float(box.position[1]), float(box.position[2])),
                roll_pitch_yaw(box.quaternion)[1],
            )
            for box, height in zip(self._boxes, self.heights, strict=True)
        )

    def _command(self, sprocket_speed: float) -> None:
        self._u[self._sprockets] = sprocket_speed
        for joint in FLIPPERS:
            self._q[self.bot.coordinate_index(joint)] = self._flippers
        self.bot.set_pd_target(self._q, self._u)

    def _look(self) -> None:
        self.meter.sample()
        if self._counted % FRAME_STEPS == 0:
            self.frames.append(self.world.data.qpos.copy())
        self._counted += CONTROL_STEPS
        reached = len(self.moments)
        if reached < len(self._places) and self.x >= self._places[reached] - 1e-2:
            links = {name: self.bot.link_pose(name) for name in self.robot.links}
            self.moments.append(Moment(self.time, links))


def _add_steps(world: World, heights: tuple[float, ...], mass: float | None) -> list[SingleBody | StaticBody]:
    return [
        world.add_box(
            (STEP_LENGTH, STEP_WIDTH, height),
            mass=mass,
            position=(FIRST_STEP + STEP_LENGTH / 2 + i * (STEP_LENGTH + GAP), 0.0, height / 2),
            name=f"step_{i + 1}",
        )
        for i, height in enumerate(heights)
    ]


def _stand(world: World, robot: Robot, flippers: float) -> ArticulatedSystem:
    """Add the robot with its flippers raised and its servos on, and let it come to rest."""
    pose: dict[str, float] = dict.fromkeys(FLIPPERS, flippers)
    bot = world.add_articulated_system(robot, position=(0.0, 0.0, -extent_of(robot, pose).lower[2]))
    q, u = bot.generalized_coordinate, np.zeros(bot.dof)
    for joint, angle in pose.items():
        q[bot.coordinate_index(joint)] = angle
    kp, kd = np.zeros(bot.dof), np.zeros(bot.dof)
    for joint in SPROCKETS:
        kd[bot.velocity_index(joint)] = SPROCKET_GAIN
    for joint in FLIPPERS:
        kp[bot.velocity_index(joint)], kd[bot.velocity_index(joint)] = FLIPPER_GAINS
    bot.set_state(q, u)
    bot.set_pd_gains(kp, kd)
    bot.set_pd_target(q, u)
    world.step(math.ceil(SETTLING / TIMESTEP))
    return bot
