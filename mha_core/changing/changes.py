"""Each control turns a Scenario into the next Scenario.

Every function takes a scenario and gives another. Nothing is changed in place, and every check at
the door runs again. What happens to numbers whose place changes is decided here, once:

- A matrix that a recipe made (its name is in `origin`) is made again for the new sizes and words.
  Cells edited by hand since then are laid over it, each at its row and column.
- A matrix given as numbers keeps what still has a place, and its new cells are 0. While the number
  of heads stays, each head keeps its own rows and columns.
- Masks keep what still has a place: new keys are open, nothing is added to their scores, and
  they join the last document. Indices of tokens and heads that are gone are dropped.
- What belongs to a second sequence goes with it, in the mask and in the score options too.
- The number type stays: an edit in float64 does not turn a float32 scenario into float64.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from mha_core.changing.recipes import ArrayPlan, Recipe, arrays_after
from mha_core.changing.resizing import mask_without_context, resized_mask
from mha_core.changing.sizes import check_d_k, check_room, sizes_after
from mha_core.checks.errors import OptionError
from mha_core.checks.shapes import as_float_array, check_shape
from mha_core.checks.values import check_one_of, check_tokens
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.masks import Mask
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions

MAY_BE_LEFT_OUT: Final = ("b_q", "b_k", "b_v", "b_o")


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
    with np.errstate(over="ignore"):
        return _with_fields(s, **{name: edited.astype(s.dtype)})


def with_dtype(s: Scenario, dtype: str) -> Scenario:
    """All arrays in float32 or float64; going to float32 rounds them."""
    check_one_of("The number type", dtype, ("float64", "float32"), "float64 is the usual one.")
    with np.errstate(over="ignore"):
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
    draw_new_rows: bool = False,
) -> Scenario:
    """Several changes that may fit only together, in one step; what is None stays.

    `context_tokens=()` takes the second sequence away, and with it what only it gives a meaning:
    the position of the first query, and what the mask says of its keys. `sizes` names some of
    LAYER_SIZES; the others follow as `with_width` and `with_heads` say. `x` and `weights` make
    theirs afresh.

    New tokens of an X given as numbers get rows of zeros. With `draw_new_rows` they get random
    numbers: links that were written when this was the rule are read so.
    """
    before = ArrayPlan.of(s)
    words = before.tokens if tokens is None else check_tokens(tokens)
    others = before.context_tokens if context_tokens is None else tuple(context_tokens)
    rows = {"n_q": len(words), "n_k": len(others or words)}
    after = ArrayPlan(
        tokens=words,
        context_tokens=others,
        sizes={**rows, **sizes_after(s, sizes or {}, cross=bool(others))},
        x=before.x if x is None else x,
        weights=before.weights if weights is None else weights,
    )
    loses_context = s.context is not None and not others
    if scores is None:
        scores = replace(s.scores, query_start=0) if loses_context else s.scores
    check_room(after.sizes, s.mask)
    check_d_k(after.sizes, scores, sizes or {}, weights)
    afresh = ({"x", "context"} if x else set()) | ({"weights"} if weights else set())
    return _with_fields(
        s,
        **arrays_after(s, before, after, afresh, draw_new_rows=draw_new_rows),
        **{name: after.sizes[name] for name in ("n_heads", "n_kv_heads", "d_k", "d_v")},
        tokens=words,
        context_tokens=others,
        mask=_mask_after(s, loses_context=loses_context, **rows),
        scores=scores,
        heads_off=frozenset(head for head in s.heads_off if head < after.sizes["n_heads"]),
        origin=Origin(s.origin.example, *after.x, *after.weights),
    )


def _mask_after(s: Scenario, *, loses_context: bool, n_q: int, n_k: int) -> Mask:
    if loses_context:
        return resized_mask(mask_without_context(s), n_q, n_k)
    return s.mask if (n_q, n_k) == (s.n_q, s.n_k) else resized_mask(s.mask, n_q, n_k)


def _with_fields(s: Scenario, **fields: Any) -> Scenario:
    """As replace, for fields whose names are known only when it runs."""
    return replace(s, **fields)
