"""Whether tracks can be built: links, wheels, drives, and the hull of the wheels."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from statistics import median_low

from grouser.description.check_joint import ONE_AXIS
from grouser.description.parts import Parts
from grouser.description.report import Report, listed, shown
from grouser.description.robot import Joint, JointType, Track, Vector3, Wheel
from grouser.description.transforms import UNIT_WITHIN, matrix_of_rpy, rotate

__all__ = ["check_tracks"]

PLANE_TOLERANCE = 1e-3
"""How far a wheel may lie off the plane, as a share of the belt's size: files carry 3 or 4 digits."""
PARALLEL_TOLERANCE = 2e-3
"""Sine of the angle between a wheel's axis and the track's: "1.57" for pi/2 is off by 8e-4."""
INSIDE_TOLERANCE = 1e-9
MAX_WHEELS = 200
STATIONS = range(2, 1001)

TURNING = (JointType.REVOLUTE, JointType.CONTINUOUS)
_SUPPORT = re.compile(r"ends|wheels|even:(\d{1,6})", re.ASCII)


def check_tracks(parts: Parts, report: Report) -> None:
    """Report every track that cannot be built, each reason with its own message."""
    for track in parts.tracks:
        owner = f"track '{shown(track.name)}'"
        if track.link and track.link not in parts.link:
            message = f"{owner}: its link '{shown(track.link)}' does not exist"
            report.error(track.source, message, report.suggest(track.link, parts.link, "links"))
        _check_drives(track, owner, parts, report)
        _check_replaces(track, owner, parts, report)
        _check_support(track, owner, report)
        unfit = sum(not _check_wheel_joint(i, track, owner, parts, report) for i in range(len(track.wheels)))
        if parts.is_broken(track):
            continue
        if _check_sizes(track, owner, report) and _check_count(track, owner, report) and not unfit:
            _check_hull(track, owner, report)


def _check_drives(track: Track, owner: str, parts: Parts, report: Report) -> None:
    if not track.drives:
        hint = 'write <drive joint="..." gain="..."/>; a belt that rolls freely names a passive joint'
        report.error(track.source, f"{owner}: it has no <drive>; a belt is moved by at least one joint", hint)
    seen: set[str] = set()
    for drive in track.drives:
        said = f'{owner}: <drive joint="{shown(drive.joint)}">'
        joint = parts.joint.get(drive.joint)
        if joint is None:
            if drive.joint:
                hint = report.suggest(drive.joint, parts.joint, "joints")
                report.error(drive.source, f"{said}: that joint does not exist", hint)
        elif joint.type not in ONE_AXIS:
            hint = f"types that can drive: {', '.join(ONE_AXIS)}"
            report.error(drive.source, f"{said}: a {joint.type} joint cannot drive a belt", hint)
        if drive.gain == 0.0:
            hint = "the gain is belt speed over joint speed: the pitch radius [m] of a sprocket"
            report.error(drive.source, f"{said}: gain is 0, so that it does not move the belt", hint)
        elif not math.isfinite(drive.gain):
            report.error(drive.source, f"{said}: gain {drive.gain} is not finite")
        if drive.joint in seen:
            report.warning(drive.source, f"{said}: it drives this belt twice; the gains add up", "write one <drive>")
        seen.add(drive.joint)


def _check_replaces(track: Track, owner: str, parts: Parts, report: Report) -> None:
    for name in track.replaces:
        if len(name.split()) != 1:
            report.error(track.source, f"{owner}: replaces: '{shown(name)}' is not a name without spaces")
        elif name not in parts.link:
            hint = report.suggest(name, parts.link, "links")
            report.error(track.source, f"{owner}: replaces: link '{shown(name)}' does not exist", hint)


