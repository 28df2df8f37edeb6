"""A track of a robot in a world, as the simulation sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from grouser.build import BuiltRobot
from grouser.description.named import Named
from grouser.description.robot import Robot
from grouser.description.robot import Track as TrackDescription
from grouser.errors import UnsupportedError
from grouser.sim.checks import Array

if TYPE_CHECKING:
    from grouser.sim.articulated import ArticulatedSystem
    from grouser.sim.scene import Scene

TRACTION = 1
"""Which number of a belt's sensor is its traction; the first is its speed at the start of the step."""


@dataclass(frozen=True, slots=True)
class TrackDrive:
    """A joint that moves a belt.

    Attributes:
        joint: Its name.
        gain: Belt speed per joint velocity [m/rad or -].
        velocity_index: Where its velocity lies in `generalized_velocity`; None if its limits lock the joint.
    """

    joint: str
    gain: float
    velocity_index: int | None


class Track:
    """A track of a robot in a world.

    Attributes:
        name: Its name.
        link: The link that carries it.
        width: [m].
        thickness: [m].
        collision_bodies: Its collision shapes, named as contacts name them: `LINK/index`.
        description: All that the robot file says about it.
    """

    def __init__(
        self,
        system: ArticulatedSystem,
        scene: Scene,
        description: TrackDescription,
        sensor: str,
        shapes: list[str],
    ) -> None:
        self.name = description.name
        self.link = description.link
        self.width = description.width
        self.thickness = description.thickness
        self.collision_bodies = tuple(shapes)
        self.description = description
        self._system = system
        self._scene = scene
        self._sensor = sensor

    def __repr__(self) -> str:
        return f"<Track {self.name!r} on {self.link!r}>"

    @property
    def axis(self) -> Array:
        """Unit vector its wheels turn about, in the frame of its link, shape (3,)."""
        return np.array(self.description.axis)

    @property
    def drives(self) -> tuple[TrackDrive, ...]:
        """The joints that move its belt."""
        moving = self._system.joint_names
        return tuple(
            TrackDrive(d.joint, d.gain, self._system.velocity_index(d.joint) if d.joint in moving else None)
            for d in self.description.drives
        )

    @property
    def speed(self) -> float:
        """Belt speed s = gᵀu now, at the end of the last step [m/s]."""
        u = self._system.generalized_velocity
        moving = ((d.gain, d.velocity_index) for d in self.drives if d.velocity_index is not None)
        return float(sum(gain * u[index] for gain, index in moving))

    @property
    def traction(self) -> float:
        """Force along the belt in the last step [N], positive where it works against a positive belt speed.

        It pushes a robot on, and carries what lies on a conveyor; drives feel the torque -gain * traction.

        Raises:
            UnsupportedError: if nothing measures it, because limits lock all joints that could move the belt.
        """
        if not self._sensor:
            raise UnsupportedError(f"track '{self.name}': limits lock its drives, so nothing measures its traction")
        self._scene.fresh()
        address = int(self._scene.model.sensor(self._sensor).adr[0])
        return float(self._scene.data.sensordata[address + TRACTION])


def make_tracks(system: ArticulatedSystem, scene: Scene, robot: Robot, built: BuiltRobot) -> Named[Track]:
    """Return the handles of all tracks of a robot."""

    def handle(description: TrackDescription) -> Track:
        made = built.tracks[description.name]
        shapes = [built.collisions[geom][1] for geom in made.geoms]
        return Track(system, scene, description, made.sensor, shapes)

    return Named("track", ((name, handle(track)) for name, track in robot.tracks.items()))
