"""The matrices of one head: what it looks for, and what it moves."""

from __future__ import annotations

from typing import NamedTuple

from mha_core.checks.shapes import FloatArray
from mha_core.layer.head_matrices import w_k_of, w_o_of, w_q_of, w_v_of
from mha_core.scenario.scenario import Scenario


class HeadOfLayer(NamedTuple):
    """Both counted from 0."""

    layer: int
    head: int


def looks_for(s: Scenario, head: int) -> FloatArray:
    """W_Q W_Kᵀ of a head: how much each number of a query wants each number of a key.

    Shape: (d_model, d_model_kv)
    """
    product: FloatArray = w_q_of(s, head) @ w_k_of(s, head).T
    return product


def moves(s: Scenario, head: int) -> FloatArray:
    """W_V W_O of a head: what it makes of each number that it takes.

    Shape: (d_model_v, d_out)
    """
    product: FloatArray = w_v_of(s, head) @ w_o_of(s, head)
    return product
