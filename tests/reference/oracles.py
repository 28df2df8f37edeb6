"""Closed forms and small balances that simulated tracks are compared with: docs/physics.md §4."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq


def turning_ratio(stations: ArrayLike, separation: float) -> float:
    """Return chi = omega B / (2 v) of two rows of equally loaded points turning in place [-].

    Args:
        stations: Places of the points along each row, symmetric about the middle [m], shape (n,).
        separation: Distance B of the rows [m].

    Source: moment balance, docs/physics.md §4.
    """
    x = np.asarray(stations, dtype=float)

    def moment(chi: float) -> float:
        along, across = 1.0 - chi, 2.0 * chi * x / separation
        slip = np.hypot(along, across)
        return float(np.sum((along * separation / 2 - across * x) / slip))

    almost_gripping = 1.0 - 1e-12
    if moment(almost_gripping) > 0.0:
        return 1.0  # a middle point grips, and its grip outweighs the others' sliding
    return float(brentq(moment, 1e-9, almost_gripping, xtol=1e-14))


def turning_ratio_even(length_to_width: float) -> float:
    """Return chi of two tracks with their load spread evenly [-], by the closed form of docs/physics.md §4."""
    half = length_to_width

    def balance(eta: float) -> float:
        return eta * (2.0 + eta) * np.arcsinh(half / eta) - half * np.hypot(half, eta)

    eta = brentq(balance, 1e-9, 10.0 + half**2, xtol=1e-14)
    return float(1.0 / (1.0 + eta))


def thrust_share(length_to_width: float) -> float:
    """Return each belt's pull over mu times its load while turning in place under even load [-]."""
    eta = 1.0 / turning_ratio_even(length_to_width) - 1.0
    return float(eta / length_to_width * np.arcsinh(length_to_width / eta))


def box_on_conveyor(belt_speed: float, friction: float, gravity: float, seconds: float) -> float:
    """Return how far a box laid at rest on a running belt is carried [m]."""
    acceleration = friction * gravity
    slipping: NDArray[np.float64] | float = min(seconds, belt_speed / acceleration)
    return float(acceleration * slipping**2 / 2 + belt_speed * (seconds - slipping))
