"""Contacts of the last step, read from MuJoCo only when somebody looks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import overload

import mujoco
import numpy as np

from grouser.sim.checks import Array


class ContactRank(StrEnum):
    """What the step did with a contact."""

    SOLVED = "solved"
    """It carries the impulse it reports."""
    OBJECT_SOLVED_CONTACT = "object_solved_contact"
    """Its load is carried by another contact of the same belt at the same place; its own impulse is zero."""
    EXCLUDED = "excluded"
    """Collision detection found it, but it makes no force (the bodies are apart, or neither can move)."""


@dataclass(frozen=True, eq=False)
class Contact:
    """One contact between body A and body B, as the last step saw it: at its start.

    Attributes:
        position: Where they touch, in W [m], shape (3,).
        normal: Unit normal in W, from B to A, shape (3,).
        frame: Rotation from the contact frame to W, shape (3, 3). Its columns are two tangents and the
            normal, in W.
        impulse: Impulse acting from B on A over the step, in the contact frame (z is the normal) [N s], shape
            (3,). In W it is `frame @ impulse`.
        depth: How deep the two overlap, positive when they do [m].
        body_a: Link or object A.
        body_b: Link or object B.
        collision_a: The shape of A that touches, `LINK/index`.
        collision_b: The shape of B that touches, `LINK/index`.
        rank: What the step did with it.
        object_a: The robot that link A belongs to, or object A itself.
        object_b: The robot that link B belongs to, or object B itself.
    """

    position: Array
    normal: Array
    frame: Array
    impulse: Array
    depth: float
    body_a: str
    body_b: str
    collision_a: str
    collision_b: str
    rank: ContactRank
    object_a: str
    object_b: str


@dataclass(frozen=True, slots=True)
class Surface:
    """Whose collision shape a geom is."""

    owner: str
    body: str
    collision: str


class Contacts(Sequence[Contact]):
    """All contacts of one step: a snapshot that later steps leave alone.

    The arrays are quick to work with; the single contacts are made as they are asked for.

    Attributes:
        positions: In W [m], shape (n, 3).
        frames: Rotations from contact frames to W, shape (n, 3, 3).
        impulses: Acting from B on A, in the contact frames [N s], shape (n, 3).
        depths: [m], shape (n,).
    """

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, surfaces: Sequence[Surface]) -> None:
        found = data.contact
        self._surfaces = surfaces
        self._geoms = found.geom.copy()
        self._excluded = found.exclude != 0
        rows = found.efc_address.copy()
        self._solved = rows >= 0
        self.positions = found.pos.copy()
        self.depths = -found.dist
        # MuJoCo's rows are normal, tangent, tangent; ours are columns with the normal last
        rotations = found.frame.reshape(-1, 3, 3)
        self.frames = rotations[:, (1, 2, 0)].transpose(0, 2, 1).copy()
        self.impulses = np.zeros((len(rows), 3))
        force = data.efc_force
        self.impulses[self._solved, 2] = force[rows[self._solved]]
        rubbing = self._solved & (found.dim >= 3)
        for i in (0, 1):
            self.impulses[rubbing, i] = force[rows[rubbing] + 1 + i]
        self.impulses *= model.opt.timestep

    def __len__(self) -> int:
        return len(self._geoms)

    def __iter__(self) -> Iterator[Contact]:
        return (self._contact(i) for i in range(len(self)))

    @overload
    def __getitem__(self, index: int) -> Contact: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Contact, ...]: ...
    def __getitem__(self, index: int | slice) -> Contact | tuple[Contact, ...]:
        chosen = range(len(self))[index]
        return self._contact(chosen) if isinstance(chosen, int) else tuple(self._contact(i) for i in chosen)

    def __repr__(self) -> str:
        return f"<{len(self)} contacts, {int(self._solved.sum())} solved>"

    def _rank(self, index: int) -> ContactRank:
        if self._solved[index]:
            return ContactRank.SOLVED
        return ContactRank.EXCLUDED if self._excluded[index] else ContactRank.OBJECT_SOLVED_CONTACT

    def _contact(self, index: int) -> Contact:
        # MuJoCo's normal points from its first geom to its second, and its force acts on the second
        b, a = (self._surfaces[geom] for geom in self._geoms[index])
        frame = self.frames[index]
        return Contact(
            position=self.positions[index].copy(),
            normal=frame[:, 2].copy(),
            frame=frame.copy(),
            impulse=self.impulses[index].copy(),
            depth=float(self.depths[index]),
            body_a=a.body,
            body_b=b.body,
            collision_a=a.collision,
            collision_b=b.collision,
            rank=self._rank(index),
            object_a=a.owner,
            object_b=b.owner,
        )
