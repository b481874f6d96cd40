"""Answers to a worksheet: which are right, which step went wrong first, and by what mistake.

Nobody loses points twice for one slip. A number that is wrong, but follows from the numbers that
the person had before, is right from these.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Final, Literal

import numpy as np

from mha_core.checks.errors import MhaError
from mha_core.checks.number_text import parse_number
from mha_core.checks.shapes import BoolArray, FloatArray
from mha_core.language import say
from mha_core.layer.attending import attend_from
from mha_core.layer.attention import quiet
from mha_core.layer.cells import Cell
from mha_core.layer.trace import Trace
from mha_core.options.registry import OPTIONS
from mha_core.options.temperature import OF_BASE_2
from mha_core.reading.homework import (
    FACTORS_FORGOTTEN,
    GATE_FORGOTTEN,
    LEAST_HIDING,
    MISTAKES,
    OWN_FORGOTTEN,
    OWN_OF_THE_FIRST,
    Mistake,
    with_mistakes,
)
from mha_core.scenario.masks import Mask
from mha_core.scenario.scenario import Scenario
from mha_core.worksheets.sheet import Piece, Worksheet

LONGEST_ANSWER: Final = 60  # characters
NO_KNOWN_MISTAKE: Final = say("Check your arithmetic.")
# It stands for minus infinity where a person goes on from their own numbers. So a row in which they
# have hidden every key still has weights.
FAR_BELOW: Final = -1e9
# All that a person computes, each from those before it.
COMPUTED: Final = (
    *("q_heads", "k_heads", "v_heads", "raw_scores", "scaled_scores"),
    *("masked_scores", "weights", "head_outputs", "concat", "output"),
)

Verdict = Literal["right", "right from yours", "wrong", "unreadable", "empty"]
WITH_POINTS: Final = ("right", "right from yours")
Own = Mapping[str, FloatArray]


@dataclass(frozen=True)
class Mark:
    """What is said of one blank; `why` says of an unreadable answer what is wrong with it."""

    verdict: Verdict
    why: str = ""

    @property
    def has_points(self) -> bool:
        return self.verdict in WITH_POINTS


@dataclass(frozen=True)
class Diagnosis:
    """A matrix with wrong numbers: where the first of them is, and what was likely done."""

    title: str
    first_wrong: Cell
    mistake: str = ""

    @property
    def sentence(self) -> str:
        return f"{self.title}: {self.mistake or NO_KNOWN_MISTAKE}"


@dataclass(frozen=True)
class Marked:
    """A sheet with its marks: one for each blank, in the order of the page.

    The first of the diagnoses is of the step that went wrong first.
    """

    worksheet: Worksheet
    marks: Mapping[Cell, Mark]
    diagnoses: tuple[Diagnosis, ...]

    @property
    def points(self) -> int:
        worth = self.worksheet.piece_of
        return sum(worth(cell).points for cell, mark in self.marks.items() if mark.has_points)

    @property
    def of(self) -> int:
        return self.worksheet.points

    def count(self, verdict: Verdict) -> int:
        return sum(mark.verdict == verdict for mark in self.marks.values())


def check_answers(worksheet: Worksheet, answers: Mapping[Cell, str]) -> Marked:
    """Mark the answers to the blanks of a worksheet. An answer to no blank of it is ignored.

    >>> from mha_core.worksheets.exercise import Exercise
    >>> from mha_core.worksheets.sheet import make_exercise
    >>> sheet = make_exercise(Exercise(difficulty="scores_given"))
    >>> forgotten = {
    ...     cell: sheet.piece_of(replace(cell, step="raw_scores")).texts[cell.row][cell.column]
    ...     for cell in sheet.blanks
    ...     if cell.step == "scaled_scores"
    ... }
    >>> check_answers(sheet, forgotten).diagnoses[0].sentence
    'Scaled scores, head 1: The scale was forgotten.'
    """
    read = {cell: _read(answers.get(cell, "")) for cell in worksheet.blanks}
    own = _own_numbers(worksheet, read)
    # The heads of a step go on from the same numbers, and a mistake is made in all heads at once.
    going_on = cache(partial(_going_on, worksheet, own))
    mistakes = {sentence: cache(make) for sentence, make in mistakes_of(worksheet).items()}
    marks: dict[Cell, Mark] = {}
    diagnoses: list[Diagnosis] = []
    for piece in (piece for piece in worksheet.pieces if not piece.is_given):
        for_piece = _marks_of_piece(piece, read, going_on(piece.step))
        marks |= for_piece
        # Before the first wrong number, the person's own numbers are those of the key.
        traces = [worksheet.trace, *([going_on(piece.step)] if diagnoses else [])]
        diagnoses.extend(_diagnosed(piece, for_piece, own, traces, mistakes))
    return Marked(worksheet, marks, tuple(diagnoses))


def _read(answer: str) -> float | Mark:
    """The number of an answer, or why there is none."""
    text = answer.strip() if len(answer) <= LONGEST_ANSWER else answer
    if not text:
        return Mark("empty")
    if len(text) > LONGEST_ANSWER:
        return Mark(
            "unreadable",
            say("A number has at most {limit} characters.").format(limit=LONGEST_ANSWER),
        )
    try:
        return parse_number(text, say("The answer"), minus_infinity=True)
    except MhaError as error:
        return Mark(
            "unreadable",
            say("The answer {need}. {way_out}").format(need=error.need, way_out=error.way_out),
        )


def _own_numbers(worksheet: Worksheet, read: Mapping[Cell, float | Mark]) -> Own:
    """Every computed array with the person's numbers in it; that of the key where there is none."""
    trace = worksheet.trace
    own = {step: np.array(getattr(trace, step), dtype=np.float64) for step in COMPUTED}
    for piece in worksheet.pieces:
        if piece.is_given:
            continue
        array = _matrix(own[piece.step], piece)
        array[...] = piece.key
        for cell in piece.cells:
            number = read[cell]
            if isinstance(number, float):
                array[cell.row, cell.column] = number
    for array in own.values():
        np.maximum(array, FAR_BELOW, out=array, where=np.isneginf(array))
    return own


