"""The solid shapes that a track is realised with, in the frame of its link."""

from __future__ import annotations

from dataclasses import dataclass

from grouser.description.robot import Box, Cylinder, Vector3
from grouser.description.transforms import Matrix3

__all__ = ["TrackShape"]


@dataclass(frozen=True, slots=True)
class TrackShape:
    """One convex solid of a track.

    Attributes:
        geometry: A cylinder round a wheel, or the box of a straight run.
        position: Its centre in the frame of the link [m].
        rotation: Rows of R_LS, from the shape's axes to the link's. A cylinder's z is the track's axis. A
            box's x points along the run, the way a positive belt speed moves it, y along the track's axis, z
            outwards.
    """

    geometry: Cylinder | Box
    position: Vector3
    rotation: Matrix3
