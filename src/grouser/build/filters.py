"""Which bodies of a robot may touch each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import mujoco

from grouser.build.built import BuildOptions
from grouser.build.tree import Tree

__all__ = ["exclude_contacts"]


def exclude_contacts(
    spec: mujoco.MjSpec, tree: Tree, names: list[str], colliding: set[str], options: BuildOptions
) -> None:
    """Exclude contacts between a robot's own bodies.

    MuJoCo's own rule about parents is off (see `configure`): it cannot be set for one robot alone, and does
    not hold for parents that do not move.

    Args:
        spec: The spec.
        tree: The robot's bodies.
        names: Their names, in that order.
        colliding: Those that have collision shapes.
        options: Whether bodies touch each other, and their parents.
    """
    for first, second in _pairs(tree, options):
        if names[first] in colliding and names[second] in colliding:
            spec.add_exclude(bodyname1=names[first], bodyname2=names[second])


def _pairs(tree: Tree, options: BuildOptions) -> Iterator[tuple[int, int]]:
    if not options.self_collision:
        yield from combinations(range(len(tree.bodies)), 2)
    elif not options.collide_with_parent:
        yield from ((body.parent, index) for index, body in enumerate(tree.bodies) if body.parent >= 0)
