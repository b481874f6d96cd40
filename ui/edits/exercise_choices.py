"""What may be chosen for an exercise, and what goes along with a choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from mha_core.checks.limits import LIMITS
from mha_core.language import say
from mha_core.worksheets.exercise import (
    BASES,
    DIFFICULTIES,
    MASKINGS,
    MOST_TOKENS,
    MOST_WIDTH,
    SCALES,
    Exercise,
    head_counts,
    scales_at,
)

LEAST_TOKENS: Final = 2
IN_WORDS: Final[Mapping[str, Mapping[Any, str]]] = {
    "difficulty": DIFFICULTIES,
    "mask": MASKINGS,
    "base": BASES,
    "scale": SCALES,
}
LABELS: Final = {
    "difficulty": say("What is to be done"),
    "mask": say("Mask"),
    "base": say("Softmax"),
    "scale": say("Scale"),
    "n_tokens": say("Tokens"),
    "d_model": say("Width of X (d_model)"),
    "n_heads": say("Heads"),
}
WIDTHS: Final = tuple(width for width in range(2, MOST_WIDTH + 1) if head_counts(width))


def choices_of(exercise: Exercise) -> Mapping[str, Sequence[Any]]:
    """The values that each setting may have, given the others. Heads go with the width."""
    may_pad = exercise.n_tokens > LEAST_TOKENS
    least = LEAST_TOKENS + (exercise.mask == "padding")
    return {
        "difficulty": tuple(DIFFICULTIES),
        "n_tokens": tuple(range(least, MOST_TOKENS + 1)),
        "d_model": WIDTHS,
        "n_heads": head_counts(exercise.d_model),
        "mask": tuple(mask for mask in MASKINGS if may_pad or mask != "padding"),
        "base": tuple(BASES),
        "scale": tuple(scale for scale in SCALES if scale in scales_at(exercise.d_k)),
    }


def in_words(name: str, choice: Any) -> str:
    """A choice of a setting as people read it.

    >>> in_words("mask", "none"), in_words("n_tokens", 3)
    ('No mask', '3')
    """
    return IN_WORDS.get(name, {}).get(choice, str(choice))


def with_choice(exercise: Exercise, name: str, value: Any) -> Exercise:
    """The exercise with another setting. The heads and the scale follow where they have to.

    >>> wide = with_choice(Exercise(d_model=4, n_heads=1, scale="1/sqrt(d_k)"), "d_model", 6)
    >>> wide.n_heads, wide.scale
    (2, '1/2')
    """
    settings = {"d_model": exercise.d_model, "n_heads": exercise.n_heads, name: value}
    counts = head_counts(settings["d_model"])
    heads = min(counts, key=lambda count: abs(count - settings["n_heads"]))
    scale = value if name == "scale" else exercise.scale
    if scale not in scales_at(settings["d_model"] // heads):
        scale = Exercise().scale
    return replace(exercise, **{name: value, "n_heads": heads, "scale": scale})


def next_exercise(exercise: Exercise) -> Exercise:
    """The same with other numbers: those of the next seed."""
    return replace(exercise, seed=(exercise.seed + 1) % (LIMITS.seed + 1))
