"""Reading <origin>, <geometry> and <material>."""

from __future__ import annotations

from grouser.description.fields import Fields, only_child
from grouser.description.meshes import MeshFinder, MeshNotFoundError
from grouser.description.report import Report, shown
from grouser.description.robot import (
    Box,
    Capsule,
    Cylinder,
    Geometry,
    Mesh,
    Pose,
    Sphere,
    Vector3,
)
from grouser.description.transforms import matrix_of_quaternion, normalized, rpy_of_matrix
from grouser.description.xml import Node

__all__ = ["RGBA", "read_geometry", "read_origin", "read_palette", "read_rgba"]

RGBA = tuple[float, float, float, float]
ONES: Vector3 = (1.0, 1.0, 1.0)
SHAPES = ("box", "sphere", "cylinder", "capsule", "mesh")


def read_origin(node: Node, owner: str, report: Report) -> Pose:
    """Return the pose in an element's <origin>, the identity without one."""
    origin = only_child(node, "origin", owner, report)
    if origin is None:
        return Pose()
    fields = Fields(origin, owner, report)
    xyz = fields.vector("xyz", (0.0, 0.0, 0.0))
    if "quat_xyzw" not in fields:
        return Pose(xyz, fields.vector("rpy", (0.0, 0.0, 0.0)))
    if "rpy" in fields:
        report.error(origin, f"{owner}: <origin> has both rpy and quat_xyzw", "keep one of them")
    quaternion = fields.numbers("quat_xyzw", 4)
    if not any(quaternion):
        report.error(origin, f"{owner}: <origin>: quat_xyzw is zero, which is no rotation")
        return Pose(xyz)
    x, y, z, w = normalized(quaternion)
    return Pose(xyz, rpy_of_matrix(matrix_of_quaternion((w, x, y, z))))


def read_geometry(node: Node, owner: str, finder: MeshFinder, report: Report, *, drawn: bool) -> Geometry | None:
    """Return the shape in an element's <geometry>.

    Args:
        node: The <collision> or <visual>.
        owner: What it belongs to, for messages.
        finder: Finds mesh files.
        report: Gets what is wrong.
        drawn: The shape is only drawn: a mesh that is not found is then a warning.

    Returns:
        The shape; None if there is none that can be used.
    """
    geometry = only_child(node, "geometry", owner, report)
    if geometry is None:
        report.error(node, f"{owner}: <{node.tag}> has no <geometry>", f"shapes: {', '.join(SHAPES)}")
        return None
    shapes = [child for child in geometry.children if child.tag in SHAPES]
    if len(shapes) > 1:
        message = f"{owner}: <geometry> has {len(shapes)} shapes; the first, <{shapes[0].tag}>, is used"
        report.warning(shapes[1], message, "one shape a <geometry>")
    if shapes:
        return _shape(shapes[0], owner, finder, report, drawn=drawn)
    unknown = [child for child in geometry.children if not child.tag.startswith("{")]
    if not unknown:
        report.error(geometry, f"{owner}: <geometry> holds no shape", f"shapes: {', '.join(SHAPES)}")
        return None
    message = f"{owner}: <{shown(unknown[0].tag)}> is not a shape"
    add = report.warning if drawn else report.error
    add(unknown[0], message, report.suggest(unknown[0].tag, SHAPES, "shapes"))
    return None


def _shape(node: Node, owner: str, finder: MeshFinder, report: Report, *, drawn: bool) -> Geometry:
    fields = Fields(node, owner, report)
    if node.tag == "box":
        return Box(fields.vector("size", fallback=ONES))
    if node.tag == "sphere":
        return Sphere(fields.number("radius"))
    if node.tag == "cylinder":
        return Cylinder(fields.number("radius"), fields.number("length"))
    if node.tag == "capsule":
        return Capsule(fields.number("radius"), fields.number("length"))
    return _mesh(node, fields, owner, finder, report, drawn=drawn)


def _mesh(node: Node, fields: Fields, owner: str, finder: MeshFinder, report: Report, *, drawn: bool) -> Mesh:
    scale = fields.vector("scale", ONES, fallback=ONES)
    filename = fields.text("filename")
    if not filename.strip():
        return Mesh(filename, None, scale)
    said = f'{owner}: <mesh filename="{shown(filename)}">'
    try:
        path = finder.find(filename)
    except MeshNotFoundError as error:
        if drawn:
            report.warning(node, f"{said}: {error}; it is not drawn", error.hint)
        else:
            report.error(node, f"{said}: {error}", error.hint)
        return Mesh(filename, None, scale)
    if "\\" in filename and "\\" not in str(path):
        report.warning(node, f"{said}: backslashes are read as separators of folders", "write / instead")
    return Mesh(filename, path, scale)


def read_palette(elements: list[Node], report: Report) -> dict[str, RGBA]:
    """Return the colours that materials under <robot> and in visuals define, by name.

    A name may be used before it is defined; of several definitions the first counts, and those under
    <robot> before those in visuals.
    """
    colors: dict[str, RGBA] = {}
    shared = [element for element in elements if element.tag == "material"]
    visuals = [visual for link in elements if link.tag == "link" for visual in link.all("visual")]
    # A visual's own colour is read again, and its errors are reported, with the visual.
    silent = Report()
    for node, said in [(m, report) for m in shared] + [(m, silent) for v in visuals for m in v.all("material")]:
        name, colored = node.attributes.get("name", ""), node.all("color")
        if name and colored and name not in colors:
            colors[name] = read_rgba(colored[0], "rgba", f"material '{shown(name)}'", said)
    return colors


def read_rgba(node: Node, attribute: str, owner: str, report: Report) -> RGBA:
    """Return the colour in an attribute, clipped to [0, 1] with a warning."""
    r, g, b, a = Fields(node, owner, report).numbers(attribute, 4)
    if all(0.0 <= x <= 1.0 for x in (r, g, b, a)):
        return (r, g, b, a)
    value = shown(node.attributes[attribute])
    message = f'{owner}: <{node.tag} {attribute}="{value}">: numbers of a colour are clipped to [0, 1]'
    report.warning(node, message, "divide by 255 if they are bytes")
    r, g, b, a = (min(1.0, max(0.0, x)) for x in (r, g, b, a))
    return (r, g, b, a)
