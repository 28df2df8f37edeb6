"""Forces of the constraints that live inside a joint: friction, limits, coupling to another joint."""

from __future__ import annotations

import mujoco
import numpy as np

from grouser.sim.checks import Array

CONSTRAINT = mujoco.mjtConstraint


def joint_constraint_force(model: mujoco.MjModel, data: mujoco.MjData, dofs: slice) -> Array:
    """Return the force of friction loss, limits and joint couplings on some velocities.

    Args:
        model: The model.
        data: Its data after a step; the Jacobian must be dense.
        dofs: Which velocities.

    Returns:
        Force along each velocity [N m or N].
    """
    # contacts are the last rows
    count = data.ne + data.nf + data.nl
    if count == 0:
        return np.zeros(dofs.stop - dofs.start)
    rows = np.flatnonzero(_inside_joint(model, data, count))
    jacobian = data.efc_J[: count * model.nv].reshape(count, model.nv)
    return data.efc_force[rows] @ jacobian[rows, dofs]


def _inside_joint(model: mujoco.MjModel, data: mujoco.MjData, count: int) -> np.ndarray:
    """Say of each of the first constraint rows whether it acts inside a joint."""
    kind = data.efc_type[:count]
    inside = (kind == CONSTRAINT.mjCNSTR_FRICTION_DOF) | (kind == CONSTRAINT.mjCNSTR_LIMIT_JOINT)
    equality = np.flatnonzero(kind == CONSTRAINT.mjCNSTR_EQUALITY)
    of = model.eq_type[data.efc_id[equality]]
    inside[equality] = of == mujoco.mjtEq.mjEQ_JOINT
    return inside
