"""What can be put into a world besides robots: ground, bodies, meshes, terrain."""

from __future__ import annotations

from pathlib import Path

from numpy.typing import ArrayLike

from grouser.errors import ParameterError
from grouser.sim import checks, meshes, terrain
from grouser.sim.materials import DEFAULT_MATERIAL
from grouser.sim.meshes import CoacdOptions, MeshData
from grouser.sim.objects import GEOM, Placement, Shape, SingleBody, StaticBody, placement
from grouser.sim.rotation import yaw as turned
from grouser.sim.scene import Scene

ORIGIN = (0.0, 0.0, 0.0)
UPRIGHT = (1.0, 0.0, 0.0, 0.0)


class ObjectAdders:
    """The part of `World` that adds objects.

    Everywhere `mass` None makes an object static, `position` [m] and `quaternion` (w, x, y, z) place its
    frame in W, `material` is a name for `set_material_pair`, and `name` None picks a free one. Each raises a
    ParameterError for an argument out of its range and for a name that is taken. Adding to a world that has
    run keeps its state.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    def add_ground(self, z: float = 0.0, material: str = DEFAULT_MATERIAL, *, name: str | None = None) -> StaticBody:
        """Add an endless level plane.

        Args:
            z: Its height in W [m].
            material: Material of its surface.
            name: Its name; "ground" if that is free.
        """
        at = placement((0.0, 0.0, checks.number("z", z)), UPRIGHT)
        shape = Shape(GEOM.mjGEOM_PLANE, (0.0, 0.0, 1.0))
        return self._add_static("ground", (shape,), at, material, name)

    def add_box(
        self,
        size: ArrayLike,
        mass: float | None = None,
        position: ArrayLike = ORIGIN,
        quaternion: ArrayLike = UPRIGHT,
        material: str = DEFAULT_MATERIAL,
        name: str | None = None,
    ) -> SingleBody | StaticBody:
        """Add a box.

        Args:
            size: Full side lengths along its x, y, z [m], shape (3,), each > 0.
            mass: [kg], > 0, spread evenly; None for a static box.
            position: Of its centre in W [m].
            quaternion: Of its axes in W.
            material: Material of its surface.
            name: Its name.
        """
        shape = Shape(GEOM.mjGEOM_BOX, (checks.positive3("size", size) / 2).tolist())
        return self._add("box", shape, mass, placement(position, quaternion), material, name)

    def add_sphere(
        self,
        radius: float,
        mass: float | None = None,
        position: ArrayLike = ORIGIN,
        quaternion: ArrayLike = UPRIGHT,
        material: str = DEFAULT_MATERIAL,
        name: str | None = None,
    ) -> SingleBody | StaticBody:
        """Add a sphere of that radius [m] > 0; for the other arguments see `add_box`."""
        shape = Shape(GEOM.mjGEOM_SPHERE, (checks.positive("radius", radius), 0.0, 0.0))
        return self._add("sphere", shape, mass, placement(position, quaternion), material, name)

    def add_cylinder(
        self,
        radius: float,
        length: float,
        mass: float | None = None,
        position: ArrayLike = ORIGIN,
        quaternion: ArrayLike = UPRIGHT,
        material: str = DEFAULT_MATERIAL,
        name: str | None = None,
    ) -> SingleBody | StaticBody:
        """Add a cylinder along its z of that radius and full length [m], both > 0; see `add_box`."""
        size = (checks.positive("radius", radius), checks.positive("length", length) / 2, 0.0)
        shape = Shape(GEOM.mjGEOM_CYLINDER, size)
        return self._add("cylinder", shape, mass, placement(position, quaternion), material, name)

    def add_capsule(
        self,
        radius: float,
        length: float,
        mass: float | None = None,
        position: ArrayLike = ORIGIN,
        quaternion: ArrayLike = UPRIGHT,
        material: str = DEFAULT_MATERIAL,
        name: str | None = None,
    ) -> SingleBody | StaticBody:
        """Add a capsule along its z, its sphere centres `length` apart [m]; see `add_cylinder`."""
        size = (checks.positive("radius", radius), checks.positive("length", length) / 2, 0.0)
        shape = Shape(GEOM.mjGEOM_CAPSULE, size)
        return self._add("capsule", shape, mass, placement(position, quaternion), material, name)

    def add_mesh(
        self,
        source: str | Path | MeshData,
        mass: float | None = None,
        scale: ArrayLike = 1.0,
        position: ArrayLike = ORIGIN,
        quaternion: ArrayLike = UPRIGHT,
        material: str = DEFAULT_MATERIAL,
        name: str | None = None,
        *,
        mode: str = "original",
        coacd: CoacdOptions | None = None,
    ) -> SingleBody | StaticBody:
        """Add a mesh.

        This version collides a mesh by its convex hull. `mode="convex"` asks for just that; `mode="original"`
        is realised for meshes that are convex already, where the two are the same.

        Args:
            source: A file (.obj, .stl, .msh), or vertices and triangles as `MeshData`.
            mass: [kg], > 0, spread evenly over the hull; None for a static mesh.
            scale: Factor on the vertices [-], one number or one per axis, not 0.
            position: Of the mesh's origin in W [m].
            quaternion: Of the mesh's axes in W.
            material: Material of its surface.
            name: Its name.
            mode: "original", "convex" or "convexify".
            coacd: How "convexify" splits it.

        Raises:
            FileNotReadError: if the file is missing or cannot be read.
            UnsupportedError: for "convexify", and for "original" of a mesh that is not convex.
            ParameterError: if another argument is out of its range, or the mesh encloses no volume.
        """
        at, material = placement(position, quaternion), checks.name("material", material)
        checks.choice("mode", mode, meshes.MODES)
        if coacd is not None and mode != "convexify":
            raise ParameterError(f"coacd is given, but mode is '{mode}'; it belongs to mode='convexify'")
        if isinstance(source, MeshData):
            mesh = meshes.given_mesh(source.vertices, source.faces)
        else:
            mesh = meshes.read_mesh(source)
        meshes.require_realised(mesh, mode)
        mesh = meshes.scaled(mesh, scale)
        weight = self._mass(mass)
        chosen = self._scene.claim(name, "mesh")
        meshes.add_asset(self._scene.spec, chosen, mesh)
        shape = Shape(GEOM.mjGEOM_MESH, asset=chosen)
        return self._add("mesh", shape, weight, at, material, chosen)

    def add_heightmap(
        self,
        heights: ArrayLike,
        x_size: float,
        y_size: float,
        position: ArrayLike = ORIGIN,
        material: str = DEFAULT_MATERIAL,
        name: str | None = None,
    ) -> StaticBody:
        """Add a height map: a solid under a surface through a regular grid of points.

        Args:
            heights: Heights over `position` [m], shape (ny, nx), each 2 or more. Row j is at
                y = -y_size/2 + j y_size/(ny - 1), column i at x = -x_size/2 + i x_size/(nx - 1).
                MuJoCo keeps them in single precision.
            x_size: Full length along x [m].
            y_size: Full length along y [m].
            position: Of its middle at height 0, in W [m].
            material: Material of its surface.
            name: Its name.
        """
        field = terrain.height_field(heights, x_size, y_size)
        at, material = placement(position, UPRIGHT), checks.name("material", material)
        chosen = self._scene.claim(name, "heightmap")
        rows, columns = field.elevations.shape
        self._scene.spec.add_hfield(
            name=chosen,
            nrow=rows,
            ncol=columns,
            size=list(field.size),
            userdata=field.elevations.ravel().tolist(),
        )
        shape = Shape(GEOM.mjGEOM_HFIELD, position=(0.0, 0.0, field.lowest), asset=chosen)
        return self._add_static("heightmap", (shape,), at, material, chosen)

    def add_stairs(
        self,
        rise: float,
        run: float,
        steps: int,
        width: float = 2.0,
        position: ArrayLike = ORIGIN,
        yaw: float = 0.0,
        *,
        material: str = DEFAULT_MATERIAL,
        name: str | None = None,
    ) -> StaticBody:
        """Add stairs that climb along their x.

        Args:
            rise: Height of a step [m], > 0.
            run: Depth of a step [m], > 0. The last step is as deep as the others.
            steps: How many, >= 1.
            width: Width along their y [m], > 0.
            position: Of the middle of the first riser's foot, in W [m].
            yaw: Turn about z [rad]; 0 climbs along W's x.
            material: Material of their surface.
            name: Their name.
        """
        shapes = terrain.stairs(rise, run, steps, width)
        return self._add_static("stairs", shapes, self._facing(position, yaw), material, name)

    def add_ramp(
        self,
        length: float,
        slope: float,
        width: float = 2.0,
        position: ArrayLike = ORIGIN,
        yaw: float = 0.0,
        *,
        thickness: float = 0.1,
        material: str = DEFAULT_MATERIAL,
        name: str | None = None,
    ) -> StaticBody:
        """Add a board that rises along its x.

        Args:
            length: Of the upper face along the slope [m], > 0.
            slope: Angle to the horizontal [rad], between -pi/2 and pi/2.
            width: Width along its y [m], > 0.
            position: Of the middle of the upper face's lower edge, in W [m].
            yaw: Turn about z [rad]; 0 rises along W's x.
            thickness: Below the upper face [m], > 0.
            material: Material of its surface.
            name: Its name.
        """
        shapes = terrain.ramp(length, slope, width, thickness)
        return self._add_static("ramp", shapes, self._facing(position, yaw), material, name)

    @staticmethod
    def _facing(position: ArrayLike, yaw: float) -> Placement:
        return placement(position, turned(checks.number("yaw", yaw)))

    @staticmethod
    def _mass(mass: float | None) -> float | None:
        return None if mass is None else checks.positive("mass", mass)

    def _add(
        self, kind: str, shape: Shape, mass: float | None, at: Placement, material: str, name: str | None
    ) -> SingleBody | StaticBody:
        weight = self._mass(mass)
        if weight is None:
            return self._add_static(kind, (shape,), at, material, name)
        checks.name("material", material)
        return self._scene.add_dynamic(self._scene.claim(name, kind), shape, at, weight, material)

    def _add_static(
        self, kind: str, shapes: tuple[Shape, ...], at: Placement, material: str, name: str | None
    ) -> StaticBody:
        checks.name("material", material)
        return self._scene.add_static(self._scene.claim(name, kind), shapes, at, material)
