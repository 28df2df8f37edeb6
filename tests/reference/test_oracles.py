"""The reference against closed forms (docs/physics.md §1, §4, §5): it has to be right by itself."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest

from . import laws
from .belt_reference import Step, advance, reference_step
from .oracles import box_on_conveyor, thrust_share, turning_ratio, turning_ratio_even
from .scene_list import SCENES, conveyor
from .scenes import OPTIONS, Scene, TwoTracks, on_ground, tilted
from .solve import ContactLaw

GRAVITY = 9.81


def simulate(
    scene: Scene, steps: int, control: tuple[float, ...] = (), law: ContactLaw = laws.coulomb
) -> tuple[mujoco.MjModel, mujoco.MjData, Step]:
    """Return model, state and last step after some steps of the reference."""
    model = mujoco.MjModel.from_xml_string(scene.mjcf(plugin=False))
    data = mujoco.MjData(model)
    data.ctrl[:] = control or scene.control or 0.0
    for _ in range(steps):
        step = reference_step(model, data, scene.belts, scene.contact, law)
        advance(model, data, step)
    return model, data, step


def spheres_in_two_rows(length: float, separation: float, speed: float) -> Scene:
    """Return ten spheres on one body whose surfaces run at plus and minus `speed`: no belt, no drive."""
    places = [(x, y) for x in np.linspace(-length / 2, length / 2, 5) for y in (-separation / 2, separation / 2)]
    spheres = "".join(
        f'<geom size="0.05" pos="{x} {y} 0" surfacevel="{-math.copysign(speed, y)} 0 0 0 0 0"/>' for x, y in places
    )
    elements = f"""
    <worldbody><geom type="plane" size="5 5 1"/><body pos="0 0 0.0499"><freejoint/>
      <inertial pos="0 0 0" mass="10" diaginertia="0.5 0.5 0.5"/>{spheres}</body></worldbody>
    """
    return Scene("spheres in two rows", elements)


def test_spheres_in_two_rows_turn_as_coulomb_says() -> None:
    scene = spheres_in_two_rows(0.5, 0.5, 0.5)
    expected = turning_ratio(np.linspace(-0.25, 0.25, 5), 0.5) * 2 * 0.5 / 0.5
    assert expected == pytest.approx(1.5026, abs=1e-4)
    _, data, step = simulate(scene, 250)
    assert abs(data.qvel[5]) == pytest.approx(expected, rel=1e-5)
    loads = np.array([force[0] for force in step.row_forces])
    assert loads == pytest.approx(np.full(10, GRAVITY), rel=1e-4), "all spheres carry the same"


def test_with_the_convex_law_only_the_ends_of_the_rows_carry() -> None:
    """MuJoCo's law lifts off where slip is less than greatest: the rate is that of four points."""
    _, data, step = simulate(spheres_in_two_rows(0.5, 0.5, 0.5), 1000, law=laws.convex_cone)
    assert abs(data.qvel[5]) == pytest.approx(1.0, abs=1e-3)
    loads = sorted(float(force[0]) for force in step.row_forces)
    assert loads[5] < 0.01 * loads[6]


@pytest.mark.parametrize(("degrees", "friction"), [(40.0, 0.5), (35.0, 0.3), (60.0, 0.8)])
def test_a_block_slides_down_a_slope_without_hopping(degrees: float, friction: float) -> None:
    angle = math.radians(degrees)
    options = tilted((math.cos(angle), math.sin(angle))).replace('friction="0.8', f'friction="{friction}')
    elements = """<worldbody><geom type="plane" size="50 50 1"/><body pos="0 0 0.1"><freejoint/>
      <geom type="box" size="0.2 0.15 0.1" mass="5"/></body></worldbody>"""
    scene = Scene("slide", elements, options=options)
    _, data, _ = simulate(scene, 150)
    start = data.qvel[0]
    model = mujoco.MjModel.from_xml_string(scene.mjcf(plugin=False))
    heights = []
    for _ in range(100):
        advance(model, data, reference_step(model, data))
        heights.append(data.qvel[2])
    expected = GRAVITY * (math.sin(angle) - friction * math.cos(angle))
    assert -(data.qvel[0] - start) / (100 * 0.002) == pytest.approx(expected, rel=1e-3)
    assert np.max(np.abs(heights)) < 1e-5


def test_a_driving_robot_moves_at_belt_speed() -> None:
    _, data, step = simulate(on_ground("drive", TwoTracks()), 250, (0, 5, 0, 0, 5, 0))
    assert data.qvel[0] == pytest.approx(step.belt_speed["left"], rel=1e-6)
    assert step.belt_speed["left"] == pytest.approx(0.5, rel=1e-6)
    assert abs(data.qvel[2]) < 1e-6


@pytest.mark.parametrize(("torque", "armature"), [(1.0, 0.01), (4.0, 0.01), (4.0, 0.5)])
def test_torque_pushes_with_torque_over_gain_against_mass_and_reflected_inertia(torque: float, armature: float) -> None:
    scene = on_ground("pull", TwoTracks(kd=0.0, armature=armature))
    _, _, step = simulate(scene, 150, (0, 0, torque, 0, 0, torque))
    expected = (2 * torque / 0.1) / (20 + 2 * armature / 0.1**2)
    assert step.acceleration[0] == pytest.approx(expected, rel=1e-3)
    assert sum(step.traction.values()) == pytest.approx(20 * step.acceleration[0], rel=1e-6)


