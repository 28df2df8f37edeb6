"""What the reference needs to know of a scene beyond its MuJoCo model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Belt:
    """One track, as the plugin's instance `grouser.belt` describes it.

    Attributes:
        name: Name of the track.
        geoms: Names of its cylinders (local z along the axis) and boxes (local x along the run).
        axis: Unit vector in the frame of the body that carries the geoms.
        center: A point of the mid-plane in that frame [m].
        width: Belt width [m].
        drives: Belt speed per unit joint velocity, by joint name [m, or 1 for a slide].
        prefix: What attaching the robot to a scene has put before all its names, the track's included.
    """

    name: str
    geoms: tuple[str, ...]
    axis: tuple[float, float, float]
    center: tuple[float, float, float]
    width: float
    drives: Mapping[str, float]
    prefix: str = ""


@dataclass(frozen=True)
class Contact:
    """The model-wide instance `grouser.contact`.

    Attributes:
        members: Geom names by material; all others are "default".
        pairs: Sliding friction by (material, material), in either order.
    """

    members: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    pairs: Mapping[tuple[str, str], float] = field(default_factory=dict)
