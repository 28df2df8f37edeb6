"""A robot in a world: its state, its control, and the forces in its joints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from grouser.build import BuildOptions, BuiltRobot, write_spring_rests
from grouser.description.named import Named
from grouser.description.robot import Robot
from grouser.errors import ParameterError, UnknownNameError, UnsupportedError
from grouser.sim import checks, twist
from grouser.sim.addresses import RobotAddresses, find_addresses, frame_in_world
from grouser.sim.checks import Array
from grouser.sim.joint_force import joint_constraint_force
from grouser.sim.rotation import from_local, rotate, to_local, unrotate
from grouser.sim.track import Track, make_tracks

if TYPE_CHECKING:
    from grouser.sim.scene import Scene

ArticulatedSystemOptions = BuildOptions
"""How a robot is built into a world."""

BASE = 6
"""Velocities of a floating base."""


class ArticulatedSystem:
    """A robot in a world.

    Coordinates and velocities are in the order of `joint_names`, after those of a floating base: position in
    W [m] and quaternion w, x, y, z (7 coordinates); linear velocity of the base frame's origin [m/s] and
    angular velocity [rad/s], both in W (6 velocities). A spherical joint has a quaternion and an angular
    velocity in the child's frame.

    Everything read is that of the end of the last step; forces are those that acted during it. After the
    state has been set by hand, forces are those that would act now.

    Attributes:
        name: Its name in the world.
        robot: Its description.
        tracks: Its tracks by name.
        joint_names: Its movable joints in the order of the coordinates, a floating base left out.
        floating: Whether its base moves freely.
    """

    def __init__(self, scene: Scene, name: str, robot: Robot, built: BuiltRobot) -> None:
        self.name = name
        self.robot = robot
        self.floating = built.floating
        self.joint_names = tuple(built.joints)
        self._scene = scene
        self._built = built
        self._placed = False
        self._base_torque = np.zeros(3)
        self._pair: twist.TrackPair | None = None
        self._at: RobotAddresses
        self._model: mujoco.MjModel
        self._data: mujoco.MjData
        self.tracks: Named[Track] = make_tracks(self, scene, robot, built)

    def __repr__(self) -> str:
        return f"<ArticulatedSystem {self.name!r}: {len(self.joint_names)} joints, {len(self.tracks)} tracks>"

    def bind(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Find its addresses in a newly compiled model; the first time, put its joints in place."""
        write_spring_rests(model, self._built)
        self._at = find_addresses(model, self._built)
        self._model, self._data = model, data
        self._q, self._u = data.qpos[self._at.q], data.qvel[self._at.u]
        if not self._placed:
            for joint, position in self._built.initial_positions.items():
                self._q[self._at.coordinate_index[joint]] = position
            self._placed = True

    # State

    @property
    def dof(self) -> int:
        """How many velocities it has."""
        self._scene.ready()
        return len(self._u)

    @property
    def generalized_coordinate(self) -> Array:
        """Its coordinates, a new array of shape (nq,)."""
        self._scene.ready()
        return self._q.copy()

    @property
    def generalized_velocity(self) -> Array:
        """Its velocities, a new array of shape (dof,)."""
        self._scene.ready()
        if not self.floating:
            return self._u.copy()
        u = self._u.copy()
        u[3:BASE] = rotate(self._q[3:7], self._u[3:BASE])
        return u

    def set_state(self, q: ArrayLike, u: ArrayLike) -> None:
        """Set coordinates and velocities; quaternions are normalised.

        Args:
            q: Coordinates, shape (nq,).
            u: Velocities, shape (dof,).

        Raises:
            ParameterError: if a shape is wrong, a number not finite, or a quaternion zero.
        """
        self._scene.ready()
        q, u = checks.array("q", q, self._q.shape), checks.array("u", u, self._u.shape)
        for start in self._at.quaternions:
            q[start : start + 4] = checks.quaternion(f"q[{start}:{start + 4}]", q[start : start + 4])
        if self.floating:
            u[:BASE] = to_local(q[:7], u[:BASE])
        self._q[:], self._u[:] = q, u
        self._scene.touch()

    @property
    def base_position(self) -> Array:
        """Position of the base frame in W [m], shape (3,)."""
        self._scene.ready()
        return self._q[:3].copy() if self.floating else self._model.body_pos[self._at.root].copy()

    @property
    def base_quaternion(self) -> Array:
        """Orientation of the base frame in W, w, x, y, z."""
        self._scene.ready()
        return self._q[3:7].copy() if self.floating else self._model.body_quat[self._at.root].copy()

    @property
    def base_velocity(self) -> Array:
        """Linear velocity of the base frame's origin [m/s], angular velocity [rad/s], in W, shape (6,)."""
        self._scene.ready()
        return from_local(self._q[:7], self._u[:BASE]) if self.floating else np.zeros(BASE)

    def link_pose(self, link: str) -> tuple[Array, Array]:
        """Return where the frame of a link is, also of one that a fixed joint holds.

        Returns:
            Position in W [m], shape (3,), and quaternion w, x, y, z.

        Raises:
            UnknownNameError: if no link has that name.
        """
        name = self._built.frames[link]
        position, rotation = frame_in_world(self._scene.model, self._scene.posed(), name)
        quaternion = np.empty(4)
        mujoco.mju_mat2Quat(quaternion, rotation.ravel())
        return position, quaternion

    def velocity_index(self, joint: str) -> int:
        """Return where the joint's (first) velocity lies in `generalized_velocity`.

        Raises:
            UnknownNameError: if no movable joint has that name.
        """
        self._scene.ready()
        return self._at.velocity_index[joint]

    def coordinate_index(self, joint: str) -> int:
        """Return where the joint's (first) coordinate lies in `generalized_coordinate`.

        Raises:
            UnknownNameError: if no movable joint has that name.
        """
        self._scene.ready()
        return self._at.coordinate_index[joint]

    # Control

    def set_pd_gains(self, kp: ArrayLike, kd: ArrayLike) -> None:
        """Set the gains of the servos: kp (q_ref - q) + kd (u_ref - u) + feedforward, within the effort.

        Gains act implicitly: stiff ones need no small timestep.

        Args:
            kp: Position gains [N m/rad or N/m], shape (dof,), zero for a floating base and for spherical
                joints.
            kd: Velocity gains [N m s/rad or N s/m], the same.

        Raises:
            ParameterError: if a shape is wrong, or a gain negative, not finite, or not zero on a floating
                base.
            UnsupportedError: if a gain of a spherical joint is not zero.
        """
        self._scene.ready()
        for what, gains in (("kp", kp), ("kd", kd)):
            self._check_gains(what, checks.array(what, gains, self._u.shape))
        dofs = self._at.servo_dofs
        self._write_gains(np.asarray(kp, dtype=float)[dofs], np.asarray(kd, dtype=float)[dofs])

    def _check_gains(self, what: str, gains: Array) -> None:
        if (gains < 0).any():
            worst = int(np.argmin(gains))
            raise ParameterError(f"{what}[{worst}] is {gains[worst]:g}; gains must be 0 or more")
        if self.floating and gains[:BASE].any():
            raise ParameterError(
                f"{what}[0:{BASE}] is {gains[:BASE].tolist()}; a floating base has no servo: its gains must be 0"
            )
        if gains[self._at.unservoed].any():
            raise UnsupportedError(
                f"{what} has a gain that is not 0 for a spherical joint: this version has servos on "
                "revolute, continuous and prismatic joints only"
            )

    def _write_gains(self, kp: Array, kd: Array) -> None:
        self._model.actuator_biasprm[self._at.servos, 1] = -kp
        self._model.actuator_biasprm[self._at.servos, 2] = -kd
        self._scene.attention = True
        self._scene.touch()

    def set_pd_target(self, q_ref: ArrayLike, u_ref: ArrayLike) -> None:
        """Set what the servos aim at, until set again; what belongs to a floating base is not used.

        Args:
            q_ref: Coordinates, shape (nq,).
            u_ref: Velocities, shape (dof,).

        Raises:
            ParameterError: if a shape is wrong or a number not finite.
        """
        self._scene.ready()
        q = checks.array("q_ref", q_ref, self._q.shape)
        u = checks.array("u_ref", u_ref, self._u.shape)
        self._data.ctrl[self._at.commands] = q[self._at.servo_coordinates]
        self._data.ctrl[self._at.commands + 1] = u[self._at.servo_dofs]
        self._scene.touch()

    def set_generalized_force(self, tau: ArrayLike) -> None:
        """Set the feedforward force, until set again; effort limits hold for it and the servo together.

        Args:
            tau: Joint torques [N m] or forces [N]; for a floating base the force at its origin [N] and the
                torque [N m], both in W. Shape (dof,).

        Raises:
            ParameterError: if the shape is wrong or a number not finite.
        """
        self._scene.ready()
        tau = checks.array("tau", tau, self._u.shape)
        self._data.ctrl[self._at.commands + 2] = tau[self._at.servo_dofs]
        applied = self._data.qfrc_applied[self._at.u]
        applied[self._at.unservoed] = tau[self._at.unservoed]
        if self.floating:
            applied[:3] = tau[:3]
            self._base_torque = tau[3:BASE]
            self.turn_base_torque()
            self._scene.attention = True
        self._scene.touch()

    @property
    def base_torque(self) -> Array:
        """Torque applied to a floating base [N m], in W, shape (3,)."""
        return self._base_torque.copy()

    @base_torque.setter
    def base_torque(self, torque: Array) -> None:
        self._base_torque = torque.copy()

    @property
    def needs_turning(self) -> bool:
        """Whether a torque on the base has to be turned into the base's own frame before every step."""
        return bool(self._base_torque.any())

    def turn_base_torque(self) -> None:
        """Write the torque on the base in the frame in which MuJoCo takes it: the base's own, which turns."""
        if not self.floating:
            return
        self._data.qfrc_applied[self._at.u][3:BASE] = unrotate(self._q[3:7], self._base_torque)

    # Forces

    @property
    def generalized_force(self) -> Array:
        """Servo and feedforward force in the last step, limited by effort, shape (dof,).

        For a floating base the force and torque applied to it, in W. Damping, friction, springs and contacts
        are not part of it.
        """
        self._scene.fresh()
        force = self._data.qfrc_actuator[self._at.u] + self._data.qfrc_applied[self._at.u]
        if self.floating:
            force[3:BASE] = rotate(self._q[3:7], force[3:BASE])
        return force

    def joint_torque(self, joint: str) -> float | Array:
        """Return the torque or force that the joint transmitted in the last step, along its axis.

        It is what inverse dynamics gives: servo, feedforward, spring, damping, friction and limits, less what
        its rotor's own inertia takes. On a drive it balances the pull of the belt.

        Args:
            joint: Name of a movable joint.

        Returns:
            Torque [N m] or force [N]; for a spherical joint a torque in the child's frame, shape (3,).

        Raises:
            UnknownNameError: if no movable joint has that name.
        """
        self._scene.fresh()
        first = self._at.u.start + self._at.velocity_index[joint]
        dofs = slice(first, first + self._at.joint_dofs[joint])
        model, data = self._model, self._data
        torque = data.qfrc_actuator[dofs] + data.qfrc_applied[dofs] + data.qfrc_passive[dofs]
        torque += joint_constraint_force(model, data, dofs) - model.dof_armature[dofs] * data.qacc[dofs]
        return float(torque[0]) if len(torque) == 1 else torque

    # Tracks

    def track_index(self, name: str) -> int:
        """Return the index of a track, in the order of the file.

        Raises:
            UnknownNameError: if no track has that name.
        """
        self.tracks[name]
        return list(self.tracks).index(name)

    def track_speed(self, track: str | int) -> float:
        """Return the belt speed s = gᵀu of a track, given by name or index [m/s].

        Raises:
            UnknownNameError: if there is no such track.
        """
        if isinstance(track, str):
            return self.tracks[track].speed
        index = checks.count("track", track, 0)
        if index >= len(self.tracks):
            raise UnknownNameError("track", track, (f"{i} ({name})" for i, name in enumerate(self.tracks)))
        return list(self.tracks.values())[index].speed

    def drive(self, v: float, omega: float) -> None:
        """Drive with a twist: set the velocity targets of the robot's one pair of tracks.

        Left and right belts are to run at v - omega B/2 and v + omega B/2, B the distance of their
        mid-planes. The position gains of the two drives become 0; a velocity gain that is 0 becomes one so
        stiff that only effort and friction limit the robot. Other joints keep their gains and targets.

        Args:
            v: Forward speed [m/s], along the base's x.
            omega: Turning rate [rad/s], counter-clockwise from above. Skidding makes the robot turn less.

        Raises:
            ParameterError: if a number is not finite.
            UnsupportedError: if the robot has not exactly one left and one right track with one drive each.
        """
        speed, rate = checks.number("v", v), checks.number("omega", omega)
        self._scene.ready()
        if self._pair is None:
            self._pair = twist.find_pair(self.robot, self._model, self._scene.posed(), self._built)
        pair = self._pair
        for joint, velocity in twist.joint_velocities(pair, speed, rate).items():
            servo = self._at.servo_of(joint)
            gains = self._model.actuator_biasprm[servo]
            gains[1] = 0.0
            if gains[2] == 0:
                gains[2] = -twist.default_gain(self.robot.total_mass, pair, joint)
            self._data.ctrl[self._model.actuator_ctrladr[servo] + 1] = velocity
        self._scene.attention = True
        self._scene.touch()

    def undefined_joints(self) -> list[str]:
        """Return, in words, the joints whose motion is undefined: nothing resists them."""
        return self._at.undefined(self._model)
