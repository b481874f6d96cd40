"""Layers in a link: back to the last bit, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core import Layer, Scenario, Stack, load_example
from mha_core.changing.changes import with_context, with_dtype, with_tokens
from mha_core.changing.layers import as_stack, with_layer, with_layer_count, with_prediction
from mha_core.checks.errors import MhaError
from mha_core.checks.shapes import FloatArray
from mha_core.examples import EXAMPLES, load_stack
from mha_core.examples.example import CAUSAL
from mha_core.io.scenario.link import decode_link, encode_link
from mha_core.io.scenario.stack_link import decode_stack, encode_stack
from mha_core.scenario.origin import Origin
from mha_core.scenario.score_options import ScoreOptions
from tests.core.any_scenario import any_scenario
from tests.core.stack.stacks import stacks

CAT = load_example("the-cat")
TWO = with_layer_count(as_stack(CAT), 2)


@given(stacks(most_layers=4))
def test_any_layers_come_back(stack: Stack) -> None:
    assert decode_stack(encode_stack(stack)) == stack


@given(any_scenario())
def test_of_one_layer_the_link_is_as_it_was(s: Scenario) -> None:
    link = encode_link(s)
    assert encode_stack(as_stack(s)) == link
    again = decode_stack(link)
    assert again.is_one_layer
    assert again.first == decode_link(link)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_link_that_names_only_an_example_means_all_of_it(name: str) -> None:
    assert encode_stack(load_stack(name)) == f"example={name}"
    assert decode_stack(f"example={name}") is load_stack(name)


CHANGED = {
    "mask=causal&custom=none": lambda s: with_first(s, replace(s.first, mask=CAUSAL)),
    "layers=1": lambda s: with_layer_count(s, 1),
    "residual=off": lambda s: replace(s, residual=False),
    "2.scale=root_d_k": lambda s: with_above(s, scores=ScoreOptions()),
    "2.w_q.cells=0_0_3": lambda s: with_above(s, w_q=edited(s.above[0].w_q)),
}


@pytest.mark.parametrize("link", CHANGED)
def test_what_is_changed_of_an_example_of_layers_is_all_that_a_link_says(link: str) -> None:
    stack = CHANGED[link](load_stack("induction"))
    assert encode_stack(stack) == f"example=induction&{link}"
    assert decode_stack(f"example=induction&{link}") == stack


def with_first(stack: Stack, first: Scenario) -> Stack:
    return replace(stack, layers=(first, *stack.above))


def with_above(stack: Stack, **changes: Any) -> Stack:
    (above,) = stack.above
    return replace(stack, layers=(stack.first, replace(above, **changes)))


def edited(matrix: FloatArray) -> FloatArray:
    changed = matrix.copy()
    changed[0, 0] = 3
    return changed


# Of an example that predicts.
PREDICTS = load_stack("trained")
PREDICTION = {
    "w_u=none": lambda s: replace(s, w_u=None, words=()),
    "w_u.cells=0_0_3": lambda s: replace(s, w_u=edited(s.w_u)),
    "layers=1&residual=on": lambda s: with_prediction(with_layer_count(s, 1), False),
    "2.w_q.cells=0_0_3": lambda s: with_above(s, w_q=edited(s.above[0].w_q)),
    "tokens=Leo+Snow+met+Ida": lambda s: with_layer(
        s, 0, s.first, with_tokens(s.first, ["Leo", "Snow", "met", "Ida"])
    ),
}


@pytest.mark.parametrize("link", PREDICTION)
def test_what_is_predicted_is_said_where_it_is_not_as_in_the_example(link: str) -> None:
    stack = PREDICTION[link](PREDICTS)
    assert encode_stack(stack) == f"example=trained&{link}"
    assert decode_stack(f"example=trained&{link}") == stack


def test_other_words_are_predicted_by_numbers_of_their_own() -> None:
    for count, layers in ((2, 2), (len(PREDICTS.words), 1)):
        words = PREDICTS.words[:count]
        assert PREDICTS.w_u is not None
        stack = replace(
            with_layer_count(PREDICTS, layers), w_u=PREDICTS.w_u[:, :count], words=words
        )
        assert "words=" in encode_stack(stack)
        assert decode_stack(encode_stack(stack)) == stack


def test_in_single_precision_it_is_still_what_the_example_predicts() -> None:
    first = with_dtype(PREDICTS.first, "float32")
    above = [with_dtype(layer, "float32") for layer in PREDICTS.on_zeros[1:]]
    stack = Stack((first, *map(Layer.of, above)), True, PREDICTS.w_u, PREDICTS.words)
    link = encode_stack(stack)
    assert "w_u" not in link
    assert decode_stack(link) == stack


@given(example=st.sampled_from(["induction", "trained"]), stack=stacks(most_layers=4))
def test_any_layers_come_back_that_say_they_are_like_an_example(example: str, stack: Stack) -> None:
    of = Origin(example)
    first = replace(stack.first, origin=of)
    stack = replace(stack, layers=(first, *(replace(layer, origin=of) for layer in stack.above)))
    assert decode_stack(encode_stack(stack)) == stack


def test_more_layers_than_the_example_has_come_back() -> None:
    stack = with_layer_count(load_stack("induction"), 4)
    assert decode_stack(encode_stack(stack)) == stack


def test_what_is_as_usual_takes_few_words() -> None:
    assert encode_stack(TWO) == (
        "example=the-cat&layers=2&2.example=the-cat&2.origin=the-cat+~.+0+sentence_heads+0"
    )


def test_a_layer_of_its_own_options_comes_back() -> None:
    (above,) = TWO.above
    scores = replace(above.scores, positions="alibi", temperature=2.0)
    above = replace(above, scores=scores, heads_off=frozenset({1}), b_o=np.arange(6.0))
    stack = replace(TWO, layers=(CAT, above), residual=False)
    assert decode_stack(encode_stack(stack)) == stack


def test_a_layer_like_one_with_a_second_sequence_has_none() -> None:
    crossed = load_example("two-languages") if "two-languages" in EXAMPLES else None
    first = crossed or with_context(CAT, ["one"])
    stack = with_layer_count(as_stack(first), 2)
    assert decode_stack(encode_stack(stack)) == stack


def test_a_layer_whose_recipe_cannot_have_made_it_is_written_whole() -> None:
    (above,) = TWO.above
    above = replace(above, origin=Origin(weights="no such preset"))
    stack = replace(TWO, layers=(CAT, above))
    assert decode_stack(encode_stack(stack)).above[0].w_q.tolist() == above.w_q.tolist()


def test_single_precision_and_a_prediction_come_back() -> None:
    stack = with_prediction(with_layer_count(as_stack(with_dtype(CAT, "float32")), 2), True)
    again = decode_stack(encode_stack(stack))
    assert again == stack
    assert again.above[0].w_q.dtype == np.float32


def test_one_layer_may_have_a_stream_and_a_prediction() -> None:
    stack = with_prediction(Stack((CAT,), residual=True), True)
    assert decode_stack(encode_stack(stack)) == stack


REFUSED = {
    "layers=0": "layers",
    "layers=5": "layers must be at most 4",
    "layers=1000000": "layers must be at most 4",
    "layers=two": "layers",
    "layers=2&3.heads=2": "3.heads",
    "2.heads=2": "2.heads",
    "layers=2&2.tokens=a": "'2.tokens' must be what a layer above the first has: example",
    "layers=2&5.heads=2": "'5.heads' must begin with the number of a layer, 2, 3, 4",
    "layers=2&w_q=1": "got an unknown name. Write w_q.cells, or remove it",
    "layers=2&2.heads=7": "Layer 2",
    "layers=2&2.d_out=7": "Layer 2: the output must be 6 wide",
    "layers=2&2.w_q.cells=0_0_nan": "Layer 2",
    "layers=2&2.w_q.cells=0_0_1e309": "Layer 2",
    "layers=2&residual=maybe": "residual",
    "words=a+b": "'W_U' must come with words",
    "w_u.rows=1_2": "'W_U' must come with words",
    "layers=2&words=a+b&w_u.rows=1_2&w_u.zip=a": "and once, got words, w_u.rows, w_u.zip.",
    "words=a+b&w_u.rows=1_2": "w_u.rows",
    "layers=2&2.d_k=100000": "Layer 2",
    "w_u=all": "'w_u' must be none, and alone",
    "w_u=none&words=a": "'w_u' must be none, and alone",
    "w_u=none&w_u.rows=1": "'w_u' must be none, and alone",
}


@pytest.mark.parametrize("link", REFUSED)
def test_a_wrong_link_is_refused_and_it_is_said_where(link: str) -> None:
    with pytest.raises(MhaError) as error:
        decode_stack(f"example=the-cat&{link}")
    assert REFUSED[link] in str(error.value)


SEVERAL = ("example=the-cat&layers=2", "example=induction", "tokens=a&residual=on")


@pytest.mark.parametrize("link", SEVERAL)
def test_a_scenario_is_not_read_of_several_layers(link: str) -> None:
    with pytest.raises(MhaError, match="Use decode_stack"):
        decode_link(link)


def test_a_link_may_say_that_it_is_of_one_layer() -> None:
    assert decode_link("example=the-cat&layers=1&residual=off") == CAT
    first = load_example("induction")
    assert decode_link(encode_link(first)) == first


NO_ROOM = "The number of cells of all matrices of a link must be at most"
WIDE = "tokens=a&d_model=900&heads=1&weights=random"


def test_all_layers_share_the_room_of_a_link() -> None:
    decode_stack(WIDE)
    with pytest.raises(MhaError, match=NO_ROOM):
        decode_stack(f"{WIDE}&layers=4&2.example=the-cat&2.d_k=900&2.d_v=900&3.d_k=700&3.d_v=700")


def test_the_room_that_one_layer_leaves_is_that_of_the_next() -> None:
    large, small = np.zeros((900, 1300)), np.zeros((900, 1))
    first = Scenario(np.zeros((2, 900)), large, large, large, large.T, n_heads=1)
    stack = Stack((first, Layer(small, small, small, small.T, n_heads=1)))
    assert decode_stack(encode_stack(stack)) == stack
    too_large = replace(stack, layers=(first, Layer(large, large, large, large.T, n_heads=1)))
    with pytest.raises(MhaError, match=NO_ROOM):
        encode_stack(too_large)


def test_the_numbers_of_a_prediction_take_room_too() -> None:
    stack = Stack((decode_link(WIDE),), residual=False)
    words = tuple(f"w{number}" for number in range(6_000))
    stack = replace(stack, w_u=np.zeros((900, len(words))), words=words)
    with pytest.raises(MhaError, match=NO_ROOM):
        encode_stack(stack)
    with pytest.raises(MhaError, match=NO_ROOM):
        decode_stack(f"{WIDE}&words={'+'.join(words)}&w_u.zip=")


def test_layers_are_equal_whatever_they_were_read_from() -> None:
    layer = Layer.of(CAT)
    assert decode_stack(encode_stack(Stack((CAT, layer)))).above == (layer,)
