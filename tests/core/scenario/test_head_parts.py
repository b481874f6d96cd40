"""The parts that heads have of an array: together they are the whole array."""

from __future__ import annotations

import numpy as np
import pytest

from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.head_parts import dims_of_one_head, head_used_by, heads_in, place_of_head

SIZES = {
    "d_model": 7,
    "d_model_kv": 11,
    "d_model_v": 13,
    "n_heads": 6,
    "n_kv_heads": 3,
    "d_k": 2,
    "d_v": 5,
    "d_g": 5,
}
SIZES |= {"d_out": 13, "n_q": 17, "n_k": 19, "n_distances": 9}
OF_HEADS = [name for name, given in GIVEN.items() if heads_in(given.dims)]


def test_projections_biases_additions_sinks_distances_and_gates_have_heads() -> None:
    projections = ["w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v"]
    expected = [*projections, "b_s", "w_f", "b_f", "c_f", "sinks", "r_k", "r_q", "w_g", "b_g"]
    assert expected == OF_HEADS


@pytest.mark.parametrize("name", OF_HEADS)
def test_each_number_belongs_to_exactly_one_head(name: str) -> None:
    dims = GIVEN[name].dims
    owners = np.zeros(dims.shape(SIZES), np.intp)
    for head in range(SIZES[heads_in(dims)]):
        part = owners[place_of_head(dims, SIZES, head)]
        assert part.shape == dims_of_one_head(dims).shape(SIZES)
        part += 1
    assert (owners == 1).all()


def test_query_heads_of_one_group_use_one_key_head() -> None:
    keys, queries = GIVEN["w_k"].dims, GIVEN["w_q"].dims
    assert [head_used_by(keys, SIZES, head) for head in range(6)] == [0, 0, 1, 1, 2, 2]
    assert [head_used_by(queries, SIZES, head) for head in range(6)] == list(range(6))
