"""A belt as solids: a cylinder round each wheel it wraps, a box along each straight run."""

from __future__ import annotations

from grouser.description.outline import Arc, Outline, Run
from grouser.description.robot import Box, Cylinder, Track, Vector3
from grouser.description.transforms import transpose
from grouser.tracks.shapes import TrackShape

__all__ = ["belt_shapes"]

SHORTEST_RUN = 1e-6
"""A run below this share of the belt's length leaves no gap between its cylinders: no box [-]."""


def belt_shapes(track: Track) -> tuple[TrackShape, ...]:
    """Return the collision shapes of a belt: cylinders first, then boxes, both counter-clockwise.

    Each wheel that the belt wraps gives a cylinder of its radius plus the belt's thickness. Each run gives a
    box from the outer surface inwards to the nearer of its two wheel centres. Nothing reaches outside the
    outline.

    Args:
        track: A track that the checks have passed.

    Returns:
        The shapes in the frame of the track's link, [m].
    """
    outline = track.outline
    arcs = {arc.wheel: arc for arc in outline.arcs}
    cylinders = [_cylinder(outline, arcs[wheel]) for wheel in outline.wrapped]
    shortest = SHORTEST_RUN * outline.length
    boxes = [_box(outline, run, arcs) for run in outline.runs if run.length > shortest]
    return (*cylinders, *boxes)


def _cylinder(outline: Outline, arc: Arc) -> TrackShape:
    rotation = transpose((outline.e_u, outline.e_v, outline.axis))
    return TrackShape(Cylinder(arc.radius, outline.width), outline.in_link(arc.center), rotation)


def _box(outline: Outline, run: Run, arcs: dict[int, Arc]) -> TrackShape:
    """Return the box of a run.

    Both wheels touch the run's line, so that a wheel's centre lies its outer radius below the surface.
    """
    depth = min(arcs[wheel].radius for wheel in run.wheels)
    (u0, v0), (u1, v1), (nu, nv) = run.start, run.end, run.normal
    center = ((u0 + u1 - depth * nu) / 2, (v0 + v1 - depth * nv) / 2)
    normal = _direction(outline, nu, nv)
    # axis x normal, the way a positive speed moves the surface
    along = _direction(outline, -nv, nu)
    return TrackShape(
        Box((run.length, outline.width, depth)),
        outline.in_link(center),
        transpose((along, outline.axis, normal)),
    )


def _direction(outline: Outline, u: float, v: float) -> Vector3:
    """Return the vector (u, v) of the belt's plane in the link's frame."""
    x, y, z = (u * a + v * b for a, b in zip(outline.e_u, outline.e_v, strict=True))
    return (x, y, z)
