"""The tours: each sentence is checked, and each number and erratum of a document has its stop."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given

from mha_core import Scenario, Trace, attend
from mha_core.changing.changes import with_scores
from mha_core.changing.layers import as_stack
from mha_core.comparing.distances import distance
from mha_core.comparing.questions import READY_QUESTIONS
from mha_core.examples import EXAMPLES, EXAMPLES_BY_QUESTION, load_example
from mha_core.examples.example import true_of_any_trace
from mha_core.guide.screens import screens_of
from mha_core.guide.tours import TOURS, Stop, Tour
from mha_core.guide.tours.documents import DOCUMENTS
from mha_core.guide.tours.questions import QUESTIONS
from mha_core.guide.tours.tour import printed_of
from mha_core.layer.trace import HEAD_STEPS
from tests.core.strategies import scenario_of_distinct_sizes, scenarios

STOPS = [
    pytest.param(stop, id=f"{tour.name}-{number}")
    for tour in TOURS.values()
    for number, stop in enumerate(tour.stops, 1)
]
OTHERS = [
    attend(scenario_of_distinct_sizes()),
    attend(with_scores(load_example("saturated"), softmax="naive")),
    *(attend(load_example(name)) for name in ("pizza", "split-only", "three-tokens", "two-tokens")),
]


def traces_at(stop: Stop) -> list[Trace]:
    sides = [stop.against, stop.scenario] if stop.against else [stop.scenario]
    return [attend(as_stack(side())).layers[stop.layer] for side in sides]


@pytest.mark.parametrize("stop", STOPS)
def test_what_is_said_at_a_stop_is_true_there(stop: Stop) -> None:
    traces = traces_at(stop)
    assert stop.holds(*traces)
    assert all(printed.matches(traces[-1]) for printed in stop.printed)
    assert stop.sentence.endswith(".")
    assert stop.head < traces[-1].scenario.n_heads


@pytest.mark.parametrize("stop", STOPS)
def test_a_sentence_that_is_checked_is_not_true_of_any_layer(stop: Stop) -> None:
    sides = len(traces_at(stop))
    holds = all(stop.holds(*[trace] * sides) for trace in OTHERS)
    assert holds == (stop.holds is true_of_any_trace)


@pytest.mark.parametrize("stop", STOPS)
def test_there_is_something_to_see_at_a_stop(stop: Stop) -> None:
    *_, trace = traces = traces_at(stop)
    if stop.against:
        assert distance(*traces, stop.screen)
    elif stop.all_heads:
        assert stop.screen in [step.name for step in HEAD_STEPS]
    else:
        assert stop.screen in [screen.name for screen in screens_of(trace.scenario)]


@given(scenarios())
def test_a_sentence_can_be_checked_after_any_change(s: Scenario) -> None:
    trace = attend(s)
    for tour in TOURS.values():
        for stop in tour.stops:
            assert stop.holds(*[trace] * (2 if stop.against else 1)) in (True, False)


@pytest.mark.parametrize("tour", DOCUMENTS, ids=lambda tour: tour.name)
def test_a_document_s_own_numbers_and_errata_have_their_stops(tour: Tour) -> None:
    told = [example for example in EXAMPLES.values() if example.document == tour.name]
    errata = {erratum for example in told for erratum in example.errata}
    assert Counter(e for stop in tour.stops for e in stop.errata) == Counter(errata)
    printed = {each for example in told for each in example.printed}
    shown = {each for stop in tour.stops for each in stop.printed}
    assert {each for each in printed if each.in_document} <= shown


def test_no_row_stands_beside_its_whole_matrix() -> None:
    weights, outputs = (printed_of("two-tokens", step) for step in ("weights", "head_outputs"))
    assert [each.index for each in (*weights, *outputs)] == [(0,), (1,)] * 2
    assert [each.index for each in printed_of("eight-tokens", "weights")] == [(0, 0), (1, 0)]


def test_what_people_ask_first_leads_the_tours_and_the_examples_in_the_same_words() -> None:
    asked = [tour.title for tour in QUESTIONS]
    assert list(TOURS.values())[: len(QUESTIONS)] == list(QUESTIONS)
    assert list(EXAMPLES_BY_QUESTION)[1 : 1 + len(QUESTIONS)] == asked
    assert READY_QUESTIONS["root"].question in asked


def test_every_document_has_a_tour() -> None:
    documents = {example.document for example in EXAMPLES.values()} - {""}
    assert documents <= set(TOURS)
