"""A puzzle that a teacher makes, as plain data: all that a form, a file and a link say of it.

Its words, its sentences and what is wanted of each of their tokens are written down. So it is
checked like any other puzzle, and nothing in it is run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

import numpy as np

from mha_core.checks.errors import FormatError, MhaError
from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import FloatArray, check_shape
from mha_core.checks.values import check_limit, check_one_of, check_whole, short_repr
from mha_core.io.matrix.block_text import block_of
from mha_core.io.matrix.matrix_text import parse_matrix
from mha_core.language import say
from mha_core.puzzles.own.asked import DASHES, HOW, MADE_OF_SIGNS, Asked
from mha_core.puzzles.puzzle import W_U_NAME, Arrays, Puzzle, Tokens, of_zeros, word_and_place
from mha_core.puzzles.wants import Want
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.x_columns import (
    MOST_OWN_PLACES,
    OF_OWN_PUZZLES,
    OWN_ONE,
    OWN_PLACES,
    OWN_WORDS,
    columns_of,
    own_recipe,
)
from mha_core.stack.layer import Layer
from mha_core.stack.stack import UNEMBEDDING, W_U

MOST_WORDS: Final = 16
LONGEST_WORD: Final = 12  # characters
MOST_WIDTH: Final = 16  # of queries, keys and values
MOST_SEEN: Final = 64  # tokens of all sentences that are seen
MOST_HIDDEN: Final = 200  # sentences
LONGEST_TITLE: Final = 80  # characters
LONGEST_LINE: Final = 300
MOST_HINTS: Final = 3
MOST_NUMBERS: Final = 10_000
NO_MASK: Final = "none"
MASKS: Final = (NO_MASK, "causal")
WEIGHTS: Final = ("w_q", "w_k", "w_v", "w_o")
BESIDE: Final[Mapping[str, Callable[[int], dict[str, int]]]] = {
    OWN_PLACES: lambda places: {say("places"): places},
    OWN_ONE: lambda _: {say("the 1"): 1},
    OWN_WORDS: lambda _: {},
}
FEWER: Final = say("Take fewer.")
SHORTER: Final = say("Shorten it.")
CORRECT_IT: Final = say("Correct it.")
OR_A_BLOCK: Final = say("Or write a block, such as 10*I, 4*shift(-1) or 0.")


@dataclass(frozen=True, kw_only=True)
class OwnPuzzle:
    """`seen` are sentences that are shown, `hidden` those that are checked besides.

    `x` says what X has beside a column for each word: "places", "one" (a constant column) or
    "words" (nothing). `free` are the arrays to be written; "2.w_q" is one of layer 2. `given` are
    the others that are not zeros, as texts: a matrix, or a block such as 4*shift(-1). `solution`
    says the same of the free ones, or nothing.
    """

    title: str
    job: str
    words: tuple[str, ...]
    seen: tuple[Asked, ...]
    hidden: tuple[Asked, ...] = ()
    longest: int = 8
    x: str = OWN_PLACES
    d_k: int = 8
    d_v: int = 8
    layers: int = 1
    mask: str = NO_MASK
    free: tuple[str, ...] = ("w_q", "w_k")
    given: Mapping[str, str] = field(default_factory=dict)
    most_numbers: int = 20
    hints: tuple[str, ...] = ()
    solution: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("words", "seen", "hidden", "free", "hints"):  # lists in a notebook
            object.__setattr__(self, name, tuple(getattr(self, name)))
        _check_words(self)
        _check_sizes(self)
        _check_arrays(self)
        _check_sentences(self)

    @property
    def recipe(self) -> str:
        """What made X, as the names of its columns need it."""
        return own_recipe(self.x, self.longest, self.words)

    @property
    def predicts(self) -> bool:
        """Whether words are wanted; else it is weights."""
        return any(isinstance(wanted, str) for each in self.seen for wanted in each.wanted)

    @property
    def names(self) -> tuple[str, ...]:
        """Of all arrays that may be free or given."""
        return names_of_arrays(self.layers, predicts=self.predicts)

    def shape_of(self, name: str) -> tuple[int, int]:
        columns = columns_of(self.recipe)
        width = len(columns.names) if columns else 0
        array = name.rpartition(".")[2]
        if array == W_U_NAME:
            return width, len(self.words)
        if array == "w_o":
            return self.d_v, width
        return width, self.d_v if array == "w_v" else self.d_k


def names_of_arrays(layers: int, *, predicts: bool) -> tuple[str, ...]:
    """Of all arrays of so many layers; a prediction has W_U.

    >>> names_of_arrays(1, predicts=True)
    ('w_q', 'w_k', 'w_v', 'w_o', 'w_u')
    """
    above = (f"{number}.{name}" for number in range(2, layers + 1) for name in WEIGHTS)
    return (*WEIGHTS, *above, *([W_U_NAME] if predicts else []))


def puzzle_of(own: OwnPuzzle, name: str = "own") -> Puzzle:
    """It as a puzzle, which the checker and the page know."""
    start, *above = (_layer(own, number) for number in range(own.layers))
    wanted = {each.tokens: each.wants(own.words) for each in (*own.seen, *own.hidden)}
    return Puzzle(
        name,
        own.title,
        own.job,
        start,
        own.free,
        partial(_wanted, wanted),
        tuple(" ".join(each.tokens) for each in own.seen),
        partial(_solution, own),
        own.most_numbers,
        own.hints,
        say("an own puzzle"),
        x_of=partial(_x, own),
        words=own.words,
        places=own.longest,
        above=tuple(above),
        w_u=_w_u(own) if own.predicts else None,
        hidden=tuple(each.tokens for each in own.hidden),
        beside=BESIDE[own.x](own.longest),
    )


def _wanted(wanted: Mapping[tuple[str, ...], list[Want]], tokens: Tokens) -> list[Want]:
    return wanted[tuple(tokens)]


def _x(own: OwnPuzzle, tokens: Tokens) -> FloatArray:
    """A column for each word; beside them one for each place, or one of ones, or none."""
    x = word_and_place(tokens, own.words, own.longest)
    words = x[:, : len(own.words)]
    if own.x == OWN_ONE:
        return np.hstack([words, np.ones((len(x), 1))])
    return x if own.x == OWN_PLACES else words


def _layer(own: OwnPuzzle, number: int) -> Layer:
    """A layer as it is given, counted from 0."""
    before = f"{number + 1}." if number else ""
    given = {name: own.given[before + name] for name in WEIGHTS if before + name in own.given}
    arrays: dict[str, Any] = {
        name: matrix_of(own, before + name, text) for name, text in given.items()
    }
    layer = of_zeros(own.shape_of("w_q")[0], d_k=own.d_k, d_v=own.d_v, x=own.recipe)
    mask = Mask(() if own.mask == NO_MASK else (Rule(own.mask),))
    return replace(layer, mask=mask, **arrays)


def _w_u(own: OwnPuzzle) -> FloatArray:
    """Where it is not said, the end of the stream says each word in the column of that word."""
    if W_U_NAME in own.given:
        return matrix_of(own, W_U_NAME, own.given[W_U_NAME])
    return np.eye(*own.shape_of(W_U_NAME)) * (W_U_NAME not in own.free)


def _solution(own: OwnPuzzle) -> Arrays:
    return {name: matrix_of(own, name, text) for name, text in own.solution.items()}


def matrix_of(own: OwnPuzzle, name: str, text: str) -> FloatArray:
    """An array of the puzzle from its text: a block that an expression makes, or all numbers."""
    shape = own.shape_of(name)
    try:
        return block_of(text, *shape)
    except MhaError:
        matrix = _numbers(name, text)
    array = name.rpartition(".")[2]
    if array == W_U_NAME:
        sizes = dict(zip(UNEMBEDDING.axes, shape, strict=True))
        check_shape(W_U, matrix, UNEMBEDDING, sizes)
        return matrix
    sizes = {"d_model": own.shape_of("w_q")[0], "n_heads": 1, "n_kv_heads": 1}
    sizes |= {"d_k": own.d_k, "d_v": own.d_v, "d_out": sizes["d_model"]}
    sizes["d_model_kv"] = sizes["d_model_v"] = sizes["d_model"]
    check_shape(GIVEN[array].symbol, matrix, GIVEN[array].dims, sizes)
    return matrix


def _numbers(name: str, text: str) -> FloatArray:
    """All numbers of an array. What is none of them may have been meant as a block."""
    try:
        return parse_matrix(text, name)
    except MhaError as no_numbers:
        thing, need, got = no_numbers.thing, no_numbers.need, no_numbers.got
        raise FormatError(thing, need, got, f"{no_numbers.way_out} {OR_A_BLOCK}") from no_numbers


# The checks when one is made, in order.


def _check_words(own: OwnPuzzle) -> None:
    _check_line(say("The title"), own.title, LONGEST_TITLE)
    _check_line(say("The job"), own.job, LONGEST_LINE)
    for hint in own.hints:
        _check_line(say("A hint"), hint, LONGEST_LINE)
    check_limit(say("The number of hints"), len(own.hints), MOST_HINTS, FEWER)
    check_whole(say("The number of words"), len(own.words), 2, MOST_WORDS)
    for word in own.words:
        _check_word(word)
    if len(set(own.words)) < len(own.words):
        twice = next(word for word in own.words if own.words.count(word) > 1)
        raise FormatError(say("The words"), say("must all differ"), repr(twice), CORRECT_IT)


def _check_line(thing: str, text: object, longest: int) -> None:
    if not isinstance(text, str) or not text.strip() or "\n" in text:
        raise FormatError(thing, say("must be one line of text"), short_repr(text), CORRECT_IT)
    check_limit(
        say("The length of a text: {thing}").format(thing=thing), len(text), longest, SHORTER
    )


def _check_word(word: object) -> None:
    """A line of the sentences must be cut into its words again."""
    if not isinstance(word, str) or not _is_word(word):
        need = say("must have 1 to {most} letters, without blanks and {signs}")
        need = need.format(most=LONGEST_WORD, signs=" ".join(MADE_OF_SIGNS))
        raise FormatError(say("A word"), need, short_repr(word), CORRECT_IT)


def _is_word(text: str) -> bool:
    has_sign = any(sign in text for sign in MADE_OF_SIGNS)
    is_one = text.split() == [text] and text not in DASHES
    return is_one and len(text) <= LONGEST_WORD and not has_sign


def _check_sizes(own: OwnPuzzle) -> None:
    check_one_of(say("What X says beside words"), own.x, OF_OWN_PUZZLES)
    check_one_of(say("The mask"), own.mask, MASKS)
    check_whole(say("The longest sentence"), own.longest, 1, MOST_OWN_PLACES)
    check_whole("d_k", own.d_k, 1, MOST_WIDTH)
    check_whole("d_v", own.d_v, 1, MOST_WIDTH)
    check_whole(say("The number of layers"), own.layers, 1, LIMITS.layers)
    most = say("The number of numbers for a star")
    check_whole(most, own.most_numbers, 1, MOST_NUMBERS)
    length = len(own.recipe)
    shorter = say("Take fewer words, or shorter ones.")
    check_limit(say("The length of all words together"), length, LIMITS.label_chars, shorter)


def _check_arrays(own: OwnPuzzle) -> None:
    if not own.free:
        need = say("must be one matrix or more")
        raise FormatError(say("What is to be written"), need, say("none"), say("Choose W_Q."))
    for name in (*own.free, *own.given):
        check_one_of(say("A matrix"), name, own.names)
    if both := set(own.free) & set(own.given):
        need = say("must be given or free")
        raise FormatError(
            say("A matrix"), need, say("{name} as both").format(name=min(both)), CORRECT_IT
        )
    if own.solution and set(own.solution) != set(own.free):
        need = say("must have each matrix that is to be written")
        got = ", ".join(own.solution)
        raise FormatError(say("The solution"), need, got, CORRECT_IT)
    for name, text in (*own.given.items(), *own.solution.items()):
        matrix_of(own, name, text)


def _check_sentences(own: OwnPuzzle) -> None:
    if not own.seen:
        raise FormatError(say("The sentences"), say("must be one or more"), say("none"), HOW)
    count = sum(len(each.tokens) for each in own.seen)
    check_limit(say("The number of words in all sentences shown"), count, MOST_SEEN, FEWER)
    check_limit(say("The number of sentences not shown"), len(own.hidden), MOST_HIDDEN, FEWER)
    asked = (*own.seen, *own.hidden)
    for each in asked:
        _check_sentence(own, each)
    twice = [e.tokens for i, e in enumerate(asked) if e.tokens in {o.tokens for o in asked[:i]}]
    if twice:
        need, got = say("must each be there once"), say("“{sentence}” twice")
        got = got.format(sentence=" ".join(twice[0])[:40])
        raise FormatError(say("The sentences"), need, got, say("Remove one."))
    if not any(each.wants(own.words) for each in own.seen):
        need = say("must want something of a word")
        raise FormatError(say("The sentences"), need, say("dashes alone"), HOW)


def _check_sentence(own: OwnPuzzle, asked: Asked) -> None:
    sentence = " ".join(asked.tokens)
    thing = say("“{sentence}”").format(sentence=sentence[:40])
    if not 1 <= len(asked.tokens) <= own.longest:
        need = say("must have 1 to {most} words").format(most=own.longest)
        raise FormatError(
            thing, need, str(len(asked.tokens)), say("Allow longer sentences, or shorten it.")
        )
    for token in asked.tokens:
        if token not in own.words:
            need = say("must be made of the words {words}").format(words=" ".join(own.words))
            raise FormatError(thing, need, repr(token[:20]), CORRECT_IT)
    if len(asked.wanted) != len(asked.tokens):
        need = say("must say one thing for each of its {count} words")
        got = str(len(asked.wanted))
        raise FormatError(thing, need.format(count=len(asked.tokens)), got, CORRECT_IT)
    for query, wanted in enumerate(asked.wanted):
        if wanted is not None:
            _check_wanted(own, thing, query, len(asked.tokens), wanted)


def _check_wanted(
    own: OwnPuzzle, thing: str, query: int, count: int, wanted: tuple[int, ...] | str
) -> None:
    if isinstance(wanted, str) != own.predicts:
        need = say("must want weights or words, as the other sentences do")
        raise FormatError(thing, need, say("both"), CORRECT_IT)
    if isinstance(wanted, str):
        if wanted not in own.words:
            need = say("must predict one of the words {words}").format(words=" ".join(own.words))
            raise FormatError(thing, need, repr(wanted[:20]), CORRECT_IT)
        return
    last = query + 1 if own.mask != NO_MASK else count
    if not wanted or not all(0 <= key < last for key in wanted):
        need = say("must let word {query} look at words from 1 to {last}")
        got = ", ".join(str(key + 1) for key in wanted) or say("none")
        raise FormatError(thing, need.format(query=query + 1, last=last), got, CORRECT_IT)
    if len(set(wanted)) < len(wanted):
        need = say("must name each word once that word {query} looks at").format(query=query + 1)
        raise FormatError(thing, need, say("one twice"), CORRECT_IT)
