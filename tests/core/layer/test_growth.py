"""Scores that grow with the position of their query."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mha_core import Scenario, attend
from mha_core.changing.changes import with_scores
from mha_core.checks.errors import NumberError
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import derive, feeds
from mha_core.layer.equations import equations
from mha_core.layer.growth import growth_factors
from mha_core.layer.score_table import Part, table_of
from mha_core.layer.trace import Trace
from mha_core.reading.homework import check_numbers
from mha_core.reading.setting_notes import setting_notes
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.score_options import ScoreOptions
from tests.core.strategies import scenario_of_distinct_sizes, self_attention

PLAIN = self_attention(9, 4, 2)
STEPS = with_scores(PLAIN, growth=0.1, growth_every=4)
DISTINCT = scenario_of_distinct_sizes(scores=ScoreOptions(growth=0.5, growth_every=2))


def factors(s: Scenario, **options: Any) -> list[float]:
    made: list[float] = growth_factors(with_scores(s, **options))[:, 0].tolist()
    return made


def test_scores_grow_after_so_many_tokens_as_in_llama_4() -> None:
    """Of tokens that are counted from 1: the fourth is the first that has more."""
    twice, thrice = 1 + 0.1 * math.log(2), 1 + 0.1 * math.log(3)
    assert factors(STEPS) == pytest.approx([1] * 3 + [twice] * 4 + [thrice] * 2)
    trace = attend(STEPS)
    for query, factor in ((0, 1), (3, twice), (8, thrice)):
        raw = trace.raw_scores[:, query]
        np.testing.assert_allclose(trace.grown_scores[:, query], factor * raw)
        np.testing.assert_allclose(trace.scaled_scores[:, query], factor * raw / math.sqrt(2))


def test_in_ministral_tokens_are_counted_from_0() -> None:
    found = factors(STEPS, growth_kind="steps_from_0")
    assert found == [1, *factors(STEPS)[:-1]]


def test_log_n_is_a_smooth_growth() -> None:
    """The first Qwen divides ln(p + 1) by ln(n), once a text is longer than n."""
    n = 3
    found = factors(PLAIN, growth=1 / math.log(n), growth_every=n, growth_kind="smooth")
    assert found == pytest.approx([max(1, math.log(p + 1) / math.log(n)) for p in range(9)])


def test_positions_count_from_the_first_query() -> None:
    assert factors(STEPS, query_start=2)[:7] == factors(STEPS)[2:]
    cached = replace(STEPS, x=STEPS.x[7:], tokens=(), context=STEPS.x)
    assert cached.query_start == 7
    np.testing.assert_allclose(attend(cached).weights, attend(STEPS).weights[:, 7:])
    assert with_scores(cached, growth=0.0).query_start == 0
    alone = replace(cached, mask=Mask((Rule("causal", {"align": "start"}),)))
    assert alone.query_start == 0


def test_without_growth_the_step_hands_on_the_scores() -> None:
    trace = attend(PLAIN)
    assert trace.grown_scores is trace.raw_scores
    assert [each.title for each in equations(PLAIN, ["weights"])] == ["Scaled scores", "Weights"]


@pytest.mark.parametrize(
    ("chosen", "formula", "written"),
    [
        ({}, r"1 + 0.5 \, \ln(p + 2)", "1 + g·ln(1 + ⌊(p + 1)/n⌋)"),
        ({"growth_kind": "steps_from_0"}, r"1 + 0.5 \, \ln(p + 1)", "1 + g·ln(1 + ⌊p/n⌋)"),
        ({"growth_kind": "smooth"}, r"1 + 0.5 \, \ln(p + 1)", "1 + g·ln(max(1, (p + 1)/n))"),
        (
            {"growth_every": 4, "growth": -0.5},
            r"1 - 0.5 \, \ln(1 + \lfloor (p + 1) / 4 \rfloor)",
            "1 + g·ln(1 + ⌊(p + 1)/n⌋)",
        ),
        (
            {"growth_every": 4, "growth_kind": "steps_from_0"},
            r"1 + 0.5 \, \ln(1 + \lfloor p / 4 \rfloor)",
            "1 + g·ln(1 + ⌊p/n⌋)",
        ),
        (
            {"growth_every": 4, "growth_kind": "smooth"},
            r"1 + 0.5 \, \ln \max(1, (p + 1) / 4)",
            "1 + g·ln(max(1, (p + 1)/n))",
        ),
    ],
)
def test_the_factor_is_told_as_a_formula_and_for_one_score(
    chosen: dict[str, Any], formula: str, written: str
) -> None:
    s = with_scores(PLAIN, **{"growth": 0.5, "query_start": 1, **chosen})
    assert Trace.grown_scores.formula(s) == rf"({formula}) \cdot Q_i K_{{i}}^\top"
    titles = [each.title for each in equations(s, ["weights"])]
    assert titles == ["Grown scores", "Scaled scores", "Weights"]
    trace = attend(s)
    found = derive(trace, "grown_scores", (1, 5, 2))
    assert found.write("text").startswith(f"S_2^G[t6, t3] = (Q_2 K_2^T)[t6, t3]·({written}) = ")
    assert found.replayed == pytest.approx(trace.grown_scores[1, 5, 2])
    told = {each.text: (each.number, each.given_as) for each in found.letters}
    assert told["p"] == (6, "")
    assert told["n"] == (s.scores.growth_every, "")
    assert told["g"] == (s.scores.growth, "growth")
    readers = [fed.cell for fed in feeds(trace, "raw_scores", (1, 5, 2))]
    assert readers == [Cell("grown_scores", 1, 5, 2)]


def test_the_parts_of_a_score_grow_with_their_query() -> None:
    trace = attend(STEPS)
    parts = ({Part("x"): STEPS.x[7]}, {Part("x"): STEPS.x[2]})
    table = table_of(trace, 1, (7, 2), *parts)
    assert table.terms.sum() == pytest.approx(trace.scaled_scores[1, 7, 2])


def test_who_forgets_it_is_told_so() -> None:
    trace = attend(STEPS)
    forgotten = attend(PLAIN).weights[0]
    checked = check_numbers(trace, "weights", 0, forgotten, decimals=8)
    assert checked.mistake == "The growth of scores with the position was forgotten."


def test_a_growth_beyond_its_limits_is_refused() -> None:
    with pytest.raises(NumberError, match="The growth must be a number of at most 1000 in size"):
        ScoreOptions(growth=1e4)
    with pytest.raises(NumberError, match="must be a whole number from 1 to"):
        ScoreOptions(growth_every=0)


def notes(s: Scenario) -> list[str]:
    return [note for note in setting_notes(attend(s)) if "grow" in note or "counted" in note]


def test_notes_say_by_how_much_scores_grow() -> None:
    assert notes(PLAIN) == []
    assert notes(STEPS) == [
        "Scores grow with the position: those of the first query are multiplied by 1, those of "
        "the last by 1.11."
    ]
    far = with_scores(STEPS, growth_every=8192, growth_kind="steps_from_0")
    assert notes(far) == [
        "No query stands so late that its scores grow.",
        "Tokens are counted from 0: as in Ministral 3.",
    ]
    apart = replace(STEPS, context=np.vstack([STEPS.x, STEPS.x]), scores=STEPS.scores)
    first = with_scores(apart, query_start=0)
    assert any("Positions do not follow" in note for note in setting_notes(attend(first)))
