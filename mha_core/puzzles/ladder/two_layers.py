"""What two layers do and one cannot: the second one reads what the first has written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.puzzles.puzzle import PLACES, Arrays, Puzzle, Tokens, of_zeros, word_and_place
from mha_core.puzzles.sentences import SEED
from mha_core.puzzles.wants import Looks, Makes, Predicts, Want
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.x_columns import START_AND_LETTERS, WITH_ROOM

BEGIN, *LETTERS = START_AND_LETTERS
WORDS: Final = len(START_AND_LETTERS)
PLACE: Final = WORDS  # the first column of places, and the first one of room
ROOM: Final = PLACE + PLACES
WIDTH: Final = ROOM + PLACES
CAUSAL: Final = Mask((Rule("causal"),))
EMPTY: Final = replace(of_zeros(WIDTH, d_k=PLACES, d_v=PLACES, x=WITH_ROOM), mask=CAUSAL)
STRONG: Final = 5.0
POINTED: Final = 8.0  # among several tokens of a word, each place is a part


def with_room(tokens: Tokens) -> FloatArray:
    """X with words and places, and as many columns of zeros: there the first layer may write."""
    x = word_and_place(tokens, START_AND_LETTERS)
    return np.hstack([x, np.zeros((len(tokens), PLACES))])


def from_the_start() -> Iterator[tuple[str, ...]]:
    """Sentences that begin with the full stop, which never comes again."""
    yield (BEGIN, *LETTERS[:1] * (PLACES - 1))
    yield (BEGIN, *LETTERS, *LETTERS)[:PLACES]
    rng = np.random.default_rng(SEED)
    while True:
        few = rng.choice(LETTERS, size=int(rng.integers(2, len(LETTERS) + 1)), replace=False)
        words = rng.choice(few, size=int(rng.integers(2, PLACES)))
        yield (BEGIN, *map(str, words))


def repeating() -> Iterator[tuple[str, ...]]:
    """Those in which a word comes again."""
    return filter(_after_the_same, from_the_start())


def _after_the_same(tokens: Tokens) -> list[Want]:
    return [Looks(query, keys) for query, keys in _places_after_the_same(tokens).items()]


def _places_after_the_same(tokens: Tokens) -> dict[int, tuple[int, ...]]:
    """Of each token whose word came before, where that was followed by something."""
    after = {
        query: tuple(i + 1 for i in range(query) if tokens[i] == word)
        for query, word in enumerate(tokens)
    }
    return {query: keys for query, keys in after.items() if keys}


def _two_back(tokens: Tokens) -> list[Want]:
    words = with_room(tokens)[:, :WORDS]
    return [Makes(place, range(WORDS), words[place - 2]) for place in range(2, len(tokens))]


def _of_three() -> Iterator[tuple[str, ...]]:
    """Those in which something stands two before a token."""
    return filter(_two_back, from_the_start())


def _table(rows: int, columns: FloatArray, *, strength: float = 1) -> FloatArray:
    """A matrix with these numbers from a row on, and zeros elsewhere."""
    made = np.zeros((WIDTH, PLACES))
    height, width = columns.shape
    made[rows : rows + height, :width] = strength * columns
    return made


OF_LETTERS: Final = np.eye(len(LETTERS))
EACH_PLACE: Final = np.eye(PLACES)
BEFORE: Final = np.eye(PLACES, k=-1)  # place i asks for place i - 1
TAKE_WORDS: Final = _table(1, OF_LETTERS)
GIVE_ROOM: Final = _table(ROOM, OF_LETTERS).T


def _copying(steps: FloatArray = BEFORE, strength: float = STRONG) -> Arrays:
    """A first layer that looks so many places back, and writes the word from there."""
    return {
        "w_q": _table(PLACE, steps, strength=strength),
        "w_k": _table(PLACE, EACH_PLACE, strength=strength),
        "w_v": TAKE_WORDS,
        "w_o": GIVE_ROOM,
    }


def _then_looking(query: int, key: int, strength: float = STRONG) -> Arrays:
    """A second layer: which columns of the query and of the key are to be alike."""
    return {
        "2.w_q": _table(query, OF_LETTERS, strength=strength),
        "2.w_k": _table(key, OF_LETTERS, strength=strength),
    }


JOB: Final = say(
    "Each token whose word came before looks, in layer 2, at what followed it then: after “a b”, "
    "the next a looks at b. If it came more than once, to each as much."
)
SEEN: Final = (". a b a", ". c a a d c", ". a b c a b c")

INDUCTION: Final = Puzzle(
    "induction",
    say("After the same word, by a copy"),
    JOB,
    EMPTY,
    ("w_q", "w_k", "w_v", "w_o", "2.w_q", "2.w_k"),
    _after_the_same,
    SEEN,
    lambda: {**_copying(), **_then_looking(1, ROOM)},
    most_numbers=2 * PLACES - 1 + 4 * len(LETTERS),
    hints=(
        say("In layer 1, each token copies the word of the one before into free columns."),
        say("In layer 2, a query says its word, and a key says the word before it: its copy."),
        say(
            "W_Q, W_K as for the token before, W_V and W_O copy a to d into free columns. In layer "
            "2, W_Q takes the columns a to d and W_K the free ones, times 5."
        ),
    ),
    source=say("After Olsson et al., 2022, In-context Learning and Induction Heads"),
    near_misses={
        "layer 2 looks for the same word": lambda: {**_copying(), **_then_looking(1, 1)},
        "one word is not copied": lambda: {
            **_copying(),
            **_then_looking(1, ROOM),
            "w_v": _table(1, OF_LETTERS[:-1]),
        },
        "too weak": lambda: {**_copying(), **_then_looking(1, ROOM, STRONG * 0.6)},
    },
    x_of=with_room,
    words=START_AND_LETTERS,
    above=(EMPTY,),
    draw=repeating,
)

LOOKS_AT_ITS_WORD: Final = _table(0, np.eye(WORDS), strength=STRONG)
TAKE_PLACES: Final = _table(PLACE, EACH_PLACE)
ONE_ON: Final = np.eye(PLACES, k=1)[:-1]  # place i becomes place i + 1


def _pointing(
    steps: FloatArray = ONE_ON, taken: FloatArray = TAKE_PLACES, strength: float = POINTED
) -> Arrays:
    """A first layer that writes the places it sees, moved on, and a second one that looks there."""
    return {
        "w_v": taken,
        "w_o": _table(ROOM, steps.T).T,
        "2.w_q": _table(ROOM, EACH_PLACE, strength=strength),
        "2.w_k": _table(PLACE, EACH_PLACE, strength=strength),
    }


BY_POINTERS: Final = Puzzle(
    "induction-pointer",
    say("After the same word, by a pointer"),
    JOB,
    replace(EMPTY, w_q=LOOKS_AT_ITS_WORD, w_k=LOOKS_AT_ITS_WORD),
    ("w_v", "w_o", "2.w_q", "2.w_k"),
    _after_the_same,
    SEEN,
    _pointing,
    most_numbers=4 * PLACES - 1,
    hints=(
        say("Layer 1 is given: each token looks at all tokens of its own word, so far."),
        say("Take the place of what is seen along, and write the next place into free columns."),
        say(
            "W_V takes the places, W_O has its ones a column to the right. In layer 2, W_Q takes "
            "the free columns and W_K the places, times 8."
        ),
    ),
    source=say("After Olsson et al., 2022, In-context Learning and Induction Heads"),
    near_misses={
        "it points at the same word": lambda: _pointing(EACH_PLACE),
        "the place before the last is not taken along": lambda: _pointing(
            taken=_table(PLACE, EACH_PLACE * (np.arange(PLACES) != PLACES - 3))
        ),
        "too weak": lambda: _pointing(strength=POINTED * 0.6),
    },
    x_of=with_room,
    words=START_AND_LETTERS,
    above=(EMPTY,),
    draw=repeating,
)


def _moving(written: int = ROOM, taken: int = ROOM, words: FloatArray | None = None) -> Arrays:
    """Layer 1 writes words from such a column on, and layer 2 takes what stands from one on."""
    each = np.eye(WORDS)
    return {
        "w_v": _table(0, each if words is None else words),
        "w_o": _table(written, each).T,
        "2.w_v": _table(taken, each),
        "2.w_o": _table(0, each).T,
    }


LOOKS_BEFORE: Final = replace(
    EMPTY,
    w_q=_table(PLACE, BEFORE, strength=STRONG),
    w_k=_table(PLACE, EACH_PLACE, strength=STRONG),
    mask=Mask((Rule("sliding_window", left=1),)),
)
TWO_BACK: Final = Puzzle(
    "two-back",
    say("Copy the word two before"),
    say(
        "Layer 2 makes, at each token, the word that stands two before it. No layer sees so far: "
        "the mask leaves a token itself and the one before."
    ),
    LOOKS_BEFORE,
    ("w_v", "w_o", "2.w_v", "2.w_o"),
    _two_back,
    (". a b", ". c c a d", ". d a b a c b"),
    _moving,
    most_numbers=4 * WORDS,
    hints=(
        say("Both layers look at the token before: what it has, one layer later, is older."),
        say("Layer 1 copies words into free columns, or they would mix with those that are there."),
        say(
            "W_V takes the columns of words and W_O puts them into free ones. In layer 2, W_V "
            "takes the free ones and W_O puts them into the columns of words."
        ),
    ),
    source=say("Our own"),
    near_misses={
        "layer 1 writes over the words": lambda: _moving(written=0, taken=0),
        "layer 2 takes the words": lambda: _moving(taken=0),
        "one word is not taken along": lambda: _moving(words=np.eye(WORDS)[:-1]),
    },
    x_of=with_room,
    words=START_AND_LETTERS,
    above=(LOOKS_BEFORE,),
    draw=_of_three,
)


def _followers(tokens: Tokens) -> list[Predicts]:
    """Where all that followed is one word, it is predicted."""
    wanted: list[Predicts] = []
    for query, keys in _places_after_the_same(tokens).items():
        words = {tokens[key] for key in keys}
        if len(words) == 1:
            wanted.append(Predicts(query, min(words), START_AND_LETTERS))
    return wanted


def _following() -> Iterator[tuple[str, ...]]:
    """Those in which another word than the token itself is to be predicted."""
    for sentence in from_the_start():
        wanted = _followers(sentence)
        if any(START_AND_LETTERS[want.column] != sentence[want.query] for want in wanted):
            yield sentence


LAST_ROOM: Final = WIDTH - len(LETTERS)  # where layer 1 has not written


def _predicting(taken: int = 1, read: int = LAST_ROOM, logit: float = 2) -> Arrays:
    """Layer 2 takes words from such a column on, and W_U reads them from one on."""
    w_u = np.zeros((WIDTH, WORDS))
    w_u[read : read + len(LETTERS), 1:] = logit * OF_LETTERS
    return {
        "2.w_v": _table(taken, OF_LETTERS),
        "2.w_o": _table(LAST_ROOM, OF_LETTERS).T,
        "w_u": w_u,
    }


FOUND: Final = INDUCTION.answered(INDUCTION.solution()).layers
NEXT_WORD: Final = Puzzle(
    "induction-word",
    say("Say what followed"),
    say(
        "Each token whose word came before predicts the word that followed it then. Nothing is "
        "wanted where different words followed."
    ),
    FOUND[0],
    ("2.w_v", "2.w_o", "w_u"),
    lambda tokens: [*_followers(tokens)],
    SEEN,
    _predicting,
    most_numbers=3 * len(LETTERS),
    hints=(
        say("Layer 2 looks at what followed: W_Q and W_K of both layers are given."),
        say("Take its word along. In its own columns it would mix with the word of the token."),
        say(
            "In layer 2, W_V takes a to d, and W_O puts them into the last four free columns. W_U "
            "reads them there, with a 2."
        ),
    ),
    source=say("After Olsson et al., 2022, In-context Learning and Induction Heads"),
    near_misses={
        "W_U reads the token's own word": lambda: _predicting(read=1),
        "it predicts the word before": lambda: _predicting(taken=ROOM),
        "the logits are small": lambda: _predicting(logit=0.5),
    },
    x_of=with_room,
    words=START_AND_LETTERS,
    above=FOUND[1:],
    w_u=np.zeros((WIDTH, WORDS)),
    draw=_following,
)

OF_TWO_LAYERS: Final = (TWO_BACK, INDUCTION, BY_POINTERS, NEXT_WORD)
