"""On Compare, B becomes another layer of the model whose layer A is."""

from __future__ import annotations

import numpy as np

from mha_core.changing.layers import as_stack
from mha_core.scenario.scenario import Scenario
from tests.pages.comparison import Comparison
from tests.pages.test_score_of_a_model import TEXT, opened
from tests.running_page import undo
from ui.state.opened_first import made_by_model
from ui.state.real_layers import KEY, OWN, RealLayers

MODEL = opened("gpt2")
CHOICE = "b-enter-layer-of-model"


def layer_of(number: int) -> Scenario:
    return made_by_model(MODEL.on(TEXT).layer(number), MODEL.name, number, TEXT)


def comparing_layers() -> Comparison:
    """Layer 2 of a model, put on both sides."""
    page = Comparison()
    page.at.session_state[KEY] = RealLayers(OWN, own=MODEL)
    for side in (page.a, page.b):
        side.open(as_stack(layer_of(1)))
    page.run()
    return page


def offers(page: Comparison) -> bool:
    return CHOICE in [choice.key for choice in page.at.selectbox]


def test_b_becomes_another_layer_on_the_same_text_and_undo_takes_it_back() -> None:
    page = comparing_layers()
    assert page.at.selectbox(key=CHOICE).value == 1
    page.at.selectbox(key=CHOICE).set_value(0).run()
    assert page.b.scenario == layer_of(0)
    assert page.a.scenario == layer_of(1)
    assert page.titles == ("Layer 2 of the model", "Layer 1 of the model")
    assert not np.array_equal(page.a.scenario.x, page.b.scenario.x)
    assert not page.errors
    undo(page.b)
    page.run()
    assert page.b.scenario == layer_of(1)
    assert page.at.selectbox(key=CHOICE).value == 1


def test_where_b_is_something_else_no_layer_is_chosen() -> None:
    page = comparing_layers()
    page.ask("causal")
    assert not offers(page)
    page.a.open(as_stack(layer_of(0)))
    page.run()
    assert page.at.selectbox(key=CHOICE).value is None


def test_a_decoder_offers_its_layers_too_on_the_text_that_it_has_read() -> None:
    model = opened("bart")
    page = Comparison()
    page.at.session_state[KEY] = RealLayers(OWN, own=model)
    for side in (page.a, page.b):
        layer = model.on(TEXT, "its own").layer(4)
        side.open(as_stack(made_by_model(layer, model.name, 4, TEXT, "its own")))
    page.run()
    page.at.selectbox(key=CHOICE).set_value(5).run()
    assert page.b.scenario.context is not None
    assert page.b.scenario.origin.model_text_of_decoder == "its own"
    assert page.titles == ("Decoder, layer 2", "Decoder, layer 2, cross")
    assert page.at.selectbox(key=CHOICE).value == 5
    assert not page.errors


def test_a_layer_whose_x_was_given_offers_none() -> None:
    page = comparing_layers()
    page.a.open(as_stack(MODEL.ready(1, layer_of(1).x, is_normed=True).scenario))
    page.run()
    assert not offers(page)


def test_a_model_that_is_not_open_offers_none() -> None:
    page = comparing_layers()
    page.at.session_state[KEY] = RealLayers(OWN)
    page.run()
    assert not offers(page)
