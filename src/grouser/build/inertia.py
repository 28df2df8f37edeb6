"""Mass and inertia of links that move as one, as MuJoCo takes them."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from grouser.build.frames import Array, Frame, frame_of_pose
from grouser.build.tree import Part
from grouser.description.robot import Inertial

__all__ = ["MassProperties", "PrincipalInertia", "combine", "placeholder", "principal_inertia"]

_log = logging.getLogger(__name__)

SMALLEST = 1e-15
"""MuJoCo refuses moving bodies whose mass or principal inertia is not above this (mjMINVAL)."""
PLACEHOLDER_INERTIA = 1e-12
"""Inertia of a moving body that has none [kg m2]: far below what any real body has, safely above SMALLEST."""
PLACEHOLDER_SHARE = 1e-14
"""Mass of a moving body that has none, as a share of its robot's: a hundred keep the total to 1e-12."""
LARGEST_PLACEHOLDER = 1e-12
"""Largest such mass [kg]."""
NOTABLE = 1e-9
"""A correction below this share is rounding, of which nothing is said [-]."""


@dataclass(frozen=True, eq=False)
class MassProperties:
    """Mass and inertia in some frame.

    Attributes:
        mass: [kg].
        center: Centre of mass [m], shape (3,).
        inertia: About the centre of mass, along the axes of the frame [kg m2], shape (3, 3).
    """

    mass: float
    center: Array
    inertia: Array


@dataclass(frozen=True, eq=False)
class PrincipalInertia:
    """Principal moments [kg m2], shape (3,), and the quaternion (w, x, y, z) of their axes."""

    moments: Array
    quaternion: tuple[float, float, float, float]


def placeholder(total_mass: float) -> MassProperties:
    """Return what a moving body without mass carries, so that MuJoCo takes it.

    Args:
        total_mass: Of its robot [kg].
    """
    mass = min(max(PLACEHOLDER_SHARE * total_mass, 2 * SMALLEST), LARGEST_PLACEHOLDER)
    return MassProperties(mass, np.zeros(3), PLACEHOLDER_INERTIA * np.eye(3))


def combine(parts: Sequence[Part]) -> MassProperties | None:
    """Return the mass of links that move as one, in the frame of their body; None if none has any.

    Inertia of a link without mass counts only where no link has mass.
    """
    shares = [
        _in_body(part.frame, inertial) for part in parts if (inertial := part.link.inertial) and inertial.mass > 0
    ]
    if not shares:
        return _of_massless(parts)
    if len(shares) == 1:
        return shares[0]
    mass = math.fsum(share.mass for share in shares)
    center = np.sum([share.mass * share.center for share in shares], axis=0) / mass
    inertia = np.sum([share.inertia + _steiner(share.mass, share.center - center) for share in shares], axis=0)
    return MassProperties(mass, center, inertia)


def _of_massless(parts: Sequence[Part]) -> MassProperties | None:
    turned = [_in_body(part.frame, inertial).inertia for part in parts if (inertial := part.link.inertial)]
    inertia = np.sum(turned, axis=0) if turned else np.zeros((3, 3))
    return MassProperties(0.0, np.zeros(3), inertia) if inertia.any() else None


def _in_body(x_bl: Frame, inertial: Inertial) -> MassProperties:
    """Return a link's mass in the frame of its body."""
    x_bc = x_bl @ frame_of_pose(inertial.origin)
    local = np.array(
        (
            (inertial.ixx, inertial.ixy, inertial.ixz),
            (inertial.ixy, inertial.iyy, inertial.iyz),
            (inertial.ixz, inertial.iyz, inertial.izz),
        )
    )
    turned = x_bc.rotation @ local @ x_bc.rotation.T
    return MassProperties(inertial.mass, x_bc.position, (turned + turned.T) / 2)


def _steiner(mass: float, offset: Array) -> Array:
    """Return what a mass at `offset` adds to the inertia about the origin [kg m2]."""
    return mass * (float(offset @ offset) * np.eye(3) - np.outer(offset, offset))


def principal_inertia(inertia: Array, where: str) -> PrincipalInertia:
    """Return principal moments and axes that MuJoCo takes.

    What a body can have is kept. Where one moment is larger than the sum of the other two, which no body has,
    or one is not positive, the second moments that are negative become zero: the largest moment and the
    difference of the other two stay, and a warning says so.

    Args:
        inertia: Symmetric [kg m2], shape (3, 3).
        where: Whose it is, for the warning.
    """
    if np.count_nonzero(inertia - np.diag(np.diagonal(inertia))) == 0:
        moments, axes = np.diagonal(inertia).copy(), np.eye(3)
    else:
        moments, axes = np.linalg.eigh(inertia)
        axes[:, 2] *= np.sign(np.linalg.det(axes))
    possible = _possible(moments)
    if np.abs(possible - moments).max() > max(NOTABLE * np.abs(moments).max(), PLACEHOLDER_INERTIA):
        _log.warning(
            "%s: no body has the principal moments of inertia %s kg m2 (each is positive and at most the sum "
            "of the other two); built with %s",
            where,
            [float(f"{x:.6g}") for x in moments],
            [float(f"{x:.6g}") for x in possible],
        )
    return PrincipalInertia(possible, Frame(axes, np.zeros(3)).quaternion)


def _possible(moments: Array) -> Array:
    """Return the nearest principal moments that a body can have [kg m2], shape (3,)."""
    if moments.min() > SMALLEST and 2 * moments.max() <= moments.sum() and _triangle(moments):
        return moments
    # Second moments along the principal axes: a mass distribution has none below zero.
    floor = PLACEHOLDER_INERTIA / 2 if moments.min() <= SMALLEST else 0.0
    second = np.maximum(moments.sum() / 2 - moments, floor)
    found = second.sum() - second
    largest = int(np.argmax(found))
    # Rounding: MuJoCo compares exactly.
    while not _triangle(found):
        found[largest] = np.nextafter(found[largest], 0.0)
    return found


def _triangle(moments: Array) -> bool:
    a, b, c = moments
    return bool(a + b >= c and a + c >= b and b + c >= a)
