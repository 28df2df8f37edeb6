"""Where the joints of a robot start: at 0, unless that is outside their limits or off what they follow."""

from __future__ import annotations

from collections.abc import Mapping

from grouser.description.robot import Joint, JointType, Robot

__all__ = ["initial_positions"]


def initial_positions(robot: Robot, moving: Mapping[str, object]) -> dict[str, float]:
    """Return the positions of one-axis joints that do not start at 0 [rad or m].

    A joint starts at the point of its range nearest 0; one that follows another, where that puts it.

    Args:
        robot: The robot.
        moving: Its joints that move.
    """
    starts: dict[str, float] = {}
    for name in moving:
        if name in robot.joints:
            start = _start(robot, robot.joints[name], moving)
            if start != 0.0:
                starts[name] = start
    return starts


def _start(robot: Robot, joint: Joint, moving: Mapping[str, object]) -> float:
    multiplier, offset = 1.0, 0.0
    # The chain is followed to its leader; checks have refused cycles.
    for _ in range(len(robot.joints)):
        mimic = joint.mimic
        if mimic is None or mimic.joint not in moving or mimic.joint not in robot.joints:
            break
        multiplier, offset = multiplier * mimic.multiplier, multiplier * mimic.offset + offset
        joint = robot.joints[mimic.joint]
    return multiplier * _nearest_to_zero(joint) + offset


def _nearest_to_zero(joint: Joint) -> float:
    if joint.type not in (JointType.REVOLUTE, JointType.PRISMATIC):
        return 0.0
    lower, upper = joint.limits.lower, joint.limits.upper
    if lower is not None and lower > 0.0:
        return lower
    return upper if upper is not None and upper < 0.0 else 0.0
