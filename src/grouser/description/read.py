"""Reading a robot: `load`, `check` and `read`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

from grouser.description.checks import check_parts
from grouser.description.meshes import MeshFinder
from grouser.description.modules import open_modules
from grouser.description.named import Named
from grouser.description.parts import Parts
from grouser.description.read_geometry import read_palette
from grouser.description.read_joint import read_joint
from grouser.description.read_link import read_link
from grouser.description.read_track import read_track
from grouser.description.report import Report, shown
from grouser.description.robot import Inertial, Joint, JointType, Link, Robot, Source, Track
from grouser.description.template import Parameters, expand
from grouser.description.text import Text, open_text
from grouser.description.xml import Node, parse
from grouser.errors import Diagnostic, FileNotReadError, RobotFileError

__all__ = ["check", "load", "read"]

VERSIONS = ("1", "1.0", "1.1", "1.2")
KNOWN_CHILDREN = {
    "robot": ("link", "joint", "material", "track", "actuator", "constraints"),
    "link": ("inertial", "collision", "visual"),
    "joint": (
        "parent",
        "child",
        "origin",
        "axis",
        "limit",
        "dynamics",
        "mimic",
        "calibration",
        "safety_controller",
    ),
}
NOT_REALISED = {"actuator": "actuators", "constraints": "closed loops"}
MISSPELT_LIKENESS = 0.75
"""Elements of others are skipped; one this like a standard element is a slip. 1 is equal, lnik for link 0.75."""

T = TypeVar("T", Link, Joint, Track)


def load(
    source: str | bytes | os.PathLike[str],
    params: Mapping[str, object] | None = None,
    modules: Sequence[str | os.PathLike[str]] = (),
    resource_dir: str | os.PathLike[str] | None = None,
) -> Robot:
    """Return the robot that a URDF file, or XML text, describes.

    Args:
        source: A path, or XML: a str that starts with "<", or bytes.
        params: Values of the template's parameters, by name without "@@".
        modules: Module files, whose elements are added as if they stood before </robot>.
        resource_dir: Where modules and meshes are looked for first; default: the file's folder.

    Raises:
        FileNotReadError: if the file cannot be read.
        RobotFileError: if it has errors; all of them are in the message and in `diagnostics`.
    """
    robot, diagnostics = _read(source, params, modules, resource_dir)
    if robot is None:
        raise RobotFileError(d for d in diagnostics if d.severity == "error")
    return robot


def check(
    source: str | bytes | os.PathLike[str],
    params: Mapping[str, object] | None = None,
    modules: Sequence[str | os.PathLike[str]] = (),
    resource_dir: str | os.PathLike[str] | None = None,
) -> list[Diagnostic]:
    """Return everything that is wrong or doubtful about a robot file; a file that is not there is an error.

    Takes the arguments of `load`.
    """
    return list(read(source, params, modules, resource_dir)[1])


def read(
    source: str | bytes | os.PathLike[str],
    params: Mapping[str, object] | None = None,
    modules: Sequence[str | os.PathLike[str]] = (),
    resource_dir: str | os.PathLike[str] | None = None,
) -> tuple[Robot | None, tuple[Diagnostic, ...]]:
    """Return the robot, None if there are errors, and all diagnostics. Takes the arguments of `load`."""
    try:
        return _read(source, params, modules, resource_dir)
    except FileNotReadError as error:
        # Only a path fails to be read, so that the source is one.
        name = shown(os.fsdecode(source)) if isinstance(source, (str, os.PathLike)) else "<text>"
        hint = "text of a robot starts with '<'" if isinstance(source, str) else ""
        return None, (Diagnostic(name, 0, "error", str(error), hint),)


def _read(
    source: object,
    params: Mapping[str, object] | None,
    modules: Sequence[object],
    resource_dir: str | os.PathLike[str] | None,
) -> tuple[Robot | None, tuple[Diagnostic, ...]]:
    report = Report()
    text = open_text(source, "<text>", report)
    if text is None:
        return None, report.diagnostics
    base = Path(resource_dir).absolute() if resource_dir is not None else text.folder
    place = Source(text.name, 1)
    if isinstance(modules, (str, bytes, os.PathLike)):
        modules = (modules,)
    fragments = open_modules(modules, base, place, report)
    root, elements = _elements(text, fragments, Parameters(params or {}), report)
    if root is None:
        return None, report.diagnostics
    folders = dict.fromkeys(folder for folder in (base, text.folder, *(f.folder for f in fragments)) if folder)
    parts = _parts(root, elements, MeshFinder(tuple(folders)), report)
    parts = _without_massless_inertias(parts, report)
    check_parts(parts, report)
    if report.has_errors:
        return None, report.diagnostics
    return _robot(parts, base), report.diagnostics


def _elements(
    text: Text, fragments: Sequence[Text], parameters: Parameters, report: Report
) -> tuple[Node | None, list[Node]]:
    """Return the root and all elements under it, those of the modules last."""
    root: Node | None = None
    elements: list[Node] = []
    sound = True
    for number, part in enumerate((text, *fragments)):
        if "<xacro:" in part.text:
            return _refuse_xacro(Source(part.name, _line_of(part.text, "<xacro:")), report)
        before = report.error_count
        node = parse(expand(part, parameters, report), report, fragment=number > 0)
        # With values missing, every number of the file would be reported: enough said.
        sound &= report.error_count == before
        if node is None:
            continue
        # In the text, so that a name in which these characters are escaped is a name.
        left = _unexpanded(node) if "${" in part.text or "$(" in part.text else None
        if left:
            return _refuse_xacro(Source(left.file, left.line), report)
        if number == 0:
            root = node if _is_robot(node, report) else None
        elements += node.children
    parameters.report_unused(Source(text.name, 1), report)
    return (root if sound else None), elements


def _is_robot(node: Node, report: Report) -> bool:
    if node.tag != "robot":
        hint = {
            "sdf": "this is SDF; convert it to URDF first",
            "mujoco": "this is MJCF; a robot file is URDF",
        }.get(node.tag, "a robot file has <robot> as its root")
        report.error(node, f"the root element is <{shown(node.tag)}>, not <robot>", hint)
        return False
    version = node.attributes.get("version", VERSIONS[0]).strip()
    if version not in VERSIONS:
        message = f"URDF version '{shown(version)}' is not known; it is read as {VERSIONS[-1]}"
        report.warning(node, message, f"versions: {', '.join(VERSIONS[1:])}")
    if not node.attributes.get("name", "").strip():
        report.warning(node, "<robot> has no name; it is called 'robot'", 'write <robot name="...">')
    return True


def _unexpanded(root: Node) -> Node | None:
    """Return the first element, of those that are read, with an expression of xacro in it."""
    pending = [child for child in reversed(root.children) if child.tag in KNOWN_CHILDREN["robot"]]
    while pending:
        node = pending.pop()
        if any("${" in value or "$(" in value for value in node.attributes.values()):
            return node
        pending += reversed(node.children)
    return None


def _refuse_xacro(place: Source, report: Report) -> tuple[None, list[Node]]:
    message = "this looks like xacro, which is not expanded yet"
    report.error(place, message, "expand it first: xacro FILE.urdf.xacro > FILE.urdf")
    return None, []


def _line_of(text: str, mark: str) -> int:
    return text.count("\n", 0, text.find(mark)) + 1


@dataclass
class _Reading:
    """Reads items and remembers which of them had errors."""

    report: Report
    broken: set[int]

    def items(self, nodes: Sequence[Node], tag: str, reader: Callable[[Node], T]) -> list[T]:
        items: list[T] = []
        for node in nodes:
            if node.tag == tag:
                before = self.report.error_count
                item = reader(node)
                items.append(item)
                if self.report.error_count > before:
                    self.broken.add(id(item))
        return items


def _parts(root: Node, elements: list[Node], finder: MeshFinder, report: Report) -> Parts:
    _report_skipped(elements, report)
    palette = read_palette(elements, report)
    reading = _Reading(report, set())
    links = reading.items(elements, "link", lambda node: read_link(node, palette, finder, report))
    joints = reading.items(elements, "joint", lambda node: read_joint(node, report))
    by_name: dict[str, Joint] = {}
    for joint in joints:
        by_name.setdefault(joint.name, joint)
    tracks = reading.items(elements, "track", lambda node: read_track(node, by_name, report))
    return Parts(
        name=name if (name := root.attributes.get("name", "")).strip() else "robot",
        links=links,
        joints=joints,
        tracks=tracks,
        broken=frozenset(reading.broken),
        source=Source(root.file, root.line),
    )


def _report_skipped(elements: list[Node], report: Report) -> None:
    """Say what of our own is not realised, and which of the skipped elements look like a slip."""
    for node in elements:
        if node.tag in NOT_REALISED:
            message = f"<{node.tag}>: {NOT_REALISED[node.tag]} are not simulated by this version; it is skipped"
            report.warning(node, message)
        _report_misspelt(node, "robot", report)
        for child in node.children:
            if node.tag in ("link", "joint"):
                _report_misspelt(child, node.tag, report)


def _report_misspelt(node: Node, parent: str, report: Report) -> None:
    known = KNOWN_CHILDREN[parent]
    if node.tag in known or node.tag.startswith("{"):
        return
    close = get_close_matches(node.tag[:40], known, n=1, cutoff=MISSPELT_LIKENESS)
    if close:
        message = f"<{shown(node.tag)}> in <{parent}> is not known and is skipped"
        report.warning(node, message, f"did you mean <{close[0]}>?")


def _without_massless_inertias(parts: Parts, report: Report) -> Parts:
    """Drop inertia without mass from links that a fixed joint holds: no rotor turns there."""
    links: list[Link] = []
    for link in parts.links:
        joint = parts.joint_above.get(link.name)
        fixed = joint is not None and joint.type is JointType.FIXED
        if fixed and link.inertial and link.inertial.mass == 0.0 and not parts.is_broken(link):
            if any(_moments(link.inertial)):
                message = f"link '{shown(link.name)}' has inertia without mass on a fixed joint; it is dropped"
                report.warning(link.source, message, "give it a mass, or remove its <inertial>")
            links.append(replace(link, inertial=None))
        else:
            links.append(link)
    return replace(parts, links=links)


def _moments(inertial: Inertial) -> tuple[float, ...]:
    return (inertial.ixx, inertial.iyy, inertial.izz, inertial.ixy, inertial.ixz, inertial.iyz)


def _robot(parts: Parts, base: Path | None) -> Robot:
    return Robot(
        name=parts.name,
        links=Named("link", ((link.name, link) for link in parts.links)),
        joints=Named("joint", ((joint.name, joint) for joint in parts.joints)),
        tracks=Named("track", ((track.name, track) for track in parts.tracks)),
        folder=base,
    )
