"""The matrices of one head: what it looks for, and what it moves."""

from __future__ import annotations

from typing import NamedTuple

from mha_core.checks.shapes import FloatArray
from mha_core.scenario.scenario import Scenario


class HeadOfLayer(NamedTuple):
    """Both counted from 0."""

    layer: int
    head: int


def w_q_of(s: Scenario, head: int) -> FloatArray:
    return s.w_q[:, _columns(head, s.d_k)]


def w_k_of(s: Scenario, head: int) -> FloatArray:
    return s.w_k[:, _columns(_group(s, head), s.d_k)]


def w_v_of(s: Scenario, head: int) -> FloatArray:
    return s.w_v[:, _columns(_group(s, head), s.d_v)]


def b_v_of(b_v: FloatArray, s: Scenario, head: int) -> FloatArray:
    return b_v[_columns(_group(s, head), s.d_v)]


def w_o_of(s: Scenario, head: int) -> FloatArray:
    return s.w_o[_columns(head, s.d_v)]


def looks_for(s: Scenario, head: int) -> FloatArray:
    """W_Q W_Kᵀ of a head: how much each number of a query wants each number of a key.

    Shape: (d_model, d_model_kv)
    """
    product: FloatArray = w_q_of(s, head) @ w_k_of(s, head).T
    return product


def moves(s: Scenario, head: int) -> FloatArray:
    """W_V W_O of a head: what it makes of each number that it takes.

    Shape: (d_model_kv, d_out)
    """
    product: FloatArray = w_v_of(s, head) @ w_o_of(s, head)
    return product


def _group(s: Scenario, head: int) -> int:
    """The head of keys and values that a query head uses."""
    return head // (s.n_heads // s.n_kv_heads)


def _columns(block: int, width: int) -> slice:
    return slice(block * width, (block + 1) * width)
