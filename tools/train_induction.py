"""Train the small model that copies, and write its file. It takes some minutes of one core.

    .venv/bin/python -m tools.train_induction
    .venv/bin/python -m tools.train_induction --measure     measures the file that there is

The model has two layers of attention and nothing else. It learns to predict the next word. Half of
what it reads are our stories. The other half are random words, of which a part comes twice: there
only the words of the second time count, as nobody can know the others. First it reads short pieces,
which cost less; then as many words as it has places. Its places begin as waves and are learned on.

At the end the heads of each layer are put in order, which changes nothing: first the one that looks
at the word before, or in layer 2 at what followed. Each number becomes a whole number of 128ths,
which float16 holds exactly.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from mha_core.checks.shapes import FloatArray
from mha_core.stack.attending import attend
from mha_core.stack.trained_stack import stack_of
from mha_core.trained.numbers import FILE, LAYERS, WEIGHTS, Trained, read_trained
from mha_core.trained.stories import UNKNOWN, WORDS, text

SEED: Final = 3
STEPS: Final = 8_000
WIDTH, HEADS, PLACES = 64, 4, 64
AT_ONCE: Final = 24  # texts of a step; of short ones twice as many
SHORT: Final = 24  # words of a text at first
SHORT_FOR: Final = 0.4  # of all steps
RATE, WARMING_UP, LEAST_RATE = 8e-3, 200, 0.02
DECAY: Final = 0.1
FORGOTTEN: Final = 0.01  # of all words, read as one that it does not know
TEXT: Final = 200_000  # words of stories at the most
GRID: Final = 128
FIRST_ONES: Final = {"embed": 0.3, "unembed": 0.1}  # the spread of the numbers at the beginning
WHAT: Final = "Stories of our own generator, and random words of which a part comes twice."

Whole = npt.NDArray[np.int64]
Numbers = dict[str, FloatArray]
_NUMBER: Final = {word.casefold(): number for number, word in enumerate(WORDS)}


class Batch(NamedTuple):
    """Texts of words by number, one longer than what is read, and which of the next words count."""

    words: Whole
    counts: FloatArray


# What it reads.


def numbers_of(words: Sequence[str]) -> Whole:
    return np.array([_NUMBER[word.casefold()] for word in words])


def batches(steps: int, seed: int) -> Iterator[Batch]:
    """What is read in each step: as many stories as random words."""
    rng = np.random.default_rng(seed)
    stories = numbers_of(text(rng, min(TEXT, steps * AT_ONCE * PLACES)))
    begins = np.flatnonzero(stories[:-1] == _NUMBER["."]) + 1  # each is where a sentence begins
    begins = begins[begins < len(stories) - PLACES]
    for step in range(steps):
        is_short = step < SHORT_FOR * steps
        length, count = (SHORT, AT_ONCE) if is_short else (PLACES, AT_ONCE // 2)
        read = stories[rng.choice(begins, count)[:, None] + np.arange(length + 1)]
        read = np.where(rng.random(read.shape) < FORGOTTEN, _NUMBER[UNKNOWN], read)
        repeats = with_a_part_twice(rng, count, length)
        counts = np.concatenate([np.ones((count, length)), repeats.counts])
        yield Batch(np.concatenate([read, repeats.words]), counts)


def with_a_part_twice(rng: np.random.Generator, count: int, length: int) -> Batch:
    """Random words, each once, but for a part that stands somewhere and again somewhere after."""
    known = np.arange(1, len(WORDS))
    words = np.stack([rng.permutation(known)[: length + 1] for _ in range(count)])
    counts = np.zeros((count, length))
    for row, counted in zip(words, counts, strict=True):
        size = rng.integers(2, length // 2 + 1)
        first = rng.integers(0, length + 2 - 2 * size)
        again = rng.integers(first + size, length + 2 - size)
        row[again : again + size] = row[first : first + size]
        counted[again : again + size - 1] = 1
    return Batch(words, counts)


# The model.


def first_numbers(seed: int) -> dict[str, Tensor]:
    """Random numbers, and waves for the places: half a turn a place at the most."""
    draw = torch.Generator().manual_seed(seed)
    shapes = {"embed": (len(WORDS), WIDTH), "unembed": (WIDTH, len(WORDS))}
    projections = [f"layers.{n}.{name}" for n in range(LAYERS) for name in WEIGHTS]
    shapes |= dict.fromkeys(projections, (WIDTH, WIDTH))
    numbers = {
        name: torch.randn(shape, generator=draw) * FIRST_ONES.get(name, WIDTH**-0.5)
        for name, shape in shapes.items()
    }
    half = WIDTH // 2
    angles = np.outer(np.arange(PLACES), np.pi * (np.arange(half) + 0.5) / half)
    waves = np.hstack([np.cos(angles), np.sin(angles)]) / 2
    return {**numbers, "positions": torch.tensor(waves, dtype=torch.float32)}


def logits(numbers: Mapping[str, Tensor], words: Tensor) -> Tensor:
    """How much each word is in front, after each. Shape: (texts, words, all words)"""
    texts, n = words.shape
    hidden = torch.full((n, n), -torch.inf).triu(1)
    stream = numbers["embed"][words] + numbers["positions"][:n]
    for layer in range(LAYERS):
        w_q, w_k, w_v, w_o = (numbers[f"layers.{layer}.{name}"] for name in WEIGHTS)
        q, k, v = ((stream @ w).view(texts, n, HEADS, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
        scores = q @ k.transpose(-1, -2) / (WIDTH // HEADS) ** 0.5 + hidden
        heads = torch.softmax(scores, dim=-1) @ v
        stream = stream + heads.transpose(1, 2).reshape(texts, n, WIDTH) @ w_o
    return stream @ numbers["unembed"]


def trained(steps: int = STEPS, seed: int = SEED) -> Numbers:
    """The numbers after so many steps of AdamW."""
    torch.set_num_threads(1)
    numbers = {name: each.requires_grad_() for name, each in first_numbers(seed).items()}
    learner = torch.optim.AdamW([*numbers.values()], lr=RATE, betas=(0.9, 0.98), weight_decay=DECAY)
    for step, (words, counts) in enumerate(batches(steps, seed)):
        for group in learner.param_groups:
            group["lr"] = RATE * min(1, step / WARMING_UP) * max(LEAST_RATE, 1 - step / steps)
        read = torch.tensor(words)
        found = logits(numbers, read[:, :-1]).flatten(0, 1)
        each = cross_entropy(found, read[:, 1:].flatten(), reduction="none")
        which = torch.tensor(counts, dtype=torch.float32).flatten()
        loss = (each * which).sum() / which.sum()
        learner.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        learner.step()
    return {name: each.detach().numpy().astype(np.float64) for name, each in numbers.items()}


# What is kept.


def in_order(numbers: Numbers) -> Numbers:
    """The heads of each layer in order: in layer 1, what looks at the word before comes first.

    In layer 2 it is what looks at what followed. A head takes its columns and its rows along.
    """
    found = measured(model_of(numbers))
    for layer, scores in enumerate((found.looks_back[0], found.looks_at_what_followed[1])):
        order = np.argsort(-scores)
        columns = np.arange(WIDTH).reshape(HEADS, -1)[order].ravel()
        at = f"layers.{layer}."
        moved = {f"{at}{name}": numbers[f"{at}{name}"][:, columns] for name in WEIGHTS[:3]}
        numbers = {**numbers, **moved, f"{at}w_o": numbers[f"{at}w_o"][columns]}
    return numbers


def rounded(numbers: Numbers) -> Numbers:
    return {name: (each * GRID).round() / GRID + 0.0 for name, each in numbers.items()}


def model_of(numbers: Numbers) -> Trained:
    return Trained(
        embed=numbers["embed"],
        positions=numbers["positions"],
        layers=tuple(
            {name: numbers[f"layers.{n}.{name}"] for name in WEIGHTS} for n in range(LAYERS)
        ),
        unembed=numbers["unembed"],
        heads=HEADS,
        words=WORDS,
    )


def write(numbers: Numbers, path: Path, seed: int, loss: float) -> None:
    config = {
        "family": "attention-only",
        "heads": HEADS,
        "causal": True,
        "words": WORDS,
        "unknown": UNKNOWN,
        "text": WHAT,
        "seed": seed,
        "loss": round(loss, 4),
    }
    said: dict[str, Any] = {"config": np.frombuffer(json.dumps(config).encode(), np.uint8)}
    said |= {name: each.astype(np.float16) for name, each in numbers.items()}
    np.savez_compressed(path, **said)


# What it can do.


LOSSES: Final = ("-log p in stories", "-log p in random words", "-log p when they come again")
LOOKS: Final = (
    "weight on the word before",
    "weight on what followed",
    "weight on the first word",
    "weight on itself",
)


class Measured(NamedTuple):
    """How well a model predicts, and what its heads do; see `measured`."""

    loss_in_stories: float
    loss_at_first: float
    loss_again: float
    looks_back: FloatArray
    looks_at_what_followed: FloatArray
    looks_at_the_first: FloatArray
    looks_at_itself: FloatArray

    @property
    def losses(self) -> tuple[float, ...]:
        return self.loss_in_stories, self.loss_at_first, self.loss_again

    @property
    def weights(self) -> tuple[FloatArray, ...]:
        return (
            self.looks_back,
            self.looks_at_what_followed,
            self.looks_at_the_first,
            self.looks_at_itself,
        )


def measured(model: Trained, seed: int = 10**6, texts: int = 40) -> Measured:
    """On stories that it has never read, and on random words in an order that comes twice.

    The losses are means of -log p(next word): in stories, in random words the first time and the
    second time. The others are mean weights, of each head: on the word before, on the first one and
    on itself, in stories, without the first row; on what followed the last time, in random words.
    Shape of each: (layers, heads)
    """
    rng = np.random.default_rng(seed)
    half = PLACES // 2
    stories = [text(rng, PLACES) for _ in range(texts)]
    twice = [(*words, *words) for words in (rng.permutation(WORDS[1:])[:half] for _ in stories)]
    of_stories, in_stories = losses_and_weights(model, stories)
    of_random, in_random = losses_and_weights(model, twice)
    weights = (
        np.diagonal(in_stories, -1, 3, 4),
        np.diagonal(in_random, 1 - half, 3, 4)[..., 1:],
        in_stories[..., 1:, 0],
        np.diagonal(in_stories, 0, 3, 4)[..., 1:],
    )
    return Measured(
        float(of_stories.mean()),
        float(of_random[:, : half - 1].mean()),
        float(of_random[:, half:].mean()),
        *(each.mean(axis=(0, 3)) for each in weights),
    )


def losses_and_weights(
    model: Trained, texts: Sequence[Sequence[str]]
) -> tuple[FloatArray, FloatArray]:
    """-log p of each word but the first, and all weights.

    Shapes: (texts, n - 1) and (texts, layers, heads, n, n)
    """
    losses, weights = [], []
    for words in texts:
        traces = attend(stack_of(model, words))
        assert traces.probabilities is not None
        came = traces.probabilities[np.arange(len(words) - 1), model.numbers(words[1:])]
        losses.append(-np.log(came))
        weights.append([layer.weights for layer in traces.layers])
    return np.array(losses), np.array(weights)


def as_table(found: Measured) -> str:
    """What was measured, with two decimals; of each layer a line.

    >>> print(as_table(Measured(1, 2, 3, *[np.eye(2)] * 4)).splitlines()[0])
    -log p in stories                         1.00
    """
    lines = [f"{says:36}{loss:10.2f}" for says, loss in zip(LOSSES, found.losses, strict=True)]
    for says, weights in zip(LOOKS, found.weights, strict=True):
        for layer, heads in enumerate(weights, 1):
            shares = "".join(f"{share:6.2f}" for share in heads)
            lines.append(f"{says:32}layer {layer}  {shares}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--file", type=Path, default=FILE)
    parser.add_argument("--measure", action="store_true", help="measure the file, train nothing")
    asked = parser.parse_args(arguments)
    if not asked.measure:
        numbers = rounded(in_order(trained(asked.steps, asked.seed)))
        loss = measured(model_of(numbers)).loss_in_stories
        write(numbers, asked.file, asked.seed, loss)
    print(as_table(measured(read_trained(asked.file))))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
