"""Single bodies: what one shape is, how it enters the model, and the handles that `World.add_...` return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from grouser.errors import ParameterError
from grouser.sim import checks
from grouser.sim.checks import Array
from grouser.sim.materials import GEOM_FRICTION
from grouser.sim.rotation import compose, from_local, to_local

if TYPE_CHECKING:
    from grouser.sim.scene import Scene

GEOM = mujoco.mjtGeom

STATIC_RGBA = (0.62, 0.62, 0.60, 1.0)
DYNAMIC_RGBA = (0.80, 0.56, 0.30, 1.0)


@dataclass(frozen=True)
class Shape:
    """One surface of an object, in MuJoCo's terms.

    Attributes:
        type: Kind of geom.
        size: MuJoCo's half sizes [m].
        position: Of the shape in the object's frame [m], shape (3,).
        quaternion: Of the shape in the object's frame, w, x, y, z.
        asset: Name of the mesh or height field, "" for none.
    """

    type: mujoco.mjtGeom
    size: Sequence[float] = (0.0, 0.0, 0.0)
    position: Sequence[float] = (0.0, 0.0, 0.0)
    quaternion: Sequence[float] = (1.0, 0.0, 0.0, 0.0)
    asset: str = ""


@dataclass(frozen=True)
class Placement:
    """Where an object starts: position in W [m], shape (3,), and quaternion w, x, y, z."""

    position: Array
    quaternion: Array


def placement(position: ArrayLike, quaternion: ArrayLike) -> Placement:
    """Return the checked placement.

    Raises:
        ParameterError: if either is not finite or of the wrong shape, or the quaternion is zero.
    """
    return Placement(checks.vector3("position", position), checks.quaternion("quaternion", quaternion))


def add_geom(body: mujoco.MjsBody, name: str, shape: Shape, at: Placement) -> mujoco.MjsGeom:
    """Add `shape` of an object at `at` (in the frame of `body`) and return the geom."""
    position, quaternion = compose(at.position, at.quaternion, shape.position, shape.quaternion)
    geom = body.add_geom(name=name, type=shape.type, size=list(shape.size), pos=position, quat=quaternion)
    geom.friction = list(GEOM_FRICTION)
    if shape.type == GEOM.mjGEOM_MESH:
        geom.meshname = shape.asset
    elif shape.type == GEOM.mjGEOM_HFIELD:
        geom.hfieldname = shape.asset
    return geom


class StaticBody:
    """An object that never moves by itself: ground, terrain, obstacles.

    Its shapes belong to MuJoCo's world body. Moving it recompiles the world before the next step.

    Attributes:
        name: Its name in the world.
        mass: None: it has no mass that matters.
    """

    def __init__(self, scene: Scene, name: str, shapes: Sequence[Shape], at: Placement) -> None:
        self.name = name
        self.mass: float | None = None
        self._scene = scene
        self._shapes = tuple(shapes)
        self._at = at

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"

    @property
    def position(self) -> Array:
        """Position of its frame in W [m], shape (3,)."""
        return self._at.position.copy()

    @property
    def quaternion(self) -> Array:
        """Orientation of its frame in W, w, x, y, z."""
        return self._at.quaternion.copy()

    @property
    def velocity(self) -> Array:
        """Zeros, shape (6,)."""
        return np.zeros(6)

    def set_pose(self, position: ArrayLike, quaternion: ArrayLike = (1.0, 0.0, 0.0, 0.0)) -> None:
        """Place it; the world is recompiled before the next step and keeps its state.

        Args:
            position: Of its frame in W [m], shape (3,).
            quaternion: Of its frame in W, w, x, y, z; normalised.

        Raises:
            ParameterError: if either is not finite or of the wrong shape, or the quaternion is zero.
        """
        self._at = placement(position, quaternion)
        for i, shape in enumerate(self._shapes):
            geom = self._scene.spec.geom(geom_name(self.name, i))
            geom.pos, geom.quat = compose(self._at.position, self._at.quaternion, shape.position, shape.quaternion)
        self._scene.changed()

    def set_velocity(self, velocity: ArrayLike) -> None:
        """Raise: a static object has no velocity.

        Raises:
            ParameterError: always.
        """
        raise ParameterError(
            f"object '{self.name}' is static and cannot have the velocity {velocity!r}; add it with a mass"
        )

    def bind(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Nothing of it moves, so it keeps no address in the compiled model."""


class SingleBody:
    """An object with mass that moves freely.

    Poses and velocities are those of the end of the last step. Its frame is the shape's own: the centre of a
    box, sphere, cylinder or capsule; the origin of the file for a mesh.

    Attributes:
        name: Its name in the world.
        mass: Its mass [kg].
    """

    def __init__(self, scene: Scene, name: str, mass: float) -> None:
        self.name = name
        self.mass = mass
        self._scene = scene
        self._qpos = self._qvel = np.empty(0)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}, {self.mass:g} kg>"

    def bind(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Find its state in newly compiled data."""
        joint = model.joint(joint_name(self.name)).id
        q, v = model.jnt_qposadr[joint], model.jnt_dofadr[joint]
        self._qpos, self._qvel = data.qpos[q : q + 7], data.qvel[v : v + 6]

    @property
    def position(self) -> Array:
        """Position of its frame in W [m], shape (3,)."""
        self._scene.ready()
        return self._qpos[:3].copy()

    @property
    def quaternion(self) -> Array:
        """Orientation of its frame in W, w, x, y, z."""
        self._scene.ready()
        return self._qpos[3:].copy()

    @property
    def velocity(self) -> Array:
        """Linear velocity of its frame's origin [m/s] and angular velocity [rad/s], both in W, shape (6,)."""
        self._scene.ready()
        return from_local(self._qpos, self._qvel)

    def set_pose(self, position: ArrayLike, quaternion: ArrayLike = (1.0, 0.0, 0.0, 0.0)) -> None:
        """Place it; its velocity in W stays.

        Args:
            position: Of its frame in W [m], shape (3,).
            quaternion: Of its frame in W, w, x, y, z; normalised.

        Raises:
            ParameterError: if either is not finite or of the wrong shape, or the quaternion is zero.
        """
        at = placement(position, quaternion)
        velocity = self.velocity
        self._qpos[:3], self._qpos[3:] = at.position, at.quaternion
        self._qvel[:] = to_local(self._qpos, velocity)
        self._scene.touch()

    def set_velocity(self, velocity: ArrayLike) -> None:
        """Set its velocity.

        Args:
            velocity: Linear velocity of its frame's origin [m/s] and angular velocity [rad/s], both in W,
                shape (6,).

        Raises:
            ParameterError: if it is not six finite numbers.
        """
        wanted = checks.array("velocity", velocity, (6,))
        self._scene.ready()
        self._qvel[:] = to_local(self._qpos, wanted)
        self._scene.touch()


def geom_name(owner: str, index: int) -> str:
    """Return the name in the model of an object's shape."""
    return f"{owner}/{index}"


def joint_name(owner: str) -> str:
    """Return the name in the model of an object's free joint."""
    return f"{owner}/root"
