"""Meshes: every kind of file, used once, skipped or refused where broken."""

from __future__ import annotations

import logging
from pathlib import Path

import mujoco
import numpy as np
import pytest

from grouser.build import compile_robot, to_mjcf
from grouser.description.named import Named
from grouser.description.robot import Collision, Inertial, Link, Mesh, Pose, Robot, Visual
from grouser.errors import GrouserError

CORNERS = np.array(((0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 3)), dtype=float)
FACES = np.array(((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)))


def binary_stl(path: Path, corners=CORNERS, faces=FACES, header=b"") -> Path:
    record = np.dtype([("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")])
    rows = np.zeros(len(faces), record)
    rows["v"] = np.asarray(corners)[faces]
    path.write_bytes(header.ljust(80, b"\0") + len(faces).to_bytes(4, "little") + rows.tobytes())
    return path


def text_stl(path: Path, corners=CORNERS, faces=FACES) -> Path:
    lines = ["solid part"]
    for face in faces:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += [f"  vertex {x:.9e} {y} {z}" for x, y, z in np.asarray(corners)[face]]
        lines += ["endloop", "endfacet"]
    path.write_text("\n".join([*lines, "endsolid part"]))
    return path


def obj(path: Path) -> Path:
    lines = [f"v {x} {y} {z}" for x, y, z in CORNERS] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in FACES]
    path.write_text("\n".join(lines))
    return path