def _marks_of_piece(
    piece: Piece, read: Mapping[Cell, float | Mark], own_trace: Trace
) -> dict[Cell, Mark]:
    exact = piece.matrix.values
    with quiet():
        following = _matrix(getattr(own_trace, piece.step), piece)
    marks = {}
    for cell in piece.cells:
        number, place = read[cell], (cell.row, cell.column)
        if isinstance(number, Mark):
            marks[cell] = number
        elif any(_is_near(number, right[place], piece) for right in (piece.key, exact)):
            marks[cell] = Mark("right")
        elif _is_near(number, following[place], piece):
            marks[cell] = Mark("right from yours")
        else:
            marks[cell] = Mark("wrong")
    return marks


def _going_on(worksheet: Worksheet, own: Own, step: str) -> Trace:
    """The layer that goes on to a step from the person's own numbers of all steps before it."""
    before = {name: own[name] for name in COMPUTED[: COMPUTED.index(step)]}
    for whole, by_head in (("q", "q_heads"), ("k", "k_heads"), ("v", "v_heads")):
        if by_head in before:
            before[whole] = own[by_head].swapaxes(0, 1).reshape(worksheet.exercise.n_tokens, -1)
    return attend_from(worksheet.scenario, **before)


def _matrix(array: FloatArray, piece: Piece) -> FloatArray:
    return array if piece.head is None else array[piece.head]


def _is_near(number: float, right: float, piece: Piece) -> bool:
    """Whether an answer counts as this number; a very small score is a hidden one."""
    if not math.isfinite(right):
        return right < 0 and number <= LEAST_HIDING
    return abs(number - right) <= piece.tolerance * (1 + 1e-9) + 1e-9 * abs(right)


# ---- by what mistake ----------------------------------------------------------------------------


