"""Reading <joint>."""

from __future__ import annotations

from grouser.description.fields import Fields, only_child
from grouser.description.read_geometry import read_origin
from grouser.description.report import Report, shown
from grouser.description.robot import (
    UNLIMITED_BEYOND,
    Dynamics,
    Joint,
    JointType,
    Limits,
    Mimic,
    Source,
    Vector3,
)
from grouser.description.transforms import normalized
from grouser.description.xml import Node

__all__ = ["read_axis", "read_joint"]

UNIT_TOLERANCE = 1e-3
"""An axis this near to length 1 is a unit vector written with few digits, as "0.7071 0.7071 0"."""

KINDS = {kind.value: kind for kind in JointType}
POSITION_LIMITED = (JointType.REVOLUTE, JointType.PRISMATIC)
WITH_AXIS = (JointType.REVOLUTE, JointType.CONTINUOUS, JointType.PRISMATIC, JointType.PLANAR)


def read_joint(node: Node, report: Report) -> Joint:
    """Return the joint that a <joint> describes."""
    fields = Fields(node, "joint", report)
    name = fields.text("name")
    owner = f"joint '{shown(name)}'"
    kind = _type(node, owner, report)
    return Joint(
        name=name,
        type=kind,
        parent=_link_of(node, "parent", owner, report),
        child=_link_of(node, "child", owner, report),
        origin=read_origin(node, owner, report),
        axis=_axis(node, kind, owner, report),
        limits=_limits(node, kind, owner, report),
        dynamics=_dynamics(node, kind, owner, report),
        mimic=_mimic(node, owner, report),
        source=Source(node.file, node.line),
    )


def read_axis(node: Node, owner: str, report: Report) -> Vector3:
    """Return the unit vector in an <axis>; a warning says where it was not one, an error where it is zero."""
    axis = Fields(node, owner, report).vector("xyz", fallback=(1.0, 0.0, 0.0))
    if "rpy" in node.attributes:
        report.warning(node, f"{owner}: rpy on <axis> has no meaning and is ignored", "turn the <origin> instead")
    if not any(axis):
        report.error(node, f"{owner}: axis '{shown(node.attributes['xyz'])}' is zero; it must have a direction")
        return (1.0, 0.0, 0.0)
    x, y, z = normalized(axis)
    # The dot product with its unit vector is a vector's length.
    length = axis[0] * x + axis[1] * y + axis[2] * z
    if abs(length - 1.0) > UNIT_TOLERANCE:
        message = f"{owner}: axis '{shown(node.attributes['xyz'])}' is normalised: its length is {length:.6g}"
        report.warning(node, message, f'write xyz="{x:.9g} {y:.9g} {z:.9g}"')
    return (x, y, z)


def _type(node: Node, owner: str, report: Report) -> JointType:
    text = Fields(node, owner, report).text("type")
    if text and text not in KINDS:
        message = f"{owner}: '{shown(text)}' is not a joint type"
        report.error(node, message, report.suggest(text, KINDS, "types"))
    # After an error, the type that the other checks object to least.
    return KINDS.get(text, JointType.CONTINUOUS)


def _link_of(node: Node, tag: str, owner: str, report: Report) -> str:
    child = only_child(node, tag, owner, report)
    if child is None:
        report.error(node, f"{owner}: it has no <{tag}>", f'write <{tag} link="..."/>')
        return ""
    return Fields(child, owner, report).text("link")


def _axis(node: Node, kind: JointType, owner: str, report: Report) -> Vector3:
    axis = only_child(node, "axis", owner, report)
    if axis is None:
        return (1.0, 0.0, 0.0)
    if kind in WITH_AXIS:
        return read_axis(axis, owner, report)
    # The axis of the other types is unused: only that it is a vector matters.
    unused = Fields(axis, owner, report).vector("xyz", (1.0, 0.0, 0.0))
    x, y, z = normalized(unused) if any(unused) else (1.0, 0.0, 0.0)
    return (x, y, z)


