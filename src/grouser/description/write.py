"""Writing a robot as URDF with Grouser's elements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from grouser.description.robot import (
    Box,
    Capsule,
    Collision,
    Cylinder,
    Dynamics,
    Geometry,
    Inertial,
    Joint,
    JointType,
    Limits,
    Link,
    Mesh,
    Pose,
    Robot,
    Sphere,
    Track,
    Visual,
)

__all__ = ["to_urdf"]

RGBA = tuple[float, float, float, float]
UNLIMITED = 1e16
"""Written where one limit of position is missing: beyond 1e10 means unlimited, and every reader takes it."""

_ESCAPES = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        "\n": "&#10;",
        "\r": "&#13;",
        "\t": "&#9;",
        # Marks of templates and of xacro, which are looked for before the text is parsed.
        "{": "&#123;",
        "@": "&#64;",
        "$": "&#36;",
    }
)


@dataclass(slots=True)
class _Element:
    """An element to be written; attributes that are None are left out."""

    tag: str
    attributes: Mapping[str, str | None] = field(default_factory=dict)
    children: list[_Element] = field(default_factory=list)

    def lines(self, indent: str = "") -> Iterable[str]:
        written = "".join(
            f' {name}="{value.translate(_ESCAPES)}"' for name, value in self.attributes.items() if value is not None
        )
        if not self.children:
            yield f"{indent}<{self.tag}{written}/>"
            return
        yield f"{indent}<{self.tag}{written}>"
        for child in self.children:
            yield from child.lines(indent + "  ")
        yield f"{indent}</{self.tag}>"


def to_urdf(robot: Robot) -> str:
    """Return a robot as URDF text; `load` makes an equal robot of it.

    Numbers are written so that they are read back exactly. Meshes that were found are named by their
    absolute path. Fixed links, colours, contact materials and tracks are all there.
    """
    colors = _Colors()
    root = _Element("robot", {"name": robot.name})
    root.children += [_link(link, colors) for link in robot.links.values()]
    root.children += [_joint(joint) for joint in robot.joints.values()]
    root.children += [_track(track) for track in robot.tracks.values()]
    return "\n".join(['<?xml version="1.0"?>', *root.lines(), ""])


class _Colors:
    """Names for colours: readers that know materials by name must not mix two of them up."""

    def __init__(self) -> None:
        self._names: dict[RGBA, str] = {}

    def material(self, rgba: RGBA) -> _Element:
        name = self._names.setdefault(rgba, f"color_{len(self._names) + 1}")
        return _Element("material", {"name": name}, [_Element("color", {"rgba": _numbers(rgba)})])


def _link(link: Link, colors: _Colors) -> _Element:
    element = _Element("link", {"name": link.name, "sensor": link.sensor or None})
    if link.inertial:
        element.children.append(_inertial(link.inertial))
    for visual in link.visuals:
        shape = _shape("visual", visual)
        if visual.rgba is not None:
            shape.children.append(colors.material(visual.rgba))
        element.children.append(shape)
    for collision in link.collisions:
        shape = _shape("collision", collision)
        if collision.material:
            contact = _Element("contact", {"name": collision.material})
            shape.children.append(_Element("material", {"name": ""}, [contact]))
        element.children.append(shape)
    return element


def _inertial(inertial: Inertial) -> _Element:
    names = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    return _Element(
        "inertial",
        {},
        [
            *_origin(inertial.origin),
            _Element("mass", {"value": _number(inertial.mass)}),
            _Element("inertia", {name: _number(getattr(inertial, name)) for name in names}),
        ],
    )


def _shape(tag: str, shape: Collision | Visual) -> _Element:
    geometry = _Element("geometry", {}, [_geometry(shape.geometry)])
    return _Element(tag, {"name": shape.name or None}, [*_origin(shape.origin), geometry])


def _geometry(geometry: Geometry) -> _Element:
    if isinstance(geometry, Box):
        return _Element("box", {"size": _numbers(geometry.size)})
    if isinstance(geometry, Sphere):
        return _Element("sphere", {"radius": _number(geometry.radius)})
    if isinstance(geometry, (Cylinder, Capsule)):
        tag = "cylinder" if isinstance(geometry, Cylinder) else "capsule"
        return _Element(tag, {"radius": _number(geometry.radius), "length": _number(geometry.length)})
    return _mesh(geometry)


def _mesh(mesh: Mesh) -> _Element:
    filename = str(mesh.path) if mesh.path else mesh.filename
    scale = None if mesh.scale == (1.0, 1.0, 1.0) else _numbers(mesh.scale)
    return _Element("mesh", {"filename": filename, "scale": scale})


def _joint(joint: Joint) -> _Element:
    element = _Element("joint", {"name": joint.name, "type": joint.type.value}, _origin(joint.origin))
    element.children.append(_Element("parent", {"link": joint.parent}))
    element.children.append(_Element("child", {"link": joint.child}))
    if joint.axis != (1.0, 0.0, 0.0):
        element.children.append(_Element("axis", {"xyz": _numbers(joint.axis)}))
    element.children += _limit(joint)
    element.children += _dynamics(joint.dynamics)
    if joint.mimic:
        values = {"multiplier": _number(joint.mimic.multiplier), "offset": _number(joint.mimic.offset)}
        element.children.append(_Element("mimic", {"joint": joint.mimic.joint, **values}))
    return element


def _limit(joint: Joint) -> list[_Element]:
    limits = joint.limits
    attributes: dict[str, str | None] = {}
    if joint.type in (JointType.REVOLUTE, JointType.PRISMATIC):
        attributes["lower"] = _number(-UNLIMITED if limits.lower is None else limits.lower)
        attributes["upper"] = _number(UNLIMITED if limits.upper is None else limits.upper)
    elif limits == Limits():
        return []
    attributes["effort"] = None if limits.effort is None else _number(limits.effort)
    attributes["velocity"] = None if limits.velocity is None else _number(limits.velocity)
    return [_Element("limit", attributes)]


def _dynamics(dynamics: Dynamics) -> list[_Element]:
    if dynamics == Dynamics():
        return []
    names = ("damping", "friction", "rotor_inertia", "stiffness")
    attributes: dict[str, str | None] = {
        name: _number(getattr(dynamics, name)) if getattr(dynamics, name) else None for name in names
    }
    attributes["spring_mount"] = _numbers(dynamics.spring_mount) if dynamics.spring_mount else None
    return [_Element("dynamics", attributes)]


def _track(track: Track) -> _Element:
    attributes = {
        "name": track.name,
        "link": track.link,
        "width": _number(track.width),
        "thickness": _number(track.thickness),
        "material": track.material or None,
        "color": None if track.rgba is None else _numbers(track.rgba),
        "visual": None if track.visual else "false",
        "support": None if track.support == "ends" else track.support,
        "replaces": " ".join(track.replaces) or None,
        "efficiency": None if track.efficiency == 1.0 else _number(track.efficiency),
        "skip_torque": None if track.skip_torque is None else _number(track.skip_torque),
    }
    element = _Element("track", attributes, [_Element("axis", {"xyz": _numbers(track.axis)})])
    for wheel in track.wheels:
        center = {"joint": wheel.joint} if wheel.joint else {"xyz": _numbers(wheel.center)}
        element.children.append(_Element("wheel", {**center, "radius": _number(wheel.radius)}))
    for drive in track.drives:
        element.children.append(_Element("drive", {"joint": drive.joint, "gain": _number(drive.gain)}))
    return element


def _origin(pose: Pose) -> list[_Element]:
    if pose == Pose():
        return []
    rpy = None if pose.rpy == (0.0, 0.0, 0.0) else _numbers(pose.rpy)
    return [_Element("origin", {"xyz": _numbers(pose.xyz), "rpy": rpy})]


def _number(value: float) -> str:
    """Return the shortest text that reads as the same number, without ".0"."""
    text = repr(float(value))
    return text.removesuffix(".0")


def _numbers(values: Iterable[float]) -> str:
    return " ".join(_number(value) for value in values)
