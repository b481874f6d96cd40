"""The recipe of the small model that was trained.

Takes long: it is trained anew, which takes some seconds of the processor.
"""

from __future__ import annotations

import numpy as np
import pytest

from mha_core.puzzles.ladder.trained import NUMBERS
from tools.train_reversal import STEPS, main, slopes, trained


def test_it_gives_the_numbers_that_the_question_shows() -> None:
    found = trained(STEPS)
    assert set(found) == set(NUMBERS)
    for name, array in found.items():  # another processor may round a number the other way
        np.testing.assert_allclose(array, np.array(NUMBERS[name]), atol=0.1001)


def test_slopes_are_those_of_the_loss() -> None:
    rng = np.random.default_rng(1)
    shapes = {"w_q": (4, 2), "w_k": (4, 2), "w_v": (4, 2), "w_o": (2, 4), "w_u": (4, 3)}
    numbers = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    x = rng.normal(size=(5, 3, 4))
    right = np.eye(3)[rng.integers(0, 3, size=(5, 3))]
    made = slopes(numbers, x, right)
    for name, array in numbers.items():
        for place in np.ndindex(array.shape):
            more, less = ({**numbers, name: moved(array, place, by)} for by in (1e-6, -1e-6))
            slope = (loss(more, x, right) - loss(less, x, right)) / 2e-6
            assert abs(made[name][place] - slope) < 1e-6


def moved(array: np.ndarray, place: tuple[int, ...], by: float) -> np.ndarray:
    changed = array.copy()
    changed[place] += by
    return changed


def loss(numbers: dict[str, np.ndarray], x: np.ndarray, right: np.ndarray) -> float:
    """The loss as it is defined, with the decay; one sentence after the other."""
    total = 0.0
    for rows, wanted in zip(x, right, strict=True):
        scores = (rows @ numbers["w_q"]) @ (rows @ numbers["w_k"]).T / np.sqrt(2)
        weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        stream = rows + weights @ rows @ numbers["w_v"] @ numbers["w_o"]
        logits = stream @ numbers["w_u"]
        likely = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
        total -= np.log(likely[wanted == 1]).sum()
    decay = sum((array**2).sum() for array in numbers.values()) * 1e-4 / 2
    return total / right.sum() + decay


def test_it_prints_a_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:

    monkeypatch.setattr("tools.train_reversal.trained", lambda: trained(1))
    assert main() == 0
    assert '    "w_q": [' in capsys.readouterr().out
