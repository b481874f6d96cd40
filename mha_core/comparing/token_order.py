"""Which token of A stands at each place of B, where B has the same tokens in another order.

A token is compared with itself, wherever it stands. Else every shuffled token would have moved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mha_core.scenario.scenario import Scenario

Places = tuple[int, ...] | None  # None: all tokens stand where they stood


class TokenOrder(NamedTuple):
    """For each query and each key of B, the place that it has in A."""

    queries: Places = None
    keys: Places = None

    @property
    def is_changed(self) -> bool:
        return self != TokenOrder()

    def along(self, axis: str) -> Places:
        """The order along an axis of an array, by its name in a `Dims`."""
        return {"n_q": self.queries, "n_k": self.keys}.get(axis)

    def applied(self, array: npt.NDArray[Any], axes: Sequence[str]) -> npt.NDArray[Any]:
        """An array of A with its tokens in the order of B."""
        for number, axis in enumerate(axes):
            if places := self.along(axis):
                array = np.take(array, places, axis=number)
        return array


def token_order(a: Scenario, b: Scenario) -> TokenOrder:
    """Where the tokens of B stand in A; no change of places where B has other tokens."""
    return TokenOrder(_places(a.tokens, b.tokens), _places(a.key_tokens, b.key_tokens))


def _places(a: Sequence[str], b: Sequence[str]) -> Places:
    """The place in A of each token of B. Equal tokens keep their order.

    >>> _places(("THE", "MAN", "THE"), ("MAN", "THE", "THE"))
    (1, 0, 2)
    >>> _places(("THE", "MAN"), ("THE", "MAN")), _places(("THE", "MAN"), ("A", "MAN"))
    (None, None)
    """
    if tuple(a) == tuple(b) or Counter(a) != Counter(b):
        return None
    place_of = {counted: place for place, counted in enumerate(_counted(a))}
    return tuple(place_of[counted] for counted in _counted(b))


def _counted(tokens: Sequence[str]) -> list[tuple[str, int]]:
    """Each token with how many equal ones stand before it."""
    return [(token, tokens[:place].count(token)) for place, token in enumerate(tokens)]
