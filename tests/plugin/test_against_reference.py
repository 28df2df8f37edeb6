"""The plugin against the NumPy reference, state by state, along the paths that the plugin's steps take.

Both solve the same equation to rounding: the models ask MuJoCo's Newton solver and the plugin's own iteration
for all the accuracy there is. What is left is rounding times the stiffness of contacts (1/R up to 1e6), measured
at 1e-8 of the largest acceleration or less; the tolerance below leaves a factor of ten. Rows are compared before
any solve and agree to rounding itself.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

import mujoco
import numpy as np
import pytest

import grouser_plugin
from reference import trajectory
from reference.belt_reference import Step, reference_step
from reference.scene_list import SCENES, without_plugin
from reference.scenes import ITERATIONS, Scene
from reference.solve import NotSolvedError

TOLERANCE = 1e-7
"""Of accelerations and forces, relative to the largest in the state."""
ROUNDING = 1e-12
"""Of rows: positions and axes are of order one."""
STEPS = 40


@pytest.fixture(scope="module", autouse=True)
def _plugin() -> None:
    grouser_plugin.load()


@dataclass
class Pair:
    """One scene twice: with the plugin, and without it for the reference."""

    scene: Scene

    def __post_init__(self) -> None:
        self.model = mujoco.MjModel.from_xml_string(self.scene.mjcf(plugin=True))
        self.data = mujoco.MjData(self.model)
        self.plain_model = mujoco.MjModel.from_xml_string(self.scene.mjcf(plugin=False))
        self.plain_data = mujoco.MjData(self.plain_model)
        self.data.ctrl[:] = self.scene.control or 0.0

    @property
    def reports_unsettled(self) -> bool:
        """Does the plugin say that it ran out of iterations?"""
        names = [self.model.sensor(i).name for i in range(self.model.nsensor)]
        return any(self.data.sensor(n).data[0] >= ITERATIONS for n in names if n.endswith("contact"))

    def compute(self) -> Step:
        """Bring the plugin's data up to date and return what the reference makes of the same state."""
        plain = self.plain_data
        for name in ("qpos", "qvel", "ctrl", "mocap_pos", "mocap_quat", "qfrc_applied", "xfrc_applied"):
            getattr(plain, name)[...] = getattr(self.data, name)
        mujoco.mj_forward(self.model, self.data)
        # Coulomb's law may have several solutions: Newton starts at the plugin's, and stays if it is one
        plain.qacc_warmstart[:] = self.data.qacc
        return reference_step(self.plain_model, plain, self.scene.belts, self.scene.contact)


def distance(value: np.ndarray, expected: np.ndarray) -> float:
    """Return the greatest difference, relative to the largest entry; below 1 in absolute terms."""
    value, expected = np.asarray(value), np.asarray(expected)
    assert value.shape == expected.shape
    scale = max(1.0, float(np.max(np.abs(expected), initial=0.0)))
    return float(np.max(np.abs(value - expected), initial=0.0)) / scale


def check_rows(pair: Pair, step: Step) -> None:
    """Check which contacts keep rows, and the rows."""
    data, blocks = pair.data, step.rows.blocks
    kept = tuple(i for i in range(data.ncon) if data.contact[i].efc_address >= 0)
    assert kept == step.rows.kept
    width = pair.model.nv
    jacobian = np.vstack([np.zeros((0, width)), *(b.jacobian for b in blocks)])
    assert distance(data.efc_J.reshape(-1, width), jacobian) < ROUNDING
    regularisation = np.concatenate([np.zeros(0), *(b.regularisation for b in blocks)])
    assert data.efc_R == pytest.approx(regularisation, rel=ROUNDING)
    assert data.efc_D == pytest.approx(1.0 / regularisation, rel=ROUNDING)
    for block in blocks:
        if block.contact >= 0:
            address = data.contact[block.contact].efc_address
            reference = data.efc_aref[address + 1 : address + block.reference.size]
            assert distance(reference, block.reference[1:]) < ROUNDING, "friction rows keep their reference"
            assert data.efc_id[address] == block.contact


