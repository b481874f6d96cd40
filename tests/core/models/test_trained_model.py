"""The trained model: its file, how it reads words, and its Stack."""

from __future__ import annotations

import json

import numpy as np
import pytest

from mha_core import attend, open_model, softmax
from mha_core.checks.errors import LimitError, OptionError, ShapeError
from mha_core.stack.trained_stack import stack_of, trained_stack
from mha_core.trained.numbers import FILE, LAYERS, RECIPE, WEIGHTS, trained
from mha_core.trained.stories import UNKNOWN, WORDS

MOST_BYTES = 200_000
TOKENS = ("Leo", "Snow", "met", "Ida", ".")


def test_the_file_is_small_and_says_what_it_is() -> None:
    assert FILE.stat().st_size <= MOST_BYTES
    with np.load(FILE, allow_pickle=False) as file:
        config = json.loads(file["config"].tobytes())
        shapes = {name: file[name].shape for name in file.files if name != "config"}
        types = {file[name].dtype.name for name in shapes}
    width, count = 64, len(WORDS)
    projections = {f"layers.{n}.{name}": (width, width) for n in range(LAYERS) for name in WEIGHTS}
    others = {"embed": (count, width), "positions": (64, width), "unembed": (width, count)}
    assert shapes == {**others, **projections}
    assert types == {"float16"}
    said = {name: config[name] for name in ("family", "heads", "causal", "words", "unknown")}
    assert said == {
        "family": "attention-only",
        "heads": 4,
        "causal": True,
        "words": list(WORDS),
        "unknown": UNKNOWN,
    }
    assert {*config} == {*said, "text", "seed", "loss"}


def test_each_number_is_a_whole_number_of_128ths() -> None:
    model = trained()
    arrays = [model.embed, model.positions, model.unembed]
    arrays += [layer[name] for layer in model.layers for name in WEIGHTS]
    for array in arrays:
        assert (array * 128 == (array * 128).round()).all()
        assert not array.flags.writeable


def test_the_stack_computes_what_the_numbers_say() -> None:
    """Loops over heads and rows, which share no code with the layers."""
    model = trained()
    stream = np.array([model.embed[WORDS.index(word)] for word in TOKENS])
    stream = stream + model.positions[: len(TOKENS)]
    for layer in model.layers:
        added = np.zeros_like(stream)
        for head in range(4):
            part = slice(16 * head, 16 * head + 16)
            q, k, v = (stream @ layer[name][:, part] for name in ("w_q", "w_k", "w_v"))
            for row in range(len(TOKENS)):
                seen = slice(0, row + 1)
                weights = softmax(q[row] @ k[seen].T / 4)
                added[row] += weights @ v[seen] @ layer["w_o"][part]
        stream = stream + added
    trace = attend(stack_of(model, TOKENS))
    np.testing.assert_allclose(trace.logits, stream @ model.unembed, atol=1e-11)


def test_capitals_make_no_other_word_and_unknown_words_are_one() -> None:
    stack = trained_stack("LEO Wombat . xylophone")
    numbers = trained().numbers(stack.tokens)
    assert numbers == [WORDS.index("Leo"), 0, WORDS.index("."), 0]
    assert stack.tokens == ("LEO", "Wombat", ".", "xylophone")


def test_marks_are_tokens_of_a_text() -> None:
    assert trained_stack("Leo Snow, who met Ida.").tokens[2:] == (",", "who", "met", "Ida", ".")


def test_its_x_is_a_recipe_and_both_layers_look_back_alone() -> None:
    stack = trained_stack("Leo Snow met Ida")
    assert stack.first.origin.x == RECIPE
    for layer in attend(stack).layers:
        assert not np.triu(layer.weights, 1).any()


def test_some_words_of_w_u_have_the_logits_that_they_have_among_all() -> None:
    whole = attend(stack_of(trained(), TOKENS))
    some = attend(stack_of(trained(), TOKENS, ("Snow", "Leo")))
    assert whole.stack.words == WORDS
    assert some.stack.words == ("Snow", "Leo")
    assert whole.logits is not None
    columns = [WORDS.index("Snow"), WORDS.index("Leo")]
    np.testing.assert_allclose(some.logits, whole.logits[:, columns], atol=1e-12)


def test_a_word_to_predict_must_be_one_that_it_knows() -> None:
    with pytest.raises(OptionError, match=r"A word to predict must be one of .*got 'wombat'"):
        stack_of(trained(), TOKENS, ("wombat",))


def test_a_text_longer_than_its_places_is_refused() -> None:
    assert len(trained_stack("Leo " * 64).tokens) == 64
    with pytest.raises(
        LimitError, match=r"for the trained model must be at most 64, got 65\. Take"
    ):
        trained_stack("Leo " * 65)


def test_a_text_without_words_is_refused() -> None:
    with pytest.raises(ShapeError, match="The text must hold at least one word"):
        trained_stack(" ")


def test_the_model_on_a_text_has_its_layers() -> None:
    model = open_model(FILE)
    read = model.on("Leo Snow met Ida.")
    assert read.n_layers == model.n_layers == 2
    for layer in range(2):
        np.testing.assert_array_equal(
            read.layer(layer).x, model.scenario(layer, read.text, read.run).x
        )
    assert read.layer(1).tokens == TOKENS
