"""Layers in a file of either kind: back to the last bit, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core import Mask, Rule, Stack, load_example
from mha_core.changing.changes import with_dtype, with_width
from mha_core.changing.layers import as_stack, with_layer_count, with_prediction
from mha_core.checks.errors import MhaError
from mha_core.io.scenario.files import (
    SCENARIO_FILE_TYPES,
    open_file,
    read_scenario,
    read_stack,
    why_not_held,
    write_scenario,
    write_stack,
)
from tests.core.stack.stacks import stacks

CAT = load_example("the-cat")
TWO = with_prediction(with_layer_count(as_stack(CAT), 2), True)
KINDS = pytest.mark.parametrize("kind", SCENARIO_FILE_TYPES)


@given(stacks(most_layers=4), st.sampled_from(SCENARIO_FILE_TYPES))
def test_any_layers_come_back(stack: Stack, kind: str) -> None:
    assert read_stack(write_stack(stack, f"s{kind}"), f"s{kind}") == stack


@KINDS
def test_a_file_of_one_layer_is_as_it_was(kind: str) -> None:
    data = write_stack(as_stack(CAT), f"s{kind}")
    assert read_scenario(data, f"s{kind}") == CAT
    assert open_file(data, f"s{kind}") == CAT
    assert read_stack(write_scenario(CAT, f"s{kind}"), f"s{kind}") == as_stack(CAT)
    if kind == ".json":
        assert data == write_scenario(CAT, f"s{kind}")


@KINDS
def test_masks_options_and_single_precision_come_back(kind: str) -> None:
    single = with_layer_count(as_stack(with_dtype(CAT, "float32")), 2)
    (above,) = single.above
    drawn = np.tri(CAT.n_q, dtype=np.bool_)
    mask = Mask((Rule("causal"),), drawn, np.where(drawn, 0.5, -np.inf))
    scores = replace(above.scores, positions="alibi")
    above = replace(above, mask=mask, scores=scores, heads_off=frozenset({2}))
    stack = replace(single, layers=(single.first, above), residual=False)
    again = read_stack(write_stack(stack, f"s{kind}"), f"s{kind}")
    assert again == stack
    assert again.above[0].w_q.dtype == np.float32


@KINDS
def test_layers_are_no_scenario(kind: str) -> None:
    data = write_stack(TWO, f"s{kind}")
    with pytest.raises(
        MhaError,
        match=r"must hold one layer, without a prediction, got 2 layers\. Read it with read_stack",
    ):
        read_scenario(data, f"s{kind}")


@KINDS
def test_what_is_too_large_says_so_before_it_is_written(kind: str) -> None:
    assert why_not_held(TWO, f"s{kind}") == ""
    wide = with_layer_count(as_stack(with_width(load_example("pizza"), 1024)), 4)
    assert "must" in why_not_held(wide, f"s{kind}")
    with pytest.raises(MhaError):
        write_stack(wide, f"s{kind}")


def json_with(**changes: Any) -> bytes:
    data = {**json.loads(write_stack(TWO, "s.json")), **changes}
    return json.dumps({name: value for name, value in data.items() if value is not None}).encode()


def layer_with(**changes: Any) -> bytes:
    (above,) = json.loads(write_stack(TWO, "s.json"))["layers_above"]
    changed = {**above, **changes}
    return json_with(layers_above=[{n: v for n, v in changed.items() if v is not None}])


REFUSED_JSON = {
    "a layer that is no object": (json_with(layers_above=[3]), "layers_above[0]"),
    "layers that are no list": (json_with(layers_above=3), "layers_above"),
    "too many layers": (json_with(layers_above=[{}] * 4), "must be at most 4"),
    "no W_Q": (layer_with(w_q=None), "layers_above[0].w_q"),
    "an X of its own": (layer_with(x=[[1.0]]), "layers_above[0].x"),
    "an unknown field": (layer_with(colour="red"), "layers_above[0].colour"),
    "another width": (layer_with(w_q=[[1.0] * 8]), "Layer 2"),
    "another output": (layer_with(w_o=[[1.0]] * 8), "Layer 2: the output"),
    "words without W_U": (json_with(w_u=None), "words"),
    "a residual that is no yes or no": (json_with(residual=1), "residual"),
    "NaN": (write_stack(TWO, "s.json").replace(b'"w_u": [', b'"w_u": [[NaN], '), "NaN"),
}


@pytest.mark.parametrize("wrong", REFUSED_JSON)
def test_a_wrong_text_is_refused_and_it_is_said_where(wrong: str) -> None:
    data, words = REFUSED_JSON[wrong]
    with pytest.raises(MhaError) as error:
        read_stack(data, "s.json")
    assert words in str(error.value)


def npz_with(**changes: Any) -> bytes:
    with np.load(BytesIO(write_stack(TWO, "s.npz"))) as file:
        arrays = {**file, **changes}
    written = BytesIO()
    np.savez(written, **{name: array for name, array in arrays.items() if array is not None})
    return written.getvalue()


REFUSED_NPZ = {
    "no W_Q": ({"2.w_q": None}, "w_q"),
    "an X of its own": ({"2.x": np.eye(6)}, "Layer 2: The file must hold no arrays but"),
    "a layer that is left out": ({"4.w_q": np.eye(6)}, "4.w_q"),
    "a layer too many": ({"9.w_q": np.eye(6)}, "9.w_q"),
    "infinite numbers": ({"2.w_q": np.full((6, 8), np.inf)}, "Layer 2"),
    "words of another kind": ({"stack": np.array('{"words": 3}')}, "words"),
    "no text": ({"stack": np.eye(2)}, "stack"),
}


@pytest.mark.parametrize("wrong", REFUSED_NPZ)
def test_a_wrong_archive_is_refused_and_it_is_said_where(wrong: str) -> None:
    changes, words = REFUSED_NPZ[wrong]
    with pytest.raises(MhaError) as error:
        read_stack(npz_with(**changes), "s.npz")
    assert words in str(error.value)


def test_a_file_that_says_nothing_of_its_stream_has_one() -> None:
    assert read_stack(json_with(residual=None), "s.json").residual
