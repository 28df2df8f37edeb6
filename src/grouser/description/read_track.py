"""Reading <track>."""

from __future__ import annotations

import re

from grouser.description.fields import Fields
from grouser.description.read_geometry import read_rgba
from grouser.description.read_joint import read_axis
from grouser.description.report import Report, shown
from grouser.description.robot import Drive, Joint, Source, Track, Vector3, Wheel
from grouser.description.xml import Node

__all__ = ["read_track"]

ATTRIBUTES = (
    "name",
    "link",
    "width",
    "thickness",
    "material",
    "color",
    "visual",
    "support",
    "replaces",
    "efficiency",
    "skip_torque",
)
CHILDREN = ("axis", "wheel", "drive")


def read_track(node: Node, joints: dict[str, Joint], report: Report) -> Track:
    """Return the track that a <track> describes.

    Args:
        node: The element.
        joints: The joints of the robot by name; a wheel on a joint has its centre there.
        report: Gets what is wrong.
    """
    name = Fields(node, "track", report).text("name")
    owner = f"track '{shown(name)}'"
    fields = Fields(node, owner, report)
    fields.only(ATTRIBUTES, CHILDREN)
    color = read_rgba(node, "color", owner, report) if "color" in fields else None
    skip_torque = fields.number("skip_torque") if "skip_torque" in fields else None
    return Track(
        name=name,
        link=fields.text("link"),
        axis=_axis(node, owner, report),
        width=fields.number("width"),
        thickness=fields.number("thickness", fallback=0.0),
        wheels=tuple(_wheel(child, owner, joints, report) for child in node.all("wheel")),
        drives=tuple(_drive(child, owner, report) for child in node.all("drive")),
        material=fields.text("material", ""),
        rgba=color,
        visual=fields.flag("visual", True),
        support=_support(fields.text("support", "ends")),
        replaces=tuple(fields.text("replaces", "").split()),
        efficiency=fields.number("efficiency", 1.0),
        skip_torque=skip_torque,
        source=Source(node.file, node.line),
    )


def _axis(node: Node, owner: str, report: Report) -> Vector3:
    axes = node.all("axis")
    if len(axes) != 1:
        place = axes[1] if axes else node
        message = f"{owner}: it has {len(axes) or 'no'} <axis>; it must have one"
        report.error(place, message, 'write <axis xyz="0 1 0"/>, the axis its wheels turn about, in the link frame')
    if not axes:
        return (0.0, 1.0, 0.0)
    Fields(axes[0], owner, report).only(("xyz",))
    return read_axis(axes[0], owner, report)


def _wheel(node: Node, owner: str, joints: dict[str, Joint], report: Report) -> Wheel:
    fields = Fields(node, owner, report)
    fields.only(("joint", "xyz", "radius"))
    radius = fields.number("radius")
    source = Source(node.file, node.line)
    if ("joint" in fields) == ("xyz" in fields):
        what = "both a joint and xyz" if "joint" in fields else "neither a joint nor xyz"
        message = f"{owner}: a <wheel> has {what}; its centre is the origin of the joint or the point xyz"
        report.error(node, message, "give one of them")
    if "joint" in fields:
        joint = fields.text("joint")
        # An unknown joint is reported by the checks; the name stays, so that they can.
        center = joints[joint].origin.xyz if joint in joints else (0.0, 0.0, 0.0)
        return Wheel(center, radius, joint, source)
    center = fields.vector("xyz") if "xyz" in fields else (0.0, 0.0, 0.0)
    return Wheel(center, radius, "", source)


def _drive(node: Node, owner: str, report: Report) -> Drive:
    fields = Fields(node, owner, report)
    fields.only(("joint", "gain"))
    return Drive(fields.text("joint"), fields.number("gain"), Source(node.file, node.line))


def _support(text: str) -> str:
    """Return the value without the white space that may stand round the number of stations."""
    return re.sub(r"\s*:\s*", ":", text.strip())
