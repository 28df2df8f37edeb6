"""Whether links and joints make one tree: names, parents, roots, loops, the world link, moving masses."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grouser.description.parts import Parts
from grouser.description.report import Report, listed, shown
from grouser.description.robot import Joint, JointType, Link, Track

__all__ = ["WORLD", "check_masses", "check_names", "check_tree"]

WORLD = "world"
"""A root link of this name is the ground."""

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def check_names(parts: Parts, report: Report) -> None:
    """Report names that are empty, repeated, or that no file can hold."""
    if _NOT_XML.search(parts.name):
        report.error(parts.source, f"the robot's name '{shown(parts.name)}' has characters that XML cannot hold")
    _check_kind("link", parts.links, parts, report)
    _check_kind("joint", parts.joints, parts, report)
    _check_kind("track", parts.tracks, parts, report)


def _check_kind(what: str, items: Sequence[Link | Joint | Track], parts: Parts, report: Report) -> None:
    first: dict[str, Link | Joint | Track] = {}
    for item in items:
        if not item.name.strip():
            if not parts.is_broken(item):
                report.error(item.source, f"a {what} has no name")
        elif _NOT_XML.search(item.name):
            report.error(item.source, f"{what} '{shown(item.name)}': its name has characters that XML cannot hold")
        elif item.name in first:
            before = first[item.name].source
            where = f"line {before.line}" + (f" of {before.file}" if before.file != item.source.file else "")
            message = f"{what} '{shown(item.name)}' is there twice; the first is in {where}"
            report.error(item.source, message, f"names of {what}s are unique: rename one")
        first.setdefault(item.name, item)


def check_tree(parts: Parts, report: Report) -> bool:
    """Report what keeps links and joints from being one tree; return whether they are one."""
    if not parts.links:
        report.error(parts.source, "the robot has no links", 'a robot has at least one <link name="..."/>')
        return False
    sound = True
    for joint in parts.joints:
        sound &= _ends_known(joint, parts, report)
    sound &= _one_parent_each(parts, report)
    loops = _report_loops(parts, report)
    roots = [name for name in parts.link if name not in parts.joint_above]
    if len(roots) > 1:
        message = f"the robot has {len(roots)} root links, it must have one: {listed(roots)}"
        hint = "join them to one tree: every link but the root is the child of a joint"
        report.error(parts.link[roots[1]].source, message, hint)
    sound &= len(roots) == 1 and not loops
    if sound:
        sound = _check_world(roots[0], parts, report)
    return sound


def _ends_known(joint: Joint, parts: Parts, report: Report) -> bool:
    for role, name in (("parent", joint.parent), ("child", joint.child)):
        if name and name not in parts.link:
            message = f"joint '{shown(joint.name)}': its {role} link '{shown(name)}' does not exist"
            report.error(joint.source, message, report.suggest(name, parts.link, "links"))
    return joint.parent in parts.link and joint.child in parts.link


def _one_parent_each(parts: Parts, report: Report) -> bool:
    sound = True
    for joint in parts.joints:
        first = parts.joint_above[joint.child]
        if first is not joint and joint.child in parts.link and first.name != joint.name:
            sound = False
            names = f"'{shown(first.name)}' and '{shown(joint.name)}'"
            message = f"link '{shown(joint.child)}' is the child of two joints, {names}"
            report.error(joint.source, message, "a link has one parent; loops are closed by <constraints>")
    return sound


def _report_loops(parts: Parts, report: Report) -> bool:
    """Follow each link to its root; a link met twice on the way closes a loop."""
    done: set[str] = set()
    found = False
    for link in parts.link:
        path: dict[str, Joint] = {}
        current = link
        while current not in done and current not in path and current in parts.joint_above:
            path[current] = parts.joint_above[current]
            current = path[current].parent
        if current in path:
            found = True
            links = list(path)
            loop = [path[name].name for name in reversed(links[links.index(current) :])]
            message = f"joints {listed(loop)} make a loop; links and joints must make a tree"
            report.error(path[current].source, message, "loops are closed by <constraints>, not by a joint")
        done.update(path)
        done.add(current)
    return found


def _check_world(root: str, parts: Parts, report: Report) -> bool:
    """Check the rules for the link named "world" and for floating joints."""
    sound = True
    if WORLD in parts.link and root != WORLD:
        sound = False
        message = f"link '{WORLD}' is not the root (the root is '{shown(root)}'); that name is the ground's"
        report.error(parts.link[WORLD].source, message, "rename it, or make it the root")
    for joint in parts.joints:
        if joint.type is JointType.FLOATING:
            if joint.parent != WORLD:
                sound = False
                message = f"joint '{shown(joint.name)}': a floating joint starts from the root link '{WORLD}'"
                report.error(joint.source, message, f"its parent is '{shown(joint.parent)}'; use spherical or planar")
            elif len(parts.joints_below[WORLD]) > 1:
                sound = False
                message = f"joint '{shown(joint.name)}': a floating base is the only child of '{WORLD}'"
                names = listed(other.name for other in parts.joints_below[WORLD])
                report.error(joint.source, message, f"joints from '{WORLD}': {names}")
    return sound


def check_masses(parts: Parts, report: Report) -> None:
    """Warn of links and joints that move no mass. The parts must be a tree."""
    root = next(name for name in parts.link if name not in parts.joint_above)
    order = _downwards(root, parts)
    own = {name: _mass(parts.link[name]) for name in order}
    below = dict(own)
    group = dict(own)
    for name in reversed(order):
        joint = parts.joint_above.get(name)
        if joint:
            below[joint.parent] += below[name]
            if joint.type is JointType.FIXED:
                group[joint.parent] += group[name]
    static = set(parts.fixed_to(WORLD)) if root == WORLD else set[str]()
    for name in order:
        joint = parts.joint_above.get(name)
        if joint and joint.type is JointType.FIXED:
            group[name] = group[joint.parent]
        link = parts.link[name]
        if link.collisions and link.inertial is None and group[name] == 0.0 and name not in static:
            message = f"link '{shown(name)}' has collision geometry and no <inertial>: it has no mass"
            report.warning(link.source, message, "none is invented: give it an <inertial>")
        if joint:
            _check_moves_something(joint, below[name], parts, report)
    if root != WORLD and below[root] == 0.0:
        message = f"the robot has no mass: its floating base '{shown(root)}' cannot be moved by forces"
        report.warning(parts.link[root].source, message, f"give it an <inertial>, or fix it to a link '{WORLD}'")


def _downwards(root: str, parts: Parts) -> list[str]:
    """Return the links, each after its parent."""
    order = [root]
    for name in order:
        order += [joint.child for joint in parts.joints_below.get(name, ())]
    return order


def _mass(link: Link) -> float:
    return link.inertial.mass if link.inertial else 0.0


def _check_moves_something(joint: Joint, mass: float, parts: Parts, report: Report) -> None:
    if joint.type is JointType.FIXED or mass > 0.0:
        return
    # Inertia without mass resists turning, as a rotor does.
    inertia = any(parts.link[name].inertial for name in parts.fixed_to(joint.child))
    if joint.dynamics.rotor_inertia > 0.0 or joint.dynamics.damping > 0.0 or inertia:
        return
    message = (
        f"joint '{shown(joint.name)}' moves no mass and has no rotor_inertia and no damping: "
        "without PD gains its acceleration is undefined and stepping fails"
    )
    report.warning(joint.source, message, 'give its link an <inertial>, or write <dynamics rotor_inertia="..."/>')