def test_drive_energy_goes_into_robot_and_rotors() -> None:
    """2 N m for 1 s on 0.1 kg m^2 and 10 kg at 0.1 m: 10 rad/s and 1 m/s, so that 10 J went in and are there."""
    scene = on_ground("energy", TwoTracks(kd=0.0, armature=0.05, mass=10.0))
    model, data, _ = simulate(scene, 100, (0, 0, 1e-9, 0, 0, 1e-9))
    start, work = data.qvel.copy(), 0.0
    data.ctrl[:] = (0, 0, 1, 0, 0, 1)
    for _ in range(500):
        advance(model, data, reference_step(model, data, scene.belts))
        work += 0.002 * (data.qvel[6] + data.qvel[7])
    assert data.qvel[6] - start[6] == pytest.approx(10.0, rel=2e-3)
    assert data.qvel[0] - start[0] == pytest.approx(1.0, rel=2e-3)
    kinetic = 0.5 * 10.0 * data.qvel[0] ** 2 + 0.5 * 0.05 * (data.qvel[6] ** 2 + data.qvel[7] ** 2)
    assert kinetic == pytest.approx(work, rel=5e-3)


def test_a_sliding_belt_pulls_with_friction_times_load() -> None:
    _, _, step = simulate(on_ground("slide", TwoTracks(kd=0.0)), 100, (0, 0, 40, 0, 0, 40))
    assert step.acceleration[0] == pytest.approx(0.8 * GRAVITY, rel=1e-4)


def test_a_servo_at_its_limit_accelerates_the_real_rotor() -> None:
    robot = TwoTracks(kd=50.0, effort=3.0)
    _, _, step = simulate(on_ground("limit", robot), 100, (0, 100, 0, 0, 100, 0))
    expected = (2 * 3.0 / 0.1) / (20 + 2 * 0.01 / 0.1**2)
    assert step.acceleration[0] == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("length", [0.8, 0.5])
def test_spin_on_four_ends(length: float) -> None:
    scene = on_ground("spin", TwoTracks(length=length, kd=500.0))
    _, data, step = simulate(scene, 200, (0, -4, 0, 0, 4, 0))
    speed = (step.belt_speed["right"] - step.belt_speed["left"]) / 2
    expected = turning_ratio((-length / 2, length / 2), 0.5)
    assert expected == pytest.approx(0.5**2 / (0.5**2 + length**2))
    assert data.qvel[5] * 0.5 / (2 * speed) == pytest.approx(expected, rel=1e-3)


def test_box_on_a_conveyor() -> None:
    elements = conveyor().elements.replace('forcerange="-8 8"', "").replace('kv="20"', 'kv="2000"')
    options = OPTIONS.replace('friction="0.8', 'friction="0.5')
    scene = Scene("conveyor", elements.replace('condim="6"', ""), conveyor().belts, options=options)
    model, data, _ = simulate(scene, 50, (0, 0, 0))
    start = data.body("box").xpos[0]
    data.qvel[0] = 10.0
    data.ctrl[:] = (0, 10, 0)
    for _ in range(400):
        advance(model, data, reference_step(model, data, scene.belts))
    mujoco.mj_kinematics(model, data)
    carried = data.body("box").xpos[0] - start
    assert carried == pytest.approx(box_on_conveyor(1.0, 0.5, GRAVITY, 0.8), rel=5e-3)
    assert box_on_conveyor(1.0, 0.5, GRAVITY, 2.0) == pytest.approx(1.8981, abs=1e-4)


def test_turning_under_even_load_as_published() -> None:
    ratios = {0.5: (0.964, 0.246), 1: (0.833, 0.464), 1.25: (0.743, 0.553), 1.5: (0.650, 0.628),
              2: (0.484, 0.739), 3: (0.272, 0.860)}  # fmt: skip
    for ratio, (chi, thrust) in ratios.items():
        assert turning_ratio_even(ratio) == pytest.approx(chi, abs=6e-4)
        assert thrust_share(ratio) == pytest.approx(thrust, abs=6e-4)
        fine = turning_ratio(np.linspace(-ratio / 2, ratio / 2, 4001), 1.0)
        assert fine == pytest.approx(turning_ratio_even(ratio), rel=1e-3)


@pytest.mark.parametrize("make", SCENES)
def test_belts_are_ideal_transmissions(make: object) -> None:
    """The power of all contact forces is that of the slip at the contacts: belts store and lose nothing."""
    assert callable(make)
    scene = make()
    model, _, step = simulate(scene, 5)
    velocity = np.random.default_rng(3).normal(size=model.nv)
    slip_power = sum(f @ (b.jacobian @ velocity) for b, f in zip(step.rows.blocks, step.row_forces, strict=True))
    assert step.constraint_force @ velocity == pytest.approx(slip_power, rel=1e-9, abs=1e-9)
    for belt in scene.belts:
        for joint, gain in belt.drives.items():
            drive = sum(
                float((b.jacobian.T @ f)[model.joint(joint).dofadr[0]])
                for b, f in zip(step.rows.blocks, step.row_forces, strict=True)
                if b.contact >= 0
            )
            shared = sum(o.drives.get(joint, 0.0) * step.traction[o.name] for o in scene.belts)
            if model.joint(joint).name not in {j for o in scene.belts for j in _carrying_joints(model, o.geoms)}:
                assert drive == pytest.approx(-shared, rel=1e-9, abs=1e-9), (joint, gain)


def _carrying_joints(model: mujoco.MjModel, geoms: tuple[str, ...]) -> set[str]:
    """Return the joints that move a belt's own body: contact forces act on them directly too."""
    joints, body = set(), int(model.geom(geoms[0]).bodyid[0])
    while body > 0:
        first, count = int(model.body_jntadr[body]), int(model.body_jntnum[body])
        joints |= {model.joint(j).name for j in range(first, first + count)}
        body = int(model.body_parentid[body])
    return joints
