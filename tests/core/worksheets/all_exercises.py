"""Every choice of settings that changes numbers, and small ways to answer a sheet."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from typing import Final

import numpy as np
import pytest
from _pytest.mark.structures import ParameterSet

from mha_core.checks.errors import MhaError
from mha_core.checks.shapes import FloatArray
from mha_core.layer.cells import Cell
from mha_core.layer.trace import Trace
from mha_core.worksheets.exercise import BASES, MASKINGS, SCALES, Exercise, head_counts
from mha_core.worksheets.sheet import Worksheet, make_exercise


def _all() -> list[Exercise]:
    found = []
    for n_tokens, d_model, mask, base, scale in product(
        range(2, 6), range(2, 9), MASKINGS, BASES, SCALES
    ):
        for n_heads in head_counts(d_model):
            try:
                found.append(
                    Exercise(n_tokens, d_model, n_heads, mask, "whole_way", base, scale)  # type: ignore[arg-type]
                )
            except MhaError:
                assert scale == "1/sqrt(d_k)" or (mask, n_tokens) == ("padding", 2)
    return found


ALL: Final = _all()
# Those with few rows: more tokens make more of the same.
OF_FEW_TOKENS: Final = [each for each in ALL if each.n_tokens <= 3]


def groups(base: str = "") -> list[ParameterSet]:
    """All exercises, in groups of equal tokens, mask and base: one case for each would be too many.

    The report of a failed test shows the one that fails as `exercise`.
    """
    found: dict[tuple[int, str, str], list[Exercise]] = {}
    for each in ALL:
        if base in ("", each.base):
            found.setdefault((each.n_tokens, each.mask, each.base), []).append(each)
    return [
        pytest.param(exercises, id="-".join(map(str, what))) for what, exercises in found.items()
    ]


@cache
def sheet_of(exercise: Exercise) -> Worksheet:
    """One sheet of an exercise, made once for all tests."""
    return make_exercise(replace(exercise, seed=11))


def class_set(exercise: Exercise, count: int) -> list[Worksheet]:
    """A sheet for each student, with the seeds that follow."""
    return [make_exercise(replace(exercise, seed=exercise.seed + n)) for n in range(count)]


def number(trace: Trace, cell: Cell) -> float:
    array: FloatArray = np.asarray(getattr(trace, cell.step))
    matrix = array if cell.head is None else array[cell.head]
    return float(matrix[cell.row, cell.column])


def answers_of(worksheet: Worksheet) -> dict[Cell, str]:
    """The answers of the key."""
    return {cell: worksheet.answer(cell) for cell in worksheet.blanks}


def answers_from(worksheet: Worksheet, trace: Trace, first: str = "") -> dict[Cell, str]:
    """The answers of a person who has computed this trace: all, or those of one step."""
    return {
        cell: repr(number(trace, cell)).replace("inf", "∞")
        for cell in worksheet.blanks
        if first in ("", cell.step)
    }
