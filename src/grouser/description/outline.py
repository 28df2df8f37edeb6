"""The outline of a belt: the convex hull of its wheels, as arcs and straight runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from grouser.errors import ParameterError

__all__ = ["Arc", "Outline", "Run", "outline_of_wheels"]

Point = tuple[float, float]
Vector3 = tuple[float, float, float]

TURN = 2.0 * math.pi
SAME_ANGLE = 1e-9
"""Tangents whose directions differ by less [rad] are one run: equal wheels in a row, rounded."""
TOUCH_TOLERANCE = 1e-4
"""A wheel this close to a run, as a share of the belt's size, touches it: files carry 4 or 5 digits."""


@dataclass(frozen=True, slots=True)
class Arc:
    """A part of the belt that lies on a wheel.

    Attributes:
        wheel: Index of the wheel.
        center: Wheel centre (u, v) [m].
        radius: Radius of the outer surface [m]: wheel radius plus belt thickness.
        start: Angle from e_u towards e_v where the arc begins [rad].
        end: Angle where it ends [rad], > start.
    """

    wheel: int
    center: Point
    radius: float
    start: float
    end: float

    @property
    def length(self) -> float:
        """Length along the outer surface [m]."""
        return self.radius * (self.end - self.start)

    def point(self, angle: float) -> Point:
        """Return the point (u, v) of the outer surface [m] at `angle` [rad]."""
        u, v = self.center
        return (u + self.radius * math.cos(angle), v + self.radius * math.sin(angle))


@dataclass(frozen=True, slots=True)
class Run:
    """A straight part of the belt between two wheels.

    Attributes:
        start: First point (u, v) of the outer surface [m], counter-clockwise.
        end: Last point (u, v) of the outer surface [m].
        normal: Outward unit normal (u, v).
        wheels: Indices of the wheels it leaves and reaches.
    """

    start: Point
    end: Point
    normal: Point
    wheels: tuple[int, int]

    @property
    def length(self) -> float:
        """Length [m]."""
        return math.dist(self.start, self.end)


@dataclass(frozen=True, slots=True)
class Outline:
    """The closed outer surface of a belt, counter-clockwise seen from +axis.

    The plane's coordinates (u, v) [m] belong to the point `origin + u e_u + v e_v` of the link's
    frame. `arcs[k]` is followed by `runs[k]`; a wheel much larger than the others can have more than
    one arc. A single wheel gives one full arc and no run.

    Attributes:
        arcs: Parts that lie on a wheel.
        runs: Straight parts.
        width: Belt width along the axis [m].
        thickness: Distance of the outer surface from the wheels [m].
        axis: Unit vector the wheels turn about, in the link frame.
        origin: The point of the mid-plane nearest the link's origin, in the link frame [m].
        e_u: First unit vector of the plane, in the link frame.
        e_v: Second unit vector; e_u x e_v = axis.
        wrapped: Wheels with an arc, in counter-clockwise order.
        touching: Wheels that only touch a run, such as road wheels.
        inside: Wheels that do not reach the belt.
        clearances: How far each wheel's rim lies inside the belt's inner surface [m]; 0 if wrapped.
    """

    arcs: tuple[Arc, ...]
    runs: tuple[Run, ...]
    width: float
    thickness: float
    axis: Vector3
    origin: Vector3
    e_u: Vector3
    e_v: Vector3
    wrapped: tuple[int, ...]
    touching: tuple[int, ...]
    inside: tuple[int, ...]
    clearances: tuple[float, ...]

    @property
    def length(self) -> float:
        """Length of the outer surface once round [m]."""
        return sum(arc.length for arc in self.arcs) + sum(run.length for run in self.runs)

    @property
    def parts(self) -> tuple[Arc | Run, ...]:
        """The arcs and runs in the order in which they follow each other."""
        if not self.runs:
            return self.arcs
        return tuple(part for pair in zip(self.arcs, self.runs, strict=True) for part in pair)

    def point_at(self, distance: float) -> tuple[Point, Point]:
        """Return the point and the outward unit normal, both (u, v), `distance` along the belt.

        Args:
            distance: Arc length [m] from the start of the first arc, counter-clockwise; wraps round.
        """
        left = distance % self.length
        for part in self.parts:
            if left > part.length:
                left -= part.length
            elif isinstance(part, Arc):
                angle = part.start + left / part.radius
                return part.point(angle), (math.cos(angle), math.sin(angle))
            else:
                share = left / part.length if part.length > 0.0 else 0.0
                return _between(part.start, part.end, share), part.normal
        # Rounding of the sum can leave a last crumb of length: it belongs to the closing point.
        first = self.arcs[0]
        return first.point(first.start), (math.cos(first.start), math.sin(first.start))

    def polygon(self, step: float = math.radians(5.0)) -> list[Point]:
        """Return points (u, v) [m] of the outer surface, in order, with arcs cut every `step` [rad]."""
        points: list[Point] = []
        for arc in self.arcs:
            count = max(1, math.ceil((arc.end - arc.start) / step))
            points += [arc.point(arc.start + k * (arc.end - arc.start) / count) for k in range(count + 1)]
        return points

    def in_link(self, point: Point) -> Vector3:
        """Return the point (u, v) of the mid-plane in the link's frame [m]."""
        u, v = point
        x, y, z = (o + u * a + v * b for o, a, b in zip(self.origin, self.e_u, self.e_v, strict=True))
        return (x, y, z)


