"""Inertias that MuJoCo takes: kept where a body can have them, repaired and said where not."""

from __future__ import annotations

import logging

import numpy as np
import pytest

from grouser.build import compile_robot
from grouser.build.inertia import principal_inertia
from grouser.description.named import Named
from grouser.description.robot import Inertial, Link, Robot


def alone(inertial: Inertial) -> Robot:
    return Robot("alone", Named("link", (("base", Link("base", inertial)),)))


@pytest.mark.parametrize("moments", [(0.5, 1.2, 1.5), (1.0, 1.0, 2.0), (3.0, 1.0, 2.5), (1e-14, 1e-14, 1e-14)])
def test_what_a_body_can_have_is_kept_to_the_bit(moments, caplog):
    model, _ = compile_robot(alone(Inertial(2.0, ixx=moments[0], iyy=moments[1], izz=moments[2])))
    assert sorted(model.body_inertia[1].tolist()) == sorted(moments)
    assert not caplog.records


def test_a_thin_plate_turned_any_way_compiles_without_a_word(caplog):
    rng = np.random.default_rng(1)
    for _ in range(200):
        turned, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        i = turned @ np.diag((0.1, 0.2, 0.1 + 0.2)) @ turned.T
        i = (i + i.T) / 2
        model, _ = compile_robot(
            alone(Inertial(1.0, ixx=i[0, 0], ixy=i[0, 1], ixz=i[0, 2], iyy=i[1, 1], iyz=i[1, 2], izz=i[2, 2]))
        )
        np.testing.assert_allclose(np.sort(model.body_inertia[1]), (0.1, 0.2, 0.3), rtol=1e-12)
    assert not caplog.records


def test_a_moment_larger_than_the_sum_of_the_others_stays_and_raises_them(caplog):
    with caplog.at_level(logging.WARNING):
        model, _ = compile_robot(alone(Inertial(1.0, ixx=0.1, iyy=0.2, izz=0.5)))
    np.testing.assert_allclose(np.sort(model.body_inertia[1]), (0.2, 0.3, 0.5))
    assert model.body_mass[1] == 1.0
    assert "robot 'alone', link 'base'" in caplog.text


@pytest.mark.parametrize("moments", [(0, 0, 0), (0, 1, 1), (0, 0, 1), (-1, 2, 2), (1e-20, 1e-20, 1e-20)])
def test_nothing_makes_mujoco_refuse(moments):
    found = principal_inertia(np.diag(np.array(moments, dtype=float)), "test").moments
    a, b, c = sorted(found)
    assert a > 1e-15
    assert a + b >= c
    compile_robot(alone(Inertial(1.0, ixx=moments[0], iyy=moments[1], izz=moments[2])))


def test_a_link_with_inertia_and_no_mass_keeps_the_inertia():
    model, _ = compile_robot(alone(Inertial(0.0, ixx=0.1, iyy=0.2, izz=0.25)))
    np.testing.assert_allclose(np.sort(model.body_inertia[1]), (0.1, 0.2, 0.25))
    assert model.body_mass[1] < 1e-12
