"""Robots that come with Grouser, as files."""

from __future__ import annotations

from pathlib import Path

__all__ = ["RESCUE"]

RESCUE = Path(__file__).parent / "rescue.urdf"
"""Four tracks on 58 kg: two main ones, and two on the front flippers. `grouser demo` drives it."""
