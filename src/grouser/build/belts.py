"""The belts of a robot: their solids on the bodies, and the plugin instances that make them move."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import mujoco

from grouser.build.built import BuiltTrack
from grouser.build.engine import BELT_PLUGIN, activate
from grouser.build.frames import Frame
from grouser.build.names import Namer, encoded
from grouser.description.robot import Track

__all__ = ["BeltWriter", "CarriedTrack"]


@dataclass(frozen=True, eq=False)
class CarriedTrack:
    """A track, the body that carries it, its link's frame in that body's, and its geoms."""

    track: Track
    body: str
    frame: Frame
    geoms: Sequence[str]


@dataclass(frozen=True, eq=False)
class BeltWriter:
    """Writes the belts of one robot into a spec.

    Attributes:
        spec: Where to.
        instance_names: Gives out names of plugin instances.
        sensor_names: Gives out names of sensors.
        geom_names: Has given out the names of geoms.
        joint_names: Has given out the names of joints.
        joints: By joint that moves, MuJoCo's name.
    """

    spec: mujoco.MjSpec
    instance_names: Namer
    sensor_names: Namer
    geom_names: Namer
    joint_names: Namer
    joints: Mapping[str, str]

    def add(self, carried: CarriedTrack) -> BuiltTrack:
        """Make the solids of a track a belt that its drives move.

        Raises:
            PluginError: if the engine plugin is not there or does not load.
        """
        track = carried.track
        drives = [(self.joints[drive.joint], drive.gain) for drive in track.drives if drive.joint in self.joints]
        if not drives:
            return BuiltTrack(tuple(carried.geoms), "", carried.body)
        activate(self.spec, BELT_PLUGIN)
        name = self.instance_names.give(track.name)
        instance = self.spec.add_plugin(name=name, plugin_name=BELT_PLUGIN, active=True)
        outline = track.outline
        instance.config = {
            "name": encoded(self.instance_names.local(name)),
            "geoms": " ".join(encoded(self.geom_names.local(geom)) for geom in carried.geoms),
            "axis": _numbers(carried.frame.rotation @ outline.axis),
            "center": _numbers(carried.frame.point(outline.origin)),
            "width": _numbers((track.width,)),
            "drives": " ".join(f"{encoded(self.joint_names.local(joint))} {gain!r}" for joint, gain in drives),
        }
        sensor = self.spec.add_sensor(
            name=self.sensor_names.give(f"track/{track.name}"), type=mujoco.mjtSensor.mjSENS_PLUGIN
        )
        sensor.plugin = instance
        return BuiltTrack(tuple(carried.geoms), sensor.name, carried.body)


def _numbers(values: Iterable[float]) -> str:
    """Return numbers so that reading them gives the same ones."""
    return " ".join(repr(float(value)) for value in values)
