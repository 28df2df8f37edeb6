"""Servos, joint springs and dampers as implicit forces that stop at the effort limit: docs/physics.md §6."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Servo:
    """A joint force `clamp(offset - slope * qacc[dof], low, high)`, times `gear` on the dof.

    Attributes:
        dof: The degree of freedom it acts on.
        gear: Joint force per actuator force [-].
        offset: Actuator force at zero acceleration [N or N m].
        slope: Its decrease per unit acceleration [kg or kg m^2].
        low, high: The effort limits.
    """

    dof: int
    gear: float
    offset: float
    slope: float
    low: float = -np.inf
    high: float = np.inf

    def force(self, acceleration: float) -> tuple[float, float]:
        """Return the joint force and its derivative with respect to the dof's acceleration."""
        free = self.offset - self.slope * acceleration
        if self.low < free < self.high:
            return self.gear * free, -self.gear * self.slope
        return self.gear * min(max(free, self.low), self.high), 0.0


def pid_servos(model: mujoco.MjModel, data: mujoco.MjData) -> list[Servo]:
    """Return the pid actuators on hinges and slides, implicit in velocity and position."""
    return [_servo(model, data, i) for i in range(model.nactuator) if _is_pid(model, i)]


def other_actuation(model: mujoco.MjModel, data: mujoco.MjData) -> Array:
    """Return the joint forces of all other actuators, as MuJoCo computed them, shape (nv,)."""
    force = np.array(
        [0.0 if _is_pid(model, i) else data.actuator_force[model.actuator_outadr[i]] for i in range(model.nactuator)]
    )
    moment = np.zeros((model.nactuator, model.nv))
    mujoco.mju_sparse2dense(moment, data.actuator_moment, data.moment_rownnz, data.moment_rowadr, data.moment_colind)
    return moment.T @ force


def joint_springs(model: mujoco.MjModel) -> Array:
    """Return the inertia `dt b + dt^2 k` that implicit dampers and springs add to the diagonal, shape (nv,).

    Dampers are backward Euler; springs keep the force of the step's start and are symplectic.
    """
    dt = model.opt.timestep
    return dt * model.dof_damping + dt * dt * model.jnt_stiffness[model.dof_jntid]


def _is_pid(model: mujoco.MjModel, actuator: int) -> bool:
    on_joint = model.actuator_trntype[actuator] == mujoco.mjtTrn.mjTRN_JOINT
    return bool(on_joint and model.actuator_gaintype[actuator] == mujoco.mjtGain.mjGAIN_PID)


def _servo(model: mujoco.MjModel, data: mujoco.MjData, i: int) -> Servo:
    joint = model.actuator_trnid[i, 0]
    dof, gear, dt = int(model.jnt_dofadr[joint]), float(model.actuator_gear[i, 0]), model.opt.timestep
    length = gear * data.qpos[model.jnt_qposadr[joint]]
    speed = gear * data.qvel[dof]
    kp, kd = -model.actuator_biasprm[i, 1:3]
    present = [bool(model.actuator_ctrlspec[i] & bit) for bit in (1, 2, 4)]
    given = iter(data.ctrl[model.actuator_ctrladr[i] : model.actuator_ctrladr[i] + model.actuator_ctrlnum[i]])
    target, target_speed, feedforward = (float(next(given)) if p else 0.0 for p in present)
    limited = bool(model.actuator_forcelimited[i])
    low, high = model.actuator_forcerange[i] if limited else (-np.inf, np.inf)
    return Servo(
        dof=dof,
        gear=gear,
        offset=kp * (target - length - dt * speed) + kd * (target_speed - speed) + feedforward,
        slope=gear * (dt * kd + dt * dt * kp),
        low=float(low),
        high=float(high),
    )
