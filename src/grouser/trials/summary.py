"""What came out of a trial, in a few numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grouser.record import Telemetry

Array = NDArray[np.float64]

LEAST_CLIMB = 0.01
"""Rises and falls of the base below this are its shaking, not climbing [m]."""

LEAST_TRAVEL = 0.01
"""Belts that moved less than this on the whole give no slip [m]."""


@dataclass(frozen=True, slots=True)
class JointSummary:
    """What a joint's servo did.

    Attributes:
        joint: Its name.
        unit: Of its torque: "N m", or "N" for a prismatic joint.
        peak_torque: Greatest magnitude of the sampled torque.
        peak_power: Greatest sampled mechanical power [W].
        energy: Work done, what it took back by braking left out [J].
    """

    joint: str
    unit: str
    peak_torque: float
    peak_power: float
    energy: float


@dataclass(frozen=True, slots=True)
class Summary:
    """A trial in a few numbers.

    Attributes:
        duration: [s].
        distance: Length of the base's way over the ground plan [m].
        forward: How far the base got along the heading it started with [m].
        left: How far it got to the left of that [m].
        rise: How much higher the base is than at the start [m].
        climbed: Sum of all rises of the base [m].
        turned: Change of heading, counter-clockwise, whole turns counted [rad].
        slip: 1 - way of the base / mean way of the belts that drive it [-]; None if they moved on the whole by nothing.
        energy: Work of all recorded joints, braking left out [J].
        max_pitch: Greatest angle of the nose above the horizontal [rad].
        joints: The joints.
    """

    duration: float
    distance: float
    forward: float
    left: float
    rise: float
    climbed: float
    turned: float
    slip: float | None
    energy: float
    max_pitch: float
    joints: tuple[JointSummary, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, the joints by name."""
        values = asdict(self)
        values["joints"] = {joint.pop("joint"): joint for joint in values["joints"]}
        return values


def summarise(table: Telemetry, belts: Sequence[str]) -> Summary:
    """Return the figures of a trial.

    Args:
        table: What a `Meter` has recorded, two rows or more.
        belts: Tracks whose belts drive the robot over the ground.
    """
    time = table["time"]
    x, y, z = table["x"], table["y"], table["z"]
    yaw = np.unwrap(table["yaw"])
    ahead = np.array((np.cos(yaw[0]), np.sin(yaw[0])))
    moved = np.array((x[-1] - x[0], y[-1] - y[0]))
    joints = tuple(_joint(table, name.removeprefix("torque/")) for name in table.names if name.startswith("torque/"))
    return Summary(
        duration=float(time[-1] - time[0]),
        distance=float(np.hypot(np.diff(x), np.diff(y)).sum()),
        forward=float(ahead @ moved),
        left=float(ahead[0] * moved[1] - ahead[1] * moved[0]),
        rise=float(z[-1] - z[0]),
        climbed=_climbed(z),
        turned=float(yaw[-1] - yaw[0]),
        slip=_slip(table, belts),
        energy=sum(joint.energy for joint in joints),
        max_pitch=float(-table["pitch"].min()),
        joints=joints,
    )


def _slip(table: Telemetry, belts: Sequence[str]) -> float | None:
    if not belts:
        return None
    time = table["time"]
    ran = abs(float(np.mean([np.trapezoid(table[f"belt_speed/{name}"], time) for name in belts])))
    went = abs(float(np.trapezoid(table["forward_speed"], time)))
    return None if ran < LEAST_TRAVEL else 1.0 - went / ran


def _climbed(z: Array) -> float:
    """Return the sum of rises, each from a low to a high that lie at least LEAST_CLIMB apart [m]."""
    total, low, high = 0.0, z[0], z[0]
    for height in z:
        high = max(high, height)
        if height < high - LEAST_CLIMB:
            total += high - low if high - low >= LEAST_CLIMB else 0.0
            low = high = height
        elif height < low:
            low = high = height
    return float(total + (high - low if high - low >= LEAST_CLIMB else 0.0))


def _joint(table: Telemetry, joint: str) -> JointSummary:
    torque, power = table[f"torque/{joint}"], table[f"power/{joint}"]
    return JointSummary(
        joint=joint,
        unit=table.unit(f"torque/{joint}"),
        peak_torque=float(np.abs(torque).max()),
        peak_power=float(power.max()),
        energy=float(np.trapezoid(np.clip(power, 0.0, None), table["time"])),
    )
