"""Triangles from mesh files that MuJoCo does not read itself."""

from __future__ import annotations

import importlib
import re
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["NATIVE_SUFFIXES", "MeshError", "Triangles", "is_native", "read_triangles"]

NATIVE_SUFFIXES = (".stl", ".obj", ".msh")
"""Mesh files that MuJoCo reads, in any case."""

HEADER_BYTES = 84
"""A binary STL starts with 80 bytes of anything and a count of triangles."""
TRIANGLE_BYTES = 50
"""A triangle of a binary STL: a normal and three corners in single precision, and two bytes of anything."""
NATIVE_STL_TRIANGLES = 200_000
"""MuJoCo reads no STL file with more."""
LARGEST_FILE = 500_000_000
"""Larger mesh files are refused [bytes]."""


_CORNER = re.compile(rb"\bvertex\s+(\S+)\s+(\S+)\s+(\S+)", re.IGNORECASE)
_CORNER_WORD = re.compile(rb"\bvertex\b", re.IGNORECASE)


class MeshError(Exception):
    """A mesh that cannot be used; the message says which file and why."""


@dataclass(frozen=True, eq=False)
class Triangles:
    """Vertices [m], shape (n, 3), and triangles as indices of vertices, shape (m, 3)."""

    vertices: NDArray[np.float64]
    faces: NDArray[np.int64]


def is_native(path: Path) -> bool:
    """Say whether MuJoCo reads a mesh file itself: an OBJ, MSH or binary STL that is not too large for it.

    Raises:
        MeshError: if it cannot be read.
    """
    suffix = path.suffix.lower()
    if suffix != ".stl":
        return suffix in NATIVE_SUFFIXES
    count = _binary_count(path)
    return count is not None and 0 < count <= NATIVE_STL_TRIANGLES


def read_triangles(path: Path) -> Triangles:
    """Return the triangles of a mesh file: an STL of either kind, or what trimesh reads (DAE, PLY, GLB, ...).

    Raises:
        MeshError: if it cannot be read, holds no triangles, or needs a package that is not installed.
    """
    triangles = _read_stl(path) if path.suffix.lower() == ".stl" else _read_with_trimesh(path)
    if len(triangles.faces) == 0:
        raise MeshError(f"mesh file '{path}' holds no triangles")
    if not np.isfinite(triangles.vertices).all():
        raise MeshError(f"mesh file '{path}' has a vertex that is not finite")
    return triangles


def _bytes(path: Path, count: int = -1) -> bytes:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise MeshError(f"mesh file '{path}' has {path.stat().st_size} bytes; read are {LARGEST_FILE} at most")
        with path.open("rb") as file:
            return file.read(count)
    except OSError as error:
        raise MeshError(f"mesh file '{path}' cannot be read: {error.strerror or error}") from error


def _binary_count(path: Path) -> int | None:
    """Return how many triangles a binary STL has; None if the file is not one.

    Some binary files start with `solid` like those in text: the size decides.
    """
    head = _bytes(path, HEADER_BYTES)
    if len(head) < HEADER_BYTES:
        return None
    count = int.from_bytes(head[80:84], "little")
    return count if path.stat().st_size == HEADER_BYTES + TRIANGLE_BYTES * count else None


def _read_stl(path: Path) -> Triangles:
    count = _binary_count(path)
    data = _bytes(path)
    if count is not None:
        rows = np.frombuffer(data, np.uint8, offset=HEADER_BYTES).reshape(count, TRIANGLE_BYTES)
        corners = rows[:, 12:48].copy().view("<f4").astype(float).reshape(-1, 3)
    else:
        corners = _text_corners(path, data)
    vertices, inverse = np.unique(corners, axis=0, return_inverse=True)
    return Triangles(vertices, inverse.reshape(-1, 3).astype(np.int64))


def _text_corners(path: Path, data: bytes) -> NDArray[np.float64]:
    """Return the corners of an STL in text: three numbers after each word `vertex`."""
    if not data.lstrip()[:5].lower() == b"solid":
        raise MeshError(
            f"mesh file '{path}' is no STL: neither of the size that it states, nor text that starts 'solid'"
        )
    found = _CORNER.findall(data)
    try:
        numbers = np.array(found, dtype=bytes).astype(float).reshape(-1, 3)
    except ValueError as error:
        raise MeshError(f"mesh file '{path}' has a vertex that is no number: {error}") from error
    if len(numbers) % 3 or len(numbers) != len(_CORNER_WORD.findall(data)):
        raise MeshError(f"mesh file '{path}' is cut off: it ends within a triangle")
    return numbers


def _read_with_trimesh(path: Path) -> Triangles:
    try:
        trimesh = importlib.import_module("trimesh")
        if path.suffix.lower() == ".dae":
            importlib.import_module("collada")
    except ImportError as error:
        raise MeshError(
            f"mesh file '{path}' needs the package '{error.name}': pip install trimesh pycollada"
        ) from error
    # From memory, so that nothing but this file is opened: no textures, no parts in other files.
    data = BytesIO(_bytes(path))
    try:
        scene: Any = trimesh.load_scene(data, file_type=path.suffix.lower()[1:])
        # COLLADA files say what a unit of theirs is; files of other kinds are taken to be in metres.
        mesh: Any = (scene.convert_units("meters") if scene.units else scene).to_mesh()
        vertices = np.asarray(mesh.vertices, dtype=float).reshape(-1, 3)
        return Triangles(vertices, np.asarray(mesh.faces, dtype=np.int64).reshape(-1, 3))
    # A broken file makes the many readers behind trimesh raise whatever they like.
    except Exception as error:
        raise MeshError(f"mesh file '{path}' cannot be read: {type(error).__name__}: {error}") from error
