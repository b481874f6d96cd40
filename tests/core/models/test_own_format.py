"""Our own format: words and places, attention, nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from mha_core import Mask, Rule, Scenario, attend, open_model, scenario_from_layer
from mha_core.checks.errors import FileError, HeadsError, NumberError, OptionError
from tests.core.models.held import Held
from tests.core.models.own_model import WORDS, own_model
from tests.core.refusals import check_refused


def test_its_stream_is_words_and_places_and_what_each_attention_adds() -> None:
    file = own_model()
    model = open_model(file)
    text = model.read_text("a b A x")
    assert text.ids == (0, 1, 0, 4)
    assert text.tokens == ("a", "b", "a", "<unk>")
    run = model.run(text.ids)
    x = file.tensors["embed"][[0, 1, 0, 4]] + file.tensors["positions"][:4]
    for layer in range(2):
        np.testing.assert_array_equal(run.inputs[layer], x)
        matrices = {name: file.tensors[f"layers.{layer}.{name}"] for name in WEIGHTS}
        bias = file.tensors.get(f"layers.{layer}.b_o")
        by_hand = Scenario(
            **matrices, x=x, n_heads=2, tokens=text.tokens, b_o=bias, mask=Mask([Rule("causal")])
        )
        assert model.scenario(layer, text, run) == by_hand
        x = x + attend(by_hand).output
    np.testing.assert_array_equal(run.stream, x)
    np.testing.assert_array_equal(run.result, x)


WEIGHTS = ("w_q", "w_k", "w_v", "w_o")


def test_it_says_what_it_is() -> None:
    model = open_model(own_model())
    assert (model.family, model.n_layers, model.n_heads, model.width) == (
        "Attention layers alone",
        2,
        2,
        5,
    )
    assert model.is_causal
    assert not open_model(own_model(causal=False)).is_causal


def test_a_file_of_it_is_opened_by_its_path(tmp_path: Path) -> None:
    file = own_model()
    config = np.frombuffer(json.dumps(file.config).encode(), np.uint8)
    np.savez(tmp_path / "own.npz", config=config, **file.tensors)
    model = open_model(file)
    text = model.read_text("c d c")
    assert scenario_from_layer(tmp_path / "own.npz", 1, "c d c") == model.scenario(1, text)


def test_some_heads_of_a_layer_are_these_heads() -> None:
    file = own_model()
    whole = scenario_from_layer(file, 1, "c d c")
    one = scenario_from_layer(file, 1, "c d c", heads=[1])
    assert one.n_heads == 1
    np.testing.assert_array_equal(attend(one).weights[0], attend(whole).weights[1])
    both = scenario_from_layer(file, 1, "c d c", heads=[1, 0])
    np.testing.assert_allclose(attend(both).output, attend(whole).output, atol=1e-6)


def test_a_word_that_it_does_not_know_is_named() -> None:
    model = open_model(own_model(words=["a", "b", "c", "d", "e"]))
    check_refused(
        lambda: model.read_text("a zoo"),
        OptionError(
            "A word",
            "must be one of the 5 that the model knows",
            "'zoo'",
            "It knows a, b, c, d, e, and others.",
        ),
    )


def test_a_text_longer_than_its_places_is_refused() -> None:
    check_refused(
        lambda: open_model(own_model()).run(range(5) and [0] * 8),
        NumberError(
            "The number of tokens",
            "must be a whole number from 1 to 7",
            "8",
            "The model has no more positions.",
        ),
    )


@pytest.mark.parametrize(("ids", "said"), [([5], "got 5"), ([-1], "got -1"), ([], "got ''")])
def test_ids_that_are_no_words_are_refused(ids: list[int], said: str) -> None:
    with pytest.raises(OptionError if not ids else NumberError, match=said):
        open_model(own_model()).run(ids)


def test_heads_that_do_not_divide_the_columns_are_refused() -> None:
    with pytest.raises(HeadsError, match="must divide the width 6, got 4"):
        open_model(own_model(heads=4))


def test_a_model_without_layers_is_refused() -> None:
    check_refused(
        lambda: open_model(Held({"embed": np.zeros((2, 2))}, {"family": "attention-only"})),
        FileError(
            "The file",
            "must be of a model that is recognised: " + ", ".join(_families()),
            "a config that says attention-only, and tensors of other names",
            "Map its tensors by hand, on the page or with read_layer(path, names=...).",
        ),
    )


def _families() -> list[str]:
    from mha_core.models.families.registry import FAMILIES

    return list(FAMILIES)


def test_its_words_are_its_tokens() -> None:
    assert open_model(own_model()).text_of([0, 4]).tokens == ("a", "<unk>")
    assert len(WORDS) == 5
