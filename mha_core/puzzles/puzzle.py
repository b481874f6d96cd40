"""A puzzle as plain data: the job, the words, what is given, and a solution of our own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any, Final, NamedTuple

import numpy as np

from mha_core.checks.errors import ShapeError
from mha_core.checks.shapes import FloatArray, check_shape
from mha_core.checks.values import check_one_of
from mha_core.language import say, say_number
from mha_core.puzzles.wants import Looks, Makes, Predicts, Want
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.origin import Origin
from mha_core.scenario.x_columns import (
    BY_PLACES,
    BY_WAVES,
    LETTERS,
    NUMBERS_BY_PLACES,
    PLACES_IN_PUZZLES,
    WAVES,
    WITH_A_ONE,
    WITH_DEPTH,
    WITH_LOWEST,
    WITH_ROOM,
    WITH_SUM,
)
from mha_core.stack.layer import Layer
from mha_core.stack.stack import UNEMBEDDING, W_U, Stack, errors_of_layer

WORDS: Final = LETTERS
PLACES: Final = PLACES_IN_PUZZLES
W_U_NAME: Final = "w_u"
BESIDE: Final[Mapping[str, Mapping[str, int]]] = {  # what stands right of words, and how wide it is
    BY_PLACES: {say("places"): PLACES},
    BY_WAVES: {say("waves"): 2 * WAVES},
    WITH_A_ONE: {say("the 1"): 1},
    NUMBERS_BY_PLACES: {say("places"): PLACES},
    WITH_DEPTH: {say("depth"): 1},
    WITH_LOWEST: {say("depth"): 1, say("lowest"): 1},
    WITH_ROOM: {say("places"): PLACES, say("free columns"): PLACES},
    WITH_SUM: {say("the 1"): 1, say("sum"): 1},
}

Tokens = Sequence[str]
Arrays = Mapping[str, FloatArray]


class Answer(NamedTuple):
    """All layers with what a person has written, and the W_U that they end with."""

    layers: tuple[Layer, ...]
    w_u: FloatArray | None


def word_and_place(
    tokens: Tokens, words: Sequence[str] = WORDS, places: int = PLACES
) -> FloatArray:
    """X with a column for each word and one for each place: a 1 for what the token is, and where.

    Shape: (tokens, words + places)

    >>> word_and_place(["b", "a"], words=["a", "b"], places=3)
    array([[0., 1., 1., 0., 0.],
           [1., 0., 0., 1., 0.]])
    """
    x = np.zeros((len(tokens), len(words) + places))
    for place, token in enumerate(tokens):
        x[place, list(words).index(token)] = 1
        x[place, len(words) + place] = 1
    return x


@dataclass(frozen=True, eq=False)
class Puzzle:
    """`start` is the layer that a person begins with, and `free` are the arrays to be written.

    `above` are the layers above it. An array of a higher layer is named with its number: "2.w_q".
    `w_u` makes a logit for each word that is `predicted`: by default, for each of the words.

    `wanted` says of a sentence what each of its tokens must do. `most_numbers` is how many numbers
    that are not zero a short solution needs. `near_misses` are wrong answers, by what is wrong with
    them: the checker refuses each. Nothing is wanted of a sentence that lacks a word of `needed`.
    `draw` draws hidden sentences, without end, where not all words may stand everywhere. Of a
    person's own puzzle, `hidden` are all of them, and `beside` is what stands right of words; its
    `solution` may be nothing.
    """

    name: str
    title: str
    job: str
    start: Layer
    free: tuple[str, ...]
    wanted: Callable[[Tokens], list[Want]]
    seen: tuple[str, ...]
    solution: Callable[[], Arrays]
    most_numbers: int
    hints: tuple[str, ...]
    source: str
    near_misses: Mapping[str, Callable[[], Arrays]] = field(default_factory=dict)
    x_of: Callable[[Tokens], FloatArray] = word_and_place
    words: tuple[str, ...] = WORDS
    places: int = PLACES
    needed: tuple[str, ...] = ()
    above: tuple[Layer, ...] = ()
    w_u: FloatArray | None = None
    predicted: tuple[str, ...] = ()
    draw: Callable[[], Iterator[tuple[str, ...]]] | None = None
    hidden: tuple[tuple[str, ...], ...] | None = None
    beside: Mapping[str, int] = field(default_factory=dict)

    def layer_of(self, name: str) -> int:
        """The layer of a free array, counted from 0. W_U stands after the last one."""
        number, _, array = name.rpartition(".")
        if array == W_U_NAME:
            return len(self.above)
        return int(number or 1) - 1

    def array_of(self, name: str) -> str:
        """What a free array is called within its layer: "2.w_q" is the layer's "w_q"."""
        return name.rpartition(".")[2]

    def answered(self, arrays: Arrays) -> Answer:
        """What a person has written in its place; all else stays as it is given."""
        for name in arrays:
            check_one_of("The arrays of an answer", name, self.free)
        written: list[dict[str, Any]] = [{} for _ in self._layers]
        for name, array in arrays.items():
            if name != W_U_NAME:
                written[self.layer_of(name)][self.array_of(name)] = array
        layers = map(lambda layer, own: replace(layer, **own), self._layers, written)
        return Answer(tuple(layers), arrays.get(W_U_NAME, self.w_u))

    def on(self, answer: Answer, tokens: Tokens) -> Stack:
        return self._stack(answer, self.x_of(tokens), tuple(tokens))

    @property
    def sentences_seen(self) -> list[tuple[str, ...]]:
        return [tuple(sentence.split()) for sentence in self.seen]

    def on_all_seen(self, arrays: Arrays) -> Stack:
        """An answer on all sentences that are seen, one below the other.

        A mask keeps each to itself, so its numbers are those that it has alone.
        """
        sentences = self.sentences_seen
        number = np.repeat(np.arange(len(sentences)), [len(each) for each in sentences])
        own = np.equal.outer(number, number)
        answer = self.answered(arrays)
        layers = (replace(each, mask=replace(each.mask, custom=own)) for each in answer.layers)
        x = np.vstack([self.x_of(sentence) for sentence in sentences])
        return self._stack(answer._replace(layers=tuple(layers)), x, sum(sentences, ()))

    def wanted_of_all_seen(self) -> tuple[str, FloatArray]:
        """What is wanted on the same sentences: of which step, and its numbers.

        The step is one of the last layer, or "probabilities": then the right word is 1. A number
        that nothing is wanted of is NaN.
        """
        sentences = self.sentences_seen
        n = sum(map(len, sentences))
        widths = {
            Looks.step: n,
            Makes.step: self._layers[-1].w_o.shape[1],
            Predicts.step: len(self.words_predicted),
        }
        made = {step: np.full((n, width), np.nan) for step, width in widths.items()}
        first, step = 0, Looks.step
        for sentence in sentences:
            for want in self.wanted(sentence):
                step = want.step
                want.put_into(made[step], first, len(sentence))
            first += len(sentence)
        return step, made[step]

    @property
    def words_predicted(self) -> tuple[str, ...]:
        """Those that W_U has a column for."""
        return self.predicted or self.words

    @property
    def parts_of_x(self) -> Mapping[str, slice]:
        """What the columns of X say, in words, and which columns say it."""
        beside = BESIDE.get(self.start.origin.x, self.beside)
        widths = {say("words"): len(self.words), **beside}
        ends = accumulate(widths.values())
        return {
            title: slice(end - width, end)
            for (title, width), end in zip(widths.items(), ends, strict=True)
        }

    def answer_in(self, stack: Stack) -> Arrays:
        """What a stack has in the place of the free arrays. Other shapes are refused."""
        found, start = self.found_in(stack), self.on_all_seen({})
        for name, array in found.items():
            if name == W_U_NAME:
                _check_w_u(array, self._in_its_place(start, name).shape)
                continue
            number, given = self.layer_of(name), GIVEN[self.array_of(name)]
            sizes = start.scenario_on(number, start.first.x).sizes
            with errors_of_layer(number):
                check_shape(given.symbol, array, given.dims, sizes)
        return found

    def found_in(self, stack: Stack) -> Arrays:
        """The same, of any shapes. The layers are as many as those of the puzzle."""
        answer = say("An answer to “{title}”").format(title=self.title)
        count = len(self._layers)
        if len(stack.layers) != count:
            need = say_number("must have {count} layer", "must have {count} layers", count)
            got = str(len(stack.layers))
            raise ShapeError(answer, need.format(count=count), got, say("Save all layers."))
        if stack.w_u is None and W_U_NAME in self.free:
            raise ShapeError(answer, say("must have a W_U"), say("none"), say("Save it too."))
        return {name: self._in_its_place(stack, name) for name in self.free}

    @property
    def _layers(self) -> tuple[Layer, ...]:
        return (self.start, *self.above)

    def _stack(self, answer: Answer, x: FloatArray, tokens: tuple[str, ...]) -> Stack:
        """Where something is read after a layer, there is a stream that it is added to."""
        first, *above = answer.layers
        w_u = answer.w_u
        words = () if w_u is None else self.words_predicted
        has_stream = bool(above) or w_u is not None
        return Stack((first.on(x, tokens), *above), has_stream, w_u, words)

    def _in_its_place(self, stack: Stack, name: str) -> FloatArray:
        owner = stack if name == W_U_NAME else stack.layers[self.layer_of(name)]
        array: FloatArray = getattr(owner, self.array_of(name))
        return array


def _check_w_u(w_u: FloatArray, shape: tuple[int, ...]) -> None:
    check_shape(W_U, w_u, UNEMBEDDING, dict(zip(UNEMBEDDING.axes, shape, strict=True)))


def of_zeros(d_model: int, *, d_k: int, d_v: int, x: str = BY_PLACES) -> Layer:
    """A head to begin with, on an X that is made in this way."""
    w_q, w_v = np.zeros((d_model, d_k)), np.zeros((d_model, d_v))
    return Layer(w_q=w_q, w_k=w_q, w_v=w_v, w_o=w_v.T, n_heads=1, origin=Origin(x=x))
