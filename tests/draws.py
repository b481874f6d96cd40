"""How many draws a test takes if it needs more or fewer than the others."""

from __future__ import annotations

from typing import Final

from hypothesis import settings

USUAL: Final = 50  # by the profile that CI takes (tests/conftest.py)


def draws(number: int) -> settings:
    """So many in CI, and the same share of them in a quick run as for other tests."""
    share = settings.default.max_examples / USUAL
    return settings(max_examples=max(1, round(number * share)))
