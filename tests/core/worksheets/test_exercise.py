"""What a lecturer may choose, and what a refusal says."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from mha_core.checks.errors import HeadsError, MhaError, NumberError, OptionError
from mha_core.worksheets.exercise import (
    BASES,
    DIFFICULTIES,
    MASKINGS,
    SCALES,
    Exercise,
    head_counts,
)
from tests.core.refusals import check_refused

TAKE = "Take {}, or another number in this range."


@pytest.mark.parametrize(
    ("settings", "refusal"),
    [
        (
            {"n_tokens": 1},
            NumberError(
                "The number of tokens", "must be a whole number from 2 to 5", "1", TAKE.format(2)
            ),
        ),
        (
            {"n_tokens": 6},
            NumberError(
                "The number of tokens", "must be a whole number from 2 to 5", "6", TAKE.format(5)
            ),
        ),
        (
            {"d_model": 9},
            NumberError("d_model", "must be a whole number from 2 to 8", "9", TAKE.format(8)),
        ),
        (
            {"n_heads": True},
            NumberError("n_heads", "must be a whole number from 1 to 4", "True", TAKE.format(1)),
        ),
        (
            {"d_model": 4, "n_heads": 3},
            HeadsError(
                "n_heads",
                "must divide d_model = 4; it has the divisors 1, 2, 4",
                "3",
                "Take one of 1, 2, 4.",
            ),
        ),
        (
            {"d_model": 8, "n_heads": 1},
            HeadsError(
                "n_heads",
                "must leave each head at most 4 columns of d_model = 8",
                "1",
                "Take one of 2, 4.",
            ),
        ),
        (
            {"d_model": 7, "n_heads": 2},
            HeadsError(
                "n_heads",
                "must divide d_model = 7; it has the divisors 1, 7",
                "2",
                "Take another d_model, such as 4, 6 or 8.",
            ),
        ),
        (
            {"scale": "1/sqrt(d_k)"},
            OptionError(
                "The scale",
                "must be 1/2 or none where d_k is 2, whose root is no whole number",
                "'1/sqrt(d_k)'",
                "Take '1/2', or sizes with d_k = d_model / n_heads = 4.",
            ),
        ),
        (
            {"n_tokens": 2, "mask": "padding"},
            NumberError(
                "The number of tokens",
                "must be at least 3 with a padding mask, which hides the last one",
                "2",
                "Take 3 tokens: with one visible key, all weights are 1.",
            ),
        ),
        (
            {"mask": "casual"},
            OptionError(
                "The mask", "must be one of none, causal, padding", "'casual'", "Write causal."
            ),
        ),
        (
            {"base": "10"},
            OptionError("The base", "must be one of e, 2", "'10'", "Write 'e' or '2'."),
        ),
        (
            {"difficulty": "hard"},
            OptionError(
                "The difficulty",
                f"must be one of {', '.join(DIFFICULTIES)}",
                "'hard'",
                "Check its spelling.",
            ),
        ),
        (
            {"scale": 0.5},
            OptionError(
                "The scale", "must be one of 1/sqrt(d_k), 1/2, none", "0.5", "Check its spelling."
            ),
        ),
        (
            {"seed": -1},
            NumberError(
                "The seed", "must be a whole number from 0 to 4294967295", "-1", TAKE.format(0)
            ),
        ),
    ],
)
def test_a_wrong_setting_is_refused_with_a_way_out(
    settings: dict[str, Any], refusal: MhaError
) -> None:
    check_refused(lambda: Exercise(**settings), refusal)


def test_the_ways_to_choose_have_a_sentence_each() -> None:
    for names in (MASKINGS, SCALES, BASES, DIFFICULTIES):
        assert all(names.values())
        assert len(set(names.values())) == len(names)


def test_each_count_of_heads_that_is_offered_is_taken_and_no_other() -> None:
    for d_model, n_heads in product(range(2, 9), range(1, 5)):
        try:
            taken = Exercise(d_model=d_model, n_heads=n_heads).d_k * n_heads == d_model
        except HeadsError:
            taken = False
        assert taken == (n_heads in head_counts(d_model))


@pytest.mark.parametrize(
    ("settings", "factor"),
    [
        ({"scale": "1/2"}, 0.5),
        ({"scale": "none"}, 1),
        ({"d_model": 8, "scale": "1/sqrt(d_k)"}, 0.5),
        ({"n_heads": 4, "scale": "1/sqrt(d_k)"}, 1),
    ],
)
def test_the_factor_is_a_half_or_one(settings: dict[str, Any], factor: float) -> None:
    assert Exercise(**settings).factor == factor
