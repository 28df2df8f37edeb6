"""A robot into a spec: bodies, joints, shapes, belts, and the names they get."""

from __future__ import annotations

from collections.abc import Sequence

import mujoco
import numpy as np

from grouser.build.belts import BeltWriter, CarriedTrack
from grouser.build.built import BuildOptions, BuiltRobot, BuiltTrack
from grouser.build.filters import exclude_contacts
from grouser.build.frames import Frame
from grouser.build.inertia import combine, placeholder, principal_inertia
from grouser.build.joints import JointWriter
from grouser.build.meshes import MeshAssets
from grouser.build.names import Namer
from grouser.build.shapes import ShapeWriter
from grouser.build.start import initial_positions
from grouser.build.tree import WORLD, Part, Tree, make_tree
from grouser.description.named import Named
from grouser.description.robot import Robot
from grouser.errors import ParameterError
from grouser.tracks import realise, require_model

__all__ = ["add_robot"]

FRAME_GROUP = 4
"""Group of the sites of merged links; viewers show groups 0 to 2."""
FRAME_SIZE = 0.01
"""Size at which such a site is drawn [m]."""


def add_robot(
    spec: mujoco.MjSpec,
    robot: Robot,
    *,
    prefix: str = "",
    position: Sequence[float] | None = None,
    quaternion: Sequence[float] | None = None,
    track_model: str = "belt",
    options: BuildOptions | None = None,
) -> BuiltRobot:
    """Add a robot to a spec.

    If that fails, the spec is left with a part of the robot: go on with a copy made before.
    Links joined by fixed or locked joints become one body, that of the link nearest the base; the others keep
    their frames as sites. Every link keeps its mass and its collision shapes their names.

    Args:
        spec: The spec; `configure` gives it the settings that belts need.
        robot: The robot.
        prefix: Of all names.
        position: Of the base in W [m], shape (3,); None for where the robot file has it.
        quaternion: Of the base in W, (w, x, y, z); None for how the robot file has it.
        track_model: How its tracks are realised, one of `grouser.tracks.TRACK_MODELS`.
        options: How it is built.

    Returns:
        What has been built, by MuJoCo's names.

    Raises:
        GrouserError: if a collision mesh cannot be read.
        ParameterError: if the spec has one of the names already, or a pose is not finite.
        PluginError: if the robot has tracks and the engine plugin does not load.
        UnsupportedError: if this version does not know `track_model`.
    """
    require_model(track_model)
    builder = _Builder(spec, robot, prefix)
    builder.add_bodies(_placement(position, 3), _placement(quaternion, 4))
    builder.add_tracks(track_model)
    return builder.finish(options or BuildOptions())


def _placement(values: Sequence[float] | None, count: int) -> np.ndarray | None:
    if values is None:
        return None
    array = np.asarray(values, dtype=float)
    if array.shape != (count,) or not np.isfinite(array).all() or (count == 4 and not array.any()):
        what = "position" if count == 3 else "quaternion"
        raise ParameterError(f"{what} is {values!r}; it must be {count} finite numbers, a quaternion not all zero")
    return array


