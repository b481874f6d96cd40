"""What one query head uses of the matrices in which heads stand side by side; and b_O."""

from __future__ import annotations

from mha_core.checks.shapes import FloatArray
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.head_parts import head_used_by, place_of_head
from mha_core.scenario.scenario import Scenario


def w_q_of(s: Scenario, head: int) -> FloatArray:
    return _part_of(s.w_q, "w_q", s, head)


def w_k_of(s: Scenario, head: int) -> FloatArray:
    return _part_of(s.w_k, "w_k", s, head)


def w_v_of(s: Scenario, head: int) -> FloatArray:
    return _part_of(s.w_v, "w_v", s, head)


def b_v_of(b_v: FloatArray, s: Scenario, head: int) -> FloatArray:
    return _part_of(b_v, "b_v", s, head)


def w_o_of(s: Scenario, head: int) -> FloatArray:
    return _part_of(s.w_o, "w_o", s, head)


def added_by_b_o(s: Scenario) -> FloatArray | None:
    """What b_O adds to each row of the output: itself, times the factor of the output."""
    return None if s.b_o is None else s.b_o * s.scores.number("output_scale", s.d_k)


def _part_of(array: FloatArray, name: str, s: Scenario, query_head: int) -> FloatArray:
    """What a query head uses of an array whose heads stand side by side."""
    dims = GIVEN[name].dims
    return array[place_of_head(dims, s.sizes, head_used_by(dims, s.sizes, query_head))]
