"""Quaternions (w, x, y, z), and the two frames in which a free body's angular velocity is written.

MuJoCo keeps the angular velocity of a free joint in the body's own frame; Grouser gives it in W.
"""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from grouser.sim.checks import Array


def compose(position: Array, quaternion: Array, inner_position: ArrayLike, inner: ArrayLike) -> tuple[Array, Array]:
    """Return the pose in the outer frame of what stands at `inner_position`, `inner` in the frame given.

    A pose inside the identity keeps its bits.
    """
    moved, turned = np.empty(3), np.empty(4)
    mujoco.mju_rotVecQuat(moved, np.asarray(inner_position, dtype=float), quaternion)
    mujoco.mju_mulQuat(turned, quaternion, np.asarray(inner, dtype=float))
    return position + moved, turned


def yaw(angle: float) -> Array:
    """Return the rotation by `angle` [rad] about z."""
    return np.array((np.cos(angle / 2), 0.0, 0.0, np.sin(angle / 2)))


def pitch(angle: float) -> Array:
    """Return the rotation by `angle` [rad] about y."""
    return np.array((np.cos(angle / 2), 0.0, np.sin(angle / 2), 0.0))


def rotate(quaternion: Array, vector: Array) -> Array:
    """Return `vector`, given in the frame turned by `quaternion`, in the outer frame."""
    result = np.empty(3)
    mujoco.mju_rotVecQuat(result, vector, quaternion)
    return result


def unrotate(quaternion: Array, vector: Array) -> Array:
    """Return `vector`, given in the outer frame, in the frame turned by `quaternion`."""
    inverse, result = np.empty(4), np.empty(3)
    mujoco.mju_negQuat(inverse, quaternion)
    mujoco.mju_rotVecQuat(result, vector, inverse)
    return result


def from_local(qpos: Array, qvel: Array) -> Array:
    """Return a free joint's velocity with its angular part in W.

    Args:
        qpos: Position and quaternion, shape (7,).
        qvel: Linear velocity in W and angular velocity in the body's frame, shape (6,).
    """
    result = qvel.copy()
    result[3:] = rotate(qpos[3:], qvel[3:])
    return result


def to_local(qpos: Array, velocity: Array) -> Array:
    """Return a free joint's velocity with its angular part in the body's frame: undoes `from_local`."""
    result = velocity.copy()
    result[3:] = unrotate(qpos[3:], velocity[3:])
    return result
