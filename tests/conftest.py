"""What all tests share: fixed seeds, and the public robots that may lie beside the repository."""

from __future__ import annotations

import os
from pathlib import Path

import hypothesis
import pytest

SHARED = Path(__file__).parents[2] / "shared"

# The same examples in every run; HYPOTHESIS_PROFILE=explore looks for new ones.
hypothesis.settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
hypothesis.settings.register_profile("explore", deadline=None, max_examples=1000, print_blob=True)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of public robots and cases beside the repository; without it the test is skipped."""
    if not SHARED.is_dir():
        pytest.skip(f"no folder {SHARED.name}/ with public robots beside the repository")
    return SHARED