def outline_of_wheels(
    centers: Sequence[Vector3],
    radii: Sequence[float],
    *,
    axis: Vector3,
    thickness: float,
    width: float,
) -> Outline:
    """Return the outline of a belt that wraps the convex hull of wheels.

    Centres are projected onto the mid-plane, which lies at their mean along the axis.

    Args:
        centers: Wheel centres in the link frame [m].
        radii: Wheel radii [m], > 0.
        axis: Direction the wheels turn about, in the link frame; normalised here.
        thickness: Belt thickness [m], >= 0.
        width: Belt width [m], > 0.

    Raises:
        ParameterError: if there is no wheel, or a number is not finite or out of its range.
    """
    _refuse(centers, radii, axis, thickness, width)
    norm = math.hypot(*axis)
    a = (axis[0] / norm, axis[1] / norm, axis[2] / norm)
    e_u, e_v = _plane(a)
    height = sum(_dot(a, c) for c in centers) / len(centers)
    flat = [(_dot(e_u, c), _dot(e_v, c)) for c in centers]
    turns = _hull(flat, radii)
    arcs: tuple[Arc, ...] = tuple(
        Arc(wheel, flat[wheel], radii[wheel] + thickness, start, end) for wheel, start, end in turns
    )
    runs = _runs(arcs) if len(arcs) > 1 else ()
    wrapped = tuple(dict.fromkeys(arc.wheel for arc in arcs))
    clearances, touching = _clearances(flat, radii, arcs, runs, thickness)
    inside = tuple(i for i in range(len(radii)) if i not in wrapped and i not in touching)
    return Outline(
        arcs=arcs,
        runs=runs,
        width=width,
        thickness=thickness,
        axis=a,
        origin=(height * a[0], height * a[1], height * a[2]),
        e_u=e_u,
        e_v=e_v,
        wrapped=wrapped,
        touching=touching,
        inside=inside,
        clearances=clearances,
    )


def _refuse(centers: Sequence[Vector3], radii: Sequence[float], axis: Vector3, thickness: float, width: float) -> None:
    if not centers or len(centers) != len(radii):
        raise ParameterError(f"a belt needs a radius for each wheel: {len(centers)} centres, {len(radii)} radii")
    if not all(math.isfinite(x) for c in centers for x in c):
        raise ParameterError("a wheel's centre is not finite")
    if not all(math.isfinite(r) and r > 0.0 for r in radii):
        raise ParameterError(f"a wheel's radius must be finite and > 0: {list(radii)}")
    if not (math.isfinite(thickness) and thickness >= 0.0):
        raise ParameterError(f"a belt's thickness must be finite and >= 0: {thickness}")
    if not (math.isfinite(width) and width > 0.0):
        raise ParameterError(f"a belt's width must be finite and > 0: {width}")
    if not (all(math.isfinite(x) for x in axis) and math.hypot(*axis) > 0.0):
        raise ParameterError(f"a track's axis must be finite and not zero: {axis}")


def _plane(axis: Vector3) -> tuple[Vector3, Vector3]:
    """Return e_u (the link's x where possible) and e_v with e_u x e_v = axis."""
    seed = (1.0, 0.0, 0.0) if abs(axis[0]) < 0.9 else (0.0, 0.0, 1.0)
    along = _dot(axis, seed)
    x, y, z = (s - along * a for s, a in zip(seed, axis, strict=True))
    norm = math.hypot(x, y, z)
    e_u = (x / norm, y / norm, z / norm)
    e_v = (
        axis[1] * e_u[2] - axis[2] * e_u[1],
        axis[2] * e_u[0] - axis[0] * e_u[2],
        axis[0] * e_u[1] - axis[1] * e_u[0],
    )
    return e_u, e_v


def _hull(centers: Sequence[Point], radii: Sequence[float]) -> list[tuple[int, float, float]]:
    """Return (wheel, start, end) of the hull's arcs, counter-clockwise.

    The hull's support in direction θ is max over wheels of c·e(θ) + r. We walk θ once round and change
    wheel where another one overtakes; two wheels overtake each other at most once each way.
    """
    first = _leader(0.0, range(len(radii)), centers, radii)
    turns: list[tuple[int, float, float]] = []
    wheel, start = first, 0.0
    # Each pair of wheels changes the lead at most twice, so that the walk ends.
    for _ in range(len(radii) ** 2 + 1):
        change = _next_change(wheel, start, centers, radii)
        if change is None or start + change[1] >= TURN - SAME_ANGLE:
            break
        turns.append((wheel, start, start + change[1]))
        wheel, start = change[0], start + change[1]
    turns.append((wheel, start, TURN))
    if len(turns) > 1 and turns[0][0] == turns[-1][0]:
        # θ = 0 lay within an arc: its two halves are one.
        last = turns.pop()
        turns[0] = (last[0], last[1] - TURN, turns[0][2])
    return turns