def check_motion(pair: Pair, step: Step) -> None:
    """Check accelerations, forces, and what the sensors say."""
    data = pair.data
    assert distance(data.qacc, step.acceleration) < TOLERANCE
    assert distance(data.efc_force, np.concatenate([np.zeros(0), *step.row_forces])) < TOLERANCE
    assert distance(data.qfrc_constraint, step.constraint_force) < TOLERANCE
    assert distance(data.qfrc_actuator, step.actuator_force) < TOLERANCE
    load = max(1.0, *(float(np.max(np.abs(f), initial=0.0)) for f in (*step.row_forces, np.zeros(1))))
    for belt in pair.scene.belts:
        speed, traction = data.sensor(f"{belt.prefix}track/{belt.name.removeprefix(belt.prefix)}").data
        assert speed == pytest.approx(step.belt_speed[belt.name], abs=ROUNDING)
        assert traction == pytest.approx(step.traction[belt.name], abs=10 * TOLERANCE * load)


@pytest.mark.parametrize("make", SCENES)
@pytest.mark.parametrize("seed", [0, 1])
def test_plugin_equals_reference(make: Callable[[], Scene], seed: int) -> None:
    pair = Pair(make())
    pair.data.qvel[:] = np.random.default_rng(seed).normal(scale=0.1, size=pair.model.nv)
    unsettled = 0
    for _ in range(STEPS):
        try:
            step = pair.compute()
        except NotSolvedError:
            assert pair.reports_unsettled
        if pair.reports_unsettled:  # neither claims a solution then: rare, and counted
            unsettled += 1
        else:
            check_rows(pair, step)
            check_motion(pair, step)
        mujoco.mj_step(pair.model, pair.data)
    assert unsettled <= STEPS // 20


@pytest.mark.parametrize("make", SCENES)
def test_plugin_equals_reference_in_random_states(make: Callable[[], Scene]) -> None:
    """States far from rest: turned, pushed in or lifted off, fast, pulled by outside forces."""
    pair = Pair(make())
    rng = np.random.default_rng(7)
    for _ in range(10):
        mujoco.mj_resetData(pair.model, pair.data)
        mujoco.mj_integratePos(pair.model, pair.data.qpos, rng.normal(scale=2e-3, size=pair.model.nv), 1.0)
        pair.data.qvel[:] = rng.normal(scale=0.5, size=pair.model.nv)
        pair.data.ctrl[:] = np.asarray(pair.scene.control or 0.0) * rng.uniform(0.2, 1.5)
        pair.data.qfrc_applied[:] = rng.normal(scale=0.3, size=pair.model.nv)
        pair.data.xfrc_applied[1:] = rng.normal(scale=0.3, size=(pair.model.nbody - 1, 6))
        step = pair.compute()
        check_rows(pair, step)
        check_motion(pair, step)


@pytest.mark.parametrize("make", SCENES)
@pytest.mark.parametrize("done", [mujoco.mjtStage.mjSTAGE_POS, mujoco.mjtStage.mjSTAGE_VEL])
def test_running_stages_again_changes_nothing(make: Callable[[], Scene], done: mujoco.mjtStage) -> None:
    """The plugin rewrites rows and the diagonal of M in place; finite differencing runs stages anew on them."""
    pair = Pair(make())
    for _ in range(20):
        mujoco.mj_step(pair.model, pair.data)
    mujoco.mj_forward(pair.model, pair.data)
    once = pair.data.qacc.copy(), pair.data.qfrc_constraint.copy(), pair.data.nefc
    for _ in range(2):
        mujoco.mj_forwardSkip(pair.model, pair.data, done, 0)
        assert pair.data.nefc == once[2]
        assert distance(pair.data.qacc, once[0]) < TOLERANCE
        assert distance(pair.data.qfrc_constraint, once[1]) < TOLERANCE


@pytest.mark.parametrize("make", SCENES)
def test_after_a_step_forces_balance_with_the_real_mass(make: Callable[[], Scene]) -> None:
    """What MuJoCo's force fields say has really acted: M a = passive - bias + actuator + constraint."""
    pair = Pair(make())
    for _ in range(10):
        mujoco.mj_step(pair.model, pair.data)
    mujoco.mj_forward(pair.model, pair.data)
    data, mass = pair.data, np.zeros((pair.model.nv, pair.model.nv))
    mujoco.mj_fullM(pair.model, data, mass)
    force = data.qfrc_passive - data.qfrc_bias + data.qfrc_actuator + data.qfrc_constraint
    assert distance(mass @ data.qacc, force) < TOLERANCE


def test_a_model_without_the_plugin_steps_bit_for_bit_as_stock() -> None:
    """The library is loaded in this process; in the other it is not."""
    xml = without_plugin().mjcf(plugin=False)
    other = subprocess.run([sys.executable, trajectory.__file__], input=xml, capture_output=True, text=True, check=True)
    assert trajectory.digest(xml) == other.stdout.strip()
