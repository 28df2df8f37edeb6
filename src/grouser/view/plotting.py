"""How all figures look: type, colours that colour-blind people tell apart, and few lines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from grouser.errors import UnsupportedError

INK = "#22262b"
MUTED = "#6a717a"
GRID = "#e4e6e9"

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
"""Okabe and Ito's colours: told apart with any colour vision. Source: https://jfly.uni-koeln.de/color/."""

_STYLE: dict[Any, Any] = {
    "font.family": ["DejaVu Sans"],
    "font.size": 9.0,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": MUTED,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "legend.handlelength": 1.4,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "svg.fonttype": "none",
    "svg.hashsalt": "grouser",
}


def require_matplotlib() -> None:
    """Raise unless matplotlib is there.

    Raises:
        UnsupportedError: if it is not, with what to install.
    """
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise UnsupportedError("a figure needs matplotlib, which is not installed: pip install matplotlib") from error


@contextmanager
def figure_style() -> Iterator[None]:
    """Draw in the style of the project within the block."""
    import matplotlib

    with matplotlib.rc_context(_STYLE):
        yield
