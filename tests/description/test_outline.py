"""The outline of a belt: convex, round all wheels, of the right length."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from grouser.description.outline import Outline, outline_of_wheels
from grouser.errors import ParameterError

Y = (0.0, 1.0, 0.0)

coordinate = st.floats(-1.0, 1.0).map(lambda x: round(x, 3))
radius = st.floats(0.01, 0.5).map(lambda x: round(x, 3))
wheels = st.lists(st.tuples(coordinate, coordinate, radius), min_size=1, max_size=50)
thicknesses = st.sampled_from([0.0, 0.015, 0.3])


def belt(flat: list[tuple[float, float, float]], thickness: float = 0.0) -> Outline:
    """An outline in the x-z plane; (u, v) is (x, -z)."""
    return outline_of_wheels(
        [(u, 0.3, -v) for u, v, _ in flat], [r for _, _, r in flat], axis=Y, thickness=thickness, width=0.1
    )


def reach_of_wheels(flat: list[tuple[float, float, float]], angles: np.ndarray) -> np.ndarray:
    """How far each wheel reaches in each direction, shape (angles, wheels)."""
    u, v, r = np.array(flat).T
    return np.outer(np.cos(angles), u) + np.outer(np.sin(angles), v) + r


def support(flat: list[tuple[float, float, float]], angles: np.ndarray) -> np.ndarray:
    return reach_of_wheels(flat, np.atleast_1d(angles)).max(axis=1)


def perimeter(flat: list[tuple[float, float, float]], thickness: float, samples: int = 4000) -> float:
    """Cauchy's formula: a convex curve is as long as the integral of its support over all directions."""
    angles = (np.arange(samples) + 0.5) * math.tau / samples
    return float(np.sum(support(flat, angles) + thickness) * math.tau / samples)


@settings(max_examples=150, deadline=None)
@given(wheels, thicknesses)
@example([(0.0, 0.0, 0.1), (0.5, 0.0, 0.1), (1.0, 0.0, 0.1)], 0.0)
@example([(0.0, 0.0, 0.1)] * 4, 0.0)
@example([(0.0, 0.0, 0.5), (-0.45, 0.0, 0.1), (0.45, 0.0, 0.1)], 0.01)
@example([(0.0, 0.0, 0.2), (0.1, 0.0, 0.1)], 0.0)
def test_length_is_the_perimeter_of_the_hull(flat, thickness):
    assert belt(flat, thickness).length == pytest.approx(perimeter(flat, thickness), rel=1e-5)


@settings(max_examples=150, deadline=None)
@given(wheels, thicknesses)
def test_it_is_the_hull_in_every_direction(flat, thickness):
    """Equal support in every direction: convex, contains every wheel and nothing more."""
    points = [(u, v, 0.0) for u, v in belt(flat, thickness).polygon(math.radians(0.5))]
    angles = np.arange(90) * math.tau / 90 + 0.001
    assert support(points, angles) == pytest.approx(support(flat, angles) + thickness, abs=3e-5)


@settings(max_examples=150, deadline=None)
@given(wheels, thicknesses)
def test_parts_join_and_turn_once(flat, thickness):
    outline = belt(flat, thickness)
    parts = list(outline.parts)
    assert sum(arc.end - arc.start for arc in outline.arcs) == pytest.approx(math.tau, abs=1e-9)
    assert all(arc.end > arc.start for arc in outline.arcs)
    assert len(outline.runs) == (len(outline.arcs) if len(outline.arcs) > 1 else 0)
    for before, after in zip(parts, parts[1:] + parts[:1], strict=True):
        end = before.end if hasattr(before, "normal") else before.point(before.end)
        start = after.start if hasattr(after, "normal") else after.point(after.start)
        assert math.dist(end, start) < 1e-7
    for run in outline.runs:
        along = (run.end[0] - run.start[0], run.end[1] - run.start[1])
        # Counter-clockwise: the outward normal lies to the right of the direction of travel.
        assert along[0] * run.normal[0] + along[1] * run.normal[1] == pytest.approx(0.0, abs=1e-7)
        assert along[1] * run.normal[0] - along[0] * run.normal[1] > 0.0


@settings(max_examples=150, deadline=None)
@given(wheels, st.randoms())
def test_order_of_wheels_does_not_matter(flat, random):
    shuffled = flat.copy()
    random.shuffle(shuffled)
    assert belt(shuffled, 0.01).length == pytest.approx(belt(flat, 0.01).length, rel=1e-9)


