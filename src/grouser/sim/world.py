"""The world: what is in it, its time, and its steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import mujoco
from mujoco import mj_getState, mj_step
from numpy.typing import ArrayLike

from grouser.build import load_plugin
from grouser.description.read import load
from grouser.description.robot import Robot
from grouser.errors import ParameterError, SimulationError
from grouser.sim import checks, engine, failure, state
from grouser.sim.adders import ObjectAdders
from grouser.sim.articulated import ArticulatedSystem, ArticulatedSystemOptions
from grouser.sim.checks import Array
from grouser.sim.contacts import Contacts
from grouser.sim.export import world_to_mjcf
from grouser.sim.materials import make_pair
from grouser.sim.scene import Scene
from grouser.sim.state import WorldState

STANDARD_GRAVITY = (0.0, 0.0, -9.81)


class World(ObjectAdders):
    """A world of robots and objects, stepped by MuJoCo.

    Structure (what is added, material pairs, poses of static objects) is compiled when it is next needed, and
    the state of everything that was there before is kept to the bit. `model` and `data` are then new objects:
    do not hold on to them across such changes. What was written into `model` by hand is lost by them; PD
    gains are kept.

    Args:
        timestep: [s], > 0.
        gravity: In W [m/s2], shape (3,).
        memory: Room for contacts and constraints [bytes]; None for MuJoCo's choice.

    Raises:
        ParameterError: if an argument is out of its range.
        PluginError: if the engine plugin does not load.
    """

    def __init__(
        self,
        timestep: float = 0.002,
        gravity: ArrayLike = STANDARD_GRAVITY,
        *,
        memory: int | None = None,
    ) -> None:
        self._timestep = checks.positive("timestep", timestep)
        self._gravity = checks.vector3("gravity", gravity)
        size = None if memory is None else checks.count("memory", memory, 1)
        load_plugin()
        super().__init__(Scene(self._timestep, self._gravity.tolist(), size))
        self._systems: list[ArticulatedSystem] = []

    def __repr__(self) -> str:
        return f"<World: {len(self._scene.handles)} objects and robots, timestep {self._timestep:g} s>"

    @property
    def timestep(self) -> float:
        """[s]."""
        return self._timestep

    @property
    def gravity(self) -> Array:
        """In W [m/s2], a new array of shape (3,)."""
        return self._gravity.copy()

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        self._scene.ready()
        return self._scene.data.time

    @property
    def model(self) -> mujoco.MjModel:
        """The live MuJoCo model; a new one after a change of structure."""
        self._scene.ready()
        return self._scene.model

    @property
    def data(self) -> mujoco.MjData:
        """The live MuJoCo data; new ones after a change of structure.

        As always in MuJoCo, what follows from the state (xpos, contact) is that of the start of the last
        step; after the state has been set through Grouser it is that of the state.
        """
        self._scene.fresh()
        return self._scene.data

    @property
    def contacts(self) -> Contacts:
        """The contacts of the last step, or of the state if that has been set since."""
        return self._scene.current_contacts()

    def set_material_pair(
        self,
        a: str,
        b: str,
        friction: float = 0.8,
        restitution: float = 0.0,
        *,
        static_friction: float | None = None,
        rolling_friction: float = 0.0,
        spinning_friction: float = 0.0,
    ) -> None:
        """Set how surfaces of two materials rub on each other; the order of the two does not matter.

        Pairs that are not set have friction 0.8.

        Args:
            a: A material; nothing needs to have it yet.
            b: A material, perhaps the same.
            friction: Coefficient of sliding friction [-], >= 0.
            restitution: Must be 0 in this version: contacts do not bounce.
            static_friction: None or the same as `friction` in this version.
            rolling_friction: Must be 0 in this version.
            spinning_friction: Must be 0 in this version.

        Raises:
            ParameterError: if a name is empty, or a number negative or not finite.
            UnsupportedError: if a property has a value that this version does not realise.
        """
        first, second = checks.name("a", a), checks.name("b", b)
        pair = make_pair(friction, restitution, static_friction, rolling_friction, spinning_friction)
        self._scene.materials.set_pair(first, second, pair)
        self._scene.changed()

    def add_articulated_system(
        self,
        source: str | Path | Robot,
        params: Mapping[str, object] | None = None,
        modules: Sequence[str | Path] = (),
        track_model: str = "belt",
        position: ArrayLike | None = None,
        name: str | None = None,
        options: ArticulatedSystemOptions | None = None,
        *,
        quaternion: ArrayLike | None = None,
        resource_dir: str | Path | None = None,
    ) -> ArticulatedSystem:
        """Add a robot. It starts at rest, its joints at 0 or at the limit nearest to it.

        Args:
            source: A robot file, its text, or a loaded robot.
            params: Values of the file's template parameters, by name.
            modules: Files with fragments that are put before `</robot>`.
            track_model: How its tracks are realised.
            position: Of its base frame in W [m]; None for where the file puts it: the origin of the joint
                from a link `world`, otherwise the origin of W.
            name: Its name in the world; by default the robot's, numbered if that is taken.
            options: How it is built.
            quaternion: Of its base frame in W, w, x, y, z; None for what the file says.
            resource_dir: Where its files are looked for; None for the robot file's folder.

        Raises:
            RobotFileError: if the file has errors.
            FileNotReadError: if it cannot be read.
            ParameterError: if an argument is out of its range, or the name taken.
            UnsupportedError: if this version does not realise something that the robot needs.
        """
        robot = _as_robot(source, params, modules, resource_dir)
        at = None if position is None else checks.vector3("position", position)
        turn = None if quaternion is None else checks.quaternion("quaternion", quaternion)
        chosen = self._scene.claim(name, robot.name)
        built = self._scene.add_robot(chosen, robot, at, turn, track_model, options or ArticulatedSystemOptions())
        system = ArticulatedSystem(self._scene, chosen, robot, built)
        self._scene.handles[chosen] = system
        self._systems.append(system)
        return system

    def step(self, n: int = 1) -> None:
        """Advance by `n` time steps.

        A step that fails leaves the world as it was before that step.

        Args:
            n: How many, >= 0.

        Raises:
            ParameterError: if `n` is not a whole number of 0 or more.
            SimulationError: if a number stops being finite, memory for contacts is exhausted, or the motion
                of a joint is undefined; it has the time and the state before the failing step.
        """
        if n.__class__ is not int or n < 0:
            n = checks.count("n", n, 0)
        if self._scene.attention and self._attend():
            for _ in range(n):
                for system in self._systems:
                    system.turn_base_torque()
                self._advance(1)
        else:
            self._advance(n)

    def save_state(self) -> WorldState:
        """Return everything that the next step depends on, but for structure and materials."""
        scene = self._scene
        scene.ready()
        return WorldState(
            time=scene.data.time,
            values=state.read(scene.model, scene.data),
            gains=scene.model.actuator_biasprm.copy(),
            torques={system.name: system.base_torque for system in self._systems},
            structure=scene.structure(),
        )

    def restore_state(self, saved: WorldState) -> None:
        """Go back to a saved state; the steps that follow repeat those that followed it to the bit.

        Args:
            saved: What `save_state` returned, here or in a world built in the same way.

        Raises:
            ParameterError: if it is not a state, or one of a world built otherwise.
        """
        scene = self._scene
        scene.ready()
        saved = state.require_fit(saved, scene.structure())
        mujoco.mj_setState(scene.model, scene.data, saved.values, state.FULL)
        scene.model.actuator_biasprm[:] = saved.gains
        for system in self._systems:
            system.base_torque = saved.torques[system.name]
        scene.attention = True
        scene.touch()

    def to_mjcf(self) -> str:
        """Return the world as MJCF text that runs in MuJoCo with the Grouser plugin installed.

        The state, the servos' gains and what they are told are part of it: the state and the commands as the
        keyframe `now`.

        Raises:
            PluginError: if the engine plugin refuses the model.
            GrouserError: if MuJoCo cannot compile it.
        """
        self._scene.ready()
        return world_to_mjcf(self._scene.spec, self._scene.model, self._scene.data)

    def _advance(self, n: int) -> None:
        scene = self._scene
        model, data = scene.model, scene.data
        mj_getState(model, data, scene.snapshot, state.MOVING)
        try:
            mj_step(model, data, n)
        except mujoco.FatalError:
            self._retry(n, fatal=True)
        if scene.warnings != engine.QUIET:
            self._retry(n, fatal=False)
        scene.stale = False
        scene.contacts = None

    def _attend(self) -> bool:
        """Do what is due before a step; say whether something is due before every single one."""
        scene = self._scene
        scene.ready()
        for system in self._systems:
            undefined = system.undefined_joints()
            if undefined:
                raise SimulationError(
                    f"cannot step: in '{system.name}', {'; '.join(undefined)}",
                    time=scene.data.time,
                    state=self.save_state(),
                )
        scene.attention = any(system.needs_turning for system in self._systems)
        return scene.attention

    def _retry(self, n: int, *, fatal: bool) -> None:
        """Take the last `n` steps again, one by one, and raise at the one that fails.

        If none does, the warnings were not the steps': somebody has worked on the data.
        """
        scene = self._scene
        self._rewind(fatal)
        for _ in range(n):
            mj_getState(scene.model, scene.data, scene.snapshot, state.MOVING)
            try:
                mj_step(scene.model, scene.data, 1)
            except mujoco.FatalError as error:
                cause, fatal = failure.explain_fatal(scene.model, str(error)), True
            else:
                cause, fatal = failure.explain_warnings(scene.model, scene.data), False
            if cause:
                self._rewind(fatal)
                raise SimulationError(
                    f"the step at t = {scene.data.time:.9g} s failed: {cause}. The world is back in the "
                    "state before that step, which this error holds as `state`",
                    time=scene.data.time,
                    state=self.save_state(),
                )

    def _rewind(self, fatal: bool) -> None:
        """Go back to the snapshot; after an error of the engine with new data, as the old is in disorder."""
        scene = self._scene
        mujoco.mj_setState(scene.model, scene.data, scene.snapshot, state.MOVING)
        if fatal:
            scene.renew()
        engine.silence(scene.data)
        scene.touch()


def _as_robot(
    source: str | Path | Robot,
    params: Mapping[str, object] | None,
    modules: Sequence[str | Path],
    resource_dir: str | Path | None,
) -> Robot:
    if not isinstance(source, Robot):
        return load(source, params or {}, modules, resource_dir)
    given = {"params": params, "modules": modules, "resource_dir": resource_dir}
    for what, value in given.items():
        if value:
            raise ParameterError(f"{what} is given, but the robot is loaded already; give {what} to gr.load")
    return source
