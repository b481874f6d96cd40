"""A puzzle's page in one file checks an answer as the core does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from mha_core.checks.errors import MhaError
from mha_core.io.matrix.block_text import block_of
from mha_core.puzzles import command
from mha_core.puzzles.checking import Verdict, check
from mha_core.puzzles.ladder import PUZZLES
from mha_core.puzzles.mistakes import IN_WORDS
from mha_core.puzzles.own import OwnPuzzle, puzzle_of
from mha_core.puzzles.own.asked import read_asked
from mha_core.puzzles.puzzle import Arrays, Puzzle
from mha_core.puzzles.wants import Predicts
from tests.ui.plot.node import answering
from ui.edits.own_puzzle_form import FIRST
from ui.prints.puzzle_sheet import puzzle_sheets
from ui.saved.puzzle_page import puzzle_data, puzzle_page

RUNNER = Path(__file__).parent / "check_runner.mjs"
BLOCKS = Path(__file__).parent / "block_runner.mjs"
Said = dict[str, Any]
Ask = Callable[[Puzzle, Iterable[Arrays]], list[Said]]
Say = Callable[[str], dict[str, Said]]


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    with answering(RUNNER) as node:

        def asked(puzzle: Puzzle, answers: Iterable[Arrays]) -> list[Said]:
            said: list[Said] = node({"puzzle": told(puzzle), "answers": [*answers]})
            return said

        yield asked


@pytest.fixture(scope="module")
def say(ask: Ask) -> Say:
    """What the page says of each answer to a puzzle, by the answer's name."""

    @cache
    def said(name: str) -> dict[str, Said]:
        return dict(zip(answers(name), ask(PUZZLES[name], answers(name).values()), strict=True))

    return said


@pytest.fixture(scope="module")
def block() -> Iterator[Any]:
    with answering(BLOCKS) as node:
        yield node


def told(puzzle: Puzzle) -> dict[str, Any]:
    """What the checker of the page is told: all but the pictures."""
    names = ("name", "in_link", "sentences", "most_numbers", "largest", "decimals")
    names += ("mistakes", "tie")
    data = puzzle_data(puzzle)
    return {name: data[name] for name in names}


def zeros(puzzle: Puzzle) -> Arrays:
    return puzzle.found_in(puzzle.on_all_seen({}))


def random(puzzle: Puzzle, seed: int) -> Arrays:
    """A solution with noise, so that some sentences pass; its size is another for each seed."""
    rng = np.random.default_rng(seed)
    noise = 10.0 ** rng.integers(-2, 2)
    return {n: a + rng.normal(0, noise, a.shape) for n, a in puzzle.solution().items()}


@cache
def answers(name: str) -> dict[str, Arrays]:
    puzzle = PUZZLES[name]
    wrong = {name: {**zeros(puzzle), **make()} for name, make in puzzle.near_misses.items()}
    drawn = {f"random {seed}": random(puzzle, seed) for seed in (1, 4)}
    return {"solution": puzzle.solution(), "zeros": zeros(puzzle), **drawn, **wrong}


def assert_same(said: Said, verdict: Verdict) -> None:
    assert (said["passed"], said["count"]) == (verdict.passed, verdict.count)
    assert said["stars"] == verdict.stars
    if verdict.first_failure is None:
        assert said["first"] is None
        return
    failure, first = verdict.first_failure, said["first"]
    assert tuple(first["tokens"]) == failure.stack.tokens
    assert (first["want"]["query"], first["column"]) == (failure.cell.row, failure.cell.column)
    assert said["words"]["more"].endswith(f" {failure.mistake}".rstrip())
    assert IN_WORDS.get(first["mistake"], "") == failure.mistake


