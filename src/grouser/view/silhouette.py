"""A robot seen from its side: polygons in the plane of x and z, from the very shapes of the model."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from grouser.description.outline import Arc, Outline, Run, outline_of_wheels
from grouser.description.robot import Box, Capsule, Cylinder, Geometry, Pose, Robot, Sphere, Track
from grouser.description.transforms import matrix_of_quaternion, matrix_of_rpy

Array = NDArray[np.float64]
LinkPoses = Mapping[str, tuple[Array, Array]]
"""By link: position in W [m], shape (3,), and quaternion w, x, y, z."""

ARC_STEP = math.radians(6)
CIRCLE = np.linspace(0.0, 2.0 * np.pi, 48, endpoint=False)
CUBE = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


@dataclass(frozen=True, eq=False)
class Patch:
    """A filled outline.

    Attributes:
        points: x and z in W [m], shape (n, 2).
        kind: What it is: the robot's body, the surface of a belt, what a belt runs round, or a wheel.
        rgba: Its colour in the model, or None.
        depth: Where its middle lies along the line of sight, W's y [m]; the nearest has the least.
    """

    points: Array
    kind: Literal["body", "belt", "inside", "wheel"]
    rgba: tuple[float, float, float, float] | None
    depth: float


def silhouette(robot: Robot, poses: LinkPoses) -> list[Patch]:
    """Return the outlines of a robot seen along +y, farthest first.

    Args:
        robot: The robot. Meshes are left out.
        poses: Where its links are.
    """
    patches = [
        Patch(_hull(points), "body", visual.rgba, float(points[:, 1].mean()))
        for name, link in robot.links.items()
        for visual in link.visuals
        if (points := _points(visual.geometry, visual.origin, poses[name])) is not None
    ]
    for track in robot.tracks.values():
        patches += _belt(track, poses[track.link])
    order = {"belt": 0, "inside": 1, "wheel": 2, "body": 3}
    return sorted(patches, key=lambda patch: (-round(patch.depth, 3), order[patch.kind]))


def _belt(track: Track, pose: tuple[Array, Array]) -> list[Patch]:
    """Return a belt's outer surface, the area it runs round, and the wheels it wraps."""
    centers = [wheel.center for wheel in track.wheels]
    radii = [wheel.radius for wheel in track.wheels]
    inner = outline_of_wheels(centers, radii, axis=track.axis, thickness=0.0, width=track.width)
    outer = track.outline
    patches = []
    for outline, kind in ((outer, "belt"), (inner, "inside")):
        plane = np.array([point for part in outline.parts for point in _part_points(part)])
        patches.append((_in_world(outline, plane, pose), kind, track.rgba))
    for arc in outer.arcs:
        hub = track.wheels[arc.wheel].radius * 0.72
        circle = np.array(arc.center) + hub * np.column_stack((np.cos(CIRCLE), np.sin(CIRCLE)))
        patches.append((_in_world(outer, circle, pose), "wheel", None))
    depth = float(patches[0][0][:, 1].mean())
    return [Patch(points[:, (0, 2)], kind, rgba, depth) for points, kind, rgba in patches]


def _part_points(part: Arc | Run) -> list[tuple[float, float]]:
    if not isinstance(part, Arc):
        return []
    number = max(2, math.ceil((part.end - part.start) / ARC_STEP))
    return [part.point(angle) for angle in np.linspace(part.start, part.end, number)]


def _in_world(outline: Outline, plane: Array, pose: tuple[Array, Array]) -> Array:
    points = np.array(outline.origin) + plane @ np.array((outline.e_u, outline.e_v))
    return points @ _rotation(pose[1]).T + pose[0]


def _points(geometry: Geometry, origin: Pose, pose: tuple[Array, Array]) -> Array | None:
    """Return points in W whose hull is the shape; None for a mesh."""
    if isinstance(geometry, Box):
        local = CUBE * geometry.size
    elif isinstance(geometry, Cylinder):
        ring = geometry.radius * np.column_stack((np.cos(CIRCLE), np.sin(CIRCLE)))
        local = np.vstack([np.column_stack((ring, np.full(len(ring), z * geometry.length))) for z in (-0.5, 0.5)])
    elif isinstance(geometry, Sphere | Capsule):
        half = geometry.length / 2 if isinstance(geometry, Capsule) else 0.0
        local = np.vstack([_ball(geometry.radius) + np.array([0.0, 0.0, z]) for z in (-half, half)])
    else:
        return None
    turned = np.array(matrix_of_rpy(origin.rpy))
    return (local @ turned.T + origin.xyz) @ _rotation(pose[1]).T + pose[0]


def _ball(radius: float) -> Array:
    up = np.linspace(-np.pi / 2, np.pi / 2, 13)
    return radius * np.array(
        [(math.cos(b) * math.cos(a), math.cos(b) * math.sin(a), math.sin(b)) for b in up for a in CIRCLE]
    )


def _rotation(quaternion: Array) -> Array:
    w, x, y, z = (float(value) for value in quaternion)
    return np.array(matrix_of_quaternion((w, x, y, z)))


def _hull(points: Array) -> Array:
    """Return the convex hull of points seen along y: x and z, counter-clockwise, shape (n, 2)."""
    flat = sorted({(round(float(p[0]), 9), round(float(p[2]), 9)) for p in points})
    return np.array(_chain(flat)[:-1] + _chain(flat[::-1])[:-1])


def _chain(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    chain: list[tuple[float, float]] = []
    for x, z in points:
        while len(chain) > 1:
            (x0, z0), (x1, z1) = chain[-2], chain[-1]
            if (x1 - x0) * (z - z0) - (z1 - z0) * (x - x0) > 0:
                break
            chain.pop()
        chain.append((x, z))
    return chain
