"""Attention over sequences too long to keep all weights: the output, and chosen rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mha_core.checks.errors import OptionError
from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import ComparedByValue, FloatArray, frozen
from mha_core.checks.values import check_limit, check_places
from mha_core.language import say
from mha_core.layer.cache_blocks import CacheBlock, fits_in_one_block, weights_by_block
from mha_core.layer.trace import Trace
from mha_core.scenario.scenario import Scenario, check_scenario


@dataclass(frozen=True, eq=False)
class Rows(ComparedByValue):
    """The output of every query and the weights of a few, all read-only.

    `weights[:, i]` belongs to the query `rows[i]`.
    """

    rows: tuple[int, ...]
    weights: FloatArray  # (n_heads, len(rows), n_k)
    output: FloatArray  # (n_q, d_out)


def attend_rows(scenario: Scenario, rows: Sequence[int] = ()) -> Rows:
    """Run multi-head attention without n x n weights of all heads in memory.

    The numbers are those of `attend` to the last bit. The weights are computed in the same blocks,
    but each block is dropped after its product with V. Only the chosen rows of it are kept.

    >>> I = np.eye(2)
    >>> chosen = attend_rows(Scenario(x=I, w_q=I, w_k=I, w_v=I, w_o=I, n_heads=2), rows=[0])
    >>> chosen.weights[0].round(8)
    array([[0.73105858, 0.26894142]])
    >>> chosen.output.round(8)
    array([[0.73105858, 0.5       ],
           [0.5       , 0.73105858]])
    """
    check_scenario(scenario)
    checked = _check_rows(rows, scenario)
    chosen = np.array(checked, np.intp)
    if fits_in_one_block(scenario):  # then the whole trace is small
        full = Trace(scenario)
        return Rows(checked, frozen(full.weights[:, chosen]), full.output)
    trace = _FewRows(scenario, chosen)
    output = trace.output  # this also fills trace.kept
    return Rows(checked, frozen(trace.kept), output)


class _FewRows(Trace):
    """A trace that keeps the weights of some queries only."""

    chosen: npt.NDArray[np.intp]
    kept: FloatArray

    def __init__(self, scenario: Scenario, chosen: npt.NDArray[np.intp]) -> None:
        super().__init__(scenario)
        shape = (scenario.n_heads, chosen.size, scenario.n_k)
        self.__dict__.update(chosen=chosen, kept=np.empty(shape, scenario.dtype))

    def _weights_in_blocks(self) -> Iterator[tuple[CacheBlock, FloatArray]]:
        s, q, k = self.scenario, self.q_rotated, self._shared_keys
        for (heads, rows), weights in weights_by_block(s, q, k, self._own_factors):
            within = (rows.start <= self.chosen) & (self.chosen < rows.stop)
            self.kept[heads, within] = weights[:, self.chosen[within] - rows.start]
            yield (heads, rows), weights


def _check_rows(rows: object, scenario: Scenario) -> tuple[int, ...]:
    if not isinstance(rows, Sequence | np.ndarray) or isinstance(rows, str):
        raise OptionError(
            "rows", say("must be a list of queries"), repr(rows)[:40], say("Write [0, 2].")
        )
    check_places("rows", rows, scenario.n_q, say("query"), say("queries"))
    cells = scenario.n_heads * len(rows) * scenario.n_k
    check_limit(
        say("The weights of the chosen rows"), cells, LIMITS.score_cells, say("Choose fewer rows.")
    )
    return tuple(int(row) for row in rows)
