"""Small scenes as MJCF text, with the plugin's elements and without them.

The text without the plugin is what the reference works on; the text with it is the same model, run by the
plugin. Only the `<extension>` element and the plugin's sensors differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

from .description import Belt, Contact

OPTIONS = """
<compiler angle="radian"/>
<option timestep="0.002" cone="elliptic" impratio="100" jacobian="dense" solver="Newton" integrator="Euler"
        tolerance="0" iterations="200" ls_tolerance="1e-6" ls_iterations="100">
  <flag eulerdamp="disable" multiccd="disable" island="disable"/>
</option>
<default><geom friction="0.8 0.005 0.0001"/></default>
"""
"""Compiled options of a belt model; the solver's tolerance is as tight as it goes, for comparison."""

ITERATIONS = 200
"""Most solves of the plugin in a step."""

SPROCKET = '<inertial pos="0 0 0" mass="1e-12" diaginertia="1e-12 1e-12 1e-12"/>'
"""A link without mass of its own."""


@dataclass(frozen=True)
class Scene:
    """A model with tracks.

    Attributes:
        name: What the scene is for.
        elements: MJCF between `<mujoco>` and `</mujoco>`, without options and extension.
        belts: Its tracks.
        contact: Its material pairs.
        control: Values for `data.ctrl` that the scene is about; empty for zeros.
        options: MJCF of options and defaults.
        has_plugin: Whether the plugin text has any plugin instance.
    """

    name: str
    elements: str
    belts: tuple[Belt, ...] = ()
    contact: Contact = field(default_factory=Contact)
    control: tuple[float, ...] = ()
    options: str = OPTIONS
    has_plugin: bool = True

    def mjcf(self, *, plugin: bool) -> str:
        """Return the scene's MJCF, with or without the plugin's instances."""
        extension = self._extension() + self._sensors() if plugin and self.has_plugin else ""
        return f'<mujoco model="{self.name}">{self.options}{extension}{self.elements}</mujoco>'

    def _extension(self) -> str:
        belts = "".join(_instance(b.name, _belt_config(b)) for b in self.belts)
        contact = _instance("contact", _contact_config(self.contact))
        tracks = f'<plugin plugin="grouser.belt">{belts}</plugin>' if belts else ""
        return f'<extension>{tracks}<plugin plugin="grouser.contact">{contact}</plugin></extension>'

    def _sensors(self) -> str:
        tracks = "".join(
            f'<plugin name="{b.prefix}track/{b.name.removeprefix(b.prefix)}" plugin="grouser.belt"'
            f' instance="{b.name}"/>'
            for b in self.belts
        )
        return f'<sensor>{tracks}<plugin name="contact" plugin="grouser.contact" instance="contact"/></sensor>'


def _encode(name: str, prefix: str = "") -> str:
    return quote(name.removeprefix(prefix), safe="/")


def _instance(name: str, config: Mapping[str, str]) -> str:
    lines = "".join(f'<config key="{key}" value="{value}"/>' for key, value in config.items() if value)
    return f'<instance name="{name}">{lines}</instance>'


def _belt_config(belt: Belt) -> dict[str, str]:
    return {
        "name": _encode(belt.name, belt.prefix),
        "geoms": " ".join(_encode(geom, belt.prefix) for geom in belt.geoms),
        "axis": " ".join(f"{x:.17g}" for x in belt.axis),
        "center": " ".join(f"{x:.17g}" for x in belt.center),
        "width": f"{belt.width:.17g}",
        "drives": " ".join(f"{_encode(joint, belt.prefix)} {gain:.17g}" for joint, gain in belt.drives.items()),
    }


def _contact_config(contact: Contact) -> dict[str, str]:
    members = ";".join(f"{key}={','.join(map(_encode, names))}" for key, names in contact.members.items())
    pairs = ";".join(f"{a},{b},{friction:.17g}" for (a, b), friction in contact.pairs.items())
    return {"name": "contact", "iterations": str(ITERATIONS), "tolerance": "1e-12", "members": members, "pairs": pairs}


def belt_geoms(
    prefix: str, *, y: float, length: float, radius: float, width: float, x: float = 0.0, z: float = 0.0,
    extra: str = "",
) -> tuple[str, tuple[str, ...]]:  # fmt: skip
    """Return MJCF of a belt about two equal wheels with its axis along y, and the names of its geoms.

    The lower run's box has its outward normal, local z, pointing down.
    """
    ends = {"front": x + length / 2, "rear": x - length / 2}
    text = "".join(
        f'<geom name="{prefix}/{end}" type="cylinder" size="{radius} {width / 2}" pos="{place} {y} {z}"'
        f' zaxis="0 1 0" {extra}/>'
        for end, place in ends.items()
    )
    for run, side, euler in (("top", 1.0, "0 0 0"), ("bottom", -1.0, "3.141592653589793 0 0")):
        text += (
            f'<geom name="{prefix}/{run}" type="box" size="{length / 2} {width / 2} {radius / 2}"'
            f' pos="{x} {y} {z + side * radius / 2}" euler="{euler}" {extra}/>'
        )
    return text, tuple(f"{prefix}/{part}" for part in ("front", "rear", "top", "bottom"))


