"""Frames as rotation matrices and positions, so that composing them loses nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grouser.description.robot import Pose, Vector3
from grouser.description.transforms import Matrix3, matrix_of_rpy, quaternion_of_matrix

__all__ = ["IDENTITY", "Array", "Frame", "frame_of_matrix", "frame_of_pose", "rotation_about", "translation"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Frame:
    """The pose X_AB of a frame B in a frame A.

    Attributes:
        rotation: R_AB, shape (3, 3): maps vectors of B to A.
        position: Of B's origin in A [m], shape (3,).
    """

    rotation: Array
    position: Array

    def __matmul__(self, other: Frame) -> Frame:
        """Return X_AC = X_AB X_BC."""
        return Frame(self.rotation @ other.rotation, self.rotation @ other.position + self.position)

    def inverse(self) -> Frame:
        """Return X_BA."""
        return Frame(self.rotation.T, -self.rotation.T @ self.position)

    def point(self, p_b: Vector3 | Array) -> Array:
        """Return the point p, given in B, in A [m], shape (3,)."""
        return self.rotation @ np.asarray(p_b, dtype=float) + self.position

    @property
    def quaternion(self) -> tuple[float, float, float, float]:
        """The unit quaternion (w, x, y, z) of R_AB."""
        first, second, third = ((float(row[0]), float(row[1]), float(row[2])) for row in self.rotation)
        return quaternion_of_matrix((first, second, third))


IDENTITY = Frame(np.eye(3), np.zeros(3))


def frame_of_pose(pose: Pose) -> Frame:
    """Return the frame of a pose as URDF writes it."""
    return Frame(np.array(matrix_of_rpy(pose.rpy)), np.array(pose.xyz, dtype=float))


def frame_of_matrix(rotation: Matrix3, position: Vector3) -> Frame:
    """Return the frame of a rotation given as rows, and a position [m]."""
    return Frame(np.array(rotation), np.array(position, dtype=float))


def translation(offset: Vector3 | Array) -> Frame:
    """Return the frame moved by `offset` [m]."""
    return Frame(np.eye(3), np.array(offset, dtype=float))


def rotation_about(axis: Vector3, angle: float) -> Frame:
    """Return the frame turned about a unit vector by `angle` [rad].

    Source: O. Rodrigues, 1840: R = I + sin(q) K + (1 - cos(q)) K².
    """
    x, y, z = axis
    cross = np.array(((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)))
    return Frame(np.eye(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * cross @ cross, np.zeros(3))
