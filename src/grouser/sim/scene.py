"""What is in a world: one MjSpec that grows, its compiled model, and the handles bound to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import mujoco
import numpy as np

from grouser.build import BuildOptions, BuiltRobot, add_contact_plugin, add_robot, configure
from grouser.description.robot import Robot
from grouser.errors import ParameterError, SimulationError
from grouser.sim import checks, engine, failure, state
from grouser.sim.checks import Array
from grouser.sim.contacts import Contacts, Surface
from grouser.sim.materials import MaterialTable
from grouser.sim.objects import (
    DYNAMIC_RGBA,
    STATIC_RGBA,
    Placement,
    Shape,
    SingleBody,
    StaticBody,
    add_geom,
    geom_name,
    joint_name,
)

CONTACT_PLUGIN = "contact"
"""Name of the plugin instance that holds the materials, and of its sensor."""

RESERVED = ("world",)
"""Names that MuJoCo keeps for itself."""


class Handle(Protocol):
    """Something in the world that somebody holds on to while the model is rebuilt under it."""

    name: str

    def bind(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Find its addresses in a newly compiled model."""


class Scene:
    """The structure of a world and what MuJoCo has made of it.

    Attributes:
        spec: What is in the world; call `changed` after changing it.
        materials: Which surface is of which material.
        surfaces: Whose collision shape a geom is, by the geom's name.
        handles: What has been added, by name.
        attention: Whether the next step has more to do than to step.
        model: The compiled model; valid after `ready`.
        data: Its data; valid after `ready`.
        snapshot: Room for what a step changes (`state.MOVING`).
        warnings: The live warning counters of `data`.
        stale: Whether what follows from the state is out of date.
        contacts: The contacts, if somebody has asked for them since the last step.
    """

    model: mujoco.MjModel
    data: mujoco.MjData
    snapshot: Array
    warnings: memoryview

    def __init__(self, timestep: float, gravity: Sequence[float], memory: int | None) -> None:
        self.spec = mujoco.MjSpec()
        configure(self.spec, timestep, gravity)
        self.spec.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
        if memory is not None:
            self.spec.memory = memory
        self.materials = MaterialTable()
        self.surfaces: dict[str, Surface] = {}
        self.handles: dict[str, Handle] = {}
        self.attention = True
        self.stale = False
        self.contacts: Contacts | None = None
        self._has_model = False
        self._changed = True
        self._geom_surfaces: list[Surface] = []
        self._structure: tuple[str, ...] = ()
        self._posed: mujoco.MjData | None = None

    def changed(self) -> None:
        """Note that the structure has changed: the next use compiles it."""
        self._changed = self.attention = True

    def touch(self) -> None:
        """Note that somebody has changed the state: what follows from it is out of date."""
        self.stale = True
        self.contacts = None

    def ready(self) -> None:
        """Compile the structure if it has changed.

        Raises:
            PluginError: if the engine plugin refuses the model.
            GrouserError: if MuJoCo cannot compile it.
        """
        if self._changed:
            self._compile()

    def fresh(self) -> None:
        """Bring what follows from the state up to date too: forces, contacts, sensors.

        Raises:
            SimulationError: if memory does not suffice for it.
        """
        self.ready()
        if not self.stale:
            return
        try:
            engine.refresh(self.model, self.data)
            exhausted = failure.explain_exhaustion(self.model, self.data)
        except mujoco.FatalError as error:
            exhausted = failure.explain_fatal(self.model, str(error))
            self.renew()
        # other warnings are left to the next step, which raises if it meets their cause
        engine.silence(self.data)
        if exhausted:
            message = f"forces and contacts cannot be found: {exhausted}"
            raise SimulationError(message, time=self.data.time)
        self.stale = False

    def current_contacts(self) -> Contacts:
        """Return the contacts that belong to the state."""
        self.fresh()
        if self.contacts is None:
            self.contacts = Contacts(self.model, self.data, self._geom_surfaces)
        return self.contacts

    def structure(self) -> tuple[str, ...]:
        """Return what must agree for a state of another model to fit this one."""
        if not self._structure:
            self._structure = state.structure_of(self.model)
        return self._structure

    def claim(self, name: str | None, kind: str) -> str:
        """Return the name for a new handle: `name`, or `kind` with the first number that is free.

        Raises:
            ParameterError: if `name` is no name, reserved or taken.
        """
        if name is None:
            return next(n for n in (kind, *(f"{kind}_{i}" for i in range(2, len(self.handles) + 3))) if self._free(n))
        checks.name("name", name)
        if name in RESERVED:
            raise ParameterError(f"name is '{name}', which MuJoCo keeps for itself; choose another")
        if name in self.handles:
            raise ParameterError(f"name is '{name}', but the world has a '{name}' already; names must be unique")
        return name

    def _free(self, name: str) -> bool:
        return name not in self.handles and name not in RESERVED

    def add_surface(self, geom: str, surface: Surface, material: str) -> None:
        """Note whose shape a geom is, and of which material."""
        self.surfaces[geom] = surface
        self.materials.add(material, geom)

    def add_static(self, name: str, shapes: Sequence[Shape], at: Placement, material: str) -> StaticBody:
        """Add an object to MuJoCo's world body, which costs nothing a step but its collisions."""
        for i, shape in enumerate(shapes):
            add_geom(self.spec.worldbody, geom_name(name, i), shape, at).rgba = list(STATIC_RGBA)
            self.add_surface(geom_name(name, i), Surface(name, name, geom_name(name, i)), material)
        body = StaticBody(self, name, shapes, at)
        self.handles[name] = body
        self.changed()
        return body

    def add_dynamic(self, name: str, shape: Shape, at: Placement, mass: float, material: str) -> SingleBody:
        """Add an object with a free joint."""
        body = self.spec.worldbody.add_body(name=name, pos=at.position, quat=at.quaternion)
        body.add_freejoint(name=joint_name(name))
        origin = Placement(np.zeros(3), np.array((1.0, 0.0, 0.0, 0.0)))
        geom = add_geom(body, geom_name(name, 0), shape, origin)
        geom.mass, geom.rgba = mass, list(DYNAMIC_RGBA)
        self.add_surface(geom_name(name, 0), Surface(name, name, geom_name(name, 0)), material)
        handle = SingleBody(self, name, mass)
        self.handles[name] = handle
        self.changed()
        return handle

    def add_robot(
        self,
        name: str,
        robot: Robot,
        position: Array | None,
        quaternion: Array | None,
        track_model: str,
        options: BuildOptions,
    ) -> BuiltRobot:
        """Build a robot into the scene; if that fails, the scene stays as it was."""
        before = self.spec.copy()
        try:
            built = add_robot(
                self.spec,
                robot,
                prefix=f"{name}/",
                position=None if position is None else position.tolist(),
                quaternion=None if quaternion is None else quaternion.tolist(),
                track_model=track_model,
                options=options,
            )
        except BaseException:
            self.spec = before
            raise
        for geom, (link, collision) in built.collisions.items():
            self.surfaces[geom] = Surface(name, link, collision)
        for geom, material in built.materials.items():
            self.materials.add(material, geom)
        self.changed()
        return built

    def posed(self) -> mujoco.MjData:
        """Return data whose poses are those of the state, at the end of the last step.

        Those in `data` are, as always in MuJoCo, of its start.
        """
        self.ready()
        posed = self._posed or engine.new_data(self.model)
        self._posed = posed
        posed.qpos[:] = self.data.qpos
        mujoco.mj_kinematics(self.model, posed)
        return posed

    def renew(self) -> None:
        """Go on with new data in the same state: an error of the engine leaves the old in disorder."""
        values = state.read(self.model, self.data)
        data = engine.new_data(self.model)
        mujoco.mj_setState(self.model, data, values, state.FULL)
        self.replace_data(data)

    def replace_data(self, data: mujoco.MjData) -> None:
        """Go on with other data of the same model."""
        self.data = data
        self.warnings = memoryview(data.warning.number)
        for handle in self.handles.values():
            handle.bind(self.model, data)
        self.touch()

    def _compile(self) -> None:
        self._write_materials()
        model, data = engine.compile_world(self.spec)
        if self._has_model:
            state.carry_over(self.model, self.data, model, data)
        self.model = model
        self.snapshot = np.empty(mujoco.mj_stateSize(model, state.MOVING))
        found = state.names(model, state.OBJECT.mjOBJ_GEOM, model.ngeom)
        self._geom_surfaces = [self.surfaces.get(name) or Surface("", "", name) for name in found]
        self._structure, self._posed = (), None
        self._has_model, self._changed = True, False
        self.replace_data(data)

    def _write_materials(self) -> None:
        for stale in (self.spec.plugin(CONTACT_PLUGIN), self.spec.sensor(CONTACT_PLUGIN)):
            if stale is not None:
                self.spec.delete(stale)
        add_contact_plugin(self.spec, members=self.materials.members, pairs=self.materials.frictions)
