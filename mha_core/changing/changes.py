"""Each control turns a Scenario into the next Scenario.

Every function takes a scenario and gives another; nothing is changed in place, and every check at
the door runs again. What happens to numbers whose place changes is decided here, once:

- A matrix that a recipe made (its name is in `origin`) is made again for the new sizes and words.
  Cells edited by hand since then are laid over it, each at its row and column.
- A matrix given as numbers keeps what still has a place. New cells are 0, but for the rows of
  tokens that X or the second sequence has no numbers for: those are drawn. While the number of
  heads stays, each head keeps its own rows and columns.
- Masks keep what still has a place: new keys are open, nothing is added to their scores, and
  they join the last document. Indices of tokens and heads that are gone are dropped.
- What belongs to a second sequence goes with it, in the mask and in the score options too.
- The number type stays: an edit in float64 does not turn a float32 scenario into float64.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np

from mha_core.changing.keeping import differs, kept_of_array, kept_of_mask, mask_without_context
from mha_core.checks.errors import HeadsError, MhaError, OptionError
from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import FloatArray, Sizes, as_float_array, check_shape
from mha_core.checks.values import check_limit, check_one_of, check_tokens, check_whole, divisors
from mha_core.making.inputs import make_x
from mha_core.making.presets import PRESETS, LayerSizes, make_projections
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.masks import Mask
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions

LAYER_SIZES: Final = ("d_model", "d_model_kv", "n_heads", "n_kv_heads", "d_k", "d_v", "d_out")
WEIGHTS: Final = ("w_q", "w_k", "w_v", "w_o")
MAY_BE_LEFT_OUT: Final = ("b_q", "b_k", "b_v", "b_o")
SMALLER: Final = "Take fewer tokens, heads or columns."

Arrays = dict[str, FloatArray]


class Recipe(NamedTuple):
    """The name of an entry of INPUTS or PRESETS, and its seed."""

    name: str
    seed: int = 0


def with_tokens(s: Scenario, tokens: Sequence[str]) -> Scenario:
    """Other tokens, one row of X each."""
    return with_changes(s, tokens=tokens)


def with_context(s: Scenario, tokens: Sequence[str] | None) -> Scenario:
    """Keys and values from a second sequence with these tokens; None takes it away.

    A new second sequence starts as what keys came from before, X, with rows cut or added.
    """
    return with_changes(s, context_tokens=() if tokens is None else check_tokens(tokens))


def with_width(s: Scenario, d_model: int) -> Scenario:
    """Another width of the token vectors.

    Sizes that followed d_model follow it again: d_out and d_model_kv where they were equal to it,
    d_k and d_v where they were d_model / n_heads.
    """
    return with_changes(s, sizes={"d_model": d_model})


def with_heads(
    s: Scenario,
    n_heads: int,
    n_kv_heads: int | None = None,
    d_k: int | None = None,
    d_v: int | None = None,
) -> Scenario:
    """Another number of heads; left out, n_kv_heads is n_heads, and d_k and d_v d_model / n_heads.

    Heads that are switched off stay so while they exist.
    """
    chosen = {"n_heads": n_heads, "n_kv_heads": n_kv_heads, "d_k": d_k, "d_v": d_v}
    return with_changes(s, sizes={name: n for name, n in chosen.items() if n is not None})


def with_x(s: Scenario, recipe: str, seed: int = 0) -> Scenario:
    """X, and the second sequence where there is one, made afresh by a recipe of INPUTS."""
    return with_changes(s, x=Recipe(recipe, seed))


def with_weights(s: Scenario, preset: str, seed: int = 0) -> Scenario:
    """The four projections made afresh by one of PRESETS; biases stay."""
    return with_changes(s, weights=Recipe(preset, seed))


def with_matrix(s: Scenario, name: str, array: object) -> Scenario:
    """An array edited by hand, of the shape it has; None takes a bias away.

    `origin` keeps the recipe's name, so that a later change of size keeps the edited cells only.
    """
    check_one_of("The matrix", name, GIVEN)
    if name == "context" and s.context is None:
        raise OptionError(
            "C", "needs a second sequence first", "a scenario without one", "Use with_context."
        )
    if array is None and name in MAY_BE_LEFT_OUT:
        return _with_fields(s, **{name: None})
    edited = as_float_array(GIVEN[name].symbol, array)
    check_shape(GIVEN[name].symbol, edited, GIVEN[name].dims, s.sizes)
    with _quiet_overflow():
        return _with_fields(s, **{name: edited.astype(s.dtype)})


def with_dtype(s: Scenario, dtype: str) -> Scenario:
    """All arrays in float32 or float64; going to float32 rounds them."""
    check_one_of("The number type", dtype, ("float64", "float32"), "float64 is the usual one.")
    with _quiet_overflow():
        return _with_fields(s, **{name: a.astype(dtype) for name, a in s.given().items()})


def with_mask(s: Scenario, mask: Mask) -> Scenario:
    return replace(s, mask=mask)


def with_mask_cell_toggled(s: Scenario, row: int, column: int) -> Scenario:
    """Hide one key from one query, or show it again, in the drawn part of the mask.

    What a rule or the additive matrix hides stays hidden: drawing cannot overrule them.
    """
    is_open = bool(s.mask.allowed(s.n_q, s.n_k)[row, column])
    drawn = np.ones((s.n_q, s.n_k), np.bool_) if s.mask.custom is None else s.mask.custom.copy()
    if not is_open and drawn[row, column]:
        raise OptionError(
            "The cell",
            "must be open to the mask's rules to be drawn",
            f"query {s.tokens[row]}, key {s.key_tokens[column]}, which a rule hides",
            "Take that rule away first.",
        )
    drawn[row, column] = not is_open
    return with_mask(s, replace(s.mask, custom=None if drawn.all() else drawn))


def with_scores(s: Scenario, **options: Any) -> Scenario:
    """Some of the score options: scale, softcap, positions, query_start."""
    for name in options:
        check_one_of("A score option", name, ScoreOptions.__dataclass_fields__, "Leave it out.")
    return replace(s, scores=replace(s.scores, **options))


def with_heads_off(s: Scenario, heads: Iterable[int]) -> Scenario:
    """Only these heads switched off, numbered from 0."""
    return replace(s, heads_off=frozenset(heads))


def with_changes(
    s: Scenario,
    *,
    tokens: Sequence[str] | None = None,
    context_tokens: Sequence[str] | None = None,
    sizes: Mapping[str, int] | None = None,
    x: Recipe | None = None,
    weights: Recipe | None = None,
    scores: ScoreOptions | None = None,
    draw_new_rows: bool = True,
) -> Scenario:
    """Several changes that may fit only together, in one step; what is None stays.

    `context_tokens=()` takes the second sequence away, and with it what only it gives a meaning:
    the position of the first query, and what the mask says of its keys. `sizes` names some of
    LAYER_SIZES; the others follow as `with_width` and `with_heads` say. `x` and `weights` make
    theirs afresh. Without `draw_new_rows`, new tokens of an X given as numbers get rows of zeros.
    """
    before = _Plan.of(s)
    words = before.tokens if tokens is None else check_tokens(tokens)
    others = before.context_tokens if context_tokens is None else tuple(context_tokens)
    rows = {"n_q": len(words), "n_k": len(others or words)}
    after = _Plan(
        tokens=words,
        context_tokens=others,
        sizes={**rows, **sizes_after(s, sizes or {}, cross=bool(others))},
        x=before.x if x is None else x,
        weights=before.weights if weights is None else weights,
    )
    _check_room(after.sizes, s.mask)
    afresh = {"x", "context"} if x else set()
    loses_context = s.context is not None and not others
    kept_scores = replace(s.scores, query_start=0) if loses_context else s.scores
    return _with_fields(
        s,
        **_arrays(s, before, after, afresh | ({"weights"} if weights else set()), draw_new_rows),
        **{name: after.sizes[name] for name in ("n_heads", "n_kv_heads", "d_k", "d_v")},
        tokens=words,
        context_tokens=others,
        mask=_kept_mask(s, loses_context=loses_context, **rows),
        scores=kept_scores if scores is None else scores,
        heads_off=frozenset(head for head in s.heads_off if head < after.sizes["n_heads"]),
        origin=Origin(s.origin.example, *after.x, *after.weights),
    )


def sizes_after(s: Scenario, chosen: Mapping[str, int], *, cross: bool) -> dict[str, int]:
    """All of LAYER_SIZES once some are chosen, the others following as they did before.

    A d_k or d_v that would have to be a broken number is refused, unless it is chosen too.
    """
    for name, size in chosen.items():
        check_whole(name, size, 1, LIMITS.heads if name.endswith("heads") else LIMITS.width)
    sizes = {**{name: s.sizes[name] for name in LAYER_SIZES}, **chosen}
    d_model, n_heads = sizes["d_model"], sizes["n_heads"]
    if not cross and chosen.get("d_model_kv", d_model) != d_model:
        raise OptionError(
            "d_model_kv",
            f"must be d_model = {d_model} where there is no second sequence",
            str(chosen["d_model_kv"]),
            "Leave it out, or add the second sequence.",
        )
    if s.d_out == s.d_model:
        sizes["d_out"] = d_model
    if s.d_model_kv == s.d_model or not cross:
        sizes["d_model_kv"] = d_model
    if "n_heads" in chosen:
        sizes["n_kv_heads"] = n_heads
    for name in ("d_k", "d_v"):
        if "n_heads" in chosen or s.sizes[name] * s.n_heads == s.d_model:
            sizes[name] = d_model // n_heads if d_model % n_heads == 0 else 0
    sizes |= chosen
    if not sizes["d_k"] or not sizes["d_v"]:
        raise HeadsError(
            "n_heads",
            f"must divide d_model = {d_model}",
            str(n_heads),
            f"Take one of {divisors(d_model)}, or choose d_k and d_v yourself.",
        )
    return sizes


def _check_room(sizes: Sizes, mask: Mask) -> None:
    """Refuse arrays that are too large before they are made."""
    for given in GIVEN.values():
        check_limit(given.symbol, math.prod(given.dims.shape(sizes)), LIMITS.cells, SMALLER)
    if mask.custom is not None or mask.additive is not None:
        check_limit("The drawn mask", sizes["n_q"] * sizes["n_k"], LIMITS.cells, SMALLER)


def _kept_mask(s: Scenario, *, loses_context: bool, n_q: int, n_k: int) -> Mask:
    if loses_context:
        return kept_of_mask(mask_without_context(s), n_q, n_k)
    return s.mask if (n_q, n_k) == (s.n_q, s.n_k) else kept_of_mask(s.mask, n_q, n_k)


# What the recipes make, before and after.


@dataclass(frozen=True)
class _Plan:
    """What a scenario's arrays are made from: words, sizes and recipes."""

    tokens: tuple[str, ...]
    context_tokens: tuple[str, ...]
    sizes: Sizes
    x: Recipe
    weights: Recipe

    @classmethod
    def of(cls, s: Scenario) -> _Plan:
        x = Recipe(s.origin.x, s.origin.x_seed)
        weights = Recipe(s.origin.weights, s.origin.weights_seed)
        return cls(s.tokens, s.context_tokens, s.sizes, x, weights)

    def makers(self) -> list[_Input | _Layer]:
        """What makes each group of arrays. Two that are equal make the same numbers."""
        x, *others = self.inputs(self.x)
        context = others[0] if others else x._replace(group="context")
        layer = LayerSizes(**{name: self.sizes[name] for name in LAYER_SIZES})
        # Other words need not make weights again that any X will do for.
        preset = PRESETS.get(self.weights.name)
        tokens = self.tokens if preset and preset.needs_input else ()
        return [x, context, _Layer("weights", self.weights, layer, tokens)]

    def inputs(self, recipe: Recipe) -> list[_Input]:
        """What makes X by a recipe, and the second sequence where there is one."""
        x = _Input("x", recipe, self.tokens, self.sizes["d_model"])
        if not self.context_tokens:
            return [x]
        # The same numbers in both sequences would look like a finding; chance draws anew.
        other = Recipe("random", recipe.seed ^ 1) if recipe.name == "random" else recipe
        return [x, _Input("context", other, self.context_tokens, self.sizes["d_model_kv"])]

    def new_rows(self, name: str, given: FloatArray) -> FloatArray | None:
        """What a sequence given as numbers is laid over where it gets more tokens.

        A token of zeros scores 0 with every key, so its weights are all equal, which looks broken:
        its row is drawn instead. New columns of rows that stay are 0, for they were chosen without
        them. An X of nothing but zeros waits to be filled in, and so do its new rows.
        """
        for source in self.inputs(Recipe("random", self.x.seed)):
            if source.group == name and len(source.tokens) > len(given) and given.any():
                rows = source.make()[name]
                rows[: len(given)] = 0
                return rows
        return None


