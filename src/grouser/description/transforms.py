"""Rotations and poses in plain arithmetic: URDF's roll-pitch-yaw, matrices, quaternions."""

from __future__ import annotations

import math

from grouser.description.robot import Pose, Quaternion, Vector3

__all__ = [
    "Matrix3",
    "compose",
    "inverse",
    "matrix_of_quaternion",
    "matrix_of_rpy",
    "multiply",
    "normalized",
    "quaternion_of_matrix",
    "quaternion_of_rpy",
    "rotate",
    "rpy_of_matrix",
    "transform",
    "transpose",
]

Matrix3 = tuple[Vector3, Vector3, Vector3]
"""Rows of a 3x3 matrix."""

UNIT_WITHIN = 2e-9
"""A vector whose squared length is this near 1 is left as it is, so that writing and reading keep it."""


def matrix_of_rpy(rpy: Vector3) -> Matrix3:
    """Return R = Rz(yaw) Ry(pitch) Rx(roll): R maps the rotated frame's vectors to the parent's.

    Args:
        rpy: Roll, pitch, yaw about the fixed axes [rad], as in URDF.
    """
    sr, cr = math.sin(rpy[0]), math.cos(rpy[0])
    sp, cp = math.sin(rpy[1]), math.cos(rpy[1])
    sy, cy = math.sin(rpy[2]), math.cos(rpy[2])
    return (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )


def rpy_of_matrix(r: Matrix3) -> Vector3:
    """Return roll, pitch, yaw [rad] of a rotation; yaw is 0 where pitch is ±90°."""
    across = math.hypot(r[0][0], r[1][0])
    pitch = math.atan2(-r[2][0], across)
    if across < 1e-9:  # Roll and yaw turn about one axis: all of it is called roll.
        return (math.atan2(-r[1][2], r[1][1]), pitch, 0.0)
    return (math.atan2(r[2][1], r[2][2]), pitch, math.atan2(r[1][0], r[0][0]))


def quaternion_of_rpy(rpy: Vector3) -> Quaternion:
    """Return the quaternion (w, x, y, z), w >= 0, of roll, pitch, yaw about the fixed axes [rad]."""
    sr, cr = math.sin(rpy[0] / 2), math.cos(rpy[0] / 2)
    sp, cp = math.sin(rpy[1] / 2), math.cos(rpy[1] / 2)
    sy, cy = math.sin(rpy[2] / 2), math.cos(rpy[2] / 2)
    w = cr * cp * cy + sr * sp * sy
    x = sr * cp * cy - cr * sp * sy
    y = cr * sp * cy + sr * cp * sy
    z = cr * cp * sy - sr * sp * cy
    return (w, x, y, z) if w >= 0.0 else (-w, -x, -y, -z)


def quaternion_of_matrix(r: Matrix3) -> Quaternion:
    """Return the unit quaternion (w, x, y, z), w >= 0, of a rotation matrix.

    Source: S. W. Shepperd, Quaternion from Rotation Matrix, 1978: the largest component comes first, so
    that nothing small is divided by.
    """
    trace = r[0][0] + r[1][1] + r[2][2]
    squares = (trace, r[0][0], r[1][1], r[2][2])
    largest = squares.index(max(squares))
    if largest == 0:
        q = (1.0 + trace, r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1])
    elif largest == 1:
        q = (r[2][1] - r[1][2], 1.0 + 2.0 * r[0][0] - trace, r[0][1] + r[1][0], r[0][2] + r[2][0])
    elif largest == 2:
        q = (r[0][2] - r[2][0], r[0][1] + r[1][0], 1.0 + 2.0 * r[1][1] - trace, r[1][2] + r[2][1])
    else:
        q = (r[1][0] - r[0][1], r[0][2] + r[2][0], r[1][2] + r[2][1], 1.0 + 2.0 * r[2][2] - trace)
    norm = math.copysign(math.hypot(*q), q[0])
    return (q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm)


def matrix_of_quaternion(q: Quaternion) -> Matrix3:
    """Return the rotation matrix of a unit quaternion (w, x, y, z)."""
    w, x, y, z = q
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )


def rotate(r: Matrix3, v: Vector3) -> Vector3:
    """Return R v."""
    x, y, z = (row[0] * v[0] + row[1] * v[1] + row[2] * v[2] for row in r)
    return (x, y, z)


def multiply(a: Matrix3, b: Matrix3) -> Matrix3:
    """Return the matrix product A B."""
    c0, c1, c2 = (rotate(a, column) for column in transpose(b))
    return transpose((c0, c1, c2))


def transpose(r: Matrix3) -> Matrix3:
    """Return the transpose, which is the inverse of a rotation."""
    return (
        (r[0][0], r[1][0], r[2][0]),
        (r[0][1], r[1][1], r[2][1]),
        (r[0][2], r[1][2], r[2][2]),
    )


def compose(x_ab: Pose, x_bc: Pose) -> Pose:
    """Return X_AC = X_AB X_BC: the pose of C in A [m, rad]."""
    if x_bc == Pose():
        return x_ab
    if x_ab == Pose():
        return x_bc
    r_ab = matrix_of_rpy(x_ab.rpy)
    rpy = rpy_of_matrix(multiply(r_ab, matrix_of_rpy(x_bc.rpy)))
    return Pose(transform(x_ab, x_bc.xyz), rpy)


def inverse(x_ab: Pose) -> Pose:
    """Return X_BA, the pose of A in B [m, rad]."""
    r_ba = transpose(matrix_of_rpy(x_ab.rpy))
    x, y, z = rotate(r_ba, x_ab.xyz)
    return Pose((-x, -y, -z), rpy_of_matrix(r_ba))


def transform(x_ab: Pose, p_b: Vector3) -> Vector3:
    """Return the point p, given in B, in A [m]."""
    v = rotate(matrix_of_rpy(x_ab.rpy), p_b)
    return (x_ab.xyz[0] + v[0], x_ab.xyz[1] + v[1], x_ab.xyz[2] + v[2])


def normalized(vector: tuple[float, ...]) -> tuple[float, ...]:
    """Return a vector of length 1 along `vector`, which must not be zero."""
    if abs(sum(x * x for x in vector) - 1.0) <= UNIT_WITHIN:
        return vector
    # Scaled first, so that neither tiny nor huge numbers underflow or overflow.
    largest = max(abs(x) for x in vector)
    scaled = [x / largest for x in vector]
    norm = math.hypot(*scaled)
    return tuple(x / norm for x in scaled)