def _limits(node: Node, kind: JointType, owner: str, report: Report) -> Limits:
    limit = only_child(node, "limit", owner, report)
    if limit is None:
        if kind in POSITION_LIMITED:
            message = f"{owner}: a {kind} joint without <limit> is taken as unlimited"
            report.warning(node, message, 'write <limit lower="..." upper="..." effort="..." velocity="..."/>')
        return Limits()
    fields = Fields(limit, owner, report)
    for name in ("acceleration", "jerk"):  # URDF 1.2: read, and not used by a simulator.
        fields.number(name, 0.0, infinite=True)
    lower, upper = _positions(limit, fields, kind, owner, report)
    return Limits(
        lower=lower,
        upper=upper,
        effort=_bound(limit, fields, "effort", owner, report),
        velocity=_bound(limit, fields, "velocity", owner, report),
    )


def _positions(
    limit: Node, fields: Fields, kind: JointType, owner: str, report: Report
) -> tuple[float | None, float | None]:
    lower = fields.number("lower", 0.0, fallback=0.0, infinite=True)
    upper = fields.number("upper", 0.0, fallback=0.0, infinite=True)
    given = [name for name in ("lower", "upper") if name in fields]
    if kind not in POSITION_LIMITED:
        if given and (lower or upper):
            report.info(limit, f"{owner}: a {kind} joint has no lower and upper limit; they are ignored")
        return None, None
    if not given:
        message = f"{owner}: <limit> has neither lower nor upper; the joint is taken as unlimited"
        report.warning(limit, message, 'write lower="0" upper="0" to lock it')
        return None, None
    if len(given) == 1:
        message = f"{owner}: <limit> has '{given[0]}' only; the other limit is 0, the default of URDF"
        report.warning(limit, message, "write both")
    return (
        lower if lower >= -UNLIMITED_BEYOND else None,
        upper if upper <= UNLIMITED_BEYOND else None,
    )


def _bound(limit: Node, fields: Fields, name: str, owner: str, report: Report) -> float | None:
    """Return a limit of effort or velocity; None if there is none."""
    if name not in fields:
        return None
    value = fields.number(name, infinite=True)
    if value < 0.0:
        message = f'{owner}: <limit {name}="{shown(limit.attributes[name])}">: negative is taken as unlimited'
        report.warning(limit, message, f"leave {name} out, or give it a positive value")
        return None
    return value if value <= UNLIMITED_BEYOND else None


def _dynamics(node: Node, kind: JointType, owner: str, report: Report) -> Dynamics:
    dynamics = only_child(node, "dynamics", owner, report)
    if dynamics is None:
        return Dynamics()
    fields = Fields(dynamics, owner, report)
    mount: tuple[float, ...] = ()
    if "spring_mount" in fields:
        mount = _spring_mount(dynamics, fields, kind, owner, report)
    return Dynamics(
        damping=fields.number("damping", 0.0),
        friction=fields.number("friction", 0.0),
        rotor_inertia=fields.number("rotor_inertia", 0.0),
        stiffness=fields.number("stiffness", 0.0),
        spring_mount=mount,
    )


def _spring_mount(node: Node, fields: Fields, kind: JointType, owner: str, report: Report) -> tuple[float, ...]:
    if kind is not JointType.SPHERICAL:
        return (fields.number("spring_mount", fallback=0.0),)
    quaternion = fields.numbers("spring_mount", 4, fallback=(1.0, 0.0, 0.0, 0.0))
    if not any(quaternion):
        report.error(node, f"{owner}: spring_mount is zero, which is no rotation", "the identity is 1 0 0 0")
        return ()
    return normalized(quaternion)


def _mimic(node: Node, owner: str, report: Report) -> Mimic | None:
    mimic = only_child(node, "mimic", owner, report)
    if mimic is None:
        return None
    fields = Fields(mimic, owner, report)
    return Mimic(
        joint=fields.text("joint"),
        multiplier=fields.number("multiplier", 1.0),
        offset=fields.number("offset", 0.0),
    )
