"""Steps: that many are many single ones, and that a failing one raises and says why."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

from grouser.errors import GrouserError, ParameterError, SimulationError
from grouser.sim.state import WorldState
from grouser.sim.world import World
from sim.robots import ARM


def stacked(count: int, memory: int | None = None) -> World:
    """A pile of boxes, each touching the next."""
    world = World(memory=memory)
    world.add_ground()
    for i in range(count):
        world.add_box((0.1, 0.1, 0.1), 1.0, (0, 0, 0.05 + 0.0999 * i))
    return world


def test_many_steps_are_many_single_steps() -> None:
    one, many = stacked(3), stacked(3)
    for _ in range(50):
        one.step()
    many.step(50)
    np.testing.assert_array_equal(one.data.qpos, many.data.qpos)
    np.testing.assert_array_equal(one.data.qvel, many.data.qvel)


def test_no_step_changes_nothing() -> None:
    world = stacked(1)
    world.step(0)
    assert world.time == 0


@pytest.mark.parametrize("n", [-1, 1.0, True, "2", None])
def test_a_number_of_steps_is_a_whole_number(n: object) -> None:
    with pytest.raises(ParameterError, match="n is "):
        stacked(1).step(n)  # type: ignore[arg-type]


@pytest.mark.parametrize("steps", [1, 40])
def test_a_number_that_is_not_finite_raises_and_names_its_body(
    steps: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    world = stacked(2)
    world.step(10)
    world.data.qvel[7] = np.nan
    with pytest.raises(SimulationError, match=r"t = 0\.02 s failed: the velocity of body 'box_2' is nan") as caught:
        world.step(steps)
    assert caught.value.time == pytest.approx(0.02)
    # MuJoCo would have printed a warning and written a log file
    assert not any(tmp_path.iterdir())
    assert capfd.readouterr() == ("", "")


def test_the_failing_step_of_many_is_found_and_undone() -> None:
    world, twin = World(gravity=(0, 0, 0)), World(gravity=(0, 0, 0))
    for each in (world, twin):
        each.add_sphere(0.1, 1.0, name="ball")
        # a coordinate beyond 1e10 fails the step that starts with it: this one gets there in 51 steps
        each.step()
        each.data.qvel[0] = 0.999e10
        each.data.qpos[0] = 1e10 - 0.999e10 * 0.002 * 50.5
    twin.step(51)
    with pytest.raises(SimulationError, match=r"coordinate of body 'ball' is 1\.\d+e\+10") as caught:
        world.step(500)
    assert world.time == twin.time == caught.value.time
    np.testing.assert_array_equal(world.data.qpos, twin.data.qpos)
    assert isinstance(caught.value.state, WorldState)
    world.data.qvel[0] = world.data.qpos[0] = 0
    world.step(5)
    world.restore_state(caught.value.state)
    np.testing.assert_array_equal(world.data.qpos, twin.data.qpos)


@pytest.mark.parametrize("memory", [100_000, 50_000, 30_000, 10_000])
def test_exhausted_memory_raises_and_says_how_to_get_more(memory: int) -> None:
    world = stacked(8, memory)
    with pytest.raises(SimulationError, match=r"memory for .* is full .*World\(memory=(\d+)\)") as caught:
        world.step(5)
    assert world.time == caught.value.time == 0
    advised = int(str(caught.value).split("World(memory=")[1].split(")")[0])
    assert advised > memory
    assert "box" in world.model.joint(0).name
    # the world can be read, and goes on where its load allows it
    assert np.isfinite(world.save_state().values).all()
    enough = stacked(8, 1 << 20)
    enough.step(5)


def test_data_reset_by_hand_is_no_failure() -> None:
    world = stacked(1)
    world.step(5)
    mujoco.mj_resetData(world.model, world.data)
    world.step(5)
    assert world.time == pytest.approx(0.01)
    world.data.qvel[0] = np.nan
    with pytest.raises(SimulationError):
        world.step()


@pytest.mark.parametrize("memory", [50_000, 30_000, 10_000])
def test_looking_without_enough_memory_raises(memory: int) -> None:
    world = stacked(8, memory)
    with pytest.raises(SimulationError, match=r"forces and contacts cannot be found: the memory .* is full"):
        _ = world.contacts
    assert world.time == 0


def test_warnings_of_somebody_else_are_no_failure() -> None:
    world, twin = stacked(2), stacked(2)
    for each in (world, twin):
        each.step(5)
    world.data.warning.number[4] += 3
    for each in (world, twin):
        each.step(5)
    np.testing.assert_array_equal(world.data.qpos, twin.data.qpos)


def test_options_changed_by_hand_are_refused_with_the_engine_s_words() -> None:
    world = stacked(1)
    world.step()
    world.model.opt.cone = mujoco.mjtCone.mjCONE_PYRAMIDAL
    with pytest.raises(GrouserError, match=r'cone="pyramidal".*elliptic'):
        world.step()


def test_a_command_that_is_not_finite_is_named() -> None:
    world = World()
    arm = world.add_articulated_system(ARM)
    world.step()
    world.data.ctrl[1] = np.inf
    with pytest.raises(SimulationError, match="command of joint 'arm/shoulder' is inf"):
        world.step()
    assert arm.dof == 2
