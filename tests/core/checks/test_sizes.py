"""Sizes as people write them."""

from __future__ import annotations

import pytest

from mha_core.checks.errors import LimitError
from mha_core.checks.sizes import check_size, size_in_words
from mha_core.scenario.room_for_scores import check_room_for_scores
from tests.core.strategies import scenario_of_distinct_sizes


@pytest.mark.parametrize(
    ("size", "words"),
    [
        *[(0, "0 bytes"), (1023, "1023 bytes"), (1024, "1 kB"), (1536, "1.5 kB")],
        *[(20 * 2**20, "20 MB"), (402_653_184, "384 MB"), (2**20 - 1, "1024 kB")],
        *[(3 * 2**30, "3 GB"), (5000 * 2**30, "5000 GB")],
    ],
)
def test_a_size_is_written_in_the_largest_unit_of_which_there_is_one(size: int, words: str) -> None:
    assert size_in_words(size) == words


@pytest.mark.parametrize(("size", "got"), [(2**20 + 1, "a little more"), (3 * 2**20, "3 MB")])
def test_what_is_larger_never_has_the_words_of_its_limit(size: int, got: str) -> None:
    check_size("The file", 2**20, 2**20, "Take less.")
    with pytest.raises(LimitError) as refused:
        check_size("The file", size, 2**20, "Take less.")
    assert str(refused.value) == f"The file must be at most 1 MB, got {got}. Take less."


def test_room_for_scores_is_said_in_rows() -> None:
    s = scenario_of_distinct_sizes()
    scores = s.n_heads * s.n_q * s.n_k
    check_room_for_scores(s, scores, "Take fewer.")
    with pytest.raises(LimitError) as refused:
        check_room_for_scores(s, scores - 1, "Take fewer.", where=" here")
    assert str(refused.value) == (
        f"X must have at most {s.n_q - 1} rows with {s.n_heads} heads here and {s.n_k} rows of C, "
        f"got {s.n_q}. Take fewer."
    )
