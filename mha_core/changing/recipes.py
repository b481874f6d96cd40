"""What recipes make for a scenario before and after a change, and which edited cells are kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from mha_core.changing.resizing import resized_array
from mha_core.checks.errors import MhaError
from mha_core.checks.shapes import FloatArray, Sizes, differing_cells
from mha_core.making.inputs import make_x
from mha_core.making.presets import PRESETS, LayerSizes, make_projections
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.scenario import Scenario

LAYER_SIZES: Final = (
    *("d_model", "d_model_kv", "d_model_v", "n_heads", "n_kv_heads", "d_k", "d_v", "d_out"),
)
WEIGHTS: Final = ("w_q", "w_k", "w_v", "w_o")

Arrays = dict[str, FloatArray]


class Recipe(NamedTuple):
    """The name of an entry of INPUTS or PRESETS, and its seed."""

    name: str
    seed: int = 0


@dataclass(frozen=True)
class ArrayPlan:
    """What a scenario's arrays are made from: words, sizes and recipes."""

    tokens: tuple[str, ...]
    context_tokens: tuple[str, ...]
    sizes: Sizes
    x: Recipe
    weights: Recipe

    @classmethod
    def of(cls, s: Scenario) -> ArrayPlan:
        x = Recipe(s.origin.x, s.origin.x_seed)
        weights = Recipe(s.origin.weights, s.origin.weights_seed)
        return cls(s.tokens, s.context_tokens, s.sizes, x, weights)

    def makers(self) -> list[InputMaker | WeightsMaker]:
        """What makes each group of arrays. Equal makers make equal numbers."""
        x, *others = self.inputs(self.x)
        context = others[0] if others else x._replace(group="context")
        layer = LayerSizes(**{name: self.sizes[name] for name in LAYER_SIZES})
        # Weights that do not depend on the words need not be made again for other words.
        preset = PRESETS.get(self.weights.name)
        tokens = self.tokens if preset and preset.reads_tokens else ()
        return [x, context, WeightsMaker("weights", self.weights, layer, tokens)]

    def inputs(self, recipe: Recipe) -> list[InputMaker]:
        """What makes X by a recipe, and the second sequence if there is one."""
        x = InputMaker("x", recipe, self.tokens, self.sizes["d_model"])
        if not self.context_tokens:
            return [x]
        # Equal random numbers in both sequences would mislead the reader: draw others.
        other = Recipe("random", recipe.seed ^ 1) if recipe.name == "random" else recipe
        return [x, InputMaker("context", other, self.context_tokens, self.sizes["d_model_kv"])]

    def drawn_rows(self, name: str, given: FloatArray) -> FloatArray | None:
        """Random rows for new tokens of a sequence given as numbers; None if these are all 0."""
        for source in self.inputs(Recipe("random", self.x.seed)):
            if source.group == name and len(source.tokens) > len(given) and given.any():
                rows = source.make()[name]
                rows[: len(given)] = 0
                return rows
        return None


class InputMaker(NamedTuple):
    """What makes X or the second sequence."""

    group: str
    recipe: Recipe
    tokens: tuple[str, ...]
    width: int

    def make(self) -> Arrays:
        name, seed = self.recipe
        return {self.group: make_x(name, self.tokens, self.width, seed)}


class WeightsMaker(NamedTuple):
    """What makes the four projections."""

    group: str
    recipe: Recipe
    sizes: LayerSizes
    tokens: tuple[str, ...]

    def make(self) -> Arrays:
        name, seed = self.recipe
        made = make_projections(name, self.sizes, self.tokens, seed)
        return {name: getattr(made, name) for name in WEIGHTS}


# The arrays after a change


def arrays_after(
    s: Scenario, before: ArrayPlan, after: ArrayPlan, afresh: set[str], *, draw_new_rows: bool
) -> dict[str, FloatArray | None]:
    """Every array for the new plan, by name; None for an array that is not given.

    `afresh` has the groups whose numbers are all made anew: x, context, weights.
    """
    arrays: dict[str, FloatArray | None] = {name: getattr(s, name) for name in GIVEN}
    arrays["context"] = s.keys_from if after.context_tokens else None
    arrays["context_v"] = _source_of_values(s, after)
    was, now = _made(before, after, afresh)
    for name, array in arrays.items():
        if array is None:
            continue
        if name not in now:
            over = after.drawn_rows(name, array) if draw_new_rows else None
            arrays[name] = resized_array(name, array, before.sizes, after.sizes, over=over)
        elif name not in was:
            arrays[name] = now[name].astype(s.dtype)
        elif not np.array_equal(was[name], now[name]):
            edited = differing_cells(array, was[name].astype(s.dtype))
            over = now[name].astype(s.dtype)
            arrays[name] = resized_array(
                name, array, before.sizes, after.sizes, over=over, edited=edited
            )
    return arrays


def _source_of_values(s: Scenario, after: ArrayPlan) -> FloatArray | None:
    """The rows that values alone are made from, if there are any: zeros where they are new.

    They do not outlive the second sequence: they have a row for each of its tokens.
    """
    loses_context = s.context is not None and not after.context_tokens
    if s.context_v is not None and not loses_context:
        return s.context_v
    are_needed = after.sizes["d_model_v"] != after.sizes["d_model_kv"]
    return np.zeros((s.n_k, s.d_model_v), s.dtype) if are_needed else None


def _made(before: ArrayPlan, after: ArrayPlan, afresh: set[str]) -> tuple[Arrays, Arrays]:
    """What the recipes made and what they make now, by array, if the two may differ.

    Arrays that are made afresh are only in the second.
    """
    was: Arrays = {}
    now: Arrays = {}
    for old, new in zip(before.makers(), after.makers(), strict=True):
        if new.group == "context" and not after.context_tokens:
            continue
        if new.group in afresh:
            now |= new.make()
        elif new != old and (made := try_to_make(old)):
            was |= made
            now |= new.make()
    return was, now


def try_to_make(maker: InputMaker | WeightsMaker) -> Arrays:
    """What the recipe makes; nothing if it cannot have made the array, as `origin` may be wrong."""
    try:
        return maker.make()
    except MhaError:
        return {}