def _leader(angle: float, wheels: Sequence[int], centers: Sequence[Point], radii: Sequence[float]) -> int:
    """Return the wheel that supports the hull just after `angle`."""
    cos, sin = math.cos(angle), math.sin(angle)
    reach = {i: centers[i][0] * cos + centers[i][1] * sin + radii[i] for i in wheels}
    top = max(reach.values())
    scale = max(abs(top), *(abs(x) for c in centers for x in c), *radii)
    close = [i for i in wheels if reach[i] >= top - SAME_ANGLE * scale]
    # Of wheels that lie on one tangent the one farthest along it leads next; of equals the first.
    return max(close, key=lambda i: (centers[i][1] * cos - centers[i][0] * sin, radii[i], -i))


def _next_change(
    wheel: int, start: float, centers: Sequence[Point], radii: Sequence[float]
) -> tuple[int, float] | None:
    """Return the wheel that takes the lead after `start`, and how far on [rad]; None if none does."""
    changes: list[tuple[float, int]] = []
    for other, radius in enumerate(radii):
        du, dv = centers[other][0] - centers[wheel][0], centers[other][1] - centers[wheel][1]
        distance = math.hypot(du, dv)
        if distance <= abs(radius - radii[wheel]) or distance == 0.0:
            continue
        # d·e(θ) = r_wheel - r_other; `other` overtakes where d·e grows: before θ reaches d's direction.
        angle = math.atan2(dv, du) - math.acos((radii[wheel] - radius) / distance)
        ahead = (angle - start) % TURN
        changes.append((0.0 if ahead > TURN - SAME_ANGLE else ahead, other))
    if not changes:
        return None
    nearest = min(ahead for ahead, _ in changes)
    tied = [other for ahead, other in changes if ahead <= nearest + SAME_ANGLE]
    cos, sin = math.cos(start + nearest), math.sin(start + nearest)
    best = max(tied, key=lambda i: (centers[i][1] * cos - centers[i][0] * sin, radii[i], -i))
    return best, nearest


def _runs(arcs: Sequence[Arc]) -> tuple[Run, ...]:
    runs: list[Run] = []
    for arc, following in zip(arcs, (*arcs[1:], arcs[0]), strict=True):
        runs.append(
            Run(
                start=arc.point(arc.end),
                end=following.point(following.start),
                normal=(math.cos(arc.end), math.sin(arc.end)),
                wheels=(arc.wheel, following.wheel),
            )
        )
    return tuple(runs)


def _clearances(
    centers: Sequence[Point],
    radii: Sequence[float],
    arcs: Sequence[Arc],
    runs: Sequence[Run],
    thickness: float,
) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Return each wheel's distance from the belt's inner surface, and which of them touch a run."""
    tolerance = TOUCH_TOLERANCE * max(r + math.dist(c, centers[0]) for c, r in zip(centers, radii, strict=True))
    wrapped = {arc.wheel for arc in arcs}
    clearances: list[float] = []
    touching: list[int] = []
    for index, (center, radius) in enumerate(zip(centers, radii, strict=True)):
        if index in wrapped:
            clearances.append(0.0)
            continue
        to_runs = min((_gap_to_run(run, center) - thickness - radius for run in runs), default=math.inf)
        to_arcs = min(_gap_to_arc(arc, center) - thickness - radius for arc in arcs)
        clearances.append(max(0.0, min(to_runs, to_arcs)))
        if to_runs <= tolerance:
            touching.append(index)
    return tuple(clearances), tuple(touching)


def _gap_to_run(run: Run, point: Point) -> float:
    """Return the distance of `point` inside the run's line; infinite where it lies beside the run."""
    along = (run.end[0] - run.start[0]) * (point[0] - run.start[0])
    along += (run.end[1] - run.start[1]) * (point[1] - run.start[1])
    if not 0.0 <= along <= run.length**2:
        return math.inf
    return run.normal[0] * (run.start[0] - point[0]) + run.normal[1] * (run.start[1] - point[1])


def _gap_to_arc(arc: Arc, point: Point) -> float:
    """Return the least distance of `point` inside the arc's tangents."""
    du, dv = arc.center[0] - point[0], arc.center[1] - point[1]
    angles = [arc.start, arc.end]
    lowest = math.atan2(-dv, -du)
    lowest += TURN * math.ceil((arc.start - lowest) / TURN)
    if lowest <= arc.end:
        angles.append(lowest)
    return min(du * math.cos(angle) + dv * math.sin(angle) for angle in angles) + arc.radius


def _between(start: Point, end: Point, share: float) -> Point:
    return (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))


def _dot(a: Vector3, b: Vector3) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
