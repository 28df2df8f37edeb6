"""Objects: where they rest, how they fall, and what they refuse."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest

from grouser.errors import FileNotReadError, ParameterError, UnsupportedError
from grouser.sim.meshes import CoacdOptions, MeshData
from grouser.sim.world import World

SINK = 5e-4
"""How deep a body may sink into what carries it [m]: MuJoCo's contacts give a little."""

CUBE = MeshData(
    np.array([(x, y, z) for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)]),
    np.array(
        [
            *((0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1)),
            *((2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)),
        ]
    ),
)


def dented() -> MeshData:
    """A cube with its upper face pushed in at the middle."""
    vertices = np.vstack((CUBE.vertices, (0.0, 0.0, 0.0)))
    kept = [tuple(face) for face in CUBE.faces if not all(CUBE.vertices[face][:, 2] > 0)]
    rim = [(1, 5), (5, 7), (7, 3), (3, 1)]
    return MeshData(vertices, np.array([*kept, *((a, b, 8) for a, b in rim)]))


def test_a_body_falls_as_semi_implicit_euler_does() -> None:
    world = World(timestep=0.001)
    ball = world.add_sphere(0.1, 2.0, (0, 0, 5))
    world.step(300)
    assert ball.position[2] == pytest.approx(5 - 9.81 * 0.001**2 * 300 * 301 / 2, abs=1e-12)
    assert ball.velocity[2] == pytest.approx(-9.81 * 0.3, abs=1e-12)
    assert world.time == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("kind", "arguments", "height"),
    [
        ("box", ((0.4, 0.2, 0.3), 3.0), 0.15),
        ("sphere", (0.2, 3.0), 0.2),
        ("cylinder", (0.2, 0.5, 3.0), 0.25),
        ("capsule", (0.1, 0.5, 3.0), 0.35),
        ("mesh", (CUBE, 3.0, (1, 1, 2)), 0.2),
        ("mesh", (CUBE, 3.0, (1, 1, -3)), 0.3),
    ],
)
def test_sizes_are_full_lengths(kind: str, arguments: tuple, height: float) -> None:
    world = World()
    world.add_ground()
    body = getattr(world, f"add_{kind}")(*arguments, position=(0, 0, height))
    world.step(100)
    assert height - SINK < body.position[2] <= height
    assert body.mass == world.model.body(body.name).mass[0] == pytest.approx(3.0)


def test_the_ground_lies_where_it_was_put() -> None:
    world = World()
    world.add_ground(z=0.5)
    box = world.add_box((0.2, 0.2, 0.2), 1.0, (0, 0, 0.6))
    world.step(100)
    assert box.position[2] == pytest.approx(0.6, abs=SINK)


def test_sliding_down_a_slope_is_coulomb() -> None:
    angle, friction = math.radians(30), 0.3
    world = World(gravity=(9.81 * math.sin(angle), 0, -9.81 * math.cos(angle)))
    world.add_ground(material="slope")
    world.set_material_pair("slope", "steel", friction=friction)
    box = world.add_box((0.2, 0.2, 0.1), 1.0, (0, 0, 0.05), material="steel")
    world.step(100)
    before = box.velocity[0]
    world.step(100)
    acceleration = (box.velocity[0] - before) / 0.2
    assert acceleration == pytest.approx(9.81 * (math.sin(angle) - friction * math.cos(angle)), rel=1e-4)
    assert abs(box.velocity[2]) < 1e-5


def test_a_pair_changed_while_running_holds_from_the_next_step() -> None:
    world = World(gravity=(3.0, 0, -9.81))
    world.add_ground(material="slope")
    box = world.add_box((0.2, 0.2, 0.1), 1.0, (0, 0, 0.05), material="steel")
    world.step(100)
    assert abs(box.velocity[0]) < 1e-3
    world.set_material_pair("steel", "slope", friction=0.0)
    before = box.velocity[0]
    world.step(10)
    assert box.velocity[0] - before == pytest.approx(3.0 * 0.02, rel=1e-4)


def test_velocity_is_that_of_the_origin_in_world_axes() -> None:
    world = World(gravity=(0, 0, 0))
    half = math.pi / 4
    rod = world.add_capsule(0.1, 1.0, 2.0, quaternion=(math.cos(half), math.sin(half), 0, 0))
    wanted = np.array((0.1, 0.2, 0.3, 0.4, -0.5, 0.6))
    rod.set_velocity(wanted)
    np.testing.assert_allclose(rod.velocity, wanted, atol=1e-15)
    rod.set_pose((1, 2, 3), (0.5, 0.5, -0.5, 0.5))
    np.testing.assert_allclose(rod.velocity, wanted, atol=1e-15)
    np.testing.assert_array_equal(rod.position, (1, 2, 3))
    world.step()
    np.testing.assert_allclose(rod.position, (1.0002, 2.0004, 3.0006), atol=1e-12)


