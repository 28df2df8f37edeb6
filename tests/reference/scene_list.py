"""The scenes that the plugin is compared with the reference on, each with controls that exercise it."""

from __future__ import annotations

import math
from collections.abc import Callable

from .description import Belt, Contact
from .scenes import OPTIONS, SPROCKET, Scene, TwoTracks, belt_geoms, on_ground, tilted

FORWARD = (0.0, 5.0, 0.0, 0.0, 5.0, 0.0)
SPINNING = (0.0, -4.0, 0.0, 0.0, 4.0, 0.0)


def driving() -> Scene:
    return on_ground("driving", TwoTracks(com=(0.02, 0.01, 0.0)), control=FORWARD)


def spinning() -> Scene:
    return on_ground("spinning", TwoTracks(com=(0.02, 0.0, 0.0)), control=SPINNING)


def slope() -> Scene:
    angle = math.radians(30.0)
    return on_ground("slope", TwoTracks(kd=20.0), control=FORWARD, options=tilted((math.cos(angle), math.sin(angle))))


def step() -> Scene:
    box = '<geom name="step" type="box" size="0.5 1.5 0.08" pos="0.985 0 0.08"/>'
    return on_ground("step", TwoTracks(), control=FORWARD, more=box)


def torque_driven_step() -> Scene:
    """A step climbed with torques on light sprockets: tangential acceleration matters here."""
    box = '<geom name="step" type="box" size="0.5 1.5 0.08" pos="0.985 0 0.08"/>'
    robot = TwoTracks(kd=0.0, armature=0.001)
    return on_ground("torque driven step", robot, control=(0.0, 0.0, 6.0, 0.0, 0.0, 6.0), more=box)


def over_a_loose_box() -> Scene:
    box = (
        '<body name="box" pos="0.3 0.2 0.0498"><freejoint/>'
        '<geom name="box" type="box" size="0.15 0.3 0.05" mass="5"/></body>'
    )
    robot = TwoTracks(position=(0.0, 0.0, 0.16), euler=(0.0, -0.1, 0.0))
    return on_ground("over a loose box", robot, control=FORWARD, more=box)


def on_a_kinematic_plate() -> Scene:
    plate = '<body name="plate" mocap="true" pos="0 0 0.05"><geom type="box" size="1 1 0.05"/></body>'
    robot = TwoTracks(position=(0.0, 0.0, 0.1999))
    return on_ground("on a kinematic plate", robot, control=SPINNING, more=plate)


def saturated() -> Scene:
    """Servos far beyond their effort limit, with position gain as well."""
    robot = TwoTracks(kp=30.0, effort=3.0)
    return on_ground("saturated", robot, control=(50.0, 40.0, 0.0, 0.0, 40.0, 0.5))


def at_the_effort_limit() -> Scene:
    """Servos that reach their limit only because the implicit part takes something off, or not."""
    robot = TwoTracks(kp=30.0, kd=8.0, effort=4.0)
    return on_ground("at the effort limit", robot, control=(0.1, 0.6, 0.2, 0.1, 0.4, 0.1))


def slippery() -> Scene:
    """Material pairs: one belt on ice without friction, the other on rubber."""
    contact = Contact(
        members={"rubber": ("left/front", "left/rear", "left/bottom"), "ice": ("ground",), "steel": _RIGHT},
        pairs={("ice", "rubber"): 0.35, ("steel", "ice"): 0.0},
    )
    return on_ground("slippery", TwoTracks(), control=FORWARD, contact=contact)


_RIGHT = tuple(f"right/{part}" for part in ("front", "rear", "top", "bottom"))


def rich_contact(condim: int) -> Scene:
    """Contacts without friction (1), with torsional (4) and rolling friction (6), under a material pair."""
    contact = Contact(members={"ice": ("ground",)}, pairs={("ice", "default"): 0.5})
    options = OPTIONS.replace("<geom ", f'<geom condim="{condim}" ')
    robot = TwoTracks(condim=condim)
    return on_ground(f"condim {condim}", robot, control=SPINNING, contact=contact, options=options)


def conveyor() -> Scene:
    """A belt on the world body, driven by a roller in a tree of its own, with a box and a ball on it."""
    geoms, names = belt_geoms("belt", y=0.0, z=0.5, length=2.0, radius=0.1, width=0.5)
    elements = f"""
    <worldbody>{geoms}
      <body name="roller" pos="1 0 0.5">{SPROCKET}<joint name="roller" axis="0 1 0" armature="0.02"/></body>
      <body name="box" pos="0 0.05 0.6495"><freejoint/><geom type="box" size="0.1 0.1 0.05" mass="3"/></body>
      <body name="ball" pos="-0.5 -0.1 0.6495"><freejoint/>
        <geom type="sphere" size="0.05" mass="1" condim="6"/></body>
    </worldbody>
    <actuator><pid name="roller" joint="roller" kp="0" kv="20" input="pos vel ff" forcerange="-8 8"/></actuator>
    """
    belt = Belt("belt", names, (0, 1, 0), (0, 0, 0.5), 0.5, {"roller": 0.1})
    return Scene("conveyor", elements, (belt,), control=(0.0, 10.0, 0.0))