class _Input(NamedTuple):
    group: str
    recipe: Recipe
    tokens: tuple[str, ...]
    width: int

    def make(self) -> Arrays:
        name, seed = self.recipe
        return {self.group: make_x(name, self.tokens, self.width, seed)}


class _Layer(NamedTuple):
    group: str
    recipe: Recipe
    sizes: LayerSizes
    tokens: tuple[str, ...]

    def make(self) -> Arrays:
        name, seed = self.recipe
        made = make_projections(name, self.sizes, self.tokens, seed)
        return {name: getattr(made, name) for name in WEIGHTS}


# What becomes of the arrays.


def _arrays(
    s: Scenario, before: _Plan, after: _Plan, afresh: set[str], draw_new_rows: bool
) -> dict[str, FloatArray | None]:
    """Every array that may be given, for the new sizes; None for one that is not."""
    arrays: dict[str, FloatArray | None] = {name: getattr(s, name) for name in GIVEN}
    arrays["context"] = s.keys_from if after.context_tokens else None
    was, now = _made(before, after, afresh)
    for name, array in arrays.items():
        if array is None:
            continue
        if name not in now:
            over = after.new_rows(name, array) if draw_new_rows else None
            arrays[name] = kept_of_array(name, array, before.sizes, after.sizes, over=over)
        elif name not in was:
            arrays[name] = now[name].astype(s.dtype)
        elif not np.array_equal(was[name], now[name]):
            edited = differs(array, was[name].astype(s.dtype))
            over = now[name].astype(s.dtype)
            arrays[name] = kept_of_array(
                name, array, before.sizes, after.sizes, over=over, edited=edited
            )
    return arrays


def _made(before: _Plan, after: _Plan, afresh: set[str]) -> tuple[Arrays, Arrays]:
    """What the recipes made and what they make now, by array, where the two may differ.

    What is to be made afresh is not in the first.
    """
    was: Arrays = {}
    now: Arrays = {}
    for old, new in zip(before.makers(), after.makers(), strict=True):
        if new.group == "context" and not after.context_tokens:
            continue
        if new.group in afresh:
            now |= new.make()
        elif new != old and (made := _try_to_make(old)):
            was |= made
            now |= new.make()
    return was, now


def _try_to_make(maker: _Input | _Layer) -> Arrays:
    """What the recipe makes; nothing where it cannot have made the array, as `origin` may err."""
    try:
        return maker.make()
    except MhaError:
        return {}


def _with_fields(s: Scenario, **fields: Any) -> Scenario:
    return replace(s, **fields)


def _quiet_overflow() -> np.errstate:
    """A number beyond float32 becomes infinite, and the scenario refuses that in words."""
    return np.errstate(over="ignore")
