"""Whether joints make sense: limits, dynamics, axes, mimics."""

from __future__ import annotations

import math

from grouser.description.parts import Parts
from grouser.description.report import Report, listed, shown
from grouser.description.robot import UNLIMITED_BEYOND, Joint, JointType
from grouser.description.transforms import UNIT_WITHIN

__all__ = ["ONE_AXIS", "check_joints"]

ONE_AXIS = (JointType.REVOLUTE, JointType.CONTINUOUS, JointType.PRISMATIC)
"""Joints with one coordinate: those that can mimic, be mimicked and drive a track."""
POSITION_LIMITED = (JointType.REVOLUTE, JointType.PRISMATIC)


def check_joints(parts: Parts, report: Report) -> None:
    """Report what is wrong with each joint, and with what joints follow."""
    for joint in parts.joints:
        if not parts.is_broken(joint):
            owner = f"joint '{shown(joint.name)}'"
            _check_numbers(joint, owner, report)
            _check_limits(joint, owner, report)
            _check_dynamics(joint, owner, report)
        if joint.mimic:
            _check_mimic(joint, parts, report)
    _check_mimic_cycles(parts, report)


def _check_numbers(joint: Joint, owner: str, report: Report) -> None:
    if not all(math.isfinite(x) for x in (*joint.origin.xyz, *joint.origin.rpy)):
        report.error(joint.source, f"{owner}: <origin>: its numbers must be finite")
    if not abs(sum(x * x for x in joint.axis) - 1.0) <= UNIT_WITHIN:
        report.error(joint.source, f"{owner}: axis {joint.axis} is not a unit vector", "divide it by its length")


def _check_limits(joint: Joint, owner: str, report: Report) -> None:
    limits = joint.limits
    for name in ("lower", "upper", "effort", "velocity"):
        value = getattr(limits, name)
        if value is not None and not abs(value) <= UNLIMITED_BEYOND:
            message = f"{owner}: limit {name} {value} is beyond {UNLIMITED_BEYOND:g}, which means unlimited"
            report.error(joint.source, message, "None means unlimited")
    for name in ("effort", "velocity"):
        value = getattr(limits, name)
        if value is not None and value < 0.0:
            report.error(joint.source, f"{owner}: limit {name} {value} is negative", "None means unlimited")
    if limits.effort == 0.0 and joint.type in ONE_AXIS:
        report.info(joint.source, f"{owner}: effort limit 0: no controller can move it", "leave effort out")
    if joint.type not in POSITION_LIMITED and (limits.lower, limits.upper) != (None, None):
        report.error(joint.source, f"{owner}: a {joint.type} joint has no lower and upper limit", "use revolute")
    if limits.lower is not None and limits.upper is not None and limits.lower > limits.upper:
        message = f"{owner}: lower limit {limits.lower} is above upper limit {limits.upper}"
        report.error(joint.source, message, "swap them")


def _check_dynamics(joint: Joint, owner: str, report: Report) -> None:
    dynamics = joint.dynamics
    for name in ("damping", "friction", "rotor_inertia", "stiffness"):
        value = getattr(dynamics, name)
        if not (math.isfinite(value) and value >= 0.0):
            report.error(joint.source, f"{owner}: {name} {value} must be a finite number, 0 or more")
    mount = dynamics.spring_mount
    count = 4 if joint.type is JointType.SPHERICAL else 1
    if mount and (len(mount) != count or not all(math.isfinite(x) for x in mount)):
        what = "a quaternion w x y z" if count == 4 else "one finite number"
        report.error(joint.source, f"{owner}: spring_mount {mount} must be {what} on a {joint.type} joint")
    elif len(mount) == 4 and abs(sum(x * x for x in mount) - 1.0) > UNIT_WITHIN:
        report.error(joint.source, f"{owner}: spring_mount {mount} is not a unit quaternion")


def _check_mimic(joint: Joint, parts: Parts, report: Report) -> None:
    mimic = joint.mimic
    if mimic is None:
        return
    owner = f"joint '{shown(joint.name)}'"
    if joint.type not in ONE_AXIS:
        message = f"{owner}: a {joint.type} joint cannot mimic another"
        report.error(joint.source, message, f"types that can: {', '.join(ONE_AXIS)}")
    if not (math.isfinite(mimic.multiplier) and math.isfinite(mimic.offset)):
        report.error(joint.source, f"{owner}: mimic multiplier and offset must be finite")
    leader = parts.joint.get(mimic.joint)
    if leader is None:
        if mimic.joint:
            hint = report.suggest(mimic.joint, parts.joint, "joints")
            report.error(joint.source, f"{owner}: it mimics joint '{shown(mimic.joint)}', which does not exist", hint)
    elif leader.type is JointType.FIXED:
        message = f"{owner}: it mimics the fixed joint '{shown(leader.name)}', so that it stays at {mimic.offset}"
        report.warning(joint.source, message, "make it a fixed joint, or mimic a moving one")
    elif leader.type not in ONE_AXIS:
        message = f"{owner}: it mimics '{shown(leader.name)}', a {leader.type} joint without a single coordinate"
        report.error(joint.source, message, f"types that can be mimicked: {', '.join(ONE_AXIS)}")


def _check_mimic_cycles(parts: Parts, report: Report) -> None:
    done: set[str] = set()
    for joint in parts.joint.values():
        path: dict[str, None] = {}
        current: Joint | None = joint
        while current and current.mimic and current.name not in done and current.name not in path:
            path[current.name] = None
            current = parts.joint.get(current.mimic.joint)
        if current and current.name in path:
            names = list(path)
            cycle = names[names.index(current.name) :]
            message = f"joints mimic each other in a circle: {listed([*cycle, cycle[0]])}"
            report.error(current.source, message, "one of them must be free")
        done.update(path)
