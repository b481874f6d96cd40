"""Questions about weights that are given: one choice is true, and the others are not."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from mha_core.puzzles.checking import check
from mha_core.puzzles.ladder import QUESTIONS, lying, trained
from mha_core.puzzles.ladder.asked import BY_ALIBI, SENTENCES, each_asks_for
from mha_core.puzzles.ladder.lying import A_HEAD_THAT_LIES
from mha_core.puzzles.ladder.trained import READ_TRAINED
from mha_core.puzzles.wants import Looks
from mha_core.stack.attending import attend

CAN_BE = {  # for each sentence in which it can be done, how much each word asks for each other
    "a b c d": {"b": {"a": 30}, "c": {"b": 30}, "d": {"c": 30}},
    "a b a": {"b": {"a": 30}, "a": {"b": 30}},
    "a b c b": {"b": {"a": 30, "c": 60}, "c": {"b": 30}},
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_one_choice_is_true(name: str) -> None:
    question = QUESTIONS[name]
    assert [choice.is_true() for choice in question.choices].count(True) == 1
    assert question.choices[question.right].is_true()
    assert len({choice.says for choice in question.choices}) == 4


@pytest.mark.parametrize("name", QUESTIONS)
def test_what_is_seen_is_the_puzzles_own(name: str) -> None:
    question = QUESTIONS[name]
    assert question.stack.tokens == tuple(" ".join(question.puzzle.seen).split())
    assert question.why.endswith(".")


def looks_before(sentence: str, w_q: np.ndarray, w_k: np.ndarray) -> bool:
    tokens = tuple(sentence.split())
    trace = attend(BY_ALIBI.on(BY_ALIBI.answered({"w_q": w_q, "w_k": w_k}), tokens))
    return not any(Looks(i, (i - 1,)).missed_in(trace) for i in range(1, len(tokens)))


@pytest.mark.parametrize("sentence", SENTENCES)
def test_where_alibi_can_do_it_some_weights_do(sentence: str) -> None:
    if sentence in CAN_BE:
        arrays = each_asks_for(CAN_BE[sentence])
        assert looks_before(sentence, arrays["w_q"], arrays["w_k"])
    else:
        assert sentence == SENTENCES[QUESTIONS["never-alibi"].right]


def test_where_it_cannot_no_weights_by_chance_come_near() -> None:
    rng, tokens = np.random.default_rng(0), ("a", "a", "b")
    for strength in np.geomspace(0.1, 30, 40):
        w_q, w_k = strength * rng.normal(size=(2, 6, 5))
        trace = attend(BY_ALIBI.on(BY_ALIBI.answered({"w_q": w_q, "w_k": w_k}), tokens))
        assert trace.layers[0].weights[0, 1, 0] < 0.5


def test_the_trained_model_has_108_numbers_and_is_right_of_all_sentences() -> None:
    assert sum(array.size for array in READ_TRAINED.arrays().values()) == 108
    every = tuple(product(trained.WORDS, repeat=trained.PLACES))
    verdict = check(replace(trained.PUZZLE, hidden=every), READ_TRAINED.arrays())
    assert verdict.is_right
    assert verdict.count == 3 + 4**5


def test_what_is_said_of_the_trained_model_is_true() -> None:
    numbers = READ_TRAINED.arrays()
    w_q, w_k = numbers["w_q"][len(trained.WORDS) :], numbers["w_k"][len(trained.WORDS) :]
    assert (w_q @ w_k.T).argmax(axis=1).tolist() == [4, 3, 2, 1, 0]
    words = numbers["w_v"][: len(trained.WORDS)] @ numbers["w_o"] @ numbers["w_u"]
    assert words.argmax(axis=1).tolist() == [0, 1, 2, 3]


def test_the_head_that_lies_looks_at_the_word_before_and_the_other_at_itself() -> None:
    trace = attend(lying.PUZZLE.on(lying.PUZZLE.answered(A_HEAD_THAT_LIES.arrays()), tuple("abcd")))
    before, itself = trace.layers[0].weights
    assert before.diagonal(-1).min() > 0.9
    assert itself.diagonal().min() > 0.9
    assert lying.is_right_without()