def _check_support(track: Track, owner: str, report: Report) -> None:
    found = _SUPPORT.fullmatch(track.support)
    if not found or (found.group(1) and int(found.group(1)) not in STATIONS):
        message = f"{owner}: support '{shown(track.support)}' is not ends, wheels or even:N"
        hint = f"N is the number of stations that carry, {STATIONS.start} to {STATIONS.stop - 1}"
        report.error(track.source, message, hint)
        return
    for name, value, default in (
        ("support", track.support, "ends"),
        ("efficiency", track.efficiency, 1.0),
        ("skip_torque", track.skip_torque, None),
    ):
        if value != default:
            message = f"{owner}: {name} '{value}' is read but not realised by this version"
            said = "an ideal belt" if name != "support" else "a belt with support 'ends'"
            report.warning(track.source, message, f"it behaves as {said}")


def _check_wheel_joint(index: int, track: Track, owner: str, parts: Parts, report: Report) -> bool:
    """Check the joint a wheel turns on; return whether the wheel's centre can be relied on."""
    wheel = track.wheels[index]
    if not wheel.joint:
        return True
    said = f"{owner}: {_label(index, wheel)}"
    joint = parts.joint.get(wheel.joint)
    if joint is None:
        hint = report.suggest(wheel.joint, parts.joint, "joints")
        report.error(wheel.source, f"{said}: that joint does not exist", hint)
        return False
    _check_wheel_link(wheel, said, joint.child, parts, report)
    fault = _misfit(wheel, joint, track) or _lean(joint, track, parts)
    if fault and track.link in parts.link:
        report.error(wheel.source, f"{said}: {fault[0]}", fault[1])
    return fault is None


def _misfit(wheel: Wheel, joint: Joint, track: Track) -> tuple[str, str] | None:
    """Return why a wheel cannot turn on a joint, and what to do; None if it can."""
    link = shown(track.link)
    if joint.type not in TURNING:
        message = f"a wheel turns on a revolute or continuous joint, not on a {joint.type} one"
        return message, "give the wheel's centre as xyz instead"
    if joint.parent != track.link:
        message = f"the joint's parent is '{shown(joint.parent)}', not the track's link '{link}'"
        return message, f"give the wheel's centre as xyz in the frame of '{link}'"
    if wheel.center != joint.origin.xyz:
        message = f"its centre {wheel.center} is not the origin of the joint, {joint.origin.xyz}"
        return message, "a wheel on a joint has its centre there"
    return None


def _lean(joint: Joint, track: Track, parts: Parts) -> tuple[str, str] | None:
    """Return by how much a joint's axis is not parallel to the track's, and a hint; None if it is."""
    if parts.is_broken(joint) or parts.is_broken(track):
        return None
    angle = _angle_between(track.axis, rotate(matrix_of_rpy(joint.origin.rpy), joint.axis))
    if math.sin(angle) > PARALLEL_TOLERANCE:
        message = f"its axis is {math.degrees(angle):.3g} degrees off the track's axis; it must be parallel"
        return message, f"the track's axis is {track.axis} in the frame of '{shown(track.link)}'"
    return None


def _check_wheel_link(wheel: Wheel, said: str, link: str, parts: Parts, report: Report) -> None:
    """The belt is the contact surface: a wheel that also collided would touch the ground beside it."""
    for name in parts.fixed_to(link):
        if parts.link[name].collisions and name not in parts.replaced:
            message = f"{said}: its link '{shown(name)}' has collision geometry of its own, beside the belt"
            hint = f'remove its <collision> (keep its <visual>), or write replaces="{shown(name)}" on <track>'
            report.error(wheel.source, message, hint)


def _check_sizes(track: Track, owner: str, report: Report) -> bool:
    sound = True
    skip = math.inf if track.skip_torque is None else track.skip_torque
    for name, value, good, rule in (
        ("width", track.width, track.width > 0.0, "above 0"),
        ("thickness", track.thickness, track.thickness >= 0.0, "0 or more"),
        ("efficiency", track.efficiency, 0.0 < track.efficiency <= 1.0, "above 0 and at most 1"),
        ("skip_torque", track.skip_torque, skip > 0.0, "above 0"),
    ):
        if value is not None and not (math.isfinite(value) and good):
            sound = False
            report.error(track.source, f"{owner}: {name} {value}; it must be a finite number {rule}")
    for index, wheel in enumerate(track.wheels):
        if not (math.isfinite(wheel.radius) and wheel.radius > 0.0):
            sound = False
            message = f"{owner}: {_label(index, wheel)}: radius {wheel.radius} m; it must be finite and above 0"
            report.error(wheel.source, message)
        if not all(math.isfinite(x) for x in wheel.center):
            sound = False
            report.error(wheel.source, f"{owner}: {_label(index, wheel)}: its centre {wheel.center} is not finite")
    if not abs(sum(x * x for x in track.axis) - 1.0) <= UNIT_WITHIN:
        sound = False
        report.error(track.source, f"{owner}: axis {track.axis} is not a unit vector", "divide it by its length")
    if track.rgba and not all(0.0 <= x <= 1.0 for x in track.rgba):
        report.error(track.source, f"{owner}: the numbers of a colour lie in [0, 1], {track.rgba} does not")
    return sound


