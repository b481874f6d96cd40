"""What each head adds to its own scores: shown, edited and given away with the layer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mha_core import decode_link, load_example
from tests.pages.showing import shows_the_scenario
from tests.pages.visitor import Visitor

ROWS = "+".join("_".join(str(head + row) for _ in range(4)) for head in (0, 5) for row in range(4))
ADDING = f"example=pizza&b_s.rows={ROWS}"


def test_a_layer_whose_heads_add_numbers_is_shown_with_them() -> None:
    visitor = Visitor(ADDING)
    added = np.add.outer([0, 5], np.arange(4)).reshape(8, 1) * np.ones(4)
    assert visitor.scenario == replace(load_example("pizza"), b_s=added)
    assert shows_the_scenario(visitor)
    assert decode_link(visitor.address) == visitor.scenario
