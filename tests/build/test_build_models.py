"""Public robots and awkward files, where they lie beside the project."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

from grouser.build import compile_robot, to_mjcf
from grouser.description.read import load
from grouser.errors import RobotFileError

SHARED = Path(__file__).parents[3] / "shared"
FILES = sorted(SHARED.glob("models/*/*.urdf")) + sorted(SHARED.glob("urdf-cases/*.urdf"))


@pytest.mark.skipif(not FILES, reason="the robots are not beside the project")
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_robot_that_loads_builds_steps_and_exports(path):
    try:
        robot = load(path)
    except RobotFileError as error:
        pytest.skip(f"it does not load, as it should not: {str(error)[:80]}")
    model, built = compile_robot(robot)
    assert model.body_mass.sum() == pytest.approx(robot.total_mass, rel=1e-12, abs=1e-11)
    assert set(built.frames) == set(robot.links)
    again = mujoco.MjModel.from_xml_string(to_mjcf(robot))
    np.testing.assert_array_equal(again.body_mass, model.body_mass)
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 100)
    assert np.isfinite(data.qpos).all()
    assert np.isfinite(data.qvel).all()
    assert not data.warning.number.any()