def robot_on_a_conveyor() -> Scene:
    """Belt on belt, one of them on the world body."""
    geoms, names = belt_geoms("belt", y=0.0, z=0.5, length=4.0, radius=0.1, width=2.0)
    robot = TwoTracks(prefix="r/", position=(0.0, 0.0, 0.6999))
    elements = f"""
    <worldbody>{geoms}
      <body pos="1 0 0.5">{SPROCKET}<joint name="roller" axis="0 1 0" armature="0.02"/></body>
      {robot.body()}
    </worldbody>
    <actuator><pid name="roller" joint="roller" kp="0" kv="20" input="pos vel ff"/>{robot.actuators()}</actuator>
    """
    belt = Belt("belt", names, (0, 1, 0), (0, 0, 0.5), 2.0, {"roller": 0.1})
    control = (0.0, 3.0, 0.0, *SPINNING)
    return Scene("robot on a conveyor", elements, (belt, *robot.belts()), control=control)


def two_robots() -> Scene:
    """Two robots nose to nose, their belts rubbing on each other; one is turned a little."""
    first = TwoTracks(prefix="a/")
    second = TwoTracks(prefix="b/", position=(0.9995, 0.03, 0.0999), euler=(0.0, 0.0, math.pi))
    elements = f"""
    <worldbody><geom name="ground" type="plane" size="20 20 1"/>{first.body()}{second.body()}</worldbody>
    <actuator>{first.actuators()}{second.actuators()}</actuator>
    """
    belts = (*first.belts(), *second.belts())
    return Scene("two robots", elements, belts, control=FORWARD + FORWARD)


def flippers() -> Scene:
    """Main tracks, and front flippers whose belts run with the sprockets, less the flipper's own turn."""
    robot = TwoTracks(length=0.5, armature=0.02)
    body, actuators = robot.body(), robot.actuators()
    belts = list(robot.belts())
    for side, y in (("left", 0.36), ("right", -0.36)):
        name = f"{side}_flipper"
        geoms, names = belt_geoms(name, y=0.0, x=0.175, length=0.35, radius=0.08, width=0.06)
        flipper = (
            f'<body name="{name}" pos="0.25 {y} 0"><inertial pos="0.15 0 0" mass="1"'
            ' diaginertia="0.002 0.01 0.01"/>'
            f'<joint name="{name}" axis="0 1 0" armature="0.01" damping="0.5" frictionloss="0.4"/>{geoms}</body>'
        )
        body = body.removesuffix("</body>") + flipper + "</body>"
        actuators += f'<pid name="{name}" joint="{name}" kp="300" kv="10" input="pos vel ff" forcerange="-40 40"/>'
        belts.append(Belt(name, names, (0, 1, 0), (0, 0, 0), 0.06, {side: 0.1, name: -0.1}))
    elements = (
        f'<worldbody><geom name="ground" type="plane" size="20 20 1"/>{body}</worldbody>'
        f"<actuator>{actuators}</actuator>"
    )
    control = (*FORWARD, 0.15, 0.0, 0.0, 0.1, 0.0, 0.0)
    return Scene("flippers", elements, tuple(belts), control=control)


def no_belts() -> Scene:
    """Only `grouser.contact`: sliding blocks, a sprung and damped arm with a servo, limits, an equality."""
    elements = """
    <worldbody>
      <geom name="ground" type="plane" size="20 20 1"/>
      <body name="block" pos="0 0 0.0999"><freejoint/><geom type="box" size="0.2 0.1 0.1" mass="4"/></body>
      <body name="ball" pos="1 0 0.0999"><freejoint/>
        <geom type="sphere" size="0.1" mass="2" condim="6" friction="0.6 0.02 0.01"/></body>
      <body name="arm" pos="0 1 0.3"><joint name="shoulder" axis="0 1 0" damping="0.3" stiffness="20"
        frictionloss="0.2"/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03" mass="1"/>
        <body pos="0.4 0 0"><joint name="elbow" axis="0 1 0" armature="0.001" limited="true"
          range="-0.02 0.02"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" mass="0.5" condim="4"/>
        </body></body>
      <body pos="0 2 0.5"><joint name="follower" axis="1 0 0"/><geom size="0.05" mass="0.3"/></body>
    </worldbody>
    <equality><joint joint1="follower" joint2="shoulder" polycoef="0 0.5 0 0 0"/></equality>
    <actuator><pid name="shoulder" joint="shoulder" kp="200" kv="4" input="pos vel ff" forcerange="-30 30"/>
      <pid name="elbow" joint="elbow" kp="50" kv="8" input="pos vel ff"/>
      <motor name="push" joint="follower" gear="0.5"/></actuator>
    """
    return Scene("no belts", elements, control=(0.9, 0.0, 1.0, -0.4, 0.0, 0.0, 0.7))


def without_plugin() -> Scene:
    """A stock model that has nothing of the plugin in it."""
    return Scene("without plugin", no_belts().elements, control=no_belts().control, has_plugin=False,
                 options=OPTIONS)  # fmt: skip


SCENES: tuple[Callable[[], Scene], ...] = (
    driving,
    spinning,
    slope,
    step,
    torque_driven_step,
    over_a_loose_box,
    on_a_kinematic_plate,
    saturated,
    at_the_effort_limit,
    slippery,
    lambda: rich_contact(1),
    lambda: rich_contact(4),
    lambda: rich_contact(6),
    conveyor,
    robot_on_a_conveyor,
    two_robots,
    flippers,
    no_belts,
)
