"""A robot as bodies that move: links joined by fixed joints become one body, and the base is found."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from grouser.build.frames import IDENTITY, Frame, frame_of_pose, rotation_about, translation
from grouser.description.robot import Joint, JointType, Link, Robot

__all__ = ["Body", "Part", "Tree", "locked_values", "make_tree"]

WORLD = "world"
"""A root link of this name stands for the ground."""

ONE_AXIS = (JointType.REVOLUTE, JointType.CONTINUOUS, JointType.PRISMATIC)


@dataclass(frozen=True, slots=True)
class Part:
    """A link of a body, and its frame in the body's."""

    link: Link
    frame: Frame


@dataclass(frozen=True, slots=True)
class Body:
    """Links that move as one.

    Attributes:
        parent: Index of the body that `joint` hangs on; -1 for MuJoCo's world.
        frame: Its frame in the parent's, with the joint at 0.
        joint: The joint that moves it; None for a base.
        free: Whether it is a floating base.
        parts: Its links; the first one's frame is the body's.
    """

    parent: int
    frame: Frame
    joint: Joint | None
    free: bool
    parts: tuple[Part, ...]

    @property
    def name(self) -> str:
        """Name of its first link."""
        return self.parts[0].link.name


@dataclass(frozen=True, slots=True)
class Tree:
    """The bodies of a robot, each after its parent, depth first: the order of MuJoCo's velocities.

    Attributes:
        bodies: The bodies.
        base: Index of the base.
        locked: Positions of one-axis joints that cannot move [rad or m].
    """

    bodies: tuple[Body, ...]
    base: int
    locked: dict[str, float]


def locked_values(robot: Robot) -> dict[str, float]:
    """Return the joints along one axis that cannot move, and where they stand [rad or m].

    A joint whose two limits are equal stands there; one that mimics a joint that cannot move stands where
    that puts it.
    """
    values: dict[str, float] = {}
    for name, joint in robot.joints.items():
        lower, upper = joint.limits.lower, joint.limits.upper
        limited = joint.type in (JointType.REVOLUTE, JointType.PRISMATIC)
        if limited and lower is not None and lower == upper:
            values[name] = lower
    # A chain of mimics settles from its leader on: one link of it a round.
    for _ in robot.joints:
        found = dict(_followers(robot, values))
        if not found:
            break
        values.update(found)
    return values


def _followers(robot: Robot, values: dict[str, float]) -> list[tuple[str, float]]:
    found: list[tuple[str, float]] = []
    for name, joint in robot.joints.items():
        if joint.mimic is None or joint.type not in ONE_AXIS or name in values:
            continue
        leader = joint.mimic.joint
        if leader in values or robot.joints[leader].type is JointType.FIXED:
            found.append((name, joint.mimic.multiplier * values.get(leader, 0.0) + joint.mimic.offset))
    return found


def make_tree(robot: Robot) -> Tree:
    """Return the bodies of a robot, after the rules for its base.

    A root link that is not called `world` is a floating base. If it is, and has one child, the joint to that
    child decides: fixed, the child is the fixed base, and the world link is merged into it; floating, the
    child is the floating base, and the world link a body of its own that does not move; any other, the world
    link is the fixed base. A world link with several children, or none, is the fixed base.
    """
    grower = _Grower(robot, locked_values(robot))
    root = robot.links[robot.root]
    joints = robot.children[root.name]
    if root.name != WORLD:
        grower.grow(root, Body(-1, IDENTITY, None, True, ()))
        return grower.tree(0)
    if len(joints) != 1:
        grower.grow(root, Body(-1, IDENTITY, None, False, ()))
        return grower.tree(0)
    joint, child = joints[0], robot.links[joints[0].child]
    at = frame_of_pose(joint.origin)
    if grower.stands(joint):
        at = at @ grower.motion(joint)
        grower.grow(child, Body(-1, at, None, False, ()), also=(Part(root, at.inverse()),))
        return grower.tree(0)
    if joint.type is JointType.FLOATING:
        grower.bodies.append(Body(-1, IDENTITY, None, False, (Part(root, IDENTITY),)))
        grower.grow(child, Body(-1, at, joint, True, ()))
        return grower.tree(1)
    grower.grow(root, Body(-1, IDENTITY, None, False, ()))
    return grower.tree(0)


class _Grower:
    """Walks a robot from link to link and collects its bodies."""

    def __init__(self, robot: Robot, locked: dict[str, float]) -> None:
        self.robot = robot
        self.locked = locked
        self.bodies: list[Body] = []

    def tree(self, base: int) -> Tree:
        return Tree(tuple(self.bodies), base, self.locked)

    def stands(self, joint: Joint) -> bool:
        return joint.type is JointType.FIXED or joint.name in self.locked

    def motion(self, joint: Joint) -> Frame:
        """Return how far a joint that cannot move has moved its child."""
        value = self.locked.get(joint.name, 0.0)
        if joint.type is JointType.FIXED or value == 0.0:
            return IDENTITY
        if joint.type is JointType.PRISMATIC:
            return translation(value * np.array(joint.axis))
        return rotation_about(joint.axis, value)

    def grow(self, link: Link, start: Body, also: tuple[Part, ...] = ()) -> None:
        """Collect the body that `link` starts and all that hang on it, depth first."""
        waiting = [(link, start, also)]
        while waiting:
            first, body, merged = waiting.pop()
            parts, onward = self._merge(first)
            index = len(self.bodies)
            self.bodies.append(replace(body, parts=(*parts, *merged)))
            for joint, at in reversed(onward):
                child = Body(index, at, joint, False, ())
                waiting.append((self.robot.links[joint.child], child, ()))

    def _merge(self, first: Link) -> tuple[list[Part], list[tuple[Joint, Frame]]]:
        """Return the links that stand still relative to `first`, and the joints that move something."""
        parts: list[Part] = []
        onward: list[tuple[Joint, Frame]] = []
        waiting = [Part(first, IDENTITY)]
        while waiting:
            part = waiting.pop()
            parts.append(part)
            still: list[Part] = []
            for joint in self.robot.children[part.link.name]:
                at = part.frame @ frame_of_pose(joint.origin)
                if self.stands(joint):
                    still.append(Part(self.robot.links[joint.child], at @ self.motion(joint)))
                else:
                    onward.append((joint, at))
            waiting += reversed(still)
        return parts, onward
