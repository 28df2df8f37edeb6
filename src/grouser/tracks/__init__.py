"""How a `<track>` is realised: as which solids, in which of five ways."""

from __future__ import annotations

from grouser.description.robot import Track
from grouser.errors import UnknownNameError, UnsupportedError
from grouser.tracks.belt import belt_shapes
from grouser.tracks.shapes import TrackShape

__all__ = ["TRACK_MODELS", "TrackShape", "realise", "require_model"]

TRACK_MODELS = ("belt", "surface", "rollers", "pads", "slip")
"""The five ways to realise a track."""

_REALISED = {"belt": belt_shapes}


def require_model(model: str) -> None:
    """Raise unless this version realises tracks as `model`.

    Raises:
        UnknownNameError: if there is no such way.
        UnsupportedError: if this version does not realise it yet.
    """
    if model not in TRACK_MODELS:
        raise UnknownNameError("track model", model, TRACK_MODELS)
    if model not in _REALISED:
        raise UnsupportedError(
            f"track_model is '{model}': this version does not realise it; realised: {', '.join(_REALISED)}"
        )


def realise(track: Track, model: str = "belt") -> tuple[TrackShape, ...]:
    """Return the solids of a track in the frame of its link [m].

    Args:
        track: A track that the checks have passed.
        model: One of `TRACK_MODELS`.

    Raises:
        UnknownNameError: if there is no such model.
        UnsupportedError: if this version does not realise it yet.
    """
    require_model(model)
    return _REALISED[model](track)