def _base_2(trace: Trace) -> Trace:
    s = trace.scenario
    other = replace(s, scores=replace(s.scores, temperature=OF_BASE_2))
    return _from_scores(trace, other)


def _base_e(trace: Trace) -> Trace:
    s = trace.scenario
    return _from_scores(trace, replace(s, scores=replace(s.scores, temperature=1.0)))


def _without_scale(trace: Trace) -> Trace:
    return _from_scores(trace, trace.scenario, scaled_scores=trace.raw_scores)


def _without_mask(trace: Trace) -> Trace:
    return _from_scores(trace, replace(trace.scenario, mask=Mask()))


def _mask_after_softmax(trace: Trace) -> Trace:
    weights = np.where(trace.mask, _without_mask(trace).weights, 0)
    return _from_scores(trace, trace.scenario, weights=weights)


def _from_scores(trace: Trace, scenario: Scenario, **arrays: FloatArray) -> Trace:
    """The layer from these scores on; a person may have got them wrong before."""
    names = ("v_heads", "raw_scores", "scaled_scores")
    return attend_from(scenario, **{name: getattr(trace, name) for name in names} | arrays)


OTHER_BASE: Final[Mapping[str, tuple[str, Mistake]]] = {
    "2": (say("Base e was taken, not base 2."), _base_e),
    "e": (say("Base 2 was taken, not base e."), _base_2),
}
# MISTAKES has these too, beginning at Q and K. Here they begin at the scores.
FROM_SCORES: Final[Mapping[str, Mistake]] = {
    say("The scale was forgotten."): _without_scale,
    say("The mask was forgotten."): _without_mask,
    say("The mask was applied after the softmax: rows no longer sum to 1."): _mask_after_softmax,
}
# A sheet does not have what these are about, or says it in other words.
NOT_ON_PAPER: Final = (
    *(option.mistake for option in OPTIONS.values()),
    say("The biases were forgotten."),
    say("The positions were forgotten."),
    OWN_FORGOTTEN,
    OWN_OF_THE_FIRST,
    FACTORS_FORGOTTEN,
    GATE_FORGOTTEN,
    say("Keys and values were made from X, not from the second sequence."),
)


def mistakes_of(worksheet: Worksheet) -> Mapping[str, Mistake]:
    """The mistakes that can be made on a sheet, the likeliest first."""
    known = {name: make for name, make in MISTAKES.items() if name not in NOT_ON_PAPER}
    sentence, make = OTHER_BASE[worksheet.exercise.base]
    return {**known, **FROM_SCORES, sentence: make}


def _diagnosed(
    piece: Piece,
    marks: Mapping[Cell, Mark],
    own: Own,
    traces: Sequence[Trace],
    mistakes: Mapping[str, Mistake],
) -> Iterator[Diagnosis]:
    wrong = [cell for cell, mark in marks.items() if mark.verdict == "wrong"]
    if not wrong:
        return
    answered = np.zeros(piece.blanks.shape, np.bool_)
    for cell, mark in marks.items():
        answered[cell.row, cell.column] = mark.verdict not in ("empty", "unreadable")
    # A single number proves nothing.
    is_telling = len(wrong) > 1 or bool((answered == piece.blanks).all())
    mistake = _mistake(piece, answered, own, traces, mistakes) if is_telling else ""
    yield Diagnosis(piece.matrix.title, wrong[0], mistake)


def _mistake(
    piece: Piece,
    answered: BoolArray,
    own: Own,
    traces: Sequence[Trace],
    mistakes: Mapping[str, Mistake],
) -> str:
    """The first mistake that gives all answers of a piece, made in one of these traces."""
    given = _matrix(own[piece.step], piece)
    places = [tuple(place) for place in np.argwhere(answered).tolist()]
    for trace in traces:
        for sentence, made in with_mistakes(trace, piece.step, piece.head, mistakes):
            if all(_is_near(float(given[place]), float(made[place]), piece) for place in places):
                return sentence
    return ""