def _check_count(track: Track, owner: str, report: Report) -> bool:
    count = len(track.wheels)
    if count < 2:
        message = f"{owner}: it has {count or 'no'} wheel{'' if count == 1 else 's'}; a belt wraps at least two"
        report.error(
            track.source,
            message,
            'write <wheel joint="..." radius="..."/> or <wheel xyz="..." radius="..."/>',
        )
    elif count > MAX_WHEELS:
        report.error(track.source, f"{owner}: it has {count} wheels; at most {MAX_WHEELS} are read")
    return 2 <= count <= MAX_WHEELS


def _check_hull(track: Track, owner: str, report: Report) -> None:
    wheels = track.wheels
    size = max(math.dist(wheels[0].center, wheel.center) + wheel.radius for wheel in wheels)
    heights = [sum(a * x for a, x in zip(track.axis, wheel.center, strict=True)) for wheel in wheels]
    # An actual wheel's height, so that of two wheels one is off, not both.
    middle = median_low(heights)
    flat = True
    for index, height in enumerate(heights):
        if abs(height - middle) > PLANE_TOLERANCE * size:
            flat = False
            message = (
                f"{owner}: {_label(index, wheels[index])}: {abs(height - middle):.4g} m off the plane; "
                "all wheels must lie in one plane perpendicular to the axis"
            )
            along = ", ".join(f"{x:.6g}" for x in heights[:MAX_WHEELS])
            report.error(wheels[index].source, message, f"the wheels lie at {along} m along the axis")
    if not flat:
        return
    inside = set(_report_nested(track, owner, size, report))
    outline = track.outline
    for index in outline.inside:
        if index not in inside:
            message = (
                f"{owner}: {_label(index, wheels[index])}: it lies {outline.clearances[index]:.4g} m inside "
                "the belt, which is rigid and wraps the convex hull of its wheels"
            )
            reach = wheels[index].radius + outline.clearances[index]
            report.error(wheels[index].source, message, f"remove it, or let it reach the belt: radius {reach:.6g}")


def _report_nested(track: Track, owner: str, size: float, report: Report) -> Iterable[int]:
    """Report wheels inside another wheel; yield them."""
    wheels = track.wheels
    for index, wheel in enumerate(wheels):
        for other, outer in enumerate(wheels):
            distance = math.dist(wheel.center, outer.center)
            within = distance + wheel.radius <= outer.radius + INSIDE_TOLERANCE * size
            # Of two equal wheels the later one is inside the earlier.
            equal = distance + outer.radius <= wheel.radius + INSIDE_TOLERANCE * size
            if index != other and within and (not equal or other < index):
                message = f"{owner}: {_label(index, wheel)}: it lies inside {_label(other, outer)}"
                report.error(wheel.source, message, "remove it: the belt cannot touch it")
                yield index
                break


def _label(index: int, wheel: Wheel) -> str:
    where = f"joint '{shown(wheel.joint)}'" if wheel.joint else f"xyz {listed(f'{x:g}' for x in wheel.center)}"
    return f"wheel {index + 1} ({where})"


def _angle_between(a: Vector3, b: Vector3) -> float:
    """Return the angle between two lines [rad], in [0, pi/2]."""
    cross = math.hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
    return math.atan2(cross, abs(sum(x * y for x, y in zip(a, b, strict=True))))
