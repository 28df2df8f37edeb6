"""Whether links are physical: masses, inertias, sizes of shapes."""

from __future__ import annotations

import math

from grouser.description.parts import Parts
from grouser.description.report import Report, shown
from grouser.description.robot import (
    Box,
    Capsule,
    Collision,
    Cylinder,
    Geometry,
    Inertial,
    Link,
    Mesh,
    Pose,
    Sphere,
    Visual,
)

__all__ = ["check_links"]

ROUNDING = 1e-3
"""Inertias are written with three digits or more; a thin plate meets the triangle inequality exactly."""


def check_links(parts: Parts, report: Report) -> None:
    """Report what is wrong with each link on its own."""
    for link in parts.links:
        if not parts.is_broken(link):
            owner = f"link '{shown(link.name)}'"
            if link.inertial:
                _check_inertial(link, link.inertial, owner, report)
            for shape in (*link.collisions, *link.visuals):
                _check_shape(shape, owner, report)


def _check_inertial(link: Link, inertial: Inertial, owner: str, report: Report) -> None:
    _check_pose(link, inertial.origin, owner, report)
    moments = (inertial.ixx, inertial.iyy, inertial.izz)
    products = (inertial.ixy, inertial.ixz, inertial.iyz)
    if not all(math.isfinite(x) for x in (inertial.mass, *moments, *products)):
        report.error(link.source, f"{owner}: mass and inertia must be finite")
        return
    if inertial.mass < 0.0:
        report.error(link.source, f"{owner}: mass {inertial.mass} kg is negative; it must be 0 or more")
        return
    if not any((*moments, *products)):
        if inertial.mass > 0.0:
            report.warning(
                link.source,
                f"{owner}: its inertia is zero: {inertial.mass} kg in one point",
                "give ixx, iyy and izz if it turns about its own centre of mass",
            )
        return
    low, middle, high = _eigenvalues(inertial)
    said = f"ixx {inertial.ixx}, iyy {inertial.iyy}, izz {inertial.izz}, " + (
        f"ixy {inertial.ixy}, ixz {inertial.ixz}, iyz {inertial.iyz}"
    )
    if low < -ROUNDING * abs(high) or high <= 0.0:
        message = f"{owner}: inertia is not positive semidefinite ({said}): a principal moment is {low:.4g}"
        report.error(
            link.source,
            message,
            "principal moments are 0 or more; check signs and the products ixy, ixz, iyz",
        )
    elif low + middle < high * (1.0 - ROUNDING):
        message = (
            f"{owner}: no body has this inertia: principal moments {low:.4g}, {middle:.4g}, {high:.4g} kg m2 "
            "break the triangle inequality (the sum of two is at least the third)"
        )
        report.warning(link.source, message, "it is used as it is; check the numbers")


def _eigenvalues(i: Inertial) -> tuple[float, float, float]:
    """Return the principal moments [kg m2], ascending, by the trigonometric solution of the cubic."""
    scale = max(abs(x) for x in (i.ixx, i.iyy, i.izz, i.ixy, i.ixz, i.iyz))
    a, b, c, d, e, f = (x / scale for x in (i.ixx, i.iyy, i.izz, i.ixy, i.ixz, i.iyz))
    mean = (a + b + c) / 3.0
    a, b, c = a - mean, b - mean, c - mean
    spread = math.sqrt((a * a + b * b + c * c + 2.0 * (d * d + e * e + f * f)) / 6.0)
    if spread == 0.0:
        return mean * scale, mean * scale, mean * scale
    determinant = a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e)
    angle = math.acos(max(-1.0, min(1.0, determinant / (2.0 * spread**3)))) / 3.0
    high = mean + 2.0 * spread * math.cos(angle)
    low = mean + 2.0 * spread * math.cos(angle + 2.0 * math.pi / 3.0)
    return low * scale, (3.0 * mean - high - low) * scale, high * scale


def _check_shape(shape: Collision | Visual, owner: str, report: Report) -> None:
    kind = type(shape).__name__.lower()
    _check_pose(shape, shape.origin, owner, report)
    for what, value in _sizes(shape.geometry):
        if not (math.isfinite(value) and value > 0.0):
            shape_name = type(shape.geometry).__name__.lower()
            message = f"{owner}: {kind} <{shape_name}>: {what} {value} m; it must be a finite number above 0"
            report.error(shape.source, message)
    if isinstance(shape.geometry, Mesh):
        scale = shape.geometry.scale
        if not all(math.isfinite(x) and x != 0.0 for x in scale):
            message = f"{owner}: {kind} <mesh>: scale {scale}; its numbers must be finite and not 0"
            report.error(shape.source, message)
        if not shape.geometry.filename:
            report.error(shape.source, f"{owner}: {kind} <mesh>: the name of the file is empty")
    if isinstance(shape, Visual) and shape.rgba and not all(0.0 <= x <= 1.0 for x in shape.rgba):
        report.error(shape.source, f"{owner}: visual: the numbers of a colour lie in [0, 1], {shape.rgba} does not")


def _sizes(geometry: Geometry) -> list[tuple[str, float]]:
    if isinstance(geometry, Box):
        return [("size", x) for x in geometry.size]
    if isinstance(geometry, Sphere):
        return [("radius", geometry.radius)]
    if isinstance(geometry, (Cylinder, Capsule)):
        return [("radius", geometry.radius), ("length", geometry.length)]
    return []


def _check_pose(place: Link | Collision | Visual, pose: Pose, owner: str, report: Report) -> None:
    if not all(math.isfinite(x) for x in (*pose.xyz, *pose.rpy)):
        report.error(place.source, f"{owner}: <origin>: its numbers must be finite, {pose.xyz} {pose.rpy} are not")
