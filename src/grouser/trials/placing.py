"""Where a robot's collision shapes end, so that it can be stood on the ground."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from grouser.build import BuiltRobot, compile_robot
from grouser.description.robot import Robot
from grouser.errors import UnknownNameError

Array = NDArray[np.float64]
GEOM = mujoco.mjtGeom


@dataclass(frozen=True, slots=True)
class Extent:
    """The box round a robot's collision shapes.

    Attributes:
        lower: Least x, y, z in the base frame [m], shape (3,).
        upper: Greatest x, y, z in the base frame [m], shape (3,).
    """

    lower: Array
    upper: Array


def extent_of(robot: Robot, positions: Mapping[str, float] | None = None) -> Extent:
    """Return how far a robot reaches; zeros if nothing of it collides.

    Args:
        robot: The robot.
        positions: Where joints stand that are not at their initial positions [rad or m].

    Raises:
        UnknownNameError: if no movable joint has such a name.
    """
    model, built = compile_robot(robot)
    data = mujoco.MjData(model)
    pose = {**built.initial_positions, **(positions or {})}
    for joint, position in pose.items():
        data.qpos[_address(model, built, joint)] = position
    mujoco.mj_kinematics(model, data)
    base = model.body(built.root_body).id
    turned, origin = data.xmat[base].reshape(3, 3), data.xpos[base]
    solid = [g for g in range(model.ngeom) if model.geom_contype[g] or model.geom_conaffinity[g]]
    if not solid:
        return Extent(np.zeros(3), np.zeros(3))
    bounds = np.array([_bounds(model, data, g, turned, origin) for g in solid])
    return Extent(bounds[:, 0].min(axis=0), bounds[:, 1].max(axis=0))


def _address(model: mujoco.MjModel, built: BuiltRobot, joint: str) -> int:
    if joint not in built.joints:
        raise UnknownNameError("movable joint", joint, built.joints)
    return int(model.joint(built.joints[joint]).qposadr[0])


def _bounds(model: mujoco.MjModel, data: mujoco.MjData, geom: int, turned: Array, origin: Array) -> Array:
    """Return least and greatest x, y, z of a geom in the base's frame [m], shape (2, 3)."""
    axes = turned.T @ data.geom_xmat[geom].reshape(3, 3)
    center = turned.T @ (data.geom_xpos[geom] - origin)
    if model.geom_type[geom] == GEOM.mjGEOM_MESH:
        mesh = model.geom_dataid[geom]
        first, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
        points = center + model.mesh_vert[first : first + count] @ axes.T
        return np.array((points.min(axis=0), points.max(axis=0)))
    reach = _half_sizes(model.geom_type[geom], model.geom_size[geom], axes)
    return np.array((center - reach, center + reach))


def _half_sizes(kind: int, size: Array, axes: Array) -> Array:
    """Return how far a shape reaches from its centre along the base's axes [m], shape (3,)."""
    if kind == GEOM.mjGEOM_SPHERE:
        return np.full(3, size[0])
    if kind == GEOM.mjGEOM_CAPSULE:
        return size[0] + np.abs(axes[:, 2]) * size[1]
    if kind == GEOM.mjGEOM_CYLINDER:
        across = np.sqrt(np.clip(1.0 - axes[:, 2] ** 2, 0.0, None))
        return size[0] * across + np.abs(axes[:, 2]) * size[1]
    return np.abs(axes) @ size
