"""The solver settings that belts need (docs/physics.md says why), and the contact plugin of a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import mujoco

from grouser.build.engine import CONTACT_PLUGIN, activate
from grouser.build.names import encoded
from grouser.errors import ParameterError

__all__ = ["add_contact_plugin", "configure"]

CONTACT = "contact"
"""Name of the contact plugin's instance and of its sensor, after the prefix."""

IMPRATIO = 100.0
"""Ratio of frictional to normal impedance [-]: belts hold on slopes without creeping."""

_DISABLED = (
    # Explicit integration: the plugin makes damping and servos implicit itself.
    mujoco.mjtDisableBit.mjDSBL_EULERDAMP,
    # Several contacts of one pair of convex shapes get wrong normals at a box's edge.
    mujoco.mjtDisableBit.mjDSBL_MULTICCD,
    # A belt's contact couples the trees of its drives, which islands do not see.
    mujoco.mjtDisableBit.mjDSBL_ISLAND,
    # Which links may touch their parents, each robot says with its own exclusions.
    mujoco.mjtDisableBit.mjDSBL_FILTERPARENT,
)


def configure(spec: mujoco.MjSpec, timestep: float, gravity: Sequence[float]) -> None:
    """Give a spec the settings that belts need, and radians as its unit of angle.

    Args:
        spec: The spec.
        timestep: [s].
        gravity: Acceleration in W [m/s²], shape (3,).
    """
    spec.compiler.degree = False
    option = spec.option
    option.timestep = timestep
    option.gravity = list(gravity)
    option.integrator = mujoco.mjtIntegrator.mjINT_EULER
    option.solver = mujoco.mjtSolver.mjSOL_NEWTON
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    option.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    option.impratio = IMPRATIO
    option.noslip_iterations = 0
    for flag in _DISABLED:
        option.disableflags |= int(flag)


def add_contact_plugin(
    spec: mujoco.MjSpec,
    *,
    prefix: str = "",
    members: Mapping[str, Sequence[str]] | None = None,
    pairs: Mapping[tuple[str, str], float] | None = None,
) -> None:
    """Add what makes sliding exactly Coulomb and servos implicit, for all contacts and servos of the model.

    A model has one. It comes with a sensor of the same name: iterations and residual of the last step.

    Args:
        spec: The spec.
        prefix: Of its name and of the geoms' names.
        members: Geoms by contact material, the prefix included; others are of the material `default`.
        pairs: Coefficient of sliding friction by pair of materials, in any order.

    Raises:
        PluginError: if the plugin is not there or does not load.
        ParameterError: if a geom's name does not start with the prefix.
    """
    activate(spec, CONTACT_PLUGIN)
    groups = {
        material: ",".join(encoded(_local(geom, prefix)) for geom in geoms)
        for material, geoms in (members or {}).items()
    }
    config = {
        "name": CONTACT,
        "members": ";".join(f"{encoded(material)}={geoms}" for material, geoms in groups.items() if geoms),
        "pairs": ";".join(f"{encoded(a)},{encoded(b)},{friction!r}" for (a, b), friction in (pairs or {}).items()),
    }
    instance = spec.add_plugin(name=prefix + CONTACT, plugin_name=CONTACT_PLUGIN, active=True)
    instance.config = {key: value for key, value in config.items() if value}
    sensor = spec.add_sensor(name=prefix + CONTACT, type=mujoco.mjtSensor.mjSENS_PLUGIN)
    sensor.plugin = instance


def _local(geom: str, prefix: str) -> str:
    if not geom.startswith(prefix):
        raise ParameterError(f"geom '{geom}' is not one of the prefix '{prefix}'")
    return geom[len(prefix) :]
