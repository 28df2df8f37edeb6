"""Joints, their actuators and mimics in MuJoCo's terms."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import mujoco
import numpy as np

from grouser.build.frames import Array
from grouser.build.names import Namer
from grouser.description.robot import Joint, JointType, Quaternion, Vector3
from grouser.description.transforms import normalized

__all__ = ["JointWriter"]

HINGE = mujoco.mjtJoint.mjJNT_HINGE
SLIDE = mujoco.mjtJoint.mjJNT_SLIDE
BALL = mujoco.mjtJoint.mjJNT_BALL
FREE = mujoco.mjtJoint.mjJNT_FREE

HARD_SOLREF = (1e-4, 1.0)
"""Time constant [s] and damping ratio of limits and mimics: as stiff as the timestep allows, without bounce.

MuJoCo raises the time constant to two timesteps.
"""
HARD_SOLIMP = (0.995, 0.9999, 1e-4, 0.5, 2.0)
"""Impedance of limits and mimics: nearly rigid, at once."""
UNLIMITED = 1e10
"""Where the other end lies of a joint with one limit [rad or m]: farther than it ever gets."""
NO_EFFORT = 1e-9
"""Largest force of a joint whose effort limit is 0 [N m or N]: MuJoCo's ranges are not empty."""
IDENTITY_QUATERNION = (1.0, 0.0, 0.0, 0.0)
ALL_INPUTS = 7
"""Inputs of a servo, as bits: position, velocity, feedforward."""

_AXES = (("x", (1.0, 0.0, 0.0)), ("y", (0.0, 1.0, 0.0)), ("z", (0.0, 0.0, 1.0)))


