"""Scores that grow with the position of their query: the factor of each row."""

from __future__ import annotations

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.mask_rules.places import ALL_ROWS
from mha_core.options.growth import logarithms
from mha_core.scenario.scenario import Scenario


def logs_of_growth(s: Scenario, rows: slice = ALL_ROWS) -> FloatArray:
    """What the growth is multiplied by, for some queries: a column."""
    places = np.arange(s.n_q)[rows, None] + s.query_start
    return logarithms(s.scores, places)


def growth_factors(s: Scenario, rows: slice = ALL_ROWS) -> FloatArray:
    """What the scores of some queries are multiplied by: a column."""
    factors: FloatArray = 1 + s.scores.number("growth", s.d_k) * logs_of_growth(s, rows)
    return factors.astype(s.dtype)
