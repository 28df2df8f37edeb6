"""Meshes as collision shapes: reading, checking, and which of the three modes this version realises."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from grouser.errors import FileNotReadError, ParameterError, UnsupportedError
from grouser.sim import checks
from grouser.sim.checks import Array

MODES = ("original", "convex", "convexify")

FILE_TYPES = (".obj", ".stl", ".msh")
"""Mesh files that MuJoCo reads."""

CONVEX_TOLERANCE = 1e-5
"""A mesh whose vertices lie above none of its faces by more than this share of its size is convex [-]."""

FLAT_TOLERANCE = 1e-9
"""A mesh thinner than this share of its size encloses no volume [-]."""


@dataclass(frozen=True)
class CoacdOptions:
    """How `mode="convexify"` splits a mesh into convex parts.

    Attributes:
        threshold: Largest concavity that a part may keep [-], in (0, 1].
        max_convex_hull: Largest number of parts, or -1 for no limit.
    """

    threshold: float = 0.05
    max_convex_hull: int = -1


@dataclass(frozen=True)
class MeshData:
    """Vertices [m], shape (n, 3), and triangles of vertex indices, shape (m, 3), ccw seen from outside."""

    vertices: Array
    faces: np.ndarray


def read_mesh(source: str | Path) -> MeshData:
    """Return the vertices and triangles of a mesh file.

    Raises:
        FileNotReadError: if there is no such file or MuJoCo cannot read it.
    """
    path = Path(source)
    if not path.is_file():
        raise FileNotReadError(f"mesh file {path} does not exist")
    if path.suffix.lower() not in FILE_TYPES:
        raise FileNotReadError(f"mesh file {path} ends in '{path.suffix}'; readable are {', '.join(FILE_TYPES)}")
    spec = mujoco.MjSpec()
    # MuJoCo knows a mesh's type by its ending, in lower case only
    name = f"mesh{path.suffix.lower()}"
    spec.assets = {name: path.read_bytes()}
    # the shell's inertia needs no closed surface
    spec.add_mesh(name="mesh", file=name, inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL)
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname="mesh")
    try:
        model = spec.compile()
    except ValueError as error:
        raise FileNotReadError(f"mesh file {path}: {error}") from error
    rotation = np.empty(9)
    mujoco.mju_quat2Mat(rotation, model.mesh_quat[0])
    vertices = model.mesh_vert.astype(float) @ rotation.reshape(3, 3).T + model.mesh_pos[0]
    return MeshData(vertices, model.mesh_face.copy())


def given_mesh(vertices: ArrayLike, faces: ArrayLike) -> MeshData:
    """Return the checked vertices and triangles.

    Raises:
        ParameterError: if a shape is wrong, a number not finite, or an index out of range.
    """
    points = checks.array("vertices", vertices, (len(np.atleast_1d(vertices)), 3))
    triangles = checks.array("faces", faces, (len(np.atleast_1d(faces)), 3))
    if len(points) < 4 or len(triangles) < 4:
        raise ParameterError(
            f"the mesh has {len(points)} vertices and {len(triangles)} faces; a solid needs 4 or more of each"
        )
    if (triangles != np.round(triangles)).any() or triangles.min() < 0 or triangles.max() >= len(points):
        raise ParameterError(f"faces must be whole numbers from 0 to {len(points) - 1}, the indices of vertices")
    return MeshData(points, triangles.astype(int))


def is_convex(mesh: MeshData) -> bool:
    """Say whether no vertex lies outside the plane of any face."""
    corners = mesh.vertices[mesh.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    size = float(np.ptp(mesh.vertices, axis=0).max())
    solid = lengths > (CONVEX_TOLERANCE * size) ** 2
    normals = normals[solid] / lengths[solid, None]
    offsets = np.einsum("ij,ij->i", normals, corners[solid, 0])
    # one face at a time: all at once would need faces x vertices numbers
    return all(
        float((mesh.vertices @ normal).max()) <= offset + CONVEX_TOLERANCE * size
        for normal, offset in zip(normals, offsets, strict=True)
    )


def require_realised(mesh: MeshData, mode: str) -> None:
    """Raise unless this version collides `mesh` as `mode` says.

    Raises:
        ParameterError: if there is no such mode.
        UnsupportedError: for a split into convex parts, and for the original of a mesh that is not convex.
    """
    checks.choice("mode", mode, MODES)
    if mode == "convexify":
        raise UnsupportedError(
            "mode is 'convexify': this version does not split meshes into convex parts; use mode='convex' "
            "(the mesh's convex hull), or add each convex part as a mesh of its own"
        )
    if mode == "original" and not is_convex(mesh):
        raise UnsupportedError(
            "mode is 'original' and the mesh is not convex: this version collides meshes by their convex "
            "hull; use mode='convex' to accept the hull, or add each convex part as a mesh of its own"
        )


def scaled(mesh: MeshData, scale: ArrayLike) -> MeshData:
    """Return the mesh with its vertices multiplied by `scale`, one number or one per axis.

    Raises:
        ParameterError: if a factor is 0 or not finite, or the mesh encloses no volume.
    """
    factors = checks.array("scale", scale, (3,) if np.ndim(scale) else ())
    if not factors.all():
        raise ParameterError(f"scale is {factors.tolist()}; it must not be 0")
    factors = np.broadcast_to(factors, 3)
    vertices = mesh.vertices * factors
    spread = vertices - vertices.mean(axis=0)
    if np.linalg.matrix_rank(spread, tol=FLAT_TOLERANCE * float(np.linalg.norm(spread))) < 3:
        raise ParameterError("the vertices of the mesh lie in one plane; a solid needs a volume")
    # a mirrored triangle would face inwards
    return MeshData(vertices, mesh.faces if np.prod(factors) > 0 else mesh.faces[:, ::-1])


def add_asset(spec: mujoco.MjSpec, name: str, mesh: MeshData) -> None:
    """Add `mesh` to the assets of `spec`; its mass is to be spread over its convex hull."""
    asset = spec.add_mesh(name=name, inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX)
    asset.uservert = mesh.vertices.ravel().tolist()
    asset.userface = mesh.faces.ravel().tolist()
