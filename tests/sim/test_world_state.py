"""State: restored to the bit, kept when something is added, refused where it does not fit."""

from __future__ import annotations

import pickle

import mujoco
import numpy as np
import pytest

from grouser.errors import ParameterError
from grouser.sim import state
from grouser.sim.world import World


def tumbling(count: int = 3) -> World:
    """Boxes and cylinders that fall onto each other and roll."""
    world = World()
    world.add_ground()
    for i in range(count):
        body = world.add_box((0.2, 0.3, 0.1), 2.0, (0.05 * i, 0, 0.2 + 0.25 * i), material="wood")
        body.set_velocity((0.3, 0.1 * i, 0, 1.0, 2.0, -3.0))
        world.add_cylinder(0.1, 0.2, 1.0, (0.4 + 0.02 * i, 0.01 * i, 0.3 + 0.2 * i), (0.7, 0.7, 0.1, 0))
    world.set_material_pair("wood", "default", friction=0.4)
    return world


def trajectory(world: World, steps: int) -> np.ndarray:
    rows = []
    for _ in range(steps):
        world.step()
        rows.append(np.concatenate((world.data.qpos, world.data.qvel)))
    return np.array(rows)


def test_a_restored_state_repeats_its_future_to_the_bit() -> None:
    world = tumbling()
    world.step(150)
    assert len(world.contacts) > 0
    saved = world.save_state()
    first = trajectory(world, 200)
    assert np.ptp(first[:, :3], axis=0).max() > 1e-3
    world.restore_state(saved)
    assert world.time == saved.time
    np.testing.assert_array_equal(trajectory(world, 200), first)


def test_looking_changes_nothing() -> None:
    looked, left = tumbling(), tumbling()
    for _ in range(100):
        looked.step()
        looked.restore_state(looked.save_state())
        _ = looked.contacts, looked.data
        left.step()
    np.testing.assert_array_equal(looked.data.qpos, left.data.qpos)


def test_a_state_fits_a_world_built_the_same_way_also_after_pickling() -> None:
    world, other = tumbling(), tumbling()
    world.step(200)
    saved = pickle.loads(pickle.dumps(world.save_state()))
    other.restore_state(saved)
    np.testing.assert_array_equal(trajectory(world, 50), trajectory(other, 50))


def test_a_state_of_another_world_is_refused() -> None:
    saved = tumbling().save_state()
    other = tumbling()
    other.add_sphere(0.1, 1.0, name="extra")
    with pytest.raises(ParameterError, match=r"only there: .*only here: body 'extra', joint 'extra/root'"):
        other.restore_state(saved)
    with pytest.raises(ParameterError, match="state is a dict; it must be what"):
        other.restore_state({})  # type: ignore[arg-type]


def test_adding_keeps_the_state_to_the_bit() -> None:
    world = tumbling()
    world.step(150)
    names = ("qpos", "qvel", "qacc_warmstart", "qfrc_applied")
    world.data.qfrc_applied[3] = 0.125
    world.data.xfrc_applied[2] = np.arange(6)
    time, model = world.time, world.model
    before = {name: getattr(world.data, name).copy() for name in names}
    wrench = world.data.xfrc_applied.copy()
    world.add_box((0.1, 0.1, 0.1), 1.0, (5, 5, 0.05), name="late")
    assert world.model is not model
    assert world.time == time
    for name, values in before.items():
        np.testing.assert_array_equal(getattr(world.data, name)[: len(values)], values)
    np.testing.assert_array_equal(world.data.xfrc_applied[: len(wrench)], wrench)
    world.step(10)
    assert world.contacts


def test_handles_follow_the_state_through_changes() -> None:
    world = World(gravity=(0, 0, 0))
    first = world.add_sphere(0.1, 1.0)
    first.set_velocity((1, 0, 0, 0, 0, 0))
    world.step(10)
    second = world.add_sphere(0.1, 1.0, (0, 3, 0))
    world.set_material_pair("a", "b", 0.1)
    second.set_velocity((0, 1, 0, 0, 0, 0))
    world.step(10)
    np.testing.assert_allclose(first.position, (0.04, 0, 0), atol=1e-12)
    np.testing.assert_allclose(second.position, (0, 3.02, 0), atol=1e-12)


def test_what_a_step_changes_is_part_of_the_full_state() -> None:
    assert state.MOVING & state.FULL == state.MOVING


MODEL = """<mujoco><worldbody><body name="m" mocap="true"><geom size="1"/></body>{first}
<body name="b"><joint name="j"/><joint name="k" axis="1 0 0"/><geom size="1"/></body></worldbody>
<equality><joint name="e" joint1="j" joint2="k"/></equality><actuator>{second}
<general name="a" joint="j" dyntype="integrator"/></actuator></mujoco>"""


def test_everything_is_carried_over_by_name() -> None:
    old = mujoco.MjModel.from_xml_string(MODEL.format(first="", second=""))
    before = mujoco.MjData(old)
    rng = np.random.default_rng(0)
    fields = ("qpos", "qvel", "act", "ctrl", "qfrc_applied", "qacc_warmstart", "mocap_pos", "mocap_quat")
    for field in fields:
        values = getattr(before, field)
        values[:] = rng.normal(size=values.shape)
    before.xfrc_applied[2] = rng.normal(size=6)
    before.eq_active[0] = 0
    before.time = 0.1 + 0.2
    old.actuator_biasprm[0, :3] = (1, 2, 3)
    added = '<body name="n" mocap="true"/><body name="c"><freejoint name="f"/><geom size="1"/></body>'
    new = mujoco.MjModel.from_xml_string(
        MODEL.format(first=added, second='<general name="x" joint="k" dyntype="integrator"/>')
    )
    after = mujoco.MjData(new)
    state.carry_over(old, before, new, after)
    assert after.time == before.time
    starts = {"qpos": 7, "qvel": 6, "qfrc_applied": 6, "qacc_warmstart": 6, "act": 1, "ctrl": 1}
    for field in fields:
        first = starts.get(field, 0)
        values = getattr(before, field)
        np.testing.assert_array_equal(getattr(after, field)[first : first + len(values)], values, field)
    np.testing.assert_array_equal(after.xfrc_applied[new.body("b").id], before.xfrc_applied[2])
    np.testing.assert_array_equal(after.qpos[:7], (0, 0, 0, 1, 0, 0, 0))
    assert after.eq_active[0] == 0
    np.testing.assert_array_equal(new.actuator("a").biasprm[:3], (1, 2, 3))
    np.testing.assert_array_equal(new.actuator("x").biasprm[:3], (0, 0, 0))
