"""What the words and recipes of a link make, before any number is given.

The address, the marks of edited arrays and the history all compare with it. At width 1024 it takes
a tenth of a second to make, and a person who edits numbers asks for the same again and again.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Final

from mha_core import Scenario
from mha_core.io.scenario.link_reading import scenario_before_arrays
from mha_core.io.scenario.link_writing import LinkStart, words_and_sizes

MOST_KEPT: Final = 2  # of all visitors: as many as one change asks for

_kept: Final[dict[tuple[int, frozenset[tuple[str, str]]], Scenario]] = {}
_keeping: Final = threading.Lock()


def start_of(s: Scenario, layer: int = 0) -> LinkStart:
    """The start of the layer's link, by its own recipes. Wrong ones are refused."""
    given = words_and_sizes(s, s.origin, layer)
    return LinkStart(given, made_from(given, layer))


def made_from(given: Mapping[str, str], layer: int = 0) -> Scenario:
    """The scenario that these words lead to; the last few are kept."""
    asked = (layer, frozenset(given.items()))
    with _keeping:
        made = _kept.pop(asked, None)
    made = made or scenario_before_arrays(given, layer)
    with _keeping:
        _kept[asked] = made
        while len(_kept) > MOST_KEPT:
            del _kept[next(iter(_kept))]
    return made


def forget_starts() -> None:
    """They can be made again, and a large one takes 32 MB."""
    with _keeping:
        _kept.clear()
