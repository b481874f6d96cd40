"""Where a number comes from, in JavaScript beside the core: names, words, formulas, operands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from mha_core import Scenario, attend
from mha_core.changing import changes
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import derive_cell, explain, further_down
from mha_core.layer.naming import name_of
from mha_core.layer.trace import STEPS, Trace
from mha_core.scenario.given_arrays import GIVEN
from tests.core.strategies import SEEDS, scenarios
from tests.draws import draws
from tests.ui.plot.node import answering
from ui.blocks.where_from import words_of
from ui.edits.forward_inputs import forward_inputs
from ui.saved.facts import facts_of

RUNNER = Path(__file__).parent / "derive_runner.mjs"
NUMBER = re.compile(r"\d+\.\d+(?:e−?\d+)?")
DECIMALS = 3
CELLS_OF_EACH = 3

Ask = Callable[[Trace, list[Cell]], list[dict[str, Any]]]


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    with answering(RUNNER) as node:

        def asked(trace: Trace, cells: list[Cell]) -> list[dict[str, Any]]:
            question = {
                "facts": facts_of(trace),
                "inputs": forward_inputs(trace.scenario),
                "cells": [asdict(cell) for cell in cells],
                "decimals": DECIMALS,
            }
            said: list[dict[str, Any]] = node(question)
            return said

        yield asked


def cells_of(trace: Trace, draw: Callable[[int], int]) -> list[Cell]:
    """Some cells of each array that is there; one, where a step hands on another one's array."""
    s = trace.scenario
    steps = {step.name: step for step in STEPS if step.name != "blind_queries"}
    found = []
    for name in dict.fromkeys([*steps, *(name for name in GIVEN if name in s.given())]):
        array = np.atleast_2d(getattr(trace if name in steps else s, name))
        is_computed = name in steps and steps[name].computed_by(s) is steps[name]
        for _ in range(CELLS_OF_EACH if is_computed else 1):
            *head, row, column = (draw(size) for size in array.shape)
            found.append(Cell(name, head[0] if head else None, row, column))
    return found


def assert_same(trace: Trace, cell: Cell, said: dict[str, Any]) -> None:
    found = derive_cell(trace, cell)
    assert said["name"] == name_of(trace, found.cell, "text")
    assert said["words"] == words_of(trace, cell, found)
    assert said["operands"] == places(each.cell for each in found.operands)
    assert [tuple(letter) for letter in said["letters"]] == [
        (each.text, pytest.approx(float(each.number)), each.words) for each in found.letters
    ]
    past = explain(trace, cell)
    below = places(each.cell for each in further_down(past))
    assert said["explained"] == [places(past.names), below]
    assert_same_text(said["arithmetic"], found.arithmetic(decimals=DECIMALS))


def places(cells: Iterable[Cell]) -> list[list[Any]]:
    return [[each.matrix, each.row, each.column] for each in cells]


def assert_same_text(said: str, expected: str) -> None:
    """The same except for the last digit of a number, which the last bit may decide."""
    if said == expected:
        return
    assert NUMBER.sub("#", said) == NUMBER.sub("#", expected)
    pairs = zip(NUMBER.findall(said), NUMBER.findall(expected), strict=True)
    for one, other in pairs:
        one, other = (float(text.replace("−", "-")) for text in (one, other))
        assert one == pytest.approx(other, rel=2 * 10**-DECIMALS, abs=1.01 * 10**-DECIMALS)


@draws(120)
@given(scenario=scenarios(), seed=SEEDS)
def test_every_number_comes_about_as_the_core_says(ask: Ask, scenario: Scenario, seed: int) -> None:
    trace = attend(changes.with_dtype(scenario, "float64"))
    draw = np.random.default_rng(seed).integers
    cells = cells_of(trace, lambda size: int(draw(size)))
    for cell, said in zip(cells, ask(trace, cells), strict=True):
        assert_same(trace, cell, said)