def test_static_objects_can_be_moved_while_running() -> None:
    world = World()
    table = world.add_box((1, 1, 0.2), position=(0, 0, 0.4))
    ball = world.add_sphere(0.1, 1.0, (0, 0, 0.6))
    world.step(50)
    assert ball.position[2] == pytest.approx(0.6, abs=SINK)
    table.set_pose((0, 0, 5))
    before = ball.velocity[2]
    world.step(50)
    assert ball.velocity[2] - before == pytest.approx(-9.81 * 0.1, rel=1e-6)
    np.testing.assert_array_equal(table.position, (0, 0, 5))
    np.testing.assert_array_equal(table.velocity, np.zeros(6))
    assert table.mass is None
    with pytest.raises(ParameterError, match="'box' is static"):
        table.set_velocity(np.zeros(6))


def height_under(world: World, x: float, y: float, start: float = 2.0) -> float:
    """Return the height of what lies under a point, by a ray [m]; minus infinity if nothing does."""
    found = np.zeros(1, dtype=np.int32)
    distance = mujoco.mj_ray(
        world.model, world.data, np.array((x, y, start)), np.array((0, 0, -1.0)), None, 1, -1, found, None
    )
    return start - distance if distance >= 0 else -math.inf


def test_stairs_climb_along_their_x() -> None:
    world = World()
    world.add_ground()
    world.add_stairs(0.1, 0.3, 4, width=1.0, position=(1, 2, 0), yaw=math.pi / 2)
    world.step()
    for i in range(4):
        assert height_under(world, 1.0, 2 + 0.3 * i + 0.15) == pytest.approx(0.1 * (i + 1))
        assert height_under(world, 1.4, 2 + 0.3 * i + 0.15) == pytest.approx(0.1 * (i + 1))
    assert height_under(world, 1.0, 1.9) == pytest.approx(0)
    assert height_under(world, 1.0, 2 + 1.25) == pytest.approx(0)


def test_a_ramp_starts_at_its_position() -> None:
    world = World()
    world.add_ramp(2.0, 0.4, position=(1, 0, 0.2))
    world.step()
    for along in (0.1, 1.0, 1.9):
        x = 1 + along * math.cos(0.4)
        assert height_under(world, x, 0.9) == pytest.approx(0.2 + along * math.sin(0.4))


def test_a_heightmap_has_rows_along_y() -> None:
    heights = np.zeros((3, 5))
    heights[2, 1] = 0.8
    heights[0, 0] = -0.2
    world = World()
    world.add_heightmap(heights, x_size=4.0, y_size=2.0, position=(10, 0, 1))
    world.step()
    assert height_under(world, 9.0, 0.999, 3) == pytest.approx(1.8, abs=2e-3)
    assert height_under(world, 8.001, -0.999, 3) == pytest.approx(0.8, abs=2e-3)
    assert height_under(world, 11.0, 0.5, 3) == pytest.approx(1.0, abs=1e-6)


def test_a_flat_heightmap_carries() -> None:
    world = World()
    world.add_heightmap(np.full((4, 4), 0.3), 2.0, 2.0)
    box = world.add_box((0.2, 0.2, 0.2), 1.0, (0.1, 0, 0.4))
    world.step(100)
    assert box.position[2] == pytest.approx(0.4, abs=2 * SINK)


def test_a_mesh_file_keeps_its_frame(tmp_path) -> None:
    moved = CUBE.vertices + np.array((1.0, 0.0, 0.5))
    lines = [f"v {x} {y} {z}" for x, y, z in moved] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in CUBE.faces]
    path = tmp_path / "Cube.OBJ"
    path.write_text("\n".join(lines))
    world = World()
    world.add_mesh(path, scale=2.0)
    world.step()
    assert height_under(world, 2.15, -0.15) == pytest.approx(1.2)
    assert height_under(world, 1.75, 0.0) == -math.inf
    assert height_under(world, 2.15, 0.25) == -math.inf


def test_meshes_say_what_is_realised() -> None:
    world = World()
    with pytest.raises(UnsupportedError, match=r"not convex.*mode='convex'"):
        world.add_mesh(dented(), 1.0)
    with pytest.raises(UnsupportedError, match="does not split"):
        world.add_mesh(dented(), 1.0, mode="convexify", coacd=CoacdOptions())
    body = world.add_mesh(dented(), 1.0, mode="convex")
    world.step()
    assert body.name == "mesh"
    assert body.mass == 1.0


def test_mesh_files_that_cannot_be_read_are_named(tmp_path) -> None:
    world = World()
    with pytest.raises(FileNotReadError, match=r"none\.obj does not exist"):
        world.add_mesh(tmp_path / "none.obj")
    other = tmp_path / "cube.step"
    other.write_text("x")
    with pytest.raises(FileNotReadError, match=r"readable are \.obj, \.stl, \.msh"):
        world.add_mesh(other)
    broken = tmp_path / "broken.stl"
    broken.write_bytes(b"nothing")
    with pytest.raises(FileNotReadError, match=r"broken\.stl"):
        world.add_mesh(broken)


