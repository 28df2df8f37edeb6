"""Drives all tracks of a robot with one twist, and holds its other joints where they are."""

from __future__ import annotations

from collections.abc import Mapping

import mujoco
import numpy as np

from grouser.description.robot import Joint, JointType
from grouser.errors import ParameterError, UnsupportedError
from grouser.sim.articulated import ArticulatedSystem

SIDEWAYS = 0.9
"""A track whose axis lies this close to the base's y takes part in turning (cosine) [-]."""

RISE_TIME = 1e-4
"""In which a drive would bring the robot to speed if nothing limited it [s]. It is far below a timestep: servos are
implicit, so that only effort and friction limit the robot."""

HOLD_ERROR = 0.01
"""How far a held joint without effort limit gives way under the robot's weight at an arm of 1 m [rad]."""

HOLD_TIME = 0.02
"""How long a held joint takes to come to rest [s]."""

STANDARD_GRAVITY = 9.81


class TrackDriver:
    """Turns a twist into velocity targets of the joints that drive a robot's tracks.

    A track whose axis lies along the base's y, its mid-plane at y, is to run at v - omega y; any other track at v. A
    belt with several drives, as on a flipper, follows from the joints that drive other belts.

    Attributes:
        drives: Joints that drive a track, with the tracks whose speed they are to give.
        held: Joints that are held, and where [rad or m].
    """

    def __init__(self, bot: ArticulatedSystem, positions: Mapping[str, float] | None = None) -> None:
        """Set gains and hold joints; call it when the robot stands as it is to be held.

        Args:
            bot: The robot.
            positions: Where joints are to be held that are not to stay where they are [rad or m].

        Raises:
            UnsupportedError: if the robot has no tracks, or none that a servo can drive.
            UnknownNameError: if no movable joint has a name in `positions`.
            ParameterError: if a joint in `positions` drives a track.
        """
        self._bot = bot
        self.drives = _drives(bot)
        q = bot.generalized_coordinate
        wanted = {name: q[bot.coordinate_index(name)] for name in _to_hold(bot, self.drives)}
        self.held = wanted | dict(positions or {})
        _refuse_driven(self.drives, positions or {})
        self._set_gains()
        self._q = q
        for joint, position in self.held.items():
            self._q[bot.coordinate_index(joint)] = position

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints with a servo: drives first, then those held."""
        return (*self.drives, *self.held)

    def place_held(self) -> None:
        """Put the held joints where they are to be held, at rest."""
        q = self._bot.generalized_coordinate
        for joint, position in self.held.items():
            q[self._bot.coordinate_index(joint)] = position
        self._bot.set_state(q, self._bot.generalized_velocity)

    def command(self, v: float, omega: float) -> None:
        """Drive with a twist from now on.

        Args:
            v: Forward speed [m/s].
            omega: Turning rate [rad/s], counter-clockwise from above, as if the belts did not skid.
        """
        bot = self._bot
        u = np.zeros(bot.dof)
        for joint, track in self.drives.items():
            sign, y = _lateral(bot, track)
            gain = next(d.gain for d in bot.tracks[track].drives if d.joint == joint)
            u[bot.velocity_index(joint)] = sign * (v - omega * y) / gain
        bot.set_pd_target(self._q, u)

    def _set_gains(self) -> None:
        bot, mass = self._bot, max(self._bot.robot.total_mass, 1.0)
        kp, kd = np.zeros(bot.dof), np.zeros(bot.dof)
        for joint, track in self.drives.items():
            gain = next(d.gain for d in bot.tracks[track].drives if d.joint == joint)
            kd[bot.velocity_index(joint)] = mass * gain**2 / RISE_TIME
        stiffness = mass * STANDARD_GRAVITY / HOLD_ERROR
        for joint in self.held:
            kp[bot.velocity_index(joint)] = stiffness
            kd[bot.velocity_index(joint)] = stiffness * HOLD_TIME
        bot.set_pd_gains(kp, kd)


def _drives(bot: ArticulatedSystem) -> dict[str, str]:
    """Return the joints that are to drive, each with a track whose speed it gives.

    Tracks with fewer drives choose first: a sprocket that a flipper's belt shares belongs to the main belt.
    """
    chosen: dict[str, str] = {}
    for track in sorted(bot.tracks.values(), key=lambda track: len(track.drives)):
        moving = [d.joint for d in track.drives if d.velocity_index is not None]
        if moving and not any(joint in chosen for joint in moving):
            chosen[moving[0]] = track.name
    if not chosen:
        raise UnsupportedError(
            f"robot '{bot.robot.name}' has no track that a joint can drive; tracks: {', '.join(bot.tracks) or 'none'}. "
            "Give it tracks with a module file"
        )
    return chosen


def _to_hold(bot: ArticulatedSystem, drives: Mapping[str, str]) -> list[str]:
    """Return the joints that hold the robot in shape: revolute and prismatic ones, and those that move a flipper.

    Continuous joints are wheels and casters, and turn freely.
    """
    shared = {d.joint for track in bot.tracks.values() for d in track.drives}
    return [name for name in bot.joint_names if name not in drives and _can_hold(bot.robot.joints.get(name), shared)]


def _can_hold(joint: Joint | None, shared: set[str]) -> bool:
    if joint is None or joint.mimic or joint.limits.effort == 0.0:
        return False
    return joint.type in (JointType.REVOLUTE, JointType.PRISMATIC) or joint.name in shared


def _refuse_driven(drives: Mapping[str, str], positions: Mapping[str, float]) -> None:
    for joint in positions:
        if joint in drives:
            raise ParameterError(f"joint '{joint}' drives track '{drives[joint]}'; it cannot be held as well")


def _lateral(bot: ArticulatedSystem, track: str) -> tuple[float, float]:
    """Return whether positive belt speed drives forwards (1 or -1), and y of the mid-plane [m]; 1, 0 off the side."""
    description = bot.tracks[track].description
    origin, turned = _in_base(bot, description.link)
    axis = turned @ np.array(description.axis)
    if abs(axis[1]) < SIDEWAYS:
        return 1.0, 0.0
    center = origin + turned @ np.array(description.wheels[0].center)
    return float(np.sign(axis[1])), float(center[1])


def _in_base(bot: ArticulatedSystem, link: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the pose of a link in the base's frame: position [m] and rotation."""
    position, quaternion = bot.link_pose(link)
    base = _matrix(bot.base_quaternion)
    return base.T @ (position - bot.base_position), base.T @ _matrix(quaternion)


def _matrix(quaternion: np.ndarray) -> np.ndarray:
    rotation = np.empty(9)
    mujoco.mju_quat2Mat(rotation, quaternion)
    return rotation.reshape(3, 3)
