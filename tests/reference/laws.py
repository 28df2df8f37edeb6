"""Force laws of single constraints: from residual acceleration to force, and its derivative.

Throughout, `r = J qacc - aref` is the residual acceleration of a constraint's rows and `f` its force.
The derivations are in docs/physics.md §5.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Response = tuple[Array, Array]
"""A force, shape (dim,), and its derivative with respect to the residual, shape (dim, dim)."""


def coulomb(residual: Array, regularisation: Array, friction: Array) -> Response:
    """Return the force of a frictional contact that obeys Coulomb's law exactly.

    This is the closed form of the fixed point of De Saxcé's correction around MuJoCo's convex contact,
    with the shift `mu * ||r_t||` of the normal row: three cases, no projection and no iteration.

    Args:
        residual: Normal row first, then friction rows [m/s^2, rad/s^2], shape (dim,).
        regularisation: MuJoCo's R of these rows, with R_j mu_j^2 the same for all friction rows, shape (dim,).
        friction: Friction coefficients of the friction rows, shape (dim - 1,).

    Source: docs/physics.md §5.4.
    """
    normal, tangent = residual[0], residual[1:]
    scaled = friction * tangent
    slip = float(np.linalg.norm(scaled))
    softness = friction[0] ** 2 * regularisation[1] / regularisation[0]
    size = residual.size
    force, slope = np.zeros(size), np.zeros((size, size))
    if normal >= 0.0:
        return force, slope
    if slip * (1.0 + softness) <= -softness * normal:
        force[0] = -(normal + slip) / regularisation[0]
        force[1:] = -tangent / regularisation[1:]
        slope[0, 0] = -1.0 / regularisation[0]
        slope[1:, 1:] = np.diag(-1.0 / regularisation[1:])
        if slip > 0.0:
            slope[0, 1:] = -friction * scaled / (slip * regularisation[0])
        return force, slope
    stiffness = 1.0 / (regularisation[0] * (1.0 + softness))
    direction = scaled / slip
    force[0] = -stiffness * normal
    force[1:] = -force[0] * friction * direction
    slope[0, 0] = -stiffness
    slope[1:, 0] = stiffness * friction * direction
    turning = (np.eye(size - 1) - np.outer(direction, direction)) / slip
    slope[1:, 1:] = -force[0] * friction[:, None] * turning * friction[None, :]
    return force, slope


def convex_cone(residual: Array, regularisation: Array, friction: Array) -> Response:
    """Return the force of MuJoCo's own elliptic contact: -r/R projected on the friction cone.

    Arguments as for `coulomb`. The projection is in the metric of R.

    Source: Todorov 2014; docs/physics.md §5.1.
    """
    softness = friction[0] ** 2 * regularisation[1] / regularisation[0]
    normal, tangent = residual[0], residual[1:]
    scaled = friction * tangent
    slip = float(np.linalg.norm(scaled))
    size = residual.size
    force, slope = np.zeros(size), np.zeros((size, size))
    if normal >= slip:
        return force, slope
    if slip <= -softness * normal:
        return -residual / regularisation, np.diag(-1.0 / regularisation)
    stiffness = 1.0 / (regularisation[0] * (1.0 + softness))
    direction = scaled / slip
    gradient = np.concatenate(([1.0], -friction * direction))
    pressure = stiffness * (slip - normal)
    force = pressure * gradient
    turning = (np.eye(size - 1) - np.outer(direction, direction)) / slip
    slope = -stiffness * np.outer(gradient, gradient)
    slope[1:, 1:] -= pressure * friction[:, None] * turning * friction[None, :]
    return force, slope


def one_sided(residual: float, regularisation: float) -> tuple[float, float]:
    """Return force and slope of a limit or of a contact without friction: it only pushes."""
    return (-residual / regularisation, -1.0 / regularisation) if residual < 0.0 else (0.0, 0.0)


def dry_friction(residual: float, regularisation: float, bound: float) -> tuple[float, float]:
    """Return force and slope of a joint's dry friction: a spring that yields at `bound`."""
    force = -residual / regularisation
    if abs(force) < bound:
        return force, -1.0 / regularisation
    return float(np.copysign(bound, force)), 0.0
