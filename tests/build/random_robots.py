"""Random robots, and their frames, masses and inertias computed link by link, without merging."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from grouser.description.named import Named
from grouser.description.robot import (
    Box,
    Collision,
    Dynamics,
    Inertial,
    Joint,
    JointType,
    Limits,
    Link,
    Pose,
    Robot,
    Sphere,
)

ONE_AXIS = (JointType.REVOLUTE, JointType.CONTINUOUS, JointType.PRISMATIC)

KINDS = (*JointType, JointType.FIXED, JointType.FIXED)
RIGHT_ANGLES = (0.0, math.pi / 2, -math.pi / 2, math.pi)


def rotation_of_rpy(rpy) -> np.ndarray:
    """Return R of URDF's roll, pitch, yaw, as the product of three turns."""
    roll, pitch, yaw = rpy
    return turn((0, 0, 1), yaw) @ turn((0, 1, 0), pitch) @ turn((1, 0, 0), roll)


def turn(axis, angle: float) -> np.ndarray:
    """Return the rotation about a unit vector: the exponential, by its eigenvectors."""
    a = np.asarray(axis, dtype=float)
    along = np.outer(a, a)
    cross = np.array([np.cross(a, e) for e in np.eye(3)]).T
    return along + math.cos(angle) * (np.eye(3) - along) + math.sin(angle) * cross


class Dice:
    """Draws parts of a robot: numbers from one seed, which is faster to generate than many draws."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def vector(self):
        """Return three numbers between -1 and 1."""
        x, y, z = (float(v) for v in self.rng.uniform(-1, 1, 3))
        return (x, y, z)

    def pose(self) -> Pose:
        """Return a pose, half of them turned by right angles only."""
        if self.rng.random() < 0.5:
            roll, pitch, yaw = (float(v) for v in self.rng.choice(RIGHT_ANGLES, 3))
        else:
            roll, pitch, yaw = (float(v) for v in self.rng.uniform(-math.pi, math.pi, 3))
        return Pose(self.vector(), (roll, pitch, yaw))

    def axis(self):
        """Return a unit vector."""
        x, y, z = (float(v) for v in _unit(self.rng.normal(size=3)))
        return (x, y, z)

    def inertial(self) -> Inertial:
        """Return an inertial that a body can have: from second moments along turned axes."""
        mass = float(10 ** self.rng.uniform(-1, 2))
        second = self.rng.uniform(0.01, 0.3, 3) ** 2 * mass
        r = rotation_of_rpy(self.pose().rpy)
        i = r @ np.diag(second.sum() - second) @ r.T
        xx, xy, xz, yy, yz, zz = (float(v) for v in ((i + i.T) / 2)[np.triu_indices(3)])
        return Inertial(mass, self.pose(), xx, xy, xz, yy, yz, zz)

    def joint(self, index: int, kind: JointType) -> Joint:
        """Return the joint from an earlier link to link `index`; a third of the limited ones are locked."""
        limits = Limits()
        if kind in (JointType.REVOLUTE, JointType.PRISMATIC) and self.rng.random() < 0.7:
            low = float(self.rng.uniform(-1.0, 0.5))
            limits = Limits(low, low + float(self.rng.choice((0.0, 0.5, 1.0))), effort=5.0)
        parent = int(self.rng.integers(index))
        dynamics = Dynamics(damping=0.1, friction=0.01, rotor_inertia=0.01)
        return Joint(f"j{index}", kind, f"l{parent}", f"l{index}", self.pose(), self.axis(), limits, dynamics)


def _unit(v: np.ndarray) -> np.ndarray:
    return v / np.linalg.norm(v)


@st.composite
def robots(draw) -> Robot:
    """Return a robot of up to eight links, some without mass, some with a shape to collide with."""
    dice = Dice(draw(st.integers(0, 2**32 - 1)))
    rest = draw(st.lists(st.tuples(st.sampled_from(KINDS), st.booleans(), st.booleans()), max_size=7))
    links = [Link("l0", dice.inertial(), (Collision(Sphere(0.1)),))]
    joints = []
    for index, (kind, heavy, solid) in enumerate(rest, 1):
        shapes = (Collision(Box((0.1, 0.2, 0.3)), dice.pose()),) if solid else ()
        links.append(Link(f"l{index}", dice.inertial() if heavy else None, shapes))
        joints.append(dice.joint(index, kind))
    named = Named("joint", ((joint.name, joint) for joint in joints))
    return Robot("random", Named("link", ((link.name, link) for link in links)), named)


@dataclass(frozen=True)
class Placed:
    """A frame in W."""

    rotation: np.ndarray
    position: np.ndarray

    def then(self, rotation, position) -> Placed:
        """Return the frame that has this pose in this one."""
        return Placed(self.rotation @ rotation, self.rotation @ np.asarray(position, float) + self.position)


def random_positions(robot: Robot, seed: int) -> dict[str, float]:
    """Return positions of the one-axis joints, within their limits."""
    rng = np.random.default_rng(seed)
    found = {}
    for name, joint in robot.joints.items():
        if joint.type in ONE_AXIS:
            low = -1.0 if joint.limits.lower is None else joint.limits.lower
            high = 1.0 if joint.limits.upper is None else joint.limits.upper
            found[name] = float(rng.uniform(low, high)) if low < high else low
    return found


def place_links(robot: Robot, q: dict[str, float]) -> dict[str, Placed]:
    """Return the frame of each link in W, the base at the origin, joints of several axes at rest."""
    placed = {robot.root: Placed(np.eye(3), np.zeros(3))}
    waiting = [robot.root]
    while waiting:
        parent = waiting.pop()
        for joint in robot.children[parent]:
            at = placed[parent].then(rotation_of_rpy(joint.origin.rpy), joint.origin.xyz)
            value = q.get(joint.name, 0.0)
            if joint.type is JointType.PRISMATIC:
                at = at.then(np.eye(3), value * np.array(joint.axis))
            elif joint.type in ONE_AXIS:
                at = at.then(turn(joint.axis, value), np.zeros(3))
            placed[joint.child] = at
            waiting.append(joint.child)
    return placed


def mass_and_inertia(robot: Robot, placed: dict[str, Placed]) -> tuple[float, np.ndarray, np.ndarray]:
    """Return mass, centre of mass in W, and inertia about W's origin, summed over the links as point clouds.

    Each link's inertia is turned into second moments, of which those about W's origin simply add.
    """
    mass, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    for name, link in robot.links.items():
        if link.inertial is None:
            continue
        x = link.inertial
        at = placed[name].then(rotation_of_rpy(x.origin.rpy), x.origin.xyz)
        i = np.array(((x.ixx, x.ixy, x.ixz), (x.ixy, x.iyy, x.iyz), (x.ixz, x.iyz, x.izz)))
        own = at.rotation @ (np.trace(i) / 2 * np.eye(3) - i) @ at.rotation.T
        mass += x.mass
        first += x.mass * at.position
        second += own + x.mass * np.outer(at.position, at.position)
    return mass, first / mass, np.trace(second) * np.eye(3) - second