class _Builder:
    """One robot on its way into a spec."""

    def __init__(self, spec: mujoco.MjSpec, robot: Robot, prefix: str) -> None:
        self.spec, self.robot, self.prefix = spec, robot, prefix
        self.tree: Tree = make_tree(robot)
        self.body_names = Namer("body", prefix, (b.name for b in spec.bodies), reserved=(WORLD,))
        self.site_names = Namer("site", prefix, (s.name for s in spec.sites))
        self.instance_names = Namer("plugin", prefix, (p.name for p in spec.plugins), reserved=(f"{prefix}contact",))
        self.sensor_names = Namer("sensor", prefix, (s.name for s in spec.sensors))
        self.joint_writer = JointWriter(
            spec,
            Namer("joint", prefix, (j.name for j in spec.joints)),
            Namer("actuator", prefix, (a.name for a in spec.actuators)),
            Namer("equality", prefix, (e.name for e in spec.equalities)),
        )
        meshes = MeshAssets(spec, Namer("mesh", prefix, (m.name for m in spec.meshes)))
        self.shapes = ShapeWriter(robot.name, meshes, Namer("geom", prefix, (g.name for g in spec.geoms)))
        self.made: list[mujoco.MjsBody] = []
        self.root_joint = ""
        self.where: dict[str, tuple[int, Frame]] = {}
        self.frames: dict[str, str] = {}
        self.tracks: dict[str, BuiltTrack] = {}

    def add_bodies(self, position: np.ndarray | None, quaternion: np.ndarray | None) -> None:
        replaced = {link for track in self.robot.tracks.values() for link in track.replaces}
        for index, body in enumerate(self.tree.bodies):
            parent = self.spec.worldbody if body.parent < 0 else self.made[body.parent]
            made = parent.add_body(name=self.body_names.give(body.name))
            made.pos, made.quat = body.frame.position, body.frame.quaternion
            self.made.append(made)
            if index == self.tree.base:
                self._place_base(made, position, quaternion)
            if body.joint is not None and not body.free:
                self.joint_writer.add(made, body.joint)
            self._weigh(made, index)
            for part in body.parts:
                self.where[part.link.name] = (index, part.frame)
                self._name_frame(made, part, body.name)
                self.shapes.add_link(made, part, collides=part.link.name not in replaced)
        for name in list(self.joint_writer.joints):
            if name in self.robot.joints:
                self.joint_writer.add_mimic(self.robot.joints[name])

    def _place_base(self, made: mujoco.MjsBody, position: np.ndarray | None, quaternion: np.ndarray | None) -> None:
        if position is not None:
            made.pos = position
        if quaternion is not None:
            made.quat = quaternion / np.linalg.norm(quaternion)
        base = self.tree.bodies[self.tree.base]
        if base.free:
            self.root_joint = self.joint_writer.add_base(made, base.joint)

    def _weigh(self, made: mujoco.MjsBody, index: int) -> None:
        """Give a body its mass; one that moves and has none gets a placeholder, as MuJoCo wants."""
        body = self.tree.bodies[index]
        found = combine(body.parts)
        moves = body.free or body.joint is not None
        if found is None and not moves:
            return
        spare = placeholder(self.robot.total_mass)
        if found is None:
            found = spare
        where = f"robot '{self.robot.name}', link '{body.name}'"
        principal = principal_inertia(found.inertia, where)
        made.mass = max(found.mass, spare.mass) if moves else found.mass
        made.ipos, made.iquat, made.inertia = found.center, principal.quaternion, principal.moments
        made.explicitinertial = True

    def _name_frame(self, made: mujoco.MjsBody, part: Part, first: str) -> None:
        link = part.link.name
        if link == first:
            self.frames[link] = made.name
            return
        site = made.add_site(name=self.site_names.give(link))
        site.pos, site.quat = part.frame.position, part.frame.quaternion
        site.group, site.size = FRAME_GROUP, np.full(3, FRAME_SIZE)
        self.frames[link] = site.name

    def add_tracks(self, model: str) -> None:
        writer = BeltWriter(
            self.spec,
            self.instance_names,
            self.sensor_names,
            self.shapes.names,
            self.joint_writer.joint_names,
            self.joint_writer.joints,
        )
        for name, track in self.robot.tracks.items():
            index, frame = self.where[track.link]
            made = self.made[index]
            geoms = self.shapes.add_belt(made, frame, track, realise(track, model))
            self.tracks[name] = writer.add(CarriedTrack(track, made.name, frame, geoms))

    def finish(self, options: BuildOptions) -> BuiltRobot:
        bodies = {link: self.made[index].name for link, (index, _) in self.where.items()}
        colliding = {bodies[link] for link, _ in self.shapes.collisions.values()}
        exclude_contacts(self.spec, self.tree, [made.name for made in self.made], colliding, options)
        joints = self.joint_writer.joints
        return BuiltRobot(
            prefix=self.prefix,
            root_body=self.made[self.tree.base].name,
            root_joint=self.root_joint,
            floating=self.tree.bodies[self.tree.base].free,
            bodies=Named("link", bodies.items()),
            frames=Named("link", self.frames.items()),
            joints=Named("movable joint", joints.items()),
            actuators=Named("servo-driven joint", self.joint_writer.actuators.items()),
            collisions=self.shapes.collisions,
            materials=self.shapes.materials,
            tracks=Named("track", self.tracks.items()),
            total_mass=self.robot.total_mass,
            initial_positions=initial_positions(self.robot, joints),
            spring_rests=self.joint_writer.spring_rests,
        )
