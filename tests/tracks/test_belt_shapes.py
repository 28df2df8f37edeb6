"""The solids of a belt: known tracks, and that together they are the outline's inside and nothing more."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grouser.description.robot import Box, Cylinder, Drive, Track, Wheel
from grouser.errors import UnknownNameError, UnsupportedError
from grouser.tracks import TRACK_MODELS, TrackShape, realise

RADIUS, THICKNESS, WIDTH = 0.1, 0.015, 0.08


def track(*wheels: tuple[tuple[float, float, float], float], axis=(0.0, 1.0, 0.0), thickness=THICKNESS) -> Track:
    return Track(
        name="left",
        link="base",
        axis=axis,
        width=WIDTH,
        thickness=thickness,
        wheels=tuple(Wheel(center, radius) for center, radius in wheels),
        drives=(Drive("left", RADIUS),),
    )


def boxes(shapes: tuple[TrackShape, ...]) -> list[TrackShape]:
    return [shape for shape in shapes if isinstance(shape.geometry, Box)]


def cylinders(shapes: tuple[TrackShape, ...]) -> list[TrackShape]:
    return [shape for shape in shapes if isinstance(shape.geometry, Cylinder)]


def axes(shape: TrackShape) -> np.ndarray:
    """Return the shape's x, y, z in the link's frame, one a row."""
    return np.array(shape.rotation).T


def test_two_equal_wheels_are_two_cylinders_and_two_boxes_that_meet_at_the_axle():
    shapes = realise(track(((0.4, 0.25, 0.0), RADIUS), ((-0.4, 0.25, 0.0), RADIUS)))
    assert [type(shape.geometry) for shape in shapes] == [Cylinder, Cylinder, Box, Box]
    for cylinder in cylinders(shapes):
        assert cylinder.geometry == Cylinder(RADIUS + THICKNESS, WIDTH)
        np.testing.assert_allclose(axes(cylinder)[2], (0, 1, 0))
    assert sorted(shape.position[0] for shape in cylinders(shapes)) == [-0.4, 0.4]
    lower, upper = sorted(boxes(shapes), key=lambda shape: shape.position[2])
    for box, side in ((lower, -1), (upper, 1)):
        np.testing.assert_allclose(box.geometry.size, (0.8, WIDTH, RADIUS + THICKNESS), atol=1e-12)
        np.testing.assert_allclose(box.position, (0, 0.25, side * (RADIUS + THICKNESS) / 2), atol=1e-12)
        # a positive speed runs the lower run backwards, the upper one forwards
        np.testing.assert_allclose(axes(box), ((side, 0, 0), (0, 1, 0), (0, 0, side)), atol=1e-12)


def test_a_box_reaches_in_to_the_nearer_of_two_different_wheels():
    shapes = realise(track(((0.0, 0.0, 0.0), 0.16), ((0.35, 0.0, 0.0), 0.088)))
    run = math.sqrt(0.35**2 - (0.16 - 0.088) ** 2)
    for box in boxes(shapes):
        np.testing.assert_allclose(box.geometry.size, (run, WIDTH, 0.088 + THICKNESS), rtol=1e-12)


def test_a_road_wheel_that_only_touches_a_run_adds_nothing():
    plain = realise(track(((0.4, 0.0, 0.0), RADIUS), ((-0.4, 0.0, 0.0), RADIUS)))
    with_road_wheel = realise(track(((0.4, 0.0, 0.0), RADIUS), ((0.0, 0.0, 0.0), RADIUS), ((-0.4, 0.0, 0.0), RADIUS)))
    assert len(with_road_wheel) == len(plain)
    assert len(cylinders(with_road_wheel)) == 2


def test_a_wheel_just_outside_the_run_gets_its_cylinder_and_no_empty_boxes():
    shapes = realise(track(((0.4, 0, 0), RADIUS), ((0.0, 0, -0.001), RADIUS), ((-0.4, 0, 0), RADIUS)))
    assert len(cylinders(shapes)) == 3
    assert all(min(box.geometry.size) > 1e-9 for box in boxes(shapes))


def test_a_track_along_another_axis_is_the_same_turned():
    shapes = realise(track(((0.0, 0.3, 0.2), RADIUS), ((0.0, -0.3, 0.2), RADIUS), axis=(1.0, 0.0, 0.0)))
    for box in boxes(shapes):
        x, y, z = axes(box)
        np.testing.assert_allclose(y, (1, 0, 0), atol=1e-12)
        np.testing.assert_allclose(x, np.cross(y, z), atol=1e-12)
        # outwards, away from the wheels' centres
        assert np.dot(z, np.array(box.position) - (0, 0, 0.2)) > 0


WHEELS = st.lists(st.tuples(st.floats(-1, 1), st.floats(-0.5, 0.5), st.floats(0.05, 0.3)), min_size=2, max_size=6)


def in_plane(shape: TrackShape, points: np.ndarray) -> np.ndarray:
    """Return the links' points in the shape's frame, shape (n, 3)."""
    return (points - shape.position) @ np.array(shape.rotation)


def inside(shape: TrackShape, points: np.ndarray, slack: float) -> np.ndarray:
    local = in_plane(shape, points)
    if isinstance(shape.geometry, Box):
        return (np.abs(local) <= np.array(shape.geometry.size) / 2 + slack).all(axis=1)
    return np.hypot(local[:, 0], local[:, 1]) <= shape.geometry.radius + slack


@given(wheels=WHEELS, thickness=st.floats(0, 0.05))
def test_the_solids_fill_the_belt_along_its_surface_and_nothing_outside(wheels, thickness):
    belt = track(*(((x, 0.2, z), r) for x, z, r in wheels), thickness=thickness)
    outline, shapes = belt.outline, realise(belt)
    distances = np.linspace(0, outline.length, 200, endpoint=False)
    surface, normals = zip(*(outline.point_at(s) for s in distances), strict=True)
    points = np.array([outline.in_link(point) for point in surface])
    covered = np.any([inside(shape, points, 1e-5) for shape in shapes], axis=0)
    assert covered.all()

    rim = np.linspace(0, 2 * math.pi, 24, endpoint=False)
    for shape in shapes:
        if isinstance(shape.geometry, Box):
            x, _, z = np.array(shape.geometry.size) / 2
            local = np.array([(i * x, 0, k * z) for i in (-1, 1) for k in (-1, 1)])
        else:
            local = shape.geometry.radius * np.column_stack((np.cos(rim), np.sin(rim), 0 * rim))
        corners = local @ np.array(shape.rotation).T + shape.position
        plane = np.column_stack((corners @ np.array(outline.e_u), corners @ np.array(outline.e_v)))
        outwards = np.einsum("ijk,ik->ij", plane - np.array(surface)[:, None], np.array(normals))
        assert outwards.max() <= 1e-9


@pytest.mark.parametrize("model", [model for model in TRACK_MODELS if model != "belt"])
def test_what_is_not_realised_says_what_is(model):
    with pytest.raises(UnsupportedError, match=f"'{model}'.*realised: belt"):
        realise(track(((0, 0, 0), 0.1), ((1, 0, 0), 0.1)), model)


def test_an_unknown_model_lists_the_known_ones():
    with pytest.raises(UnknownNameError, match=r"Did you mean 'belt'.*rollers"):
        realise(track(((0, 0, 0), 0.1), ((1, 0, 0), 0.1)), "belts")
