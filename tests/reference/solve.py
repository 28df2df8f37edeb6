"""Newton's method on the equation of motion with all force laws in it at once.

The unknown is the acceleration alone: `M a - c - tau(a) - J^T f(J a - aref) = 0`. Every law is piecewise
smooth, so a semismooth Newton step with a line search on the residual solves it. Coulomb's law makes the
equation non-symmetric; MuJoCo's convex law makes it the gradient of a convex cost, which gives the start.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import mujoco
import numpy as np
from numpy.typing import NDArray

from . import laws
from .rows import Block
from .servos import Servo

Array = NDArray[np.float64]
ContactLaw = Callable[[Array, Array, Array], laws.Response]

TOLERANCE = 1e-11
"""Residual force over the greatest force in the problem at which a solution counts as exact."""


class NotSolvedError(RuntimeError):
    """The reference found no solution to its tolerance; the message gives the residual."""


@dataclass(frozen=True)
class Problem:
    """One step's equation of motion: mass matrix, known forces, servos, constraint rows, contact law."""

    mass: Array
    force: Array
    servos: Sequence[Servo]
    blocks: Sequence[Block]
    law: ContactLaw

    def with_law(self, law: ContactLaw) -> Problem:
        return Problem(self.mass, self.force, self.servos, self.blocks, law)


def block_response(block: Block, residual: Array, law: ContactLaw) -> laws.Response:
    """Return the force of one constraint block and its derivative."""
    kinds = mujoco.mjtConstraint
    r, regularisation = float(residual[0]), float(block.regularisation[0])
    if block.kind == kinds.mjCNSTR_CONTACT_ELLIPTIC:
        return law(residual, block.regularisation, block.friction)
    if block.kind == kinds.mjCNSTR_EQUALITY:
        force, slope = -r / regularisation, -1.0 / regularisation
    elif block.kind in (kinds.mjCNSTR_FRICTION_DOF, kinds.mjCNSTR_FRICTION_TENDON):
        force, slope = laws.dry_friction(r, regularisation, block.bound)
    else:
        force, slope = laws.one_sided(r, regularisation)
    return np.array([force]), np.array([[slope]])


def residual(problem: Problem, acceleration: Array) -> tuple[Array, Array]:
    """Return the unbalanced generalized force at an acceleration, and its Jacobian."""
    unbalanced = problem.mass @ acceleration - problem.force
    jacobian = problem.mass.copy()
    for servo in problem.servos:
        force, slope = servo.force(acceleration[servo.dof])
        unbalanced[servo.dof] -= force
        jacobian[servo.dof, servo.dof] -= slope
    for block in problem.blocks:
        force, slope = block_response(block, block.jacobian @ acceleration - block.reference, problem.law)
        unbalanced -= block.jacobian.T @ force
        jacobian -= block.jacobian.T @ slope @ block.jacobian
    return unbalanced, jacobian


def solve(problem: Problem, start: Array | None = None) -> Array:
    """Return the acceleration that balances all forces, shape (nv,).

    Newton's method from `start`, if given; else, or where that fails, from the solution of the convex law;
    and at last from ever longer runs of the damped fixed point of De Saxcé's correction, whose iterates
    are convex problems.

    Raises:
        NotSolvedError: if no start leads to a residual below `TOLERANCE`.
    """
    errors = []
    if start is not None:
        solution, error = _newton(problem, start)
        if error < TOLERANCE:
            return solution
        errors.append(error)
    shifted = _Shifted(problem)
    acceleration, _ = _newton(problem.with_law(laws.convex_cone), np.linalg.solve(problem.mass, problem.force))
    for iterations in (0, 10, 40, 160):
        acceleration = shifted.relax(acceleration, iterations)
        solution, error = _newton(problem, acceleration)
        if error < TOLERANCE:
            return solution
        errors.append(error)
    raise NotSolvedError(f"relative residual {min(errors):.3g} is above {TOLERANCE:.3g} from every start")


class _Shifted:
    """The convex problems whose normal references are lowered by De Saxcé's shifts: docs/physics.md §5.3."""

    DAMPING = 0.5
    """Share of the old shifts that stays; without it the iteration can cycle (§5.5)."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem

    def relax(self, acceleration: Array, iterations: int) -> Array:
        """Return the acceleration after some damped iterations from the one given."""
        shifts = self._slip(acceleration)
        for _ in range(iterations):
            acceleration, _ = _newton(self._with(shifts), acceleration)
            shifts = self.DAMPING * shifts + (1.0 - self.DAMPING) * self._slip(acceleration)
        return acceleration

    def _slip(self, acceleration: Array) -> Array:
        """Return `||mu r_t||` of each block, zero where there is no friction."""
        return np.array(
            [
                np.linalg.norm(b.friction * (b.jacobian @ acceleration - b.reference)[1:]) if b.friction.size else 0.0
                for b in self._problem.blocks
            ]
        )

    def _with(self, shifts: Array) -> Problem:
        p = self._problem
        lowered = [
            replace(b, reference=b.reference - shift * np.eye(b.reference.size)[0])
            for b, shift in zip(p.blocks, shifts, strict=True)
        ]
        return Problem(p.mass, p.force, p.servos, lowered, laws.convex_cone)


def _newton(problem: Problem, start: Array, iterations: int = 200) -> tuple[Array, float]:
    """Return the best acceleration found and its relative residual."""
    inverse = np.linalg.inv(problem.mass)
    scale = _force_scale(problem)
    acceleration = start.copy()
    unbalanced, jacobian = residual(problem, acceleration)
    merit = float(unbalanced @ inverse @ unbalanced)
    for _ in range(iterations):
        if np.max(np.abs(unbalanced)) <= 1e-3 * TOLERANCE * scale:
            break
        step = np.linalg.lstsq(jacobian, -unbalanced, rcond=None)[0]
        size, found = 1.0, False
        while size > 1e-8:
            trial = acceleration + size * step
            unbalanced_trial, jacobian_trial = residual(problem, trial)
            merit_trial = float(unbalanced_trial @ inverse @ unbalanced_trial)
            if merit_trial < merit * (1.0 - 1e-4 * size):
                found = True
                break
            size *= 0.5
        if not found:
            break
        acceleration, unbalanced, jacobian, merit = trial, unbalanced_trial, jacobian_trial, merit_trial
    return acceleration, float(np.max(np.abs(unbalanced)) / scale)


def _force_scale(problem: Problem) -> float:
    """Return a force that the problem's forces are compared with."""
    servos = [abs(s.gear * s.offset) for s in problem.servos if np.isfinite(s.offset)]
    pushes = [float(np.max(np.abs(b.reference / b.regularisation))) for b in problem.blocks]
    return max([1.0, float(np.max(np.abs(problem.force))), *servos, *pushes])
