"""Terrain as shapes: height maps, stairs, ramps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from grouser.errors import ParameterError
from grouser.sim import checks
from grouser.sim.checks import Array
from grouser.sim.objects import GEOM, Shape
from grouser.sim.rotation import pitch

HEIGHTMAP_BASE = 0.5
"""How far the solid of a height map reaches below its lowest point [m]."""

FLAT_RANGE = 1e-3
"""Range of elevations given to MuJoCo for a height map that is flat [m]; it divides by it."""


@dataclass(frozen=True)
class HeightField:
    """A height map in MuJoCo's terms.

    Attributes:
        size: Half length along x, half length along y, range of elevations, depth below the lowest point [m].
        elevations: Elevations over the lowest point as a share of the range [-], rows along y, shape (ny,
            nx).
        lowest: The lowest height [m].
    """

    size: tuple[float, float, float, float]
    elevations: Array
    lowest: float


def height_field(heights: ArrayLike, x_size: float, y_size: float) -> HeightField:
    """Return the height map in MuJoCo's terms.

    Args:
        heights: Heights [m], rows along y and columns along x, shape (ny, nx), at least 2 by 2.
        x_size: Full length along x [m].
        y_size: Full length along y [m].

    Raises:
        ParameterError: if an argument is out of its range or of the wrong shape.
    """
    try:
        shape = np.shape(heights)
    except ValueError:
        raise ParameterError("heights has rows of different lengths; it must have shape (ny, nx)") from None
    if len(shape) != 2 or min(shape) < 2:
        raise ParameterError(f"heights has shape {shape}; it must have shape (ny, nx), each 2 or more")
    values = checks.array("heights", heights, shape)
    lowest = float(values.min())
    span = float(values.max()) - lowest
    extent = span if span > 0 else FLAT_RANGE
    size = (
        checks.positive("x_size", x_size) / 2,
        checks.positive("y_size", y_size) / 2,
        extent,
        HEIGHTMAP_BASE,
    )
    return HeightField(size, (values - lowest) / extent, lowest)


def stairs(rise: float, run: float, steps: int, width: float) -> tuple[Shape, ...]:
    """Return stairs that climb along +x from the origin, centred on y = 0.

    Step i, from 1, is a solid block from x = (i - 1) run to i run, up to the height i rise.

    Args:
        rise: Height of a step [m], > 0.
        run: Depth of a step [m], > 0.
        steps: How many, >= 1.
        width: Width along y [m], > 0.

    Raises:
        ParameterError: if an argument is out of its range.
    """
    rise, run = checks.positive("rise", rise), checks.positive("run", run)
    width, number = checks.positive("width", width), checks.count("steps", steps, 1)
    return tuple(
        Shape(GEOM.mjGEOM_BOX, (run / 2, width / 2, i * rise / 2), ((i - 0.5) * run, 0.0, i * rise / 2))
        for i in range(1, number + 1)
    )


def ramp(length: float, slope: float, width: float, thickness: float) -> tuple[Shape, ...]:
    """Return a board whose upper face rises along +x from the origin, centred on y = 0.

    Args:
        length: Length of the upper face along the slope [m], > 0.
        slope: Angle to the horizontal [rad], between -π/2 and π/2.
        width: Width along y [m], > 0.
        thickness: Thickness below the upper face [m], > 0.

    Raises:
        ParameterError: if an argument is out of its range.
    """
    length, angle = checks.positive("length", length), checks.number("slope", slope)
    width, thickness = checks.positive("width", width), checks.positive("thickness", thickness)
    if abs(angle) >= np.pi / 2:
        raise ParameterError(f"slope is {angle:g} rad; it must lie between -pi/2 and pi/2")
    along, down = length / 2, thickness / 2
    sine, cosine = np.sin(angle), np.cos(angle)
    center = (along * cosine + down * sine, 0.0, along * sine - down * cosine)
    return (Shape(GEOM.mjGEOM_BOX, (along, width / 2, down), center, pitch(-angle).tolist()),)