@dataclass(frozen=True)
class TwoTracks:
    """A robot on two equal tracks, base frame in the middle of its wheel centres [SI units].

    Attributes:
        prefix: Before all names.
        length, separation, radius, width: Of the tracks.
        mass: Of the whole robot.
        armature: Rotor inertia at each sprocket.
        kp, kd, effort: Of the servos; no limit where effort is None.
        com: Centre of mass in the base frame.
        position, euler: Of the base.
        condim: Of the belts' contacts.
    """

    prefix: str = ""
    length: float = 0.8
    separation: float = 0.5
    radius: float = 0.1
    width: float = 0.08
    mass: float = 20.0
    armature: float = 0.01
    kp: float = 0.0
    kd: float = 50.0
    effort: float | None = None
    com: tuple[float, float, float] = (0.0, 0.0, 0.0)
    position: tuple[float, float, float] = (0.0, 0.0, 0.0999)
    euler: tuple[float, float, float] = (0.0, 0.0, 0.0)
    condim: int = 3

    def body(self) -> str:
        """Return the MJCF of the robot's bodies."""
        inertia = self.mass * 0.02
        tracks = ""
        for side, y in self._sides():
            geoms, _ = belt_geoms(
                self.prefix + side, y=y, length=self.length, radius=self.radius, width=self.width,
                extra=f'condim="{self.condim}"',
            )  # fmt: skip
            joint = f'<joint name="{self.prefix}{side}" axis="0 1 0" armature="{self.armature}"/>'
            tracks += f'{geoms}<body pos="{self.length / 2} {y} 0">{SPROCKET}{joint}</body>'
        return (
            f'<body name="{self.prefix}base" pos="{_text(self.position)}" euler="{_text(self.euler)}">'
            f'<freejoint name="{self.prefix}root"/><inertial pos="{_text(self.com)}" mass="{self.mass}"'
            f' diaginertia="{inertia} {2 * inertia} {2 * inertia}"/>{tracks}</body>'
        )

    def actuators(self) -> str:
        """Return the MJCF of the sprockets' servos."""
        limit = f'forcerange="{-self.effort} {self.effort}"' if self.effort is not None else ""
        return "".join(
            f'<pid name="{self.prefix}{side}" joint="{self.prefix}{side}" kp="{self.kp}" kv="{self.kd}"'
            f' input="pos vel ff" {limit}/>'
            for side, _ in self._sides()
        )

    def belts(self) -> tuple[Belt, ...]:
        """Return the two tracks, driven by the sprockets at their outer radius."""
        names = {side: tuple(f"{self.prefix}{side}/{p}" for p in _PARTS) for side, _ in self._sides()}
        return tuple(
            Belt(self.prefix + side, names[side], (0, 1, 0), (0, y, 0), self.width,
                 {self.prefix + side: self.radius}, self.prefix)
            for side, y in self._sides()
        )  # fmt: skip

    def _sides(self) -> tuple[tuple[str, float], ...]:
        return ("left", self.separation / 2), ("right", -self.separation / 2)


_PARTS = ("front", "rear", "top", "bottom")


def _text(values: tuple[float, ...]) -> str:
    return " ".join(f"{v:.17g}" for v in values)


def on_ground(name: str, robot: TwoTracks, *, control: tuple[float, ...] = (), more: str = "",
              contact: Contact | None = None, options: str = OPTIONS) -> Scene:  # fmt: skip
    """Return a scene with a robot on a plane, and more bodies."""
    elements = (
        f'<worldbody><geom name="ground" type="plane" size="20 20 1"/>{robot.body()}{more}</worldbody>'
        f"<actuator>{robot.actuators()}</actuator>"
    )
    return Scene(name, elements, robot.belts(), contact or Contact(), control, options)


def tilted(degrees_cosine_sine: tuple[float, float]) -> str:
    """Return options with gravity turned as on a slope that falls towards -x, from its (cos, sin)."""
    cosine, sine = degrees_cosine_sine
    return OPTIONS.replace('timestep="0.002"', f'timestep="0.002" gravity="{-9.81 * sine} 0 {-9.81 * cosine}"')
