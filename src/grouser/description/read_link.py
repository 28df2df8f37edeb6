"""Reading <link>."""

from __future__ import annotations

from grouser.description.fields import Fields, only_child
from grouser.description.meshes import MeshFinder
from grouser.description.read_geometry import RGBA, read_geometry, read_origin, read_rgba
from grouser.description.report import Report, shown
from grouser.description.robot import Collision, Inertial, Link, Source, Visual
from grouser.description.xml import Node

__all__ = ["read_link"]


def read_link(node: Node, palette: dict[str, RGBA], finder: MeshFinder, report: Report) -> Link:
    """Return the link that a <link> describes."""
    name = Fields(node, "link", report).text("name")
    owner = f"link '{shown(name)}'"
    sensor = node.attributes.get("sensor", "")
    if sensor:
        message = f'{owner}: sensor="{shown(sensor)}": sensors are not simulated by this version'
        report.warning(node, message, "the link itself is")
    collisions = (_collision(child, owner, finder, report) for child in node.all("collision"))
    visuals = (_visual(child, owner, palette, finder, report) for child in node.all("visual"))
    return Link(
        name=name,
        inertial=_inertial(node, owner, report),
        collisions=tuple(collision for collision in collisions if collision),
        visuals=tuple(visual for visual in visuals if visual),
        sensor=sensor,
        source=Source(node.file, node.line),
    )


def _inertial(link: Node, owner: str, report: Report) -> Inertial | None:
    node = only_child(link, "inertial", owner, report)
    if node is None:
        return None
    origin = read_origin(node, owner, report)
    mass_node = only_child(node, "mass", owner, report)
    if mass_node is None:
        report.error(node, f"{owner}: <inertial> has no <mass>", 'write <mass value="..."/> [kg]')
        return None
    mass = Fields(mass_node, owner, report).number("value")
    inertia = only_child(node, "inertia", owner, report)
    if inertia is None:
        if mass != 0.0:
            message = f"{owner}: <inertial> has a mass of {mass} kg and no <inertia>; none is invented"
            report.error(node, message, 'write <inertia ixx="..." iyy="..." izz="..." ixy="0" ixz="0" iyz="0"/>')
        return Inertial(mass, origin, ixx=mass, iyy=mass, izz=mass)
    fields = Fields(inertia, owner, report)
    ixx, iyy, izz = (fields.number(key) for key in ("ixx", "iyy", "izz"))
    ixy, ixz, iyz = (fields.number(key, 0.0, fallback=0.0) for key in ("ixy", "ixz", "iyz"))
    return Inertial(mass, origin, ixx=ixx, ixy=ixy, ixz=ixz, iyy=iyy, iyz=iyz, izz=izz)


def _collision(node: Node, owner: str, finder: MeshFinder, report: Report) -> Collision | None:
    geometry = read_geometry(node, owner, finder, report, drawn=False)
    if geometry is None:
        return None
    return Collision(
        geometry=geometry,
        origin=read_origin(node, owner, report),
        name=node.attributes.get("name", ""),
        material=_contact_material(node, owner, report),
        source=Source(node.file, node.line),
    )


def _contact_material(collision: Node, owner: str, report: Report) -> str:
    material = only_child(collision, "material", owner, report)
    contact = only_child(material, "contact", owner, report) if material else None
    return Fields(contact, owner, report).text("name") if contact else ""


def _visual(node: Node, owner: str, palette: dict[str, RGBA], finder: MeshFinder, report: Report) -> Visual | None:
    geometry = read_geometry(node, owner, finder, report, drawn=True)
    if geometry is None:
        return None
    return Visual(
        geometry=geometry,
        origin=read_origin(node, owner, report),
        name=node.attributes.get("name", ""),
        rgba=_color(node, owner, palette, report),
        source=Source(node.file, node.line),
    )


def _color(visual: Node, owner: str, palette: dict[str, RGBA], report: Report) -> RGBA | None:
    material = only_child(visual, "material", owner, report)
    if material is None:
        return None
    color = only_child(material, "color", owner, report)
    if color is not None:
        return read_rgba(color, "rgba", owner, report)
    name = material.attributes.get("name", "")
    if name in palette:
        return palette[name]
    if name and not material.all("texture"):
        hint = report.suggest(name, palette, "materials with a colour")
        report.warning(material, f"{owner}: material '{shown(name)}' is not defined; the visual has no colour", hint)
    return None