def test_names_are_numbered_and_unique() -> None:
    world = World()
    assert [world.add_ground().name, world.add_ground(z=-1).name] == ["ground", "ground_2"]
    assert [world.add_sphere(1, 1).name for _ in range(3)] == ["sphere", "sphere_2", "sphere_3"]
    with pytest.raises(ParameterError, match="the world has a 'sphere_2' already"):
        world.add_box((1, 1, 1), name="sphere_2")
    with pytest.raises(ParameterError, match="MuJoCo keeps for itself"):
        world.add_box((1, 1, 1), name="world")


PLAIN = MeshData(np.zeros((4, 3)), np.array(((0, 1, 2),) * 4))


@pytest.mark.parametrize(
    ("method", "arguments", "options", "message"),
    [
        ("add_ground", (float("nan"),), {}, "z is nan; it must be a finite number"),
        ("add_ground", ("1",), {}, "z is '1'; it must be a finite number"),
        ("add_box", ((1, 1),), {}, r"size has shape \(2,\); it must have shape \(3,\)"),
        ("add_box", ((1, 0, 1),), {}, "size is .* every element must be greater than 0"),
        ("add_box", ((1, 1, 1), 0), {}, "mass is 0; it must be greater than 0"),
        ("add_box", ((1, 1, 1), True), {}, "mass is True; it must be a finite number"),
        ("add_box", ((1, 1, 1),), {"position": (0, 0, math.inf)}, r"position\[2\] is inf"),
        ("add_box", ((1, 1, 1),), {"quaternion": (0, 0, 0, 0)}, "quaternion is .* not zero"),
        ("add_box", ((1, 1, 1),), {"material": ""}, "material is ''; it must be a text"),
        ("add_box", ((1, 1, 1),), {"name": 3}, "name is 3; it must be a text"),
        ("add_sphere", (-1,), {}, "radius is -1; it must be greater than 0"),
        ("add_cylinder", (1, 0), {}, "length is 0; it must be greater than 0"),
        ("add_capsule", (1, "a"), {}, "length is 'a'"),
        (
            "add_mesh",
            (CUBE,),
            {"mode": "hull"},
            "mode is 'hull'; it must be one of original, convex, convexify",
        ),
        ("add_mesh", (CUBE,), {"coacd": CoacdOptions()}, "it belongs to mode='convexify'"),
        ("add_mesh", (CUBE, 1.0, 0), {}, "scale is 0.0; it must not be 0"),
        ("add_mesh", (PLAIN,), {}, "lie in one plane"),
        (
            "add_mesh",
            (MeshData(CUBE.vertices, CUBE.faces + 1),),
            {},
            "faces must be whole numbers from 0 to 7",
        ),
        ("add_heightmap", (np.zeros(4), 1, 1), {}, r"heights has shape \(4,\)"),
        ("add_heightmap", (((1, 2), (1,)), 1, 1), {}, "rows of different lengths"),
        ("add_heightmap", (np.full((2, 2), np.nan), 1, 1), {}, r"heights\[0, 0\] is nan"),
        ("add_heightmap", (np.zeros((2, 2)), 0, 1), {}, "x_size is 0"),
        ("add_stairs", (0.1, 0.3, 0), {}, "steps is 0; it must be 1 or more"),
        ("add_stairs", (0.1, 0.3, 2.5), {}, "steps is 2.5; it must be a whole number"),
        ("add_ramp", (1, 1.6), {}, "slope is 1.6 rad; it must lie between"),
        ("set_material_pair", ("a", "b", -0.1), {}, "friction is -0.1; it must be 0 or more"),
        ("set_material_pair", ("", "b"), {}, "a is ''"),
    ],
)
def test_arguments_out_of_range(method: str, arguments: tuple, options: dict, message: str) -> None:
    world = World()
    with pytest.raises(ParameterError, match=message):
        getattr(world, method)(*arguments, **options)
    # what was refused has left nothing behind
    world.add_ground()
    world.step()
    assert world.model.ngeom == 1


@pytest.mark.parametrize("argument", ["restitution", "rolling_friction", "spinning_friction", "static_friction"])
def test_material_properties_not_realised_say_so(argument: str) -> None:
    world = World()
    with pytest.raises(UnsupportedError, match=f"{argument} is 0.5; this version realises only"):
        world.set_material_pair("a", "b", **{argument: 0.5})
    world.set_material_pair("a", "b", 0.7, static_friction=0.7)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"timestep": 0}, "timestep is 0; it must be greater than 0"),
        ({"gravity": (0, 0)}, r"gravity has shape \(2,\)"),
        ({"memory": 0}, "memory is 0; it must be 1 or more"),
    ],
)
def test_world_arguments(options: dict, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        World(**options)


def test_numpy_scalars_are_numbers() -> None:
    world = World(timestep=np.float32(0.5) / 256)
    world.add_ground(np.int64(0))
    world.add_sphere(np.float32(0.1), np.float64(1), np.zeros(3, dtype=np.float32))
    world.step(np.int64(2))
    assert world.time == 2 * world.timestep
