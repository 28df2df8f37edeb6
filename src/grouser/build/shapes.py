"""Collision and visual shapes of links as MuJoCo's geoms."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

import mujoco
import numpy as np

from grouser.build.frames import Frame, frame_of_matrix, frame_of_pose
from grouser.build.meshes import MeshAssets, MeshError
from grouser.build.names import Namer
from grouser.build.tree import Part
from grouser.description.robot import Box, Capsule, Geometry, Mesh, Sphere, Track
from grouser.errors import GrouserError
from grouser.tracks import TrackShape

__all__ = ["FRICTION", "ShapeWriter"]

_log = logging.getLogger(__name__)
GEOM = mujoco.mjtGeom

FRICTION = (0.8, 0.005, 0.0001)
"""Friction of every collision shape: sliding [-], spinning [m], rolling [m]."""

BOTH_GROUP = 1
"""Group of what collides and is drawn: belts, and shapes of links of which nothing else is drawn."""
VISUAL_GROUP = 2
"""Group of what is drawn only."""
COLLISION_GROUP = 3
"""Group of what collides and is not drawn; viewers show groups 0 to 2."""

BODY_RGBA = (0.78, 0.80, 0.83, 1.0)
"""Colour of visuals that name none: light grey."""
COLLISION_RGBA = (0.35, 0.60, 0.85, 0.5)
"""Colour of collision shapes, for whoever shows their group."""
BELT_RGBA = (0.13, 0.13, 0.14, 1.0)
"""Colour of belts that name none: rubber."""


@dataclass(eq=False)
class ShapeWriter:
    """Writes the shapes of one robot into a spec, and keeps what it has made.

    Attributes:
        robot: The robot's name, for messages.
        meshes: Its mesh assets.
        names: Gives out names of geoms.
        collisions: By geom, link and `LINK/index`.
        materials: By geom, contact material where it is not the default.
    """

    robot: str
    meshes: MeshAssets
    names: Namer
    collisions: dict[str, tuple[str, str]] = field(default_factory=dict)
    materials: dict[str, str] = field(default_factory=dict)
    _counts: dict[str, int] = field(default_factory=dict)
    _warned: set[str] = field(default_factory=set)

    def add_link(self, body: mujoco.MjsBody, part: Part, *, collides: bool) -> None:
        """Add the shapes of a link to the body that carries it.

        Args:
            body: The body.
            part: The link, and its frame in the body's.
            collides: Whether its own collision shapes are built; False where a belt stands in for them.

        Raises:
            GrouserError: if a collision mesh cannot be read.
        """
        drawn = self._add_visuals(body, part)
        if collides:
            self._add_collisions(body, part, COLLISION_GROUP if drawn else BOTH_GROUP)

    def add_belt(self, body: mujoco.MjsBody, frame: Frame, track: Track, shapes: Sequence[TrackShape]) -> list[str]:
        """Add the solids of a track to the body that carries its link, and return the geoms' names.

        Args:
            body: The body.
            frame: Of the track's link in the body's.
            track: The track.
            shapes: Its solids, in the frame of its link.
        """
        names: list[str] = []
        for shape in shapes:
            at = frame @ frame_of_matrix(shape.rotation, shape.position)
            geom = self._geom(body, at, shape.geometry, True)
            geom.group = BOTH_GROUP if track.visual else COLLISION_GROUP
            geom.rgba = track.rgba or BELT_RGBA
            names.append(self._collides(geom, track.link, track.material))
        return names

    def _add_visuals(self, body: mujoco.MjsBody, part: Part) -> bool:
        """Add what is only drawn, and say whether there is anything."""
        drawn = False
        for index, visual in enumerate(part.link.visuals):
            try:
                geom = self._geom(body, part.frame @ frame_of_pose(visual.origin), visual.geometry, False)
            except MeshError as error:
                where = f"robot '{self.robot}', link '{part.link.name}', visual {index}"
                self._not_drawn(where, str(error))
                continue
            geom.contype = geom.conaffinity = 0
            geom.group = VISUAL_GROUP
            geom.rgba = visual.rgba or BODY_RGBA
            drawn = True
        return drawn

    def _add_collisions(self, body: mujoco.MjsBody, part: Part, group: int) -> None:
        link = part.link
        for index, collision in enumerate(link.collisions):
            at = part.frame @ frame_of_pose(collision.origin)
            try:
                geom = self._geom(body, at, collision.geometry, True)
            except MeshError as error:
                raise GrouserError(
                    f"robot '{self.robot}', link '{link.name}', collision {index}: {error}; "
                    "repair the mesh, or give the link a box, cylinder, sphere or capsule to collide with"
                ) from error
            geom.group = group
            geom.rgba = BODY_RGBA if group == BOTH_GROUP else COLLISION_RGBA
            self._collides(geom, link.name, collision.material)

    def _not_drawn(self, where: str, why: str) -> None:
        """Warn that a visual is left out, once a file."""
        if why not in self._warned:
            self._warned.add(why)
            _log.warning("%s: %s; it is not drawn", where, why)

    def _collides(self, geom: mujoco.MjsGeom, link: str, material: str) -> str:
        """Make a geom a collision shape of a link, and return its name."""
        index = self._counts.get(link, 0)
        self._counts[link] = index + 1
        geom.name = self.names.give(f"{link}/{index}")
        geom.contype = geom.conaffinity = 1
        geom.friction = FRICTION
        self.collisions[geom.name] = (link, self.names.local(geom.name))
        if material:
            self.materials[geom.name] = material
        return geom.name

    def _geom(self, body: mujoco.MjsBody, at: Frame, geometry: Geometry, collides: bool) -> mujoco.MjsGeom:
        """Add a geom without mass: what a link weighs, its inertial says."""
        kind, size, asset = self._mujoco_shape(geometry, collides)
        geom = body.add_geom(type=kind, pos=at.position, quat=at.quaternion, mass=0.0)
        geom.size = np.array(size)
        if asset:
            geom.meshname = asset
        return geom

    def _mujoco_shape(
        self, geometry: Geometry, collides: bool
    ) -> tuple[mujoco.mjtGeom, tuple[float, float, float], str]:
        """Return MuJoCo's kind, half sizes [m] and mesh asset of a shape."""
        if isinstance(geometry, Box):
            x, y, z = geometry.size
            return GEOM.mjGEOM_BOX, (x / 2, y / 2, z / 2), ""
        if isinstance(geometry, Sphere):
            return GEOM.mjGEOM_SPHERE, (geometry.radius, 0.0, 0.0), ""
        if isinstance(geometry, Mesh):
            return GEOM.mjGEOM_MESH, (0.0, 0.0, 0.0), self.meshes.asset(geometry, collides=collides)
        kind = GEOM.mjGEOM_CAPSULE if isinstance(geometry, Capsule) else GEOM.mjGEOM_CYLINDER
        return kind, (geometry.radius, geometry.length / 2, 0.0), ""
