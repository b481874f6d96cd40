"""A formula whose numbers the browser keeps up to date."""

from __future__ import annotations

import html
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core import STEPS, attend
from mha_core.examples import load_example
from mha_core.layer.derivation import derive
from mha_core.layer.naming import IN_LATEX
from mha_core.scenario.score_options import ScoreOptions
from tests.core.strategies import self_attention
from ui.blocks.live_formula import live_formula, typeset


def shown(math: str) -> str:
    return html.unescape(re.sub("<[^>]+>|\\s", "", math))


def live_in(math: str) -> list[tuple[str, str]]:
    """Where each live number stands, and what it says."""
    return re.findall(r'<mn data-live="2" ([^>]*)>([^<]*)</mn>', math)


@given(st.text(min_size=1, max_size=12))
def test_any_label_is_typeset_as_it_is(label: str) -> None:
    escaped = "".join(IN_LATEX.get(sign, sign) for sign in label)
    math = typeset(rf"A_1[\text{{{escaped}}}, \text{{7}}] = 1")
    texts = re.findall("<mtext>(.*?)</mtext>", math, re.DOTALL)
    assert [html.unescape(each) for each in texts] == [label, "7"]
    assert "<" not in texts[0]


@pytest.mark.parametrize("name", ["translation", "grouped-query", "positions", "image", "long"])
def test_live_numbers_are_written_as_without_them(name: str) -> None:
    trace = attend(load_example(name))
    for step in STEPS:
        last = tuple(size - 1 for size in np.asarray(getattr(trace, step.name)).shape)
        found = derive(trace, step.name, last)
        assert shown(live_formula(found, 2)) == shown(typeset(found.write("latex")))


def test_a_sum_is_in_parts_and_what_only_looks_like_one_is_not() -> None:
    odd = replace(load_example("pizza"), tokens=("I", ") + 1", "} + 2", "{ + ["))
    sums = live_formula(derive(attend(odd), "row_sums", (0, 3, 0)), 2)
    assert sums.count("<math") == 1 + 4 + 4 + 1
    weights = live_formula(derive(attend(odd), "weights", (0, 3, 1)), 2)
    assert weights.count("<math") == 4


def test_operands_and_the_result_say_in_which_cell_they_stand() -> None:
    found = derive(attend(load_example("pizza")), "weights", (0, 3, 1))
    place = 'data-matrix="{}" data-row="3" data-column="{}"'.format
    assert live_in(live_formula(found, 2)) == [
        (place("exponentials/0", 1), "0.50"),
        (place("row_sums/0", 0), "2.50"),
        (place("weights/0", 1), "0.20"),
    ]


def test_options_say_their_name() -> None:
    scores = ScoreOptions(scale=0.25, softcap=3.0, temperature=0.5)
    trace = attend(replace(load_example("two-tokens"), scores=scores))
    steps = {"scaled_scores": "scale", "capped_scores": "softcap", "tempered_scores": "temperature"}
    for step, option in steps.items():
        math = live_formula(derive(trace, step, (0, 0, 0)), 2)
        assert f'data-option="{option}"' in math


def test_the_rest_of_a_long_sum_says_what_is_written_before_it() -> None:
    found = derive(attend(self_attention(2, 16, 1)), "q", (0, 0))
    *_, (where, _), (result, _) = live_in(live_formula(found, 2))
    rest, _, less = html.unescape(where).partition(' data-less="')
    assert rest == result
    assert less.count('["x", 0, ') == 12
    assert less.count('["w_q", ') == 12


def test_a_number_in_no_cell_and_no_option_does_not_follow() -> None:
    trace = attend(replace(load_example("pizza"), scores=ScoreOptions(positions="sinusoidal")))
    math = live_formula(derive(trace, "positions", (1, 0)), 2)
    assert [where for where, _ in live_in(math)] == [
        'data-matrix="positions" data-row="1" data-column="0"'
    ]
