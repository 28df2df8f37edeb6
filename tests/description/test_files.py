"""Files beside the robot's: modules and meshes, and where they are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from description.tiny_robots import BODY, CRAWLER
from grouser.description.read import check, load, read
from grouser.description.robot import Mesh

# Modules


TRACK = CRAWLER[CRAWLER.index("<track") : CRAWLER.index("</robot>")]
BARE = CRAWLER.replace(TRACK, "")


@pytest.mark.parametrize("place", [".", "modules", "../modules", "module", "../module"])
@pytest.mark.parametrize("module", [TRACK, f'<?xml version="1.0"?>\n<robot name="m">{TRACK}</robot>'])
def test_modules_are_found_and_added(tmp_path, place, module):
    base = tmp_path / "robot"
    base.mkdir()
    (base / "r.urdf").write_text(BARE)
    folder = base / place
    folder.mkdir(exist_ok=True)
    (folder / "tracks.xml").write_text(module)
    assert load(base / "r.urdf", modules=["tracks.xml"]) == load(CRAWLER)
    assert load(base / "r.urdf", modules=[folder / "tracks.xml"]) == load(CRAWLER)
    assert load(BARE, modules=["tracks.xml"], resource_dir=base) == load(CRAWLER)


def test_the_first_place_wins(tmp_path):
    (tmp_path / "modules").mkdir()
    (tmp_path / "m.xml").write_text("")
    (tmp_path / "m.xml").write_text(TRACK)
    (tmp_path / "modules" / "m.xml").write_text("<link/>")
    assert load(BARE, modules=["m.xml"], resource_dir=tmp_path) == load(CRAWLER)


def test_a_missing_module_lists_the_places(tmp_path):
    (found,) = check(CRAWLER, modules=["no.xml"], resource_dir=tmp_path)
    assert found.severity == "error"
    assert "module 'no.xml' is not there" in found.message
    places = [tmp_path, tmp_path / "modules", tmp_path.parent / "modules", tmp_path / "module"]
    assert all(f"'{place / 'no.xml'}'" in found.hint for place in [*places, tmp_path.parent / "module"])
    (found,) = check(CRAWLER, modules=["no.xml"])
    assert "resource_dir" in found.hint


def test_errors_in_a_module_name_its_file_and_line(tmp_path):
    (tmp_path / "m.xml").write_text("<!-- tracks -->\n" + TRACK.replace('"0.08"', '"wide"'))
    (found,) = check(BARE, modules=["m.xml"], resource_dir=tmp_path)
    assert (found.file, found.line) == (str(tmp_path / "m.xml"), 2)
    (tmp_path / "m.xml").write_text("<a/>\n</robot><robot>\n")
    found = [d for d in check(BARE, modules=["m.xml"], resource_dir=tmp_path) if d.severity == "error"]
    assert found[0].file == str(tmp_path / "m.xml")
    assert "not well-formed" in found[0].message


def test_modules_may_be_text_and_one_alone():
    assert load(BARE, modules=TRACK) == load(BARE, modules=[TRACK]) == load(CRAWLER)


# Meshes


@pytest.fixture
def package(tmp_path):
    """package/urdf/r.urdf beside package/meshes."""
    root = tmp_path / "folder"
    for name in ("urdf", "meshes/deep"):
        (root / name).mkdir(parents=True)
    (root / "package.xml").write_text("<package><name>my_robot</name></package>")
    for name in ("part.stl", "UPPER.STL", "a b.obj", "100%25.stl", "deep/c.stl"):
        (root / "meshes" / name).touch()
    (root / "meshes" / "folder.stl").mkdir()
    return root


def mesh_of(root: Path, filename: str, kind: str = "collision") -> tuple[Mesh | None, list]:
    mesh = f'<{kind}><geometry><mesh filename="{filename}"/></geometry></{kind}>'
    (root / "urdf" / "r.urdf").write_text(f'<robot name="r"><link name="a">{BODY}{mesh}</link></robot>')
    made, found = read(root / "urdf" / "r.urdf")
    if made is None:
        return None, list(found)
    shape = (made.links["a"].collisions + made.links["a"].visuals)[0].geometry
    assert isinstance(shape, Mesh)
    return shape, list(found)


@pytest.mark.parametrize(
    ("filename", "name"),
    [
        ("../meshes/part.stl", "part.stl"),
        ("package://my_robot/meshes/part.stl", "part.stl"),
        ("package://folder/meshes/part.stl", "part.stl"),
        ("package://elsewhere/meshes/part.stl", "part.stl"),
        ("model://my_robot/meshes/part.stl", "part.stl"),
        ("file://../meshes/part.stl", "part.stl"),
        ("../meshes/UPPER.STL", "UPPER.STL"),
        ("../meshes/a b.obj", "a b.obj"),
        ("../meshes/a%20b.obj", "a b.obj"),
        ("../meshes/100%25.stl", "100%25.stl"),
    ],
)
def test_meshes_that_are_found(package, filename, name):
    mesh, found = mesh_of(package, filename)
    assert mesh is not None
    assert mesh.path == package / "meshes" / name
    assert (mesh.filename, found) == (filename, [])


def test_absolute_names_of_meshes(package):
    for prefix in ("", "file://"):
        mesh, _ = mesh_of(package, f"{prefix}{package}/meshes/part.stl")
        assert mesh is not None
        assert mesh.path == package / "meshes" / "part.stl"


def test_backslashes_in_the_name_of_a_mesh(package):
    mesh, found = mesh_of(package, "..\\meshes\\deep\\c.stl")
    assert mesh is not None
    assert mesh.path == package / "meshes" / "deep" / "c.stl"
    assert [(d.severity, d.hint) for d in found] == [("warning", "write / instead")]


@pytest.mark.parametrize(
    "filename",
    [
        "../meshes/nope.stl",
        "../meshes/folder.stl",
        "package://my_robot",
        "package://",
        "package://my_robot/../../../../../../etc/passwd",
        "/dev/stdin.stl",
        "../../../../../../../../etc/hostname",
        "x" * 5000 + ".stl",
        "%00.stl",
        "https://example.invalid/part.stl",
        "C:\\part.stl",
    ],
)
def test_meshes_that_are_not_found(package, filename):
    mesh, found = mesh_of(package, filename)
    assert mesh is None
    assert [d.severity for d in found] == ["error"]
    mesh, found = mesh_of(package, filename, "visual")
    assert mesh is not None
    assert mesh.path is None
    assert [d.severity for d in found] == ["warning"]
    assert "not drawn" in found[0].message


def test_resource_dir_is_where_meshes_are_looked_for(package):
    mesh = '<collision><geometry><mesh filename="deep/c.stl"/></geometry></collision>'
    text = f'<robot name="r"><link name="a">{BODY}{mesh}</link></robot>'
    made = load(text, resource_dir=package / "meshes")
    assert made.folder == package / "meshes"
    shape = made.links["a"].collisions[0].geometry
    assert isinstance(shape, Mesh)
    assert shape.path == package / "meshes" / "deep" / "c.stl"
