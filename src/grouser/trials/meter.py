"""Measures a robot while it drives: one row of telemetry a sample."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grouser.description.robot import JointType
from grouser.record import Column, Recorder, Telemetry
from grouser.sim.articulated import ArticulatedSystem
from grouser.sim.world import World

BASE_COLUMNS = (
    Column("time", "s"),
    Column("x", "m"),
    Column("y", "m"),
    Column("z", "m"),
    Column("roll", "rad"),
    Column("pitch", "rad"),
    Column("yaw", "rad"),
    Column("forward_speed", "m/s"),
    Column("turn_rate", "rad/s"),
)


class Meter:
    """Records where a robot is, how its belts run and what its joints do.

    Columns: time; the base's position in W; roll, pitch and yaw (about the fixed x, y, z, so that a positive pitch is
    nose down); speed along the base's own x, turning rate about W's z; `belt_speed/TRACK` and `traction/TRACK` of each
    track; `position/JOINT`, `velocity/JOINT`, `torque/JOINT` and `power/JOINT` of each joint given: servo and
    feedforward, limited by effort.

    Args:
        world: The world.
        bot: The robot.
        joints: Revolute, continuous or prismatic joints to record.
        capacity: How many samples are expected.
    """

    def __init__(self, world: World, bot: ArticulatedSystem, joints: Sequence[str], capacity: int) -> None:
        self._world, self._bot = world, bot
        self._q = [bot.coordinate_index(joint) for joint in joints]
        self._u = [bot.velocity_index(joint) for joint in joints]
        self._gains = _gains(bot)
        self._recorder = Recorder(
            (*BASE_COLUMNS, *_track_columns(bot), *(c for j in joints for c in _joint_columns(bot, j))), capacity
        )

    def sample(self) -> None:
        """Record the present state, and the forces of the last step."""
        bot = self._bot
        q, u = bot.generalized_coordinate, bot.generalized_velocity
        force = bot.generalized_force[self._u]
        velocity = u[self._u]
        joints = np.column_stack((q[self._q], velocity, force, force * velocity)).ravel()
        tractions = [track.traction for track in bot.tracks.values()]
        belts = np.column_stack((self._gains @ u, tractions)).ravel() if tractions else ()
        self._recorder.add((self._world.time, *_base(bot), *belts, *joints))

    def telemetry(self) -> Telemetry:
        """Return what has been recorded."""
        return self._recorder.table()


def roll_pitch_yaw(quaternion: Sequence[float] | np.ndarray) -> tuple[float, float, float]:
    """Return the angles of a quaternion w, x, y, z about the fixed x, y, z [rad], as URDF has them."""
    w, x, y, z = (float(value) for value in quaternion)
    roll = np.arctan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
    pitch = np.arcsin(np.clip(2 * (w * y - z * x), -1.0, 1.0))
    yaw = np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    return float(roll), float(pitch), float(yaw)


def _base(bot: ArticulatedSystem) -> tuple[float, ...]:
    quaternion, velocity = bot.base_quaternion, bot.base_velocity
    w, x, y, z = quaternion
    forward = np.array((1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)))
    return (*bot.base_position, *roll_pitch_yaw(quaternion), float(forward @ velocity[:3]), velocity[5])


def _gains(bot: ArticulatedSystem) -> np.ndarray:
    """Return the matrix that takes velocities to belt speeds, shape (tracks, dof)."""
    gains = np.zeros((len(bot.tracks), bot.dof))
    for row, track in enumerate(bot.tracks.values()):
        for drive in track.drives:
            if drive.velocity_index is not None:
                gains[row, drive.velocity_index] += drive.gain
    return gains


def _track_columns(bot: ArticulatedSystem) -> list[Column]:
    return [
        column
        for name in bot.tracks
        for column in (Column(f"belt_speed/{name}", "m/s"), Column(f"traction/{name}", "N"))
    ]


def _joint_columns(bot: ArticulatedSystem, joint: str) -> tuple[Column, ...]:
    sliding = bot.robot.joints[joint].type == JointType.PRISMATIC
    position, velocity, force = ("m", "m/s", "N") if sliding else ("rad", "rad/s", "N m")
    return (
        Column(f"position/{joint}", position),
        Column(f"velocity/{joint}", velocity),
        Column(f"torque/{joint}", force),
        Column(f"power/{joint}", "W"),
    )