@dataclass(eq=False)
class JointWriter:
    """Writes the joints of one robot into a spec, and keeps the names it has given them.

    Attributes:
        spec: Where to.
        joint_names: Gives out names of joints.
        actuator_names: Gives out names of actuators.
        equality_names: Gives out names of mimics.
        joints: By joint, MuJoCo's name.
        actuators: By joint, MuJoCo's name of its servo.
        spring_rests: See `BuiltRobot`.
    """

    spec: mujoco.MjSpec
    joint_names: Namer
    actuator_names: Namer
    equality_names: Namer
    joints: dict[str, str] = field(default_factory=dict)
    actuators: dict[str, str] = field(default_factory=dict)
    spring_rests: dict[str, Quaternion] = field(default_factory=dict)

    def add_base(self, body: mujoco.MjsBody, joint: Joint | None) -> str:
        """Give a floating base its free joint, and return its name.

        Args:
            body: The base.
            joint: The joint from the world link to it, if the robot has one.
        """
        name = self.joint_names.give("root")
        free = body.add_joint(name=name, type=FREE)
        # Aligned with the inertia, the base's frame would not be the link's.
        free.align = mujoco.mjtAlignFree.mjALIGNFREE_FALSE
        if joint is not None and joint.dynamics.damping > 0:
            free.damping = _padded(free.damping, (joint.dynamics.damping,))
        return name

    def add(self, body: mujoco.MjsBody, joint: Joint) -> None:
        """Give `body` the degrees of freedom of `joint`."""
        write: dict[JointType, Callable[[mujoco.MjsBody, Joint], None]] = {
            JointType.REVOLUTE: self._one_axis,
            JointType.CONTINUOUS: self._one_axis,
            JointType.PRISMATIC: self._one_axis,
            JointType.SPHERICAL: self._spherical,
            JointType.PLANAR: self._planar,
            JointType.FLOATING: self._floating,
        }
        write[joint.type](body, joint)

    def add_mimic(self, joint: Joint) -> None:
        """Tie a joint to the one it follows: q = multiplier q_leader + offset."""
        mimic = joint.mimic
        if mimic is None or joint.name not in self.joints or mimic.joint not in self.joints:
            return
        tie = self.spec.add_equality(
            name=self.equality_names.give(joint.name),
            type=mujoco.mjtEq.mjEQ_JOINT,
            objtype=mujoco.mjtObj.mjOBJ_JOINT,
            name1=self.joints[joint.name],
            name2=self.joints[mimic.joint],
        )
        data = np.zeros_like(tie.data)
        data[:2] = mimic.offset, mimic.multiplier
        tie.data = data
        tie.solref, tie.solimp = _padded(tie.solref, HARD_SOLREF), _padded(tie.solimp, HARD_SOLIMP)

    def _one_axis(self, body: mujoco.MjsBody, joint: Joint) -> None:
        kind = SLIDE if joint.type is JointType.PRISMATIC else HINGE
        made = self._make(body, joint, joint.name, kind, joint.axis)
        self._limit(made, joint)
        if joint.dynamics.spring_mount:
            made.springref = joint.dynamics.spring_mount[0] * self._unit(kind)
        name = self.actuator_names.give(joint.name)
        servo = self.spec.add_actuator(name=name, target=made.name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        servo.set_to_pid(kp=0.0, kv=0.0, ctrlspec=ALL_INPUTS)
        effort = joint.limits.effort
        if effort is not None:
            servo.forcelimited = mujoco.mjtLimited.mjLIMITED_TRUE
            servo.forcerange = (-max(effort, NO_EFFORT), max(effort, NO_EFFORT))
        self.actuators[joint.name] = name

    def _spherical(self, body: mujoco.MjsBody, joint: Joint) -> None:
        self._make(body, joint, joint.name, BALL)
        mount = joint.dynamics.spring_mount
        if joint.dynamics.stiffness > 0 and len(mount) == len(IDENTITY_QUATERNION):
            w, x, y, z = normalized(mount)
            if (w, x, y, z) != IDENTITY_QUATERNION:
                self.spring_rests[joint.name] = (w, x, y, z)

    def _planar(self, body: mujoco.MjsBody, joint: Joint) -> None:
        """Two slides across the axis, then a hinge about it."""
        first, second = _across(joint.axis)
        self._make(body, joint, f"{joint.name}/x", SLIDE, first)
        self._make(body, joint, f"{joint.name}/y", SLIDE, second)
        self._make(body, joint, f"{joint.name}/yaw", HINGE, joint.axis)

    def _floating(self, body: mujoco.MjsBody, joint: Joint) -> None:
        """Three slides, then a ball: MuJoCo's own free joint hangs on its world only."""
        for letter, axis in _AXES:
            self._make(body, joint, f"{joint.name}/{letter}", SLIDE, axis)
        self._make(body, joint, f"{joint.name}/rotation", BALL)

    def _make(
        self,
        body: mujoco.MjsBody,
        joint: Joint,
        name: str,
        kind: mujoco.mjtJoint,
        axis: Vector3 | Array = (0.0, 0.0, 1.0),
    ) -> mujoco.MjsJoint:
        full = self.joint_names.give(name)
        made = body.add_joint(name=full, type=kind, axis=axis)
        made.limited = mujoco.mjtLimited.mjLIMITED_FALSE
        made.armature = joint.dynamics.rotor_inertia
        # The first number is the linear coefficient; MuJoCo has two of higher order.
        made.damping = _padded(made.damping, (joint.dynamics.damping,))
        made.stiffness = _padded(made.stiffness, (joint.dynamics.stiffness,))
        if kind != BALL:
            made.frictionloss = joint.dynamics.friction
        self.joints[name] = full
        return made

    def _limit(self, made: mujoco.MjsJoint, joint: Joint) -> None:
        lower, upper = joint.limits.lower, joint.limits.upper
        if joint.type is JointType.CONTINUOUS or (lower is None and upper is None):
            return
        unit = self._unit(made.type)
        made.limited = mujoco.mjtLimited.mjLIMITED_TRUE
        low, high = -UNLIMITED if lower is None else lower, UNLIMITED if upper is None else upper
        made.range = (low * unit, high * unit)
        made.solref_limit, made.solimp_limit = HARD_SOLREF, HARD_SOLIMP

    def _unit(self, kind: mujoco.mjtJoint) -> float:
        """Return how many of the spec's units of angle a radian is; 1 for lengths."""
        return math.degrees(1.0) if kind == HINGE and self.spec.compiler.degree else 1.0


def _padded(old: Array, values: tuple[float, ...]) -> Array:
    """Return `values` followed by what `old` has beyond them."""
    new = np.array(old, dtype=float)
    new[: len(values)] = values
    return new


def _across(axis: Vector3) -> tuple[Array, Array]:
    """Return two unit vectors that with `axis` form a right-handed frame; x and y for the axis z."""
    normal = np.array(axis, dtype=float)
    seed = np.array((1.0, 0.0, 0.0) if abs(axis[0]) < 0.9 else (0.0, 1.0, 0.0))
    first = seed - (seed @ normal) * normal
    first /= np.linalg.norm(first)
    return first, np.cross(normal, first)