@settings(max_examples=150, deadline=None)
@given(wheels)
def test_every_wheel_has_one_role(flat):
    outline = belt(flat)
    roles = sorted(outline.wrapped + outline.touching + outline.inside)
    assert roles == list(range(len(flat)))
    reach = reach_of_wheels(flat, np.arange(3600) * math.tau / 3600)
    gaps = (reach.max(axis=1)[:, None] - reach).min(axis=0)
    for index in outline.inside:
        assert outline.clearances[index] == pytest.approx(gaps[index], abs=2e-3)


@settings(max_examples=100, deadline=None)
@given(wheels, st.floats(0.0, 1.0), thicknesses)
def test_points_along_the_belt_lie_on_the_hull(flat, share, thickness):
    outline = belt(flat, thickness)
    (u, v), (nu, nv) = outline.point_at(share * outline.length)
    assert math.hypot(nu, nv) == pytest.approx(1.0)
    assert u * nu + v * nv == pytest.approx(support(flat, np.arctan2(nv, nu))[0] + thickness, abs=1e-6)


@given(st.integers(2, 50), st.floats(0.01, 0.3), st.floats(-3.0, 3.0))
def test_equal_wheels_in_a_row_are_wrapped_at_the_ends_only(count, r, tilt):
    row = [(k * math.cos(tilt), k * math.sin(tilt), r) for k in range(count)]
    outline = belt(row, 0.02)
    assert set(outline.wrapped) == {0, count - 1}
    assert outline.touching == tuple(range(1, count - 1))
    assert outline.length == pytest.approx(2 * (count - 1) + math.tau * (r + 0.02))


def test_two_equal_wheels():
    outline = belt([(0.4, 0.0, 0.1), (-0.4, 0.0, 0.1)], 0.015)
    assert outline.length == pytest.approx(1.6 + math.tau * 0.115, abs=1e-12)
    assert [run.length for run in outline.runs] == pytest.approx([0.8, 0.8])


def test_two_unequal_wheels_have_the_open_belt_length():
    """Textbook: L = 2 sqrt(d^2 - (R - r)^2) + R (pi + 2 a) + r (pi - 2 a), sin a = (R - r)/d."""
    big, small, distance = 0.16, 0.088, 0.35
    lean = math.asin((big - small) / distance)
    length = 2 * distance * math.cos(lean) + big * (math.pi + 2 * lean) + small * (math.pi - 2 * lean)
    assert belt([(0.0, 0.0, big), (distance, 0.0, small)]).length == pytest.approx(length, abs=1e-12)


def test_a_big_wheel_between_small_ones_has_two_arcs():
    outline = belt([(-0.45, 0.0, 0.1), (0.0, 0.0, 0.5), (0.45, 0.0, 0.1)])
    assert [arc.wheel for arc in outline.arcs].count(1) == 2
    assert sorted(outline.wrapped) == [0, 1, 2]


@pytest.mark.parametrize(("short", "role"), [(5e-5, "touching"), (2e-3, "inside")])
def test_a_road_wheel_may_miss_the_run_by_rounding_only(short, role):
    outline = belt([(0.0, 0.0, 0.1), (0.5, 0.0, 0.1 - short), (1.0, 0.0, 0.1)])
    assert getattr(outline, role) == (1,)
    assert outline.clearances[1] == pytest.approx(short)


@given(st.tuples(*[st.floats(-1.0, 1.0)] * 3))
def test_plane_is_right_handed(axis):
    assume(math.hypot(*axis) > 0.01)
    outline = outline_of_wheels([(0.1, 0.2, 0.3)], [0.1], axis=axis, thickness=0.0, width=0.1)
    u, v, a = outline.e_u, outline.e_v, outline.axis
    cross = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    assert cross == pytest.approx(a)
    assert outline.in_link(outline.arcs[0].center) == pytest.approx((0.1, 0.2, 0.3))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"centers": [], "radii": []}, "radius for each wheel"),
        ({"radii": [0.0]}, "radius must be"),
        ({"centers": [(math.nan, 0.0, 0.0)]}, "not finite"),
        ({"thickness": -0.1}, "thickness"),
        ({"width": 0.0}, "width"),
        ({"axis": (0.0, 0.0, 0.0)}, "axis"),
    ],
)
def test_refusals(change, said):
    good = {"centers": [(0.0, 0.0, 0.0)], "radii": [0.1], "axis": Y, "thickness": 0.0, "width": 0.1}
    with pytest.raises(ParameterError, match=said):
        outline_of_wheels(**(good | change))
