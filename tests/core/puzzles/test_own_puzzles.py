"""Puzzles that a teacher makes: what they ask, what they keep, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core.checks.errors import MhaError
from mha_core.io.packed_text import pack_text
from mha_core.puzzles.checking import check
from mha_core.puzzles.own import (
    Asked,
    OwnPuzzle,
    own_puzzle,
    pack_puzzle,
    puzzle_of,
    read_puzzle,
    unpack_puzzle,
    write_puzzle,
)
from mha_core.puzzles.own.asked import read_asked, write_asked
from mha_core.scenario.x_columns import OF_OWN_PUZZLES, column_names, columns_of_place

WORDS = ("yes", "no", "oh")
SAID: dict[str, Any] = {
    "title": "The one before",
    "job": "Each word looks at the one before it.",
    "words": WORDS,
    "longest": 4,
    "d_k": 4,
    "d_v": 3,
}
BEFORE = own_puzzle(
    lambda tokens: [None, *range(len(tokens) - 1)], seen=["yes no oh", "oh oh"], **SAID
)
FIRST = own_puzzle(
    lambda tokens: [None] * (len(tokens) - 1) + [tokens[0]],
    seen=["yes no oh", "no no"],
    **{**SAID, "free": ("w_q", "w_k", "w_v", "w_o", "w_u"), "layers": 2, "mask": "causal"},
)


def of_places(strength: float, turned: int = 0) -> np.ndarray:
    made = np.zeros((len(WORDS) + 4, 4))
    made[len(WORDS) :] = strength * np.eye(4, k=turned)
    return made


SOLUTION = {"w_q": of_places(4, -1), "w_k": of_places(4)}
ITSELF = {"w_q": of_places(4), "w_k": of_places(4)}


def test_it_is_checked_on_its_own_sentences() -> None:
    puzzle = puzzle_of(BEFORE)
    right = check(puzzle, SOLUTION)
    assert right.is_right
    assert len(BEFORE.hidden) > 30
    assert right.count == 2 + len(BEFORE.hidden)
    wrong = check(puzzle, ITSELF)
    assert not wrong.is_right
    assert wrong.first_failure is not None
    assert wrong.first_failure.stack.tokens == BEFORE.seen[0].tokens
    assert not check(puzzle, {}).is_right


def test_sentences_that_are_not_shown_count() -> None:
    seen = read_asked("yes no : 1 1", predicts=False)
    hidden = read_asked("no yes : 2 2", predicts=False)
    looks_at_yes = {"w_q": np.full((7, 4), 4.0), "w_k": 4 * np.eye(7, 4)[:, :1] * np.ones(4)}
    shown = OwnPuzzle(**SAID, seen=seen)
    assert check(puzzle_of(shown), looks_at_yes).is_right
    more = replace(shown, hidden=read_asked("no yes : 1 1", predicts=False))
    assert check(puzzle_of(replace(shown, hidden=hidden)), looks_at_yes).is_right
    assert not check(puzzle_of(more), looks_at_yes).is_right


def test_a_prediction_has_layers_and_a_mask_and_w_u() -> None:
    puzzle = puzzle_of(FIRST)
    stack = puzzle.on_all_seen({})
    assert len(stack.layers) == 2
    assert stack.residual
    assert stack.words == WORDS
    assert stack.w_u is not None
    assert not stack.w_u.any()
    assert all(layer.mask.rules[0].name == "causal" for layer in stack.layers)
    given = puzzle_of(replace(FIRST, free=("w_q", "w_k"))).w_u
    assert given is not None
    np.testing.assert_array_equal(given, np.eye(7, 3))


def test_what_is_given_is_a_block_or_numbers() -> None:
    rows = "\n".join(["1 2 3"] * 7)
    own = replace(FIRST, free=("w_q",), given={"w_k": "2*I", "2.w_v": rows, "w_u": "3*I"})
    first, above = puzzle_of(own).on_all_seen({}).layers
    np.testing.assert_array_equal(first.w_k, 2 * np.eye(7, 4))
    np.testing.assert_array_equal(above.w_v, [[1, 2, 3]] * 7)
    np.testing.assert_array_equal(puzzle_of(own).w_u, 3 * np.eye(7, 3))
    assert not above.w_k.any()
    numbers = replace(FIRST, free=("w_q",), given={"w_o": "I", "w_u": rows})
    np.testing.assert_array_equal(puzzle_of(numbers).w_u, [[1, 2, 3]] * 7)
    np.testing.assert_array_equal(puzzle_of(numbers).on_all_seen({}).first.w_o, np.eye(3, 7))
    with pytest.raises(MhaError, match="W_U"):
        replace(FIRST, free=("w_q",), given={"w_u": "1 2"})


@pytest.mark.parametrize("x", OF_OWN_PUZZLES)
def test_its_columns_have_names(x: str) -> None:
    puzzle = puzzle_of(replace(BEFORE, x=x))
    stack = puzzle.on_all_seen({})
    names = column_names(stack.first.x, stack.first.origin.x)
    beside = {"places": [f"place {i}" for i in range(1, 5)], "one": ["1"], "words": []}[x]
    assert list(names) == [*WORDS, *beside]
    places = columns_of_place(stack.first.x, stack.first.origin.x)
    assert places == (slice(3, 7) if x == "places" else None)
    parts = puzzle.parts_of_x
    assert [names[i] for part in parts.values() for i in range(*part.indices(99))] == list(names)


def test_a_recipe_that_is_none_names_no_columns() -> None:
    for recipe in ("own", "own places", "own places 99 a b", "own walls 3 a b", "own places x a"):
        assert column_names(np.eye(5), recipe) == ()


@pytest.mark.parametrize("own", [BEFORE, FIRST], ids=["looks", "predicts"])
def test_file_and_link_give_the_same_puzzle(own: OwnPuzzle) -> None:
    own = replace(own, hints=("Look at places.",), given={"w_v": "I"}, free=("w_q", "w_k"))
    own = replace(own, solution={"w_q": "4*I", "w_k": "0"})
    assert read_puzzle(write_puzzle(own)) == own
    assert unpack_puzzle(pack_puzzle(own)) == own


@given(
    st.lists(
        st.tuples(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), st.integers(0, 15)),
        min_size=1,
        max_size=5,
    )
)
def test_sentences_come_back_from_their_text(drawn: list[tuple[list[str], int]]) -> None:
    asked = tuple(
        Asked(tuple(words), tuple(_keys(bits, len(words)) for _ in words)) for words, bits in drawn
    )
    assert read_asked(write_asked(asked), predicts=False) == asked


def _keys(bits: int, count: int) -> tuple[int, ...] | None:
    return tuple(key for key in range(count) if bits >> key & 1) or None


def test_a_function_may_say_several_keys_and_numbers_of_numpy() -> None:
    own = own_puzzle(lambda tokens: [np.arange(len(tokens))] * len(tokens), seen=["yes"], **SAID)
    assert own.seen[0].wanted == ((0,),)
    assert ((0, 1), (0, 1)) in [each.wanted for each in own.hidden]
    assert own_puzzle(lambda tokens: ["no"] * len(tokens), seen=["yes"], **SAID).predicts


def test_one_without_a_solution_has_none() -> None:
    assert not puzzle_of(BEFORE).solution()
    own = replace(BEFORE, solution={"w_q": "I", "w_k": "2"})
    np.testing.assert_array_equal(puzzle_of(own).solution()["w_q"], np.eye(7, 4))


SEEN = read_asked("yes no : - 1", predicts=False)
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"title": " "}, "The title must be one line of text"),
    ({"job": "one\ntwo"}, "The job must be one line of text"),
    ({"title": "a" * 81}, "81"),
    ({"hints": ("",)}, "A hint must be one line"),
    ({"hints": ("a", "b", "c", "d")}, "The number of hints"),
    ({"words": ("yes",)}, "The number of words"),
    ({"words": ("yes", "no", "no")}, "The words must all differ"),
    ({"words": ("yes", "no", "o-h")}, "A word must have 1 to 12 letters"),
    ({"words": ("yes", "no", "o h")}, "A word must have"),
    ({"words": ("yes", "no", "")}, "A word must have"),
    ({"words": tuple(f"{i:012}" for i in range(16))}, "The length of all words together"),
    ({"x": "walls"}, "What X says beside words"),
    ({"mask": "some"}, "The mask must be one of none, causal"),
    ({"longest": 17}, "The longest sentence"),
    ({"d_k": 0}, "d_k"),
    ({"d_v": 17}, "d_v"),
    ({"layers": 5}, "The number of layers"),
    ({"most_numbers": 0}, "The number of numbers for a star"),
    ({"free": ()}, "What is to be written"),
    ({"free": ("w_u",)}, "A matrix must be one of w_q"),
    ({"free": ("2.w_q",)}, "A matrix must be one of w_q"),
    ({"given": {"w_q": "I"}}, "w_q as both"),
    ({"given": {"w_v": "1 2"}}, "W_V"),
    ({"given": {"w_v": "4*J"}}, "w_v must hold numbers only, got '4*J'"),
    ({"given": {"w_v": "4*J"}}, "Or write a block, such as 10*I, 4*shift(-1) or 0."),
    ({"words": ("yes", "no", "\u2013")}, "A word must have"),
    ({"solution": {"w_q": "I"}}, "The solution must have each matrix"),
    ({"solution": {"w_q": "I", "w_k": "1 2"}}, "W_K"),
    ({"seen": ()}, "The sentences must be one or more"),
    ({"seen": read_asked("yes : -", predicts=False)}, "dashes alone"),
    ({"seen": read_asked("yes what : - 1", predicts=False)}, "must be made of the words"),
    ({"seen": read_asked("yes no : - 3", predicts=False)}, "from 1 to 2, got 3"),
    (
        {"seen": read_asked("yes no : 0 1", predicts=False)},
        "word 1 look at words from 1 to 2, got 0",
    ),
    ({"seen": (Asked(("no",), ((),)),)}, "word 1 look at words from 1 to 1, got none"),
    ({"seen": read_asked("yes no : - 1+1", predicts=False)}, "one twice"),
    ({"mask": "causal", "seen": read_asked("yes no : 2 1", predicts=False)}, "from 1 to 1, got 2"),
    ({"seen": read_asked("yes no : - what", predicts=True)}, "must predict one of the words"),
    ({"seen": (*SEEN, Asked(("no",), ("yes",)))}, "weights or words"),
    ({"seen": (Asked(("no",), ()),)}, "one thing for each of its 1 words, got 0"),
    ({"seen": (Asked((), ()),)}, "must have 1 to 4 words, got 0"),
    ({"seen": (Asked(("no",) * 5, (None,) * 5),)}, "must have 1 to 4 words, got 5"),
    ({"seen": (*SEEN, *SEEN)}, "“yes no” twice"),
    ({"hidden": SEEN, "seen": SEEN}, "“yes no” twice"),
]


@pytest.mark.parametrize(("change", "says"), REFUSED, ids=[says for _, says in REFUSED])
def test_what_makes_no_puzzle_is_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises(MhaError) as error:
        OwnPuzzle(**{**SAID, "seen": SEEN, **change})
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"words": []}, "The number of words must be .* got 0"),
        ({"longest": 0}, "The longest sentence must be a whole number from 1 to 16, got 0"),
        ({"wanted": lambda _: None}, "function says of “yes no oh” must be a list, .* got None"),
        ({"wanted": lambda _: [0.5] * 3}, "for each token, a key, .* got 0.5. Return a list such"),
        ({"wanted": lambda _: [(0, True), 0, 0]}, r"for each token, a key, .* got \(0, True\)"),
        ({"wanted": lambda _: [-1, 0, 0]}, "must let word 1 look at words from 1 to 3, got 0"),
        ({"wanted": lambda _: [0]}, "must say one thing for each of its 3 words, got 1"),
        ({"title": None}, "The title must be one line of text, got None"),
        ({"words": [1, 2]}, "A word must have 1 to 12 letters, .* got 1"),
    ],
)
def test_what_is_no_job_of_a_function_is_refused(change: dict[str, Any], says: str) -> None:
    said = {"wanted": lambda tokens: [0] * len(tokens), "seen": ["yes no oh"], **SAID}
    with pytest.raises(MhaError, match=says):
        own_puzzle(**{**said, **change})


def test_too_much_is_refused_before_it_is_made() -> None:
    long = tuple(Asked(("yes",) * 16, (None,) * i + ((0,),) * (16 - i)) for i in range(5))
    with pytest.raises(MhaError, match="in all sentences shown"):
        OwnPuzzle(**{**SAID, "longest": 16, "seen": long})
    many = tuple(Asked(("no", "oh"), (None, (i,))) for i in range(201))
    with pytest.raises(MhaError, match="sentences not shown"):
        OwnPuzzle(**{**SAID, "seen": SEEN, "hidden": many})


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("yes no 1 2", "Line 1 of the sentences must have a colon"),
        ("\nyes no : 1", "Line 2 of the sentences must say one thing for each of its 2 words"),
        (
            "yes no : - 1.5",
            "“yes no” must have, for each word, a number, several as in 1+3, or a dash",
        ),
        ("yes no : - 1.5", "got '1.5'. Write a line as"),
        ("yes no oh : - 1+ 2", "got '1+'"),
        ("yes no oh : - yes no", "got 'yes'"),
        ("yes no : - " + "9" * 5000, "got '999"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(line: str, says: str) -> None:
    with pytest.raises(MhaError) as error:
        read_asked(line, predicts=False)
    assert says in str(error.value)


@pytest.mark.parametrize("dash", ["-", "\u2212", "\u2013", "\u2014"])
def test_any_dash_wants_nothing(dash: str) -> None:
    for predicts, last in ((False, (0,)), (True, "1")):
        (asked,) = read_asked(f"yes no : {dash} 1", predicts=predicts)
        assert asked.wanted == (None, last)


def plain(**changes: Any) -> str:
    return json.dumps({**json.loads(write_puzzle(BEFORE)), **changes})


FILES = {
    "[]": "must be an object",
    "{": "must be JSON",
    plain(kind="a walk"): 'must say "kind": "attention puzzle"',
    plain(version=2): "must be of version 1",
    plain(run="print(1)"): "must be one that version 1 knows",
    plain(d_k="four"): "must be a whole number",
    plain(words="yes"): "must be a list",
    plain(given=[]): "must be an object",
    plain(given={"w_v": 1}): "must be a text",
    plain(seen=["yes no : - 1\nno : -"]): "must be lines",
    plain(wants="words"): "must predict one of the words",
    plain(wants="bread"): "must be one of words, weights",
    json.dumps({"kind": "attention puzzle"}): "must be given",
}


@pytest.mark.parametrize("text", FILES, ids=FILES.values())
def test_a_file_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(MhaError) as error:
        read_puzzle(text)
    assert FILES[text] in str(error.value)


def test_long_files_and_links_are_refused() -> None:
    with pytest.raises(MhaError, match="The length of the puzzle"):
        read_puzzle(" " * 200_001)
    rng = np.random.default_rng(1)
    noise = {name: rng.normal(size=(7, 16)).tolist() for name in ("w_q", "w_k")}
    texts = {name: "\n".join(" ".join(map(repr, row)) for row in noise[name]) for name in noise}
    with pytest.raises(MhaError, match="The length of the puzzle's link"):
        pack_puzzle(replace(BEFORE, d_k=16, solution=texts))


@pytest.mark.parametrize("word", ["~", "~abc", "~ä", pack_text("[]"), pack_text(" " * 300_000)])
def test_a_broken_word_of_a_link_is_refused(word: str) -> None:
    with pytest.raises(MhaError):
        unpack_puzzle(word)
