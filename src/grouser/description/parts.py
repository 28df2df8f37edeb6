"""The parts of a robot before it is known that they make one: what the checks look at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from grouser.description.robot import Joint, JointType, Link, Robot, Source, Track

__all__ = ["Parts", "parts_of"]

T = TypeVar("T", Link, Joint)


@dataclass(frozen=True)
class Parts:
    """Links, joints and tracks as they were read; names may repeat and may refer to nothing.

    Attributes:
        name: The robot's name.
        links: Links in the order of the file.
        joints: Joints in the order of the file.
        tracks: Tracks in the order of the file.
        broken: Identities of the items that had errors when read: their numbers may be stand-ins.
        source: Where the robot was written.
    """

    name: str
    links: Sequence[Link]
    joints: Sequence[Joint]
    tracks: Sequence[Track]
    broken: frozenset[int] = frozenset()
    source: Source = field(default=Source())

    @cached_property
    def link(self) -> dict[str, Link]:
        """Links by name; of several the first."""
        return _by_name(self.links)

    @cached_property
    def joint(self) -> dict[str, Joint]:
        """Joints by name; of several the first."""
        return _by_name(self.joints)

    @cached_property
    def joints_below(self) -> dict[str, list[Joint]]:
        """Joints by the name of their parent link."""
        table: dict[str, list[Joint]] = {}
        for joint in self.joints:
            table.setdefault(joint.parent, []).append(joint)
        return table

    @cached_property
    def joint_above(self) -> dict[str, Joint]:
        """The joint whose child a link is; of several the first."""
        table: dict[str, Joint] = {}
        for joint in self.joints:
            table.setdefault(joint.child, joint)
        return table

    def is_broken(self, item: Link | Joint | Track) -> bool:
        """Return whether an item had errors when it was read, so that its numbers say nothing."""
        return id(item) in self.broken

    @cached_property
    def replaced(self) -> frozenset[str]:
        """Links whose collision geometry a track stands in for."""
        return frozenset(name for track in self.tracks for name in track.replaces)

    def fixed_to(self, link: str) -> tuple[str, ...]:
        """Return a link and all below it that fixed joints hold to it."""
        if link not in self._groups:
            self._groups[link] = self._fixed_to(link)
        return self._groups[link]

    @cached_property
    def _groups(self) -> dict[str, tuple[str, ...]]:
        return {}

    def _fixed_to(self, link: str) -> tuple[str, ...]:
        group, seen = [link], {link}
        for name in group:
            for joint in self.joints_below.get(name, ()):
                if joint.type is JointType.FIXED and joint.child not in seen:
                    seen.add(joint.child)
                    group.append(joint.child)
        return tuple(name for name in group if name in self.link)


def parts_of(robot: Robot) -> Parts:
    """Return the parts of a robot that was made in Python."""
    return Parts(
        name=robot.name,
        links=tuple(robot.links.values()),
        joints=tuple(robot.joints.values()),
        tracks=tuple(robot.tracks.values()),
    )


def _by_name(items: Iterable[T]) -> dict[str, T]:
    table: dict[str, T] = {}
    for item in items:
        table.setdefault(item.name, item)
    return table
