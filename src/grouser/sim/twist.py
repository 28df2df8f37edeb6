"""A twist as speeds of the one left and the one right track of a robot."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from grouser.build import BuiltRobot
from grouser.description.robot import Robot
from grouser.description.robot import Track as TrackDescription
from grouser.errors import UnsupportedError
from grouser.sim.addresses import frame_in_world

SIDEWAYS = 0.9
"""A track whose axis lies this close to the base's y drives it forwards (cosine) [-]."""

RISE_TIME = 1e-5
"""In which a servo without gain of its own brings the robot to speed, its effort permitting [s].

Belts that slide with friction μ slow such a servo by μ g RISE_TIME, 0.1 mm/s. Servos are implicit: no
timestep is too long for it.
"""


@dataclass(frozen=True, slots=True)
class Side:
    """One track of the pair.

    Attributes:
        track: Its name.
        joint: Its drive.
        gain: Forward speed of the robot per joint velocity [m/rad or -].
        y: Where its mid-plane lies on the base's y axis [m].
    """

    track: str
    joint: str
    gain: float
    y: float


@dataclass(frozen=True, slots=True)
class TrackPair:
    """The left and the right track that drive a robot."""

    left: Side
    right: Side

    @property
    def separation(self) -> float:
        """Distance of the two mid-planes [m]."""
        return self.left.y - self.right.y


def joint_velocities(pair: TrackPair, v: float, omega: float) -> dict[str, float]:
    """Return the velocity of each drive for a twist, belts that grip assumed [rad/s or m/s].

    Args:
        pair: The tracks.
        v: Forward speed [m/s].
        omega: Turning rate [rad/s], counter-clockwise from above.
    """
    across = omega * pair.separation / 2
    return {
        pair.left.joint: (v - across) / pair.left.gain,
        pair.right.joint: (v + across) / pair.right.gain,
    }


def default_gain(mass: float, pair: TrackPair, joint: str) -> float:
    """Return the velocity gain [N m s/rad or N s/m] that moves half the robot within RISE_TIME."""
    gain = pair.left.gain if joint == pair.left.joint else pair.right.gain
    return max(mass, 1.0) / 2 * gain**2 / RISE_TIME


def find_pair(robot: Robot, model: mujoco.MjModel, data: mujoco.MjData, built: BuiltRobot) -> TrackPair:
    """Return the one pair of tracks that drives a robot.

    A track counts if it has one drive and its axis lies along the base's y; flipper belts have two drives.

    Raises:
        UnsupportedError: if there are not exactly one on the left and one on the right with drives of their
            own.
    """
    sides = [side for track in robot.tracks.values() if (side := _side(track, model, data, built))]
    sides.sort(key=lambda side: -side.y)
    if len(sides) == 2 and sides[0].y > sides[1].y and sides[0].joint != sides[1].joint:
        return TrackPair(*sides)
    found = ", ".join(f"'{side.track}' (joint '{side.joint}', y = {side.y:.3g} m)" for side in sides) or "none"
    raise UnsupportedError(
        f"robot '{robot.name}' has no single pair of tracks to drive with a twist: it needs exactly two "
        "tracks with one drive each, side by side along the base's y, and each with a joint of its own. "
        f"Tracks with one drive and a sideways axis: {found}; all tracks: "
        f"{', '.join(robot.tracks) or 'none'}. Use set_pd_gains and set_pd_target on the drives instead"
    )


def _side(track: TrackDescription, model: mujoco.MjModel, data: mujoco.MjData, built: BuiltRobot) -> Side | None:
    if len(track.drives) != 1:
        return None
    base = model.body(built.root_body).id
    rotation = data.xmat[base].reshape(3, 3)
    origin, turned = frame_in_world(model, data, built.frames[track.link])
    axis = rotation.T @ turned @ np.array(track.axis)
    if abs(axis[1]) < SIDEWAYS:
        return None
    center = rotation.T @ (origin + turned @ np.array(track.wheels[0].center) - data.xpos[base])
    drive = track.drives[0]
    return Side(track.name, drive.joint, float(np.copysign(1.0, axis[1])) * drive.gain, float(center[1]))