def collada(path: Path) -> Path:
    """Write the corners in centimetres, 1 m behind a node that is moved forwards by as much."""
    numbers = " ".join(map(str, (100 * (CORNERS - (1, 0, 0))).ravel()))
    path.write_text(f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
  <library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array id="f" count="12">{numbers}</float_array><technique_common>
      <accessor source="#f" count="4" stride="3">
        <param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
      </accessor></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    <triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/>
      <p>{" ".join(map(str, FACES.ravel()))}</p></triangles>
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="s"><node>
    <translate>100 0 0</translate><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>""")
    return path


def with_mesh(path: Path | None, *, collides=True, scale=(1.0, 1.0, 1.0), times=1, pose=Pose()) -> Robot:  # noqa: B008
    mesh = Mesh(str(path), path, scale)
    shapes = (Collision(mesh, pose),) * times if collides else ()
    visuals = () if collides else (Visual(mesh, pose),) * times
    base = Link("base", Inertial(1.0, ixx=0.1, iyy=0.1, izz=0.1), shapes, visuals)
    return Robot("meshed", Named("link", (("base", base),)))


def vertices_in_body(model: mujoco.MjModel) -> np.ndarray:
    """Return the vertices of the first geom where its body has them, sorted."""
    rotation = np.empty(9)
    mujoco.mju_quat2Mat(rotation, model.geom_quat[0])
    points = model.mesh_vert @ rotation.reshape(3, 3).T + model.geom_pos[0]
    return points[np.lexsort(points.round(5).T)]


def expected(scale=(1.0, 1.0, 1.0)) -> np.ndarray:
    points = CORNERS * scale
    return points[np.lexsort(points.round(5).T)]


WRITERS = {
    "part.stl": binary_stl,
    "PART.STL": binary_stl,
    "text.stl": text_stl,
    "TEXT.STL": text_stl,
    "part.obj": obj,
    "PART.OBJ": obj,
    "part.dae": collada,
}


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("collides", [True, False])
def test_every_kind_of_file_gives_its_vertices(tmp_path, name, collides):
    path = WRITERS[name](tmp_path / name)
    model, _ = compile_robot(with_mesh(path, collides=collides))
    np.testing.assert_allclose(vertices_in_body(model), expected(), atol=1e-5)
    again = mujoco.MjModel.from_xml_string(to_mjcf(with_mesh(path, collides=collides)))
    np.testing.assert_allclose(vertices_in_body(again), expected(), atol=1e-5)


def test_a_binary_file_may_start_like_a_text(tmp_path):
    path = binary_stl(tmp_path / "part.stl", header=b"solid made by a tool")
    model, _ = compile_robot(with_mesh(path))
    np.testing.assert_allclose(vertices_in_body(model), expected(), atol=1e-5)


@pytest.mark.parametrize("scale", [(0.001, 0.001, 0.001), (2.0, 1.0, 0.5), (-1.0, 1.0, 1.0)])
@pytest.mark.parametrize("writer", [binary_stl, text_stl])
def test_scale_and_mirror(tmp_path, scale, writer):
    model, _ = compile_robot(with_mesh(writer(tmp_path / "part.stl"), scale=scale))
    np.testing.assert_allclose(vertices_in_body(model), expected(scale), atol=1e-5 * max(map(abs, scale)))


def test_one_file_is_one_asset_and_another_scale_another(tmp_path):
    path = binary_stl(tmp_path / "part.stl")
    model, _ = compile_robot(with_mesh(path, times=3))
    assert (model.nmesh, model.ngeom) == (1, 3)
    mesh, large = Mesh("part.stl", path), Mesh("part.stl", path, (2.0, 2.0, 2.0))
    both = Link("base", None, (Collision(mesh), Collision(large)), (Visual(mesh),))
    model, _ = compile_robot(Robot("r", Named("link", (("base", both),))))
    assert (model.nmesh, model.ngeom) == (2, 3)


def test_two_files_of_one_name_are_two_assets(tmp_path):
    paths = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        paths.append(binary_stl(tmp_path / folder / "part.stl"))
    base = Link("base", None, tuple(Collision(Mesh("part.stl", path)) for path in paths))
    model, _ = compile_robot(Robot("r", Named("link", (("base", base),))))
    assert model.nmesh == 2


FLAT = np.array(((0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)), dtype=float)
SQUARE = np.array(((0, 1, 2), (1, 3, 2)))


def test_a_flat_mesh_is_drawn_as_it_is_and_collides_as_a_plate(tmp_path):
    path = binary_stl(tmp_path / "flat.stl", FLAT, SQUARE)
    compile_robot(with_mesh(path, collides=False))
    model, _ = compile_robot(with_mesh(path))
    reach = np.ptp(vertices_in_body(model), axis=0)
    np.testing.assert_allclose(reach[:2], 1, atol=1e-3)
    assert 0 < reach[2] < 0.01


BROKEN = {
    "empty.stl": b"",
    "junk.stl": b"\x01\x02" * 300,
    "words.stl": b"solid x\nfacet\nouter loop\nvertex a b c\nendloop\nendfacet\nendsolid",
    "cut.stl": b"solid x\nfacet\nouter loop\nvertex 0 0 0\nvertex 1 0",
    "nothing.stl": b"solid x\nendsolid x",
    "nan.stl": b"solid x" + b"\nvertex nan 0 0\nvertex 1 0 0\nvertex 0 1 0" * 2,
    "junk.obj": b"not a mesh",
    "junk.dae": b"<COLLADA/>",
    "junk.ply": b"ply\nformat nothing",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_collision_mesh_is_an_error_and_a_broken_visual_is_left_out(tmp_path, name, caplog):
    path = tmp_path / name
    path.write_bytes(BROKEN[name])
    with pytest.raises(GrouserError, match=f"robot 'meshed', link 'base', collision 0: .*{name}"):
        compile_robot(with_mesh(path))
    with caplog.at_level(logging.WARNING):
        model, _ = compile_robot(with_mesh(path, collides=False, times=2))
    assert model.ngeom == 0
    assert caplog.text.count("it is not drawn") == 1


def test_a_mesh_that_was_not_found_is_the_same(caplog):
    with pytest.raises(GrouserError, match="there is no mesh file 'None'"):
        compile_robot(with_mesh(None))
    with caplog.at_level(logging.WARNING):
        compile_robot(with_mesh(None, collides=False))
    assert "not drawn" in caplog.text


def test_a_mesh_of_more_triangles_than_mujoco_reads(tmp_path):
    # a strip over a sphere, of 300 x 350 cells
    rows, columns = np.meshgrid(np.linspace(0.1, 3.0, 301), np.linspace(0, 6.2, 351), indexing="ij")
    corners = np.column_stack(
        [f.ravel() for f in (np.sin(rows) * np.cos(columns), np.sin(rows) * np.sin(columns), np.cos(rows))]
    )
    first = (np.arange(300)[:, None] * 351 + np.arange(350)).ravel()
    faces = np.concatenate(
        (
            np.column_stack((first, first + 351, first + 1)),
            np.column_stack((first + 1, first + 351, first + 352)),
        )
    )
    assert len(faces) > 200_000
    model, _ = compile_robot(with_mesh(binary_stl(tmp_path / "large.stl", corners, faces), collides=False))
    assert model.nmeshface == len(faces)
