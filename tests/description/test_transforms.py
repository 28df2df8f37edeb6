"""Rotations against SciPy-free identities and NumPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grouser.description.robot import Pose
from grouser.description.transforms import (
    compose,
    inverse,
    matrix_of_quaternion,
    matrix_of_rpy,
    multiply,
    normalized,
    quaternion_of_matrix,
    quaternion_of_rpy,
    rotate,
    rpy_of_matrix,
    transform,
    transpose,
)

angle = st.floats(-math.pi, math.pi) | st.sampled_from([0.0, math.pi / 2, -math.pi / 2, math.pi])
rpys = st.tuples(angle, angle, angle)
vectors = st.tuples(*[st.floats(-10.0, 10.0)] * 3)
poses = st.builds(Pose, vectors, rpys)


def about(axis: int, a: float) -> np.ndarray:
    c, s = math.cos(a), math.sin(a)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    r = np.eye(3)
    r[i, i] = r[j, j] = c
    r[i, j], r[j, i] = -s, s
    return r


@given(rpys)
def test_rpy_turns_about_fixed_axes_x_then_y_then_z(rpy):
    expected = about(2, rpy[2]) @ about(1, rpy[1]) @ about(0, rpy[0])
    assert np.allclose(matrix_of_rpy(rpy), expected, atol=1e-12)


@given(rpys)
def test_every_way_round_gives_the_same_rotation(rpy):
    r = matrix_of_rpy(rpy)
    assert np.allclose(matrix_of_rpy(rpy_of_matrix(r)), r, atol=1e-8)
    assert np.allclose(matrix_of_quaternion(quaternion_of_rpy(rpy)), r, atol=1e-12)
    assert np.allclose(matrix_of_quaternion(quaternion_of_matrix(r)), r, atol=1e-12)
    assert math.hypot(*quaternion_of_rpy(rpy)) == pytest.approx(1.0)
    assert quaternion_of_rpy(rpy)[0] >= 0.0
    assert quaternion_of_matrix(r)[0] >= 0.0


@pytest.mark.parametrize("sine", [1.0, -1.0])
@given(angle)
def test_pitch_straight_up_or_down(sine, roll):
    """Where cos(pitch) is exactly 0, roll and yaw turn about one axis."""
    sr, cr = math.sin(roll), math.cos(roll)
    r = ((0.0, sine * sr, sine * cr), (0.0, cr, -sr), (-sine, 0.0, 0.0))
    assert np.allclose(matrix_of_rpy(rpy_of_matrix(r)), r, atol=1e-12)


@given(rpys, rpys, vectors)
def test_products(a, b, v):
    ra, rb = matrix_of_rpy(a), matrix_of_rpy(b)
    assert np.allclose(multiply(ra, rb), np.array(ra) @ np.array(rb))
    assert np.allclose(rotate(ra, v), np.array(ra) @ np.array(v))
    assert np.allclose(transpose(ra), np.array(ra).T)


@given(poses, poses, vectors)
def test_poses_compose(x_ab, x_bc, p_c):
    x_ac = compose(x_ab, x_bc)
    assert np.allclose(transform(x_ac, p_c), transform(x_ab, transform(x_bc, p_c)), atol=1e-6)
    assert np.allclose(transform(inverse(x_ab), transform(x_ab, p_c)), p_c, atol=1e-6)


@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=4).filter(lambda v: any(abs(x) > 1e-300 for x in v)))
def test_normalized(vector):
    unit = normalized(tuple(vector))
    assert math.hypot(*unit) == pytest.approx(1.0, abs=1e-8)
    assert normalized(unit) == unit
