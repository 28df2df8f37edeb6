"""Where a robot's numbers lie in the compiled model."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from grouser.build import BuiltRobot
from grouser.description.named import Named
from grouser.errors import UnknownNameError
from grouser.sim.checks import Array

Indices = NDArray[np.intp]

MASSLESS = 1e-10
"""Links without mass carry a placeholder far below this [kg]."""

PLACEHOLDER_INERTIA = 1e-11
"""An inertia about a joint below this is that of a placeholder [kg m2 or kg]."""

MASSLESS_INERTIA = 1e-9
"""The same where there is no mass at all: placeholders some way off the axis."""

WIDTHS = {
    mujoco.mjtJoint.mjJNT_FREE: (7, 6),
    mujoco.mjtJoint.mjJNT_BALL: (4, 3),
    mujoco.mjtJoint.mjJNT_SLIDE: (1, 1),
    mujoco.mjtJoint.mjJNT_HINGE: (1, 1),
}
"""Coordinates and velocities of each kind of joint."""


@dataclass(frozen=True, eq=False)
class RobotAddresses:
    """Where a robot's numbers lie in the compiled model.

    Indices named `..._index`, `quaternions`, `servo_dofs`, `servo_coordinates` and `unservoed` count within
    the robot's own coordinates or velocities; all others count in the model.

    Attributes:
        root: Body of the base.
        q: Its coordinates.
        u: Its velocities.
        coordinate_index: First coordinate by joint.
        velocity_index: First velocity by joint.
        joint_dofs: Number of velocities by joint.
        quaternions: Where quaternions start.
        servos: Actuators.
        servo_dofs: Velocity of each actuator's joint.
        servo_coordinates: Coordinate of each actuator's joint.
        unservoed: Velocities of joints without actuator, a floating base's left out.
        commands: First command of each actuator; the others follow it.
        undefined_candidates: Joints that move nothing unless a servo does: actuator (or -1) and what to say.
    """

    root: int
    q: slice
    u: slice
    coordinate_index: Named[int]
    velocity_index: Named[int]
    joint_dofs: Named[int]
    quaternions: tuple[int, ...]
    servos: Indices
    servo_joints: tuple[str, ...]
    servo_dofs: Indices
    servo_coordinates: Indices
    unservoed: Indices
    commands: Indices
    undefined_candidates: tuple[tuple[int, str], ...]

    def servo_of(self, joint: str) -> int:
        """Return the actuator of a joint.

        Raises:
            UnknownNameError: if no actuator moves a joint of that name.
        """
        if joint not in self.servo_joints:
            raise UnknownNameError("servo-driven joint", joint, self.servo_joints)
        return int(self.servos[self.servo_joints.index(joint)])

    def undefined(self, model: mujoco.MjModel) -> list[str]:
        """Return, in words, the joints that have nothing to move and no gains either."""
        return [
            words
            for servo, words in self.undefined_candidates
            if servo < 0 or not model.actuator_biasprm[servo, 1:3].any()
        ]


def find_addresses(model: mujoco.MjModel, built: BuiltRobot) -> RobotAddresses:
    """Return where the numbers of a robot lie in `model`."""
    joints = {name: model.joint(full).id for name, full in built.joints.items()}
    root = model.body(built.root_body).id
    every = ([model.joint(built.root_joint).id] if built.floating else []) + list(joints.values())
    q, u = _extent(model, every)
    widths = {name: WIDTHS[mujoco.mjtJoint(model.jnt_type[joint])] for name, joint in joints.items()}
    dofs = {name: int(model.jnt_dofadr[joint]) - u.start for name, joint in joints.items()}
    coordinates = {name: int(model.jnt_qposadr[joint]) - q.start for name, joint in joints.items()}
    servos = {name: model.actuator(full).id for name, full in built.actuators.items()}
    ids = _indices(list(servos.values()))
    return RobotAddresses(
        root=root,
        q=q,
        u=u,
        coordinate_index=Named("movable joint", coordinates.items()),
        velocity_index=Named("movable joint", dofs.items()),
        joint_dofs=Named("movable joint", ((name, width[1]) for name, width in widths.items())),
        quaternions=(
            *([3] if built.floating else []),
            *(coordinates[n] for n, w in widths.items() if w == (4, 3)),
        ),
        servos=ids,
        servo_joints=tuple(servos),
        servo_dofs=_indices([dofs[name] for name in servos]),
        servo_coordinates=_indices([coordinates[name] for name in servos]),
        unservoed=_indices([dofs[n] + i for n, w in widths.items() if n not in servos for i in range(w[1])]),
        commands=model.actuator_ctrladr[ids].astype(np.intp),
        undefined_candidates=tuple(_undefined_candidates(model, built, joints, servos)),
    )


def frame_in_world(model: mujoco.MjModel, data: mujoco.MjData, name: str) -> tuple[Array, Array]:
    """Return where the frame of a link is: that of its body, or of a site if it was merged.

    Args:
        model: The model.
        data: Data with the poses.
        name: Name of the body or site.

    Returns:
        Position in W [m], shape (3,), and rotation to W, shape (3, 3), both copies.
    """
    is_site = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_SITE, name) >= 0
    frame = data.site(name) if is_site else data.body(name)
    return frame.xpos.copy(), frame.xmat.reshape(3, 3).copy()


def _indices(values: list[int]) -> Indices:
    return np.array(values, dtype=np.intp)


def _extent(model: mujoco.MjModel, joints: list[int]) -> tuple[slice, slice]:
    """Return the coordinates and velocities of joints that lie next to each other in the model."""
    if not joints:
        return slice(0, 0), slice(0, 0)
    first, last = min(joints), max(joints)
    width = WIDTHS[mujoco.mjtJoint(model.jnt_type[last])]
    q = slice(int(model.jnt_qposadr[first]), int(model.jnt_qposadr[last]) + width[0])
    return q, slice(int(model.jnt_dofadr[first]), int(model.jnt_dofadr[last]) + width[1])


def _undefined_candidates(
    model: mujoco.MjModel, built: BuiltRobot, joints: dict[str, int], servos: dict[str, int]
) -> list[tuple[int, str]]:
    """Return the joints (actuator or -1, and what to say) whose motion only a servo could define."""
    found: list[tuple[int, str]] = []
    root = model.body(built.root_body).id
    if built.floating and model.body_subtreemass[root] < MASSLESS:
        found.append((-1, "the floating base has no mass, and nothing that it carries has; give a link an <inertial>"))
    held = _held_by_constraint(model)
    for name, joint in joints.items():
        width = WIDTHS[mujoco.mjtJoint(model.jnt_type[joint])][1]
        dofs = slice(int(model.jnt_dofadr[joint]), int(model.jnt_dofadr[joint]) + width)
        if joint in held or model.dof_damping[dofs].any():
            continue
        massless = model.body_subtreemass[model.jnt_bodyid[joint]] < MASSLESS
        if (model.dof_M0[dofs] < (MASSLESS_INERTIA if massless else PLACEHOLDER_INERTIA)).any():
            found.append((servos.get(name, -1), _words(name)))
    return found


def _held_by_constraint(model: mujoco.MjModel) -> set[int]:
    """Return the joints that follow another, such as mimics: their motion is the other's."""
    coupling = model.eq_type == mujoco.mjtEq.mjEQ_JOINT
    return {int(joint) for joint in model.eq_obj1id[coupling]}


def _words(joint: str) -> str:
    return (
        f"joint '{joint}' moves nothing: it has no inertia below it and no rotor_inertia, damping or PD "
        "gains; give what it carries an <inertial>, or give the joint one of these"
    )
