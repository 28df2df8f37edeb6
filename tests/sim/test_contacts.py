"""Contacts: what they report, and that their impulses carry what stands on them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from grouser.sim.contacts import ContactRank
from grouser.sim.world import World


def standing() -> World:
    """A box on the ground and a smaller one upon it."""
    world = World()
    world.add_ground()
    world.add_box((0.4, 0.4, 0.2), 3.0, (0, 0, 0.1), name="lower")
    world.add_box((0.2, 0.2, 0.2), 2.0, (0, 0, 0.3), name="upper")
    world.step(300)
    return world


def total(world: World, a: str, b: str) -> np.ndarray:
    """Sum of the impulses from b on a, in W [N s]."""
    result = np.zeros(3)
    for contact in world.contacts:
        if (contact.object_a, contact.object_b) == (a, b):
            result += contact.frame @ contact.impulse
        elif (contact.object_b, contact.object_a) == (a, b):
            result -= contact.frame @ contact.impulse
    return result


def test_impulses_carry_the_weight() -> None:
    world = standing()
    np.testing.assert_allclose(total(world, "lower", "ground"), (0, 0, 5 * 9.81 * 0.002), atol=1e-7)
    np.testing.assert_allclose(total(world, "upper", "lower"), (0, 0, 2 * 9.81 * 0.002), atol=1e-7)
    np.testing.assert_allclose(total(world, "lower", "upper"), (0, 0, -2 * 9.81 * 0.002), atol=1e-7)


def test_impulses_hold_against_a_slope() -> None:
    angle = 0.3
    world = World(gravity=(9.81 * math.sin(angle), 0, -9.81 * math.cos(angle)))
    world.add_ground()
    world.add_box((0.2, 0.2, 0.1), 2.0, (0, 0, 0.05))
    world.step(300)
    wanted = -2 * 0.002 * world.gravity
    np.testing.assert_allclose(total(world, "box", "ground"), wanted, atol=1e-6)


def test_a_contact_describes_itself() -> None:
    world = standing()
    assert len(world.contacts) == 8
    for contact in world.contacts:
        assert contact.rank == ContactRank.SOLVED == "solved"
        assert contact.depth > 0
        assert contact.body_a in ("lower", "upper")
        assert contact.collision_a == f"{contact.body_a}/0"
        np.testing.assert_allclose(contact.frame.T @ contact.frame, np.eye(3), atol=1e-12)
        assert np.linalg.det(contact.frame) == pytest.approx(1)
        np.testing.assert_array_equal(contact.frame[:, 2], contact.normal)
        assert contact.impulse[2] > 0
    # the normal points from B to A
    resting = [contact for contact in world.contacts if contact.body_b == "ground"]
    for contact in resting:
        np.testing.assert_allclose(contact.normal, (0, 0, 1), atol=1e-12)
        assert contact.position[2] == pytest.approx(0, abs=1e-3)
        assert contact.collision_b == "ground/0"


def test_contacts_are_a_sequence() -> None:
    contacts = standing().contacts
    assert contacts[-1].position.tolist() == contacts[7].position.tolist()
    assert [c.depth for c in contacts[2:4]] == [contacts[2].depth, contacts[3].depth]
    assert [c.depth for c in contacts] == contacts.depths.tolist()
    assert repr(contacts) == "<8 contacts, 8 solved>"
    with pytest.raises(IndexError):
        contacts[8]


def test_contacts_are_a_snapshot() -> None:
    world = standing()
    before = world.contacts
    assert world.contacts is before
    depths, first = before.depths.copy(), before[0]
    world.data.qpos[2] += 1
    world.data.qpos[9] += 1
    world.step()
    assert len(world.contacts) < 8
    assert len(before) == 8
    np.testing.assert_array_equal(before.depths, depths)
    assert before[0].depth == first.depth


def test_contacts_after_setting_a_pose_are_those_of_the_pose() -> None:
    world = World()
    world.add_ground()
    ball = world.add_sphere(0.1, 1.0, (0, 0, 1))
    world.step()
    assert len(world.contacts) == 0
    ball.set_pose((0, 0, 0.099))
    assert len(world.contacts) == 1
    assert world.contacts[0].depth == pytest.approx(0.001)
    ball.set_pose((0, 0, 1))
    assert len(world.contacts) == 0
