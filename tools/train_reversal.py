"""Train the model of 108 numbers that the question "read-trained" shows, and print its numbers.

    .venv/bin/python -m tools.train_reversal

The task: of a sentence of five words, predict at each word the one that stands at its mirrored
place. All 1,024 sentences are learned from at once, by Adam, with decay of the weights. Then each
number is rounded to one decimal. It takes some seconds, and gives the same numbers each time.
"""

from __future__ import annotations

from itertools import product
from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.puzzles.ladder.trained import D_K, PLACES, WORDS
from mha_core.puzzles.puzzle import word_and_place

SEED: Final = 8
STEPS: Final = 400
RATE: Final = 0.05
DECAY: Final = 1e-4
FIRST: Final = 0.5  # how large the numbers are at the beginning
WIDTH: Final = len(WORDS) + PLACES
SHAPES: Final = {
    "w_q": (WIDTH, D_K),
    "w_k": (WIDTH, D_K),
    "w_v": (WIDTH, D_K),
    "w_o": (D_K, WIDTH),
    "w_u": (WIDTH, len(WORDS)),
}

Numbers = dict[str, FloatArray]


def trained(steps: int = STEPS) -> Numbers:
    """All matrices, with one decimal."""
    sentences = list(product(WORDS, repeat=PLACES))
    x = np.stack([word_and_place(tokens, WORDS, PLACES) for tokens in sentences])
    right = x[:, ::-1, : len(WORDS)]  # a 1 for the word at the mirrored place
    rng = np.random.default_rng(SEED)
    numbers: Numbers = {name: rng.normal(0, FIRST, shape) for name, shape in SHAPES.items()}
    mean: Numbers = {name: np.zeros(shape) for name, shape in SHAPES.items()}
    square: Numbers = {name: np.zeros(shape) for name, shape in SHAPES.items()}
    for step in range(1, steps + 1):
        for name, slope in slopes(numbers, x, right).items():
            mean[name] = 0.9 * mean[name] + 0.1 * slope
            square[name] = 0.999 * square[name] + 0.001 * slope**2
            size = np.sqrt(square[name] / (1 - 0.999**step)) + 1e-8
            numbers[name] = numbers[name] - RATE * mean[name] / (1 - 0.9**step) / size
    return {name: array.round(1) + 0.0 for name, array in numbers.items()}


def slopes(numbers: Numbers, x: FloatArray, right: FloatArray) -> Numbers:
    """How the loss changes with each number: of the mean of -log p(right word), and the decay."""
    q, k, v = (x @ numbers[name] for name in ("w_q", "w_k", "w_v"))
    weights = softmax(q @ k.transpose(0, 2, 1) / np.sqrt(D_K))
    heads = weights @ v
    stream = x + heads @ numbers["w_o"]
    by_logits = (softmax(stream @ numbers["w_u"]) - right) / right.sum()
    by_stream = by_logits @ numbers["w_u"].T
    by_heads = by_stream @ numbers["w_o"].T
    by_weights = by_heads @ v.transpose(0, 2, 1)
    mean = (by_weights * weights).sum(axis=-1, keepdims=True)
    by_scores = weights * (by_weights - mean) / np.sqrt(D_K)
    made = {
        "w_q": (x, by_scores @ k),
        "w_k": (x, by_scores.transpose(0, 2, 1) @ q),
        "w_v": (x, weights.transpose(0, 2, 1) @ by_heads),
        "w_o": (heads, by_stream),
        "w_u": (stream, by_logits),
    }
    return {
        name: np.einsum("npi,npj->ij", rows, by) + DECAY * numbers[name]
        for name, (rows, by) in made.items()
    }


def softmax(scores: FloatArray) -> FloatArray:
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    made: FloatArray = exp / exp.sum(axis=-1, keepdims=True)
    return made


def main() -> int:
    for name, array in trained().items():
        print(f'    "{name}": [')
        for row in array.tolist():
            print(f"        {row},")
        print("    ],")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
