"""Random valid robots."""

from __future__ import annotations

import math
from pathlib import Path

from hypothesis import strategies as st

from grouser.description.named import Named
from grouser.description.robot import (
    Box,
    Capsule,
    Collision,
    Cylinder,
    Drive,
    Dynamics,
    Inertial,
    Joint,
    JointType,
    Limits,
    Link,
    Mesh,
    Mimic,
    Pose,
    Robot,
    Sphere,
    Track,
    Visual,
    Wheel,
)
from grouser.description.transforms import matrix_of_rpy, normalized, rotate

ONE_AXIS = (JointType.REVOLUTE, JointType.CONTINUOUS, JointType.PRISMATIC)

names = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn")), min_size=1, max_size=8).filter(
    str.strip
)
plain_names = st.text("abc_-./@{}$<&\"'é", min_size=1, max_size=5)
numbers = st.floats(-1e3, 1e3)
positive = st.floats(1e-6, 1e3)
amounts = st.just(0.0) | positive
vectors = st.tuples(numbers, numbers, numbers)
poses = st.builds(Pose, vectors, vectors)
colors = st.none() | st.tuples(*[st.floats(0.0, 1.0)] * 4)
units = vectors.filter(lambda v: math.hypot(*v) > 1e-3).map(normalized)
meshes = st.builds(
    Mesh,
    names.map(lambda name: f"{name}.stl"),
    st.none(),
    st.tuples(positive, positive, positive),
)
solids = (
    st.builds(Box, st.tuples(positive, positive, positive))
    | st.builds(Sphere, positive)
    | st.builds(Cylinder, positive, positive)
    | st.builds(Capsule, positive, positive)
)
collisions = st.builds(Collision, solids, poses, st.just("") | names, st.just("") | names)
visuals = st.builds(Visual, solids | meshes, poses, st.just("") | names, colors)


@st.composite
def inertials(draw: st.DrawFn) -> Inertial:
    """Principal moments that a body can have, in a turned frame."""
    a, b, c = (draw(positive) for _ in range(3))
    return Inertial(draw(positive), draw(poses), ixx=a + b, iyy=b + c, izz=a + c)


@st.composite
def limits(draw: st.DrawFn, kind: JointType) -> Limits:
    lower = upper = None
    if kind in (JointType.REVOLUTE, JointType.PRISMATIC):
        low, high = sorted((draw(numbers), draw(numbers)))
        lower, upper = draw(st.sampled_from([(None, None), (low, None), (None, high), (low, high)]))
    return Limits(lower, upper, draw(st.none() | amounts), draw(st.none() | amounts))


@st.composite
def dynamics(draw: st.DrawFn, kind: JointType) -> Dynamics:
    mount: tuple[float, ...] = ()
    if kind in ONE_AXIS:
        mount = draw(st.just(()) | st.tuples(numbers))
    elif kind is JointType.SPHERICAL:
        mount = draw(st.just(()) | st.tuples(*[st.floats(0.1, 1.0)] * 4).map(normalized))
    return Dynamics(draw(amounts), draw(amounts), draw(amounts), draw(amounts), mount)


@st.composite
def joints(draw: st.DrawFn, name: str, parent: str, child: str, leaders: list[str]) -> Joint:
    kinds = [kind for kind in JointType if kind is not JointType.FLOATING]
    kind = draw(st.sampled_from(kinds))
    mimic = None
    if leaders and kind in ONE_AXIS and draw(st.booleans()):
        mimic = Mimic(draw(st.sampled_from(leaders)), draw(numbers), draw(numbers))
    return Joint(name, kind, parent, child, draw(poses), draw(units), draw(limits(kind)), draw(dynamics(kind)), mimic)


@st.composite
def tracks(draw: st.DrawFn, name: str, robot_joints: list[Joint], links: list[str]) -> Track | None:
    driving = [joint for joint in robot_joints if joint.type in ONE_AXIS]
    if not driving:
        return None
    gain = st.floats(0.01, 10.0) | st.floats(-10.0, -0.01)
    drives = tuple(Drive(joint.name, draw(gain)) for joint in draw(st.sets(st.sampled_from(driving), min_size=1)))
    joint = draw(st.sampled_from(driving))
    turning = joint.type is not JointType.PRISMATIC
    axis = normalized(rotate(matrix_of_rpy(joint.origin.rpy), joint.axis))
    # The second wheel lies across the axis, farther away than the wheels are big.
    across = normalized((axis[1], -axis[0], 0.0) if abs(axis[2]) < 0.9 else (0.0, axis[2], -axis[1]))
    radius, distance = draw(st.floats(0.01, 0.2)), draw(st.floats(0.5, 2.0))
    x, y, z = (p + distance * a for p, a in zip(joint.origin.xyz, across, strict=True))
    return Track(
        name=name,
        link=joint.parent,
        axis=axis,
        width=draw(positive),
        thickness=draw(st.floats(0.0, 0.1)),
        wheels=(Wheel(joint.origin.xyz, radius, joint.name if turning else ""), Wheel((x, y, z), radius)),
        drives=drives,
        material=draw(st.just("") | names),
        rgba=draw(colors),
        visual=draw(st.booleans()),
        support=draw(st.sampled_from(["ends", "wheels", "even:2", "even:1000"])),
        # All of them: whichever link the wheel is on, its shapes are stood in for.
        replaces=tuple(links),
        efficiency=draw(st.floats(0.1, 1.0)),
        skip_torque=draw(st.none() | positive),
    )


@st.composite
def robots(draw: st.DrawFn) -> Robot:
    """A tree of up to six links with every kind of joint, shape and track."""
    link_names = draw(st.lists(plain_names, min_size=1, max_size=6, unique=True))
    links = [
        Link(
            name,
            draw(inertials()),
            tuple(draw(st.lists(collisions, max_size=2))),
            tuple(draw(st.lists(visuals, max_size=2))),
            draw(st.just("") | names),
        )
        for name in link_names
    ]
    made: list[Joint] = []
    for index, child in enumerate(link_names[1:]):
        leaders = [joint.name for joint in made if joint.type in ONE_AXIS]
        parent = link_names[draw(st.integers(0, index))]
        made.append(draw(joints(f"{child}/{index}", parent, child, leaders)))
    belts = [draw(tracks(name, made, link_names)) for name in draw(st.lists(names, max_size=2, unique=True))]
    return Robot(
        name=draw(names),
        links=Named("link", ((link.name, link) for link in links)),
        joints=Named("joint", ((joint.name, joint) for joint in made)),
        tracks=Named("track", ((belt.name, belt) for belt in belts if belt)),
        folder=Path("/somewhere"),
    )
