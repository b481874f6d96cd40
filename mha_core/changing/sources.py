"""What made the numbers that a scenario was given: a preset, a recipe for X, or an example."""

from __future__ import annotations

from typing import NamedTuple

from mha_core.changing.recipes import WEIGHTS, ArrayPlan
from mha_core.checks.errors import MhaError
from mha_core.checks.shapes import FloatArray
from mha_core.examples import EXAMPLES, load_example
from mha_core.language import say
from mha_core.making.inputs import INPUTS
from mha_core.making.presets import PRESETS
from mha_core.scenario.scenario import Scenario


class Source(NamedTuple):
    """What made an array, in words, and the numbers that it makes now."""

    words: str
    array: FloatArray


def source_of(s: Scenario, name: str) -> Source | None:
    """The source of a given array; None if it is unknown, or makes another size.

    The numbers may have been changed since: compare them.

    >>> s = load_example("pizza")
    >>> source_of(s, "x").words, source_of(s, "w_q").words
    ('the input “One-hot words”', 'the example “Pizza, a language model”')
    """
    now = getattr(s, name)
    try:
        found = _from_recipe(s, name) or _from_example(s, name)
    except MhaError:  # a recipe may not make this size
        return None
    return found if found and now is not None and found.array.shape == now.shape else None


def _from_recipe(s: Scenario, name: str) -> Source | None:
    words = _words(s, name)
    if not words:
        return None
    made = _as_in_the_example(s, name)
    if made is None:
        group = "weights" if name in WEIGHTS else name
        (maker,) = (each for each in ArrayPlan.of(s).makers() if each.group == group)
        made = maker.make()[name]
    return Source(words, made)


def _words(s: Scenario, name: str) -> str:
    if name in ("x", "context") and s.origin.x in INPUTS:
        way, seed = INPUTS[s.origin.x], s.origin.x_seed
        if way.seeded and seed:
            return say("the input “{title}” with seed {seed}").format(title=way.title, seed=seed)
        return say("the input “{title}”").format(title=way.title)
    if name in WEIGHTS and s.origin.weights in PRESETS:
        preset, seed = PRESETS[s.origin.weights], s.origin.weights_seed
        if preset.seeded and seed:
            says = say("the preset “{title}” with seed {seed}")
            return says.format(title=preset.title, seed=seed)
        return say("the preset “{title}”").format(title=preset.title)
    return ""


def _as_in_the_example(s: Scenario, name: str) -> FloatArray | None:
    """The array of the example, if its recipe is still the same: so it is not made again."""
    if s.origin.example not in EXAMPLES:
        return None
    example = load_example(s.origin.example)
    is_same = ArrayPlan.of(example) == ArrayPlan.of(s) and example.origin == s.origin
    made: FloatArray | None = getattr(example, name) if is_same else None
    return made


def _from_example(s: Scenario, name: str) -> Source | None:
    if s.origin.example not in EXAMPLES:
        return None
    array = load_example(s.origin.example).given().get(name)
    if array is None:
        return None
    title = EXAMPLES[s.origin.example].title
    return Source(say("the example “{title}”").format(title=title), array)
