"""Where matrices stand in a file may be said by hand, kept as JSON, and read back."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from mha_core import Rule, ScoreOptions, attend
from mha_core.checks.errors import (
    FileError,
    FormatError,
    HeadsError,
    NumberError,
    OptionError,
    ShapeError,
)
from mha_core.models import LayerNames, Stored, open_model, read_layer
from tests.core.models.held import Held
from tests.core.models.recorded_models import IDS, Recorded
from tests.core.refusals import check_refused

BY_HAND = LayerNames(
    w_q=Stored("layers.{layer}.self_attn.q_proj.weight", is_transposed=True),
    w_k=Stored("layers.{layer}.self_attn.k_proj.weight", is_transposed=True),
    w_v=Stored("layers.{layer}.self_attn.v_proj.weight", is_transposed=True),
    w_o=Stored("layers.{layer}.self_attn.o_proj.weight", is_transposed=True),
)


def test_a_layer_by_hand_is_the_layer_that_is_recognised() -> None:
    recorded = Recorded("llama")
    known = read_layer(recorded.file, 1)
    by_hand = read_layer(
        Held(recorded.file.tensors, {}),
        1,
        names=BY_HAND,
        n_heads=2,
        n_kv_heads=1,
        scores=ScoreOptions(positions="rope", rope_pairs="halves"),
        rules=[Rule("causal")],
    )
    x = open_model(recorded.file).run(IDS).inputs[1]
    assert by_hand.scenario(x) == known.scenario(x)


def test_a_forgotten_transpose_of_a_square_matrix_is_another_layer() -> None:
    recorded = Recorded("llama")
    x = open_model(recorded.file).run(IDS).inputs[0]
    wrong = LayerNames.from_json(BY_HAND.to_json().replace("true", "false", 1))
    assert not wrong.w_q.is_transposed
    made = read_layer(recorded.file, 0, names=wrong, n_heads=2, n_kv_heads=1).scenario(x)
    right = read_layer(recorded.file, 0, names=BY_HAND, n_heads=2, n_kv_heads=1).scenario(x)
    assert np.abs(attend(made).weights - attend(right).weights).max() > 0.01


texts = st.text(max_size=9)
stored = st.builds(
    Stored,
    name=texts,
    is_transposed=st.booleans(),
    groups=st.integers(1, 9),
    begin=st.integers(0, 9),
    end=st.none() | st.integers(1, 99),
    heads_of_neighbours=st.integers(0, 9),
)
maybe = st.none() | stored


@given(st.builds(LayerNames, stored, stored, stored, stored, maybe, maybe, maybe, maybe))
def test_names_go_through_json(names: LayerNames) -> None:
    assert LayerNames.from_json(names.to_json()) == names


NEED = "must be JSON with w_q, w_k, w_v and w_o, each with the name of a tensor"
WAY_OUT = 'Write {"w_q": {"name": "q.weight", "is_transposed": true}, ...}.'
FOUR = json.loads(BY_HAND.to_json())


@pytest.mark.parametrize(
    ("given_names", "got"),
    [
        ([], "[]"),
        ({"w_q": {}}, "{'w_q': {}}"),
        ({**FOUR, "w_z": FOUR["w_q"]}, None),
        ({**FOUR, "w_q": 3}, "3"),
        ({**FOUR, "w_q": {}}, "{}"),
        ({**FOUR, "w_q": {"name": 3}}, "{'name': 3}"),
        ({**FOUR, "w_q": {"name": "q", "groups": 0}}, "{'name': 'q', 'groups': 0}"),
        ({**FOUR, "w_q": {"name": "q", "odd": 0}}, "{'name': 'q', 'odd': 0}"),
    ],
)
def test_json_of_another_kind_is_refused(given_names: Any, got: str | None) -> None:
    told = got or repr(given_names)[:60]
    check_refused(
        lambda: LayerNames.from_json(json.dumps(given_names)),
        FormatError("The names of the matrices", NEED, told, WAY_OUT),
    )


def test_what_is_no_json_is_refused() -> None:
    check_refused(
        lambda: LayerNames.from_json("{"),
        FormatError("The names of the matrices", NEED, "no JSON", WAY_OUT),
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": 3},
        {"is_transposed": "no"},
        {"groups": 0},
        {"groups": 2.0},
        {"begin": -1},
        {"end": 0},
        {"heads_of_neighbours": True},
    ],
)
def test_where_a_matrix_stands_is_told_in_the_right_kinds(wrong: dict[str, Any]) -> None:
    (name,) = wrong
    with pytest.raises(FormatError, match=f"^{name} of a stored matrix must be what its name"):
        Stored(**{"name": "q", **wrong})


@pytest.mark.parametrize("changed", [{"w_q": None}, {"w_q": "q.weight"}, {"sinks": 3}])
def test_names_are_told_as_stored_matrices(changed: dict[str, Any]) -> None:
    with pytest.raises(FormatError, match="must be one Stored each, and w_q, w_k"):
        replace(BY_HAND, **changed)


def test_parts_of_a_fused_matrix_are_found_in_each_group() -> None:
    array = np.arange(24.0).reshape(12, 2)  # 2 groups of 6 rows, which are outputs
    part = Stored("qkv", is_transposed=True, groups=2, begin=2, end=4)
    np.testing.assert_array_equal(part.of(array), array[[2, 3, 8, 9]].T)
    assert part.shape_of(array.shape) == part.of(array).shape == (2, 4)


@pytest.mark.parametrize(
    "part", [Stored("m", groups=5), Stored("m", groups=2, end=7), Stored("m", begin=12)]
)
def test_parts_that_are_not_there_are_refused(part: Stored) -> None:
    check_refused(
        lambda: part.check({"m": (3, 12)}, (3, 4)),
        ShapeError(
            "m",
            "must have columns for the parts that are taken of it",
            "shape (3, 12)",
            "Check that config.json, or the mapping by hand, belongs to this file.",
        ),
    )


def test_neighbours_are_pairs_of_a_head() -> None:
    with pytest.raises(ShapeError, match="m must have pairs of columns for each head, got shape"):
        Stored("m", heads_of_neighbours=5).check({"m": (3, 12)}, (3, 12))


def test_numbers_that_float32_does_not_hold_are_refused() -> None:
    held = Recorded("llama").file
    (name,) = [name for name in held.tensors if name.endswith("0.self_attn.q_proj.weight")]
    numbers = held.tensors[name].astype(np.float64)
    file = Held({**held.tensors, name: numbers}, held.config)
    assert read_layer(file).w_q.dtype == np.float32
    numbers[1, 2] = 1e300
    with pytest.raises(NumberError, match=r"weight must hold .* at most 3e\+38 .* 1e\+300"):
        read_layer(file)


def test_a_part_of_another_shape_says_what_it_gives() -> None:
    with pytest.raises(
        ShapeError, match=r"must give a matrix of shape \(3, 4\), and gives \(3, 6\)"
    ):
        Stored("m", end=6).check({"m": (3, 12)}, (3, 4))


@pytest.mark.parametrize(
    ("changed", "kind", "said"),
    [
        ({"n_heads": 0}, NumberError, "The number of heads must be a whole number from 1 to"),
        ({"n_heads": 5}, HeadsError, "must divide"),
        ({"n_kv_heads": 3}, HeadsError, "must divide n_heads = 2"),
        (
            {"names": LayerNames.from_json(json.dumps(FOUR).replace("q_proj", "z"))},
            FileError,
            "self_attn.z.weight",
        ),
        (
            {"names": LayerNames.from_json(json.dumps({**FOUR, "w_v": {"name": "norm.weight"}}))},
            ShapeError,
            "norm.weight must have 2 axes, got shape (12,).",
        ),
    ],
)
def test_what_does_not_fit_is_refused(changed: dict[str, Any], kind: type, said: str) -> None:
    given_by_hand = {"names": BY_HAND, "n_heads": 2, "n_kv_heads": 1, **changed}
    with pytest.raises(kind) as caught:
        read_layer(Recorded("llama").file, 0, **given_by_hand)
    assert said in str(caught.value)


def test_heads_that_share_keys_get_each_their_own() -> None:
    recorded = Recorded("falcon-new")  # 6 heads share 3 of keys and values
    weights = read_layer(recorded.file)
    x = open_model(recorded.file).run(IDS).inputs[0]
    some = attend(weights.only([5, 2]).scenario(x)).weights
    np.testing.assert_allclose(some, recorded.expected["weights0"][[5, 2]], atol=1e-6)


def test_biases_go_with_their_heads() -> None:
    recorded = Recorded("gpt2")
    x = open_model(recorded.file).run(IDS).inputs[0]
    some = attend(read_layer(recorded.file).only([1]).scenario(x)).weights
    np.testing.assert_allclose(some[0], recorded.expected["weights0"][1], atol=1e-6)


@pytest.mark.parametrize("name", ["cohere-normed", "stablelm-normed", "phi-normed"])
def test_gains_go_with_their_heads(name: str) -> None:
    recorded = Recorded(name)  # 2 heads share the gains of their keys, if these are of each head
    x = open_model(recorded.file).run(IDS).inputs[0]
    some = attend(read_layer(recorded.file).only([1]).scenario(x)).weights
    np.testing.assert_allclose(some[0], recorded.expected["weights0"][1], atol=1e-6)


def test_heads_whose_outputs_are_normed_together_are_not_taken_apart() -> None:
    weights = read_layer(Recorded("llama").file)
    normed = replace(weights, scores=replace(weights.scores, concat_norm="rms"))
    with pytest.raises(OptionError, match="where their outputs are normed together"):
        normed.only([1])


@pytest.mark.parametrize(
    ("name", "need"),
    [
        ("bloom", "must be all heads where ALiBi gives each its slope"),
        ("olmo2", "must be all heads where their queries are normed together"),
    ],
)
def test_heads_that_have_something_from_all_are_not_taken_apart(name: str, need: str) -> None:
    check_refused(
        lambda: read_layer(Recorded(name).file).only([1]),
        OptionError("heads", need, "[1]", "Leave heads out, and look at some of them on the page."),
    )


def test_a_head_that_there_is_not_is_refused() -> None:
    with pytest.raises(NumberError, match="must name heads from 0 to 2, got 3"):
        read_layer(Recorded("gpt2").file).only([3])