@pytest.mark.parametrize("name", PUZZLES)
def test_the_verdict_is_that_of_the_core_and_the_copied_answer_is_read_by_the_checker(
    say: Say, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle, file = PUZZLES[name], tmp_path / "answer.txt"
    verdict_on = Mock()
    monkeypatch.setattr(command, "check", verdict_on)
    for answer, arrays in answers(name).items():
        said, verdict = say(name)[answer], check(puzzle, arrays)
        assert_same(said, verdict)
        file.write_text(f"https://example.org/{said['link']}", "utf-8")
        verdict_on.return_value = verdict
        mark = command.mark_of(puzzle, file)
        assert (mark.passed, mark.stars) == (verdict.passed, verdict.stars), mark.first_failure
        np.testing.assert_equal(verdict_on.call_args.args, (puzzle, arrays))


OWN = (
    FIRST,
    replace(
        FIRST,
        seen=read_asked("yes no : - yes", predicts=True),
        hidden=read_asked("no no yes : - - no", predicts=True),
        free=("w_q", "2.w_q", "w_u"),
        given={"w_k": "I", "w_v": "I", "w_o": "I", "2.w_k": "I"},
        layers=2,
        mask="causal",
    ),
)


ONE = replace(FIRST, seen=FIRST.seen[:1], hidden=())


@pytest.mark.parametrize("own", OWN, ids=["looks", "predicts"])
def test_a_teachers_own_puzzle_is_checked_in_the_same_way(ask: Ask, own: OwnPuzzle) -> None:
    puzzle = puzzle_of(own)
    rng = np.random.default_rng(1)
    drawn = [
        {name: size * rng.normal(size=a.shape) for name, a in zeros(puzzle).items()}
        for size in (0, 1, 10)
    ]
    for said, arrays in zip(ask(puzzle, drawn), drawn, strict=True):
        assert_same(said, check(puzzle, arrays))
    assert puzzle_page(puzzle).startswith(b"<!doctype html>")
    assert puzzle_sheets(puzzle)


def test_what_fails_is_said_in_words(say: Say) -> None:
    for name, puzzle in PUZZLES.items():
        said = say(name)["zeros"]
        if not said["first"]:
            continue
        assert said["words"]["more"].startswith(f"In “{' '.join(said['first']['tokens'])}”, ")
        if any(isinstance(want, Predicts) for want in puzzle.wanted(said["first"]["tokens"])):
            assert "the right word" in said["words"]["more"]


def test_all_mistakes_of_near_misses_are_named_as_the_core_names_them(say: Say) -> None:
    found = {
        say(name)[wrong]["first"]["mistake"]
        for name, puzzle in PUZZLES.items()
        for wrong in puzzle.near_misses
    }
    assert len(found) > 6


@pytest.mark.parametrize(
    "text",
    [
        *("4*I", "4*shift(-1)", "I - shift(1)", "0", "-2.5", "ones", "2 I + 3 shift( +2 )", "1e2"),
        *(".5*I", "−3·I", "2*ones-I", " I ", "i", "SHIFT(1)"),
        *(
            "",
            " ",
            "zebra",
            "4*",
            "I I",
            "4**I",
            "1 2",
            "shift()",
            "shift(1.5)",
            "1e999",
            "alert(1)",
        ),
        *("I" + "+I" * 99, "I" + "+I" * 100),
    ],
)
def test_a_block_is_read_as_the_core_reads_it(block: Any, text: str) -> None:
    try:
        wanted: Any = block_of(text, 3, 4).tolist()
    except MhaError:
        wanted = None
    assert block({"text": text, "rows": 3, "columns": 4}) == wanted


def test_what_is_right_has_its_stars(say: Say) -> None:
    said = say("before")["solution"]["words"]
    assert said["first"] == "All 43 sentences pass. ★★★"


def test_of_one_sentence_the_page_says_whether_it_passes(ask: Ask) -> None:
    puzzle = puzzle_of(ONE)
    wrong = zeros(puzzle)
    right = {name: array.copy() for name, array in wrong.items()}
    right["w_q"][-5:] = block_of("6*shift(-1)", 5, 5)  # the rows of the places
    right["w_k"][-5:] = block_of("6*I", 5, 5)
    says = [said["words"]["first"] for said in ask(puzzle, (right, wrong))]
    assert says == ["The sentence passes. ★★★", "The sentence does not pass."]


def test_a_bare_page_has_neither_hints_nor_a_solution() -> None:
    bare = puzzle_data(PUZZLES["before"], is_bare=True)
    assert (bare["hints"], bare["solution"]) == ([], None)
