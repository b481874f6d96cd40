"""A puzzle in one file, without a server: its picture, the checker, hints and a solution.

The arithmetic of the checker is ui/plot/js/building/check.js. What it needs to know of each
sentence is told here as plain data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from mha_core import StackTrace
from mha_core.checks.shapes import FloatArray
from mha_core.io.scenario.stack_link import stack_parameters
from mha_core.language import say
from mha_core.layer.matrices import labelled_matrix
from mha_core.puzzles.checking import LARGEST, hidden_of
from mha_core.puzzles.mistakes import IN_WORDS, TIE
from mha_core.puzzles.puzzle import W_U_NAME, Arrays, Puzzle, Tokens
from mha_core.puzzles.wants import LEAST, TIMES, WITHIN, Looks, Predicts, Want
from mha_core.scenario.given_arrays import GIVEN
from mha_core.stack.attending import attend
from mha_core.stack.stack import W_U
from ui.edits.forward_inputs import inputs_from
from ui.edits.puzzle_entries import place_of_block
from ui.figures.building import building_figure
from ui.figures.drawing import Look
from ui.saved.facts import facts_of
from ui.saved.one_file import one_file
from ui.saved.pictures import without_numbers

LOOK: Final = Look()
SEEN: Final = say(
    "{count} sentences, one below the other: a mask keeps each to itself. {more} more are checked."
)

OFTEN: Final = ("4*I", "4*shift(-1)", "4*shift(1)", "I", "0")  # that fill a block


@dataclass(frozen=True)
class _Named:
    name: str
    title: str


def puzzle_page(
    puzzle: Puzzle, arrays: Arrays | None = None, home: str = "", *, is_bare: bool = False
) -> bytes:
    """The page as HTML. It begins with these arrays, or with zeros.

    A bare one has neither hints nor a solution. `home` is the address of a list of such pages.
    """
    data = puzzle_data(puzzle, arrays, is_bare=is_bare)
    return one_file("puzzle_page.js", {**data, "title": puzzle.title, "home": home})


def puzzle_data(
    puzzle: Puzzle, arrays: Arrays | None = None, *, is_bare: bool = False
) -> dict[str, Any]:
    """All that the page shows and checks."""
    traces = attend(puzzle.on_all_seen(arrays or {}))
    zeros = puzzle.found_in(puzzle.on_all_seen({}))
    first = min(map(puzzle.layer_of, puzzle.free))  # that has something to write
    return {
        "name": puzzle.name,
        "job": puzzle.job,
        "source": say("Source: {source}.").format(source=puzzle.source),
        "seen": SEEN.format(count=len(puzzle.seen), more=len(hidden_of(puzzle))),
        "hints": [] if is_bare else list(puzzle.hints),
        "solution": None if is_bare else dict(puzzle.solution()) or None,
        "zeros": dict(zeros),
        "blocks": _blocks(puzzle, zeros),
        "often": OFTEN,
        "mistakes": IN_WORDS,
        "tie": TIE,
        "free": list(puzzle.free),
        "symbols": {name: given.symbol for name, given in GIVEN.items()} | {W_U_NAME: W_U},
        "most_numbers": puzzle.most_numbers,
        "largest": LARGEST,
        "decimals": LOOK.decimals,
        "opens_at": min(first, len(puzzle.above)),
        "inputs": inputs_from(traces, 0),
        "pictures": [_picture(traces, puzzle, layer) for layer in range(len(traces.layers))],
        "facts": [facts_of(trace) for trace in traces.layers],
        "wanted": puzzle.wanted_of_all_seen()[1],
        "in_link": _in_link(puzzle),
        "sentences": [
            _sentence(puzzle, tokens) for tokens in (*puzzle.sentences_seen, *hidden_of(puzzle))
        ],
    }


def _picture(traces: StackTrace, puzzle: Puzzle, layer: int) -> dict[str, Any]:
    """Without its numbers: the page computes them all."""
    alt = say("The matrices of the head, what they make, and its weights")
    figure = building_figure(traces, puzzle, layer, LOOK)
    return without_numbers(figure, _Named("puzzle", alt), {})


def _blocks(puzzle: Puzzle, zeros: Arrays) -> list[dict[str, Any]]:
    """What may be filled at once: a matrix, for some columns of X, and where these are."""
    parts: dict[str, slice | None] = {say("all of it"): None, **puzzle.parts_of_x}
    return [
        _block(puzzle, name, zeros[name], part, columns)
        for name in puzzle.free
        for part, columns in parts.items()
    ]


def _block(
    puzzle: Puzzle, name: str, array: FloatArray, part: str, columns: slice | None
) -> dict[str, Any]:
    place = place_of_block(puzzle, name, columns)
    at = [each.start or 0 for each in place]
    return {"name": name, "part": part, "at": at, "shape": array[place].shape}


def _in_link(puzzle: Puzzle) -> dict[str, str]:
    """What a link says of the layers, beside the free arrays."""
    said = stack_parameters(puzzle.on(puzzle.answered({}), puzzle.sentences_seen[0]))
    return {name: text for name, text in said.items() if name.rpartition(".")[0] not in puzzle.free}


def _sentence(puzzle: Puzzle, tokens: Tokens) -> dict[str, Any]:
    """What a sentence gives to the layers, and what is wanted of each of its tokens."""
    traces = attend(puzzle.on(puzzle.answered({}), tokens))
    return {
        "tokens": list(tokens),
        "inputs": inputs_from(traces, 0),
        "wants": [_want(want, traces) for want in puzzle.wanted(tokens)],
    }


def _want(want: Want, traces: StackTrace) -> dict[str, Any]:
    """See wants.py. The matrix has the name that the browser's layers know it by."""
    said: dict[str, Any] = {"step": want.step, "query": want.query}
    last = len(traces.layers) - 1
    if isinstance(want, Looks):
        keys = list(want.keys)
        matrix = f"{want.layer % len(traces.layers) + 1}.weights/{want.head}"
        return {**said, "matrix": matrix, "keys": keys, "least": LEAST / len(keys)}
    if isinstance(want, Predicts):
        about = {"column": want.column, "word": want.word, "words": want.words, "times": TIMES}
        return {**said, "matrix": want.step, **about}
    columns = [int(column) for column in want.columns]
    labels = labelled_matrix(traces.layers[last], want.step).columns.labels
    return {
        **said,
        "matrix": f"{last + 1}.{want.step}",
        "columns": columns,
        "names": [labels[column] for column in columns],
        "numbers": np.asarray(want.numbers, np.float64).tolist(),
        "within": WITHIN,
    }
