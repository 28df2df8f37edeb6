"""Which surface is of which material, and how two materials rub on each other."""

from __future__ import annotations

from dataclasses import dataclass

from grouser.errors import UnsupportedError
from grouser.sim import checks

DEFAULT_MATERIAL = "default"
"""The material of every surface that names none."""

GEOM_FRICTION = (0.8, 0.005, 0.0001)
"""Friction that every surface is built with: sliding [-], spinning [m], rolling [m].

Contacts between materials without a pair of their own use it.
"""


@dataclass(frozen=True, slots=True)
class MaterialPair:
    """How surfaces of two materials rub on each other.

    Attributes:
        friction: Coefficient of sliding friction [-], >= 0.
    """

    friction: float = GEOM_FRICTION[0]


def make_pair(
    friction: float, restitution: float, static_friction: float | None, rolling: float, spinning: float
) -> MaterialPair:
    """Return the checked pair; for the arguments see `World.set_material_pair`.

    Raises:
        ParameterError: if a number is negative or not finite.
        UnsupportedError: if a property has a value that this version does not realise.
    """
    coefficient = checks.not_negative("friction", friction)
    unrealised = {
        "restitution": (restitution, 0.0, "contacts do not bounce"),
        "static_friction": (
            coefficient if static_friction is None else static_friction,
            coefficient,
            "friction at rest is that of sliding",
        ),
        "rolling_friction": (rolling, 0.0, "nothing resists rolling"),
        "spinning_friction": (spinning, 0.0, "nothing resists spinning"),
    }
    for name, (value, realised, why) in unrealised.items():
        if checks.not_negative(name, value) != realised:
            raise UnsupportedError(f"{name} is {value:g}; this version realises only {realised:g}: {why}")
    return MaterialPair(coefficient)


class MaterialTable:
    """Surfaces (MuJoCo geom names) by material, and the pairs that were set."""

    def __init__(self) -> None:
        self._members: dict[str, list[str]] = {}
        self._pairs: dict[tuple[str, str], MaterialPair] = {}

    def add(self, material: str, geom: str) -> None:
        """Note that the surface `geom` is of `material` ("" is the default material)."""
        if material and material != DEFAULT_MATERIAL:
            self._members.setdefault(material, []).append(geom)

    def set_pair(self, a: str, b: str, pair: MaterialPair) -> None:
        """Set how `a` and `b` rub on each other; the order of the two does not matter."""
        self._pairs[min(a, b), max(a, b)] = pair

    @property
    def members(self) -> dict[str, tuple[str, ...]]:
        """Surfaces by material, those of the default material left out."""
        return {material: tuple(geoms) for material, geoms in self._members.items()}

    @property
    def frictions(self) -> dict[tuple[str, str], float]:
        """Sliding friction by pair, for the pairs whose two materials the world has."""
        present = {*self._members, DEFAULT_MATERIAL}
        return {key: pair.friction for key, pair in self._pairs.items() if present.issuperset(key)}
