"""The closed form of Coulomb's law is the fixed point of De Saxcé's correction; slopes are true derivatives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from . import laws

DIMENSIONS = (3, 4, 6)


def random_contact(seed: int, dim: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return residual, regularisation and friction of a contact as MuJoCo makes them."""
    rng = np.random.default_rng(seed)
    friction = rng.uniform(0.01, 1.5, size=dim - 1)
    friction[1] = friction[0]
    normal = 10.0 ** rng.uniform(-4, 0)
    tangential = normal / 10.0 ** rng.uniform(-1, 2)
    regularisation = np.concatenate(([normal], tangential * (friction[0] / friction) ** 2))
    residual = rng.normal(size=dim) * 10.0 ** rng.uniform(-2, 2, size=dim)
    return residual, regularisation, friction


@given(seed=st.integers(0, 2**32 - 1), dim=st.sampled_from(DIMENSIONS))
def test_coulomb_is_the_convex_law_with_its_normal_shifted_by_the_slip(seed: int, dim: int) -> None:
    residual, regularisation, friction = random_contact(seed, dim)
    shifted = residual.copy()
    shifted[0] += np.linalg.norm(friction * residual[1:])
    convex, _ = laws.convex_cone(shifted, regularisation, friction)
    force, _ = laws.coulomb(residual, regularisation, friction)
    assert force == pytest.approx(convex, rel=1e-9, abs=1e-9 * np.max(np.abs(residual / regularisation)))


@given(seed=st.integers(0, 2**32 - 1), dim=st.sampled_from(DIMENSIONS))
def test_coulomb_obeys_the_three_parts_of_the_law(seed: int, dim: int) -> None:
    residual, regularisation, friction = random_contact(seed, dim)
    force, _ = laws.coulomb(residual, regularisation, friction)
    size = np.max(np.abs(residual / regularisation))
    used = np.linalg.norm(force[1:] / friction)
    assert force[0] >= 0.0
    assert used <= force[0] + 1e-9 * size
    plastic = friction * (residual + regularisation * force)[1:]
    if force[0] > 0.0 and np.linalg.norm(plastic) > 1e-9 * np.max(np.abs(residual)):
        assert used == pytest.approx(force[0], rel=1e-9), "a sliding contact uses all its friction"
        cosine = plastic @ (force[1:] / friction) / np.linalg.norm(plastic) / used
        assert cosine == pytest.approx(-1.0, abs=1e-9), "and against its slip"


@given(seed=st.integers(0, 2**32 - 1), dim=st.sampled_from(DIMENSIONS))
def test_sliding_does_not_stiffen_or_lift_the_normal(seed: int, dim: int) -> None:
    residual, regularisation, friction = random_contact(seed, dim)
    residual[1:] *= 1e6  # sliding fast
    force, _ = laws.coulomb(residual, regularisation, friction)
    softer = regularisation[0] + friction[0] ** 2 * regularisation[1]
    assert force[0] == pytest.approx(max(0.0, -residual[0]) / softer, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("law", [laws.coulomb, laws.convex_cone])
@given(seed=st.integers(0, 2**32 - 1), dim=st.sampled_from(DIMENSIONS))
def test_slopes_are_derivatives(law: object, seed: int, dim: int) -> None:
    residual, regularisation, friction = random_contact(seed, dim)
    assert callable(law)
    _, slope = law(residual, regularisation, friction)
    step = 1e-7 * np.linalg.norm(residual)
    columns = []
    for axis in np.eye(dim):
        _, slope_before = law(residual - step * axis, regularisation, friction)
        _, slope_after = law(residual + step * axis, regularisation, friction)
        if not np.allclose(slope_before, slope_after, rtol=1e-2, atol=1e-3 * np.max(np.abs(slope) + 1e-300)):
            return  # a kink of the law, or strong curvature, lies between
        before, _ = law(residual - step * axis, regularisation, friction)
        after, _ = law(residual + step * axis, regularisation, friction)
        columns.append((after - before) / (2 * step))
    assert pytest.approx(slope, rel=1e-3, abs=1e-3 * np.max(np.abs(slope))) == np.array(columns).T


def test_dry_friction_yields_at_its_bound() -> None:
    assert laws.dry_friction(-1e-3, 1e-2, 5.0) == (0.1, -100.0)
    assert laws.dry_friction(-1.0, 1e-2, 5.0) == (5.0, 0.0)
    assert laws.dry_friction(1.0, 1e-2, 5.0) == (-5.0, 0.0)


def test_limits_only_push() -> None:
    assert laws.one_sided(0.1, 0.5) == (0.0, 0.0)
    assert laws.one_sided(-0.1, 0.5) == (0.2, -2.0)
