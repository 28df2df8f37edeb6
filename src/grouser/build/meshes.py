"""Mesh assets of a robot: each file once, tried out before the model is compiled."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import mujoco
import numpy as np
from numpy.typing import NDArray

from grouser.build.mesh_files import MeshError, Triangles, is_native, read_triangles
from grouser.build.names import Namer
from grouser.description.robot import Mesh, Vector3

__all__ = ["MeshAssets", "MeshError"]

FLAT = 1e-6
"""A mesh thinner than this share of its size is flat [-]: it has no volume to collide with."""
PLATE_THICKNESS = 1e-3
"""Thickness of what a flat mesh collides as, as a share of its size [-]."""

Source = Path | Triangles
"""A file that MuJoCo reads, or what was read from one that it does not read."""
Key = tuple[Path, Vector3]
"""Absolute path and scale."""


@dataclass(eq=False)
class MeshAssets:
    """Adds the meshes of one robot to a spec, each file and scale once.

    MuJoCo collides the convex hull of a mesh. A flat mesh, which has none, collides as a thin plate.

    Attributes:
        spec: Where to.
        names: Gives out names of meshes.
    """

    spec: mujoco.MjSpec
    names: Namer
    _tried: dict[Key, tuple[Source, mujoco.MjModel]] = field(default_factory=dict)
    _drawn: dict[Key, str] = field(default_factory=dict)
    _outcomes: dict[tuple[Key, bool], str | MeshError] = field(default_factory=dict)

    def asset(self, mesh: Mesh, *, collides: bool) -> str:
        """Return the name of the asset of a mesh.

        Args:
            mesh: The mesh.
            collides: Whether it is to collide, or only to be drawn.

        Raises:
            MeshError: if there is no file, or MuJoCo cannot use it.
        """
        if mesh.path is None:
            raise MeshError(f"there is no mesh file '{mesh.filename}'")
        if not all(np.isfinite(mesh.scale)) or 0.0 in mesh.scale:
            raise MeshError(f"mesh '{mesh.filename}' has the scale {mesh.scale}; scales are finite and not 0")
        key = (mesh.path.resolve(), mesh.scale)
        if (key, collides) not in self._outcomes:
            try:
                self._outcomes[key, collides] = self._colliding_asset(key) if collides else self._drawn_asset(key)
            except MeshError as error:
                self._outcomes[key, collides] = error
        outcome = self._outcomes[key, collides]
        if isinstance(outcome, MeshError):
            raise outcome
        return outcome

    def _try(self, key: Key) -> tuple[Source, mujoco.MjModel]:
        """Return where the mesh comes from, and a model of nothing but it, to be drawn."""
        if key not in self._tried:
            path, scale = key
            source: Source = path if is_native(path) else read_triangles(path)
            self._tried[key] = source, _try_out(source, scale, path, collides=False)
        return self._tried[key]

    def _drawn_asset(self, key: Key) -> str:
        if key not in self._drawn:
            self._drawn[key] = self._add(self._try(key)[0], key)
        return self._drawn[key]

    def _colliding_asset(self, key: Key) -> str:
        path, scale = key
        source, model = self._try(key)
        plate = _plate_of_flat(model, scale)
        _try_out(source if plate is None else plate, scale, path, collides=True)
        return self._drawn_asset(key) if plate is None else self._add(plate, key)

    def _add(self, source: Source, key: Key) -> str:
        path, scale = key
        name = self.names.give(path.stem)
        _add_mesh(self.spec, name, source, scale)
        return name


def _add_mesh(spec: mujoco.MjSpec, name: str, source: Source, scale: Vector3) -> None:
    # The inertia of the shell needs no closed surface; what links weigh, their inertials say.
    asset = spec.add_mesh(name=name, inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL)
    asset.scale = scale
    if isinstance(source, Path):
        asset.file = str(source)
    else:
        asset.uservert = source.vertices.ravel().tolist()
        asset.userface = source.faces.ravel().tolist()


def _try_out(source: Source, scale: Vector3, path: Path, *, collides: bool) -> mujoco.MjModel:
    """Return a model of nothing but the mesh.

    Raises:
        MeshError: if MuJoCo cannot use it.
    """
    spec = mujoco.MjSpec()
    _add_mesh(spec, "mesh", source, scale)
    geom = spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname="mesh", mass=0.0)
    geom.contype = geom.conaffinity = int(collides)
    try:
        return spec.compile()
    except (ValueError, mujoco.FatalError, RuntimeError) as error:
        said = str(error).split("\n")[0].removeprefix("Error: ")
        raise MeshError(f"mesh file '{path}' cannot be used by MuJoCo: {said}") from error


def _plate_of_flat(model: mujoco.MjModel, scale: Vector3) -> Triangles | None:
    """Return a plate in place of a flat mesh, before scaling; None if the mesh is not flat."""
    vertices = _vertices(model)
    middle = vertices.mean(axis=0)
    _, _, axes = np.linalg.svd(vertices - middle, full_matrices=False)
    reach = np.ptp((vertices - middle) @ axes.T, axis=0)
    size, thickness = float(reach.max()), float(reach.min())
    if thickness > FLAT * size:
        return None
    offset = axes[int(np.argmin(reach))] * PLATE_THICKNESS * size / 2
    corners = np.concatenate((vertices + offset, vertices - offset)) / np.asarray(scale)
    # Without triangles, MuJoCo makes the convex hull of the vertices.
    return Triangles(corners, np.empty((0, 3), dtype=np.int64))


def _vertices(model: mujoco.MjModel) -> NDArray[np.float64]:
    """Return the vertices of the one mesh of a model where the file has them, scaled [m], shape (n, 3)."""
    rotation = np.empty(9)
    mujoco.mju_quat2Mat(rotation, model.mesh_quat[0])
    return model.mesh_vert.astype(float) @ rotation.reshape(3, 3).T + model.mesh_pos[0]
