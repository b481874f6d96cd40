"""Functions that take a scenario and give the next one.

Nothing is changed in place, and the checks of a scenario run again. This folder alone decides what
happens to the numbers when sizes or tokens change:

- A matrix made by a recipe (`origin` has its name) is made again for the new sizes and words. Cells
  that were edited by hand keep their numbers, each at its row and column.
- A matrix given as numbers keeps the cells that still exist. New cells are 0. If the number of
  heads stays, each head keeps its own rows and columns.
- Masks keep the cells that still exist. New keys are open, have 0 added to their scores, and join
  the last document. Numbers of tokens and heads that no longer exist are dropped.
- When the second sequence is removed, its parts of the mask and of the score options are too, and
  a source of the values, which had a row for each of its tokens.
- The number type stays: an edit in float64 does not turn a float32 scenario into float64.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mha_core.changing.additions import goes_with, with_gate_of_additions
from mha_core.changing.distances import OF_DISTANCES, distances_on_axes
from mha_core.changing.numbers_of_heads import scores_resized
from mha_core.changing.places_of_tokens import places_resized
from mha_core.changing.recipes import ArrayPlan, Recipe, arrays_after
from mha_core.changing.resizing import mask_without_context, resized_mask
from mha_core.changing.sizes import check_d_k, check_room, sizes_after
from mha_core.checks.errors import OptionError
from mha_core.checks.shapes import FloatArray, as_float_array, check_shape
from mha_core.checks.values import check_one_of, check_tokens
from mha_core.language import say
from mha_core.layer.attending import attend
from mha_core.making.inputs import make_x
from mha_core.options.registry import OPTIONS
from mha_core.scenario.given_arrays import GIVEN, OF_FACTORS, OPTIONAL
from mha_core.scenario.masks import Mask
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions


def with_tokens(s: Scenario, tokens: Sequence[str]) -> Scenario:
    """Other tokens, with one row of X for each."""
    return with_changes(s, tokens=tokens)


def with_words(s: Scenario, words: Sequence[str]) -> Scenario:
    """Other tokens, where X was given as numbers: each word with its vector.

    A word that was there keeps its row: the one at its own place, or else its first one. A new word
    gets its vector from `word_vectors`: the same word always gets the same vector. So do the rows
    that values alone are made from; that of a new word is zeros.
    """
    after = with_tokens(s, words)
    places = [_place_of_word(s, place, word) for place, word in enumerate(after.tokens)]
    rows = [
        make_x("word_vectors", [word], s.d_model)[0] if at is None else s.x[at]
        for at, word in zip(places, after.tokens, strict=True)
    ]
    after = with_matrix(after, "x", np.stack(rows))
    if s.context_v is None or s.context is not None:
        return after
    none = np.zeros(s.d_model_v)
    own = [none if at is None else s.context_v[at] for at in places]
    return with_matrix(after, "context_v", np.stack(own))


def _place_of_word(s: Scenario, place: int, word: str) -> int | None:
    """Where a word was: at its own place, or else where it first stood; None if it is new."""
    if word not in s.tokens:
        return None
    return place if s.tokens[place : place + 1] == (word,) else s.tokens.index(word)


def with_context(s: Scenario, tokens: Sequence[str] | None) -> Scenario:
    """Keys and values from a second sequence with these tokens; None removes it.

    A new second sequence starts as X, the source of the keys so far, with rows cut or added.
    """
    return with_changes(s, context_tokens=() if tokens is None else check_tokens(tokens))


def with_own_values(s: Scenario, *, on: bool = True) -> Scenario:
    """Values from rows of their own, or again from those of the keys.

    At first they are a copy of what values were made from: so nothing changes.
    """
    if not on:
        as_wide_as_keys = with_changes(s, sizes={"d_model_v": s.d_model_kv})
        return replace(as_wide_as_keys, context_v=None)
    return s if s.context_v is not None else replace(s, context_v=attend(s).context_v)


def with_width(s: Scenario, d_model: int) -> Scenario:
    """Another width of the token vectors.

    Other sizes follow: d_out and d_model_kv if they were equal to d_model, d_model_v if it was
    equal to d_model_kv, and d_k and d_v if they were d_model / n_heads.
    """
    return with_changes(s, sizes={"d_model": d_model})


def with_heads(
    s: Scenario,
    n_heads: int,
    n_kv_heads: int | None = None,
    d_k: int | None = None,
    d_v: int | None = None,
) -> Scenario:
    """Another number of heads. By default n_kv_heads is n_heads, and d_k and d_v follow d_model.

    Heads that are switched off stay off if they still exist.
    """
    chosen = {"n_heads": n_heads, "n_kv_heads": n_kv_heads, "d_k": d_k, "d_v": d_v}
    return with_changes(s, sizes={name: n for name, n in chosen.items() if n is not None})


def with_x(s: Scenario, recipe: str, seed: int = 0) -> Scenario:
    """X, and a second sequence if there is one, made anew by a recipe of INPUTS."""
    return with_changes(s, x=Recipe(recipe, seed))


def with_weights(s: Scenario, preset: str, seed: int = 0) -> Scenario:
    """The four projections made anew by one of PRESETS; biases stay."""
    return with_changes(s, weights=Recipe(preset, seed))


def with_matrix(s: Scenario, name: str, array: object) -> Scenario:
    """An array edited by hand, in its present shape; None removes one that is optional.

    A gate goes with its bias, and a bias brings one that does not follow X. That of b_S goes with
    b_S, and brings it.

    `origin` keeps the name of the recipe: after a later change of size only edited cells are kept.
    """
    check_one_of(say("The matrix"), name, GIVEN)
    if name == "context" and s.context is None:
        raise OptionError(
            "C",
            say("needs a second sequence first"),
            say("a scenario without one"),
            say("Use with_context."),
        )
    if array is None and name == "context_v":
        return with_own_values(s, on=False)
    if array is None and GIVEN[name].optional:
        return _with_fields(s, **dict.fromkeys(goes_with(name)))
    if name == "b_g" and s.w_g is None:
        s = with_gate(s, s.d_v)
    if name in OF_FACTORS:
        s = with_gate_of_additions(s)
    edited = as_float_array(GIVEN[name].symbol, array)
    own = {"n_distances": len(edited)} if name in OF_DISTANCES and edited.ndim else {}
    check_shape(GIVEN[name].symbol, edited, GIVEN[name].dims, {**s.sizes, **own})
    with np.errstate(over="ignore"):
        return _with_fields(s, **{name: edited.astype(s.dtype)})


def with_gate(s: Scenario, width: int) -> Scenario:
    """A gate between the heads and W_O: `width` numbers for each head, d_v or 1.

    A new one is half open everywhere: its W_G is 0. Of one that was there, a number for a whole
    head is repeated for each of its numbers; or the mean of these is taken.
    """
    if s.w_g is None:
        return replace(s, w_g=np.zeros((s.d_model, s.n_heads * width), s.dtype))

    def in_width(array: FloatArray) -> FloatArray:
        by_head = array.reshape(-1, s.n_heads, s.d_g)
        many = by_head.mean(axis=-1, keepdims=True) if width == 1 else by_head
        return np.broadcast_to(many, (*many.shape[:-1], width)).reshape(*array.shape[:-1], -1)

    return replace(s, w_g=in_width(s.w_g), b_g=None if s.b_g is None else in_width(s.b_g))


def with_dtype(s: Scenario, dtype: str) -> Scenario:
    """All arrays in float32 or float64; float32 rounds them."""
    check_one_of(
        say("The number type"), dtype, ("float64", "float32"), say("float64 is the usual one.")
    )
    with np.errstate(over="ignore"):
        return _with_fields(s, **{name: a.astype(dtype) for name, a in s.given().items()})


def with_mask(s: Scenario, mask: Mask) -> Scenario:
    return replace(s, mask=mask)


def with_mask_cells_toggled(s: Scenario, cells: Sequence[tuple[int, int]]) -> Scenario:
    """Hide these cells in the drawn mask if the first one is open; else show them again.

    A key that a rule or the additive matrix hides stays hidden. The first cell must not be one of
    those.
    """
    for row, column in cells:
        _check_cell_of_mask(s, row, column)
    row, column = cells[0]
    is_open = bool(s.mask.allowed(s.n_q, s.n_k)[row, column])
    drawn = np.ones((s.n_q, s.n_k), np.bool_) if s.mask.custom is None else s.mask.custom.copy()
    if not is_open and drawn[row, column]:
        raise OptionError(
            say("The cell"),
            say("must not be hidden by a rule"),
            say("query {query}, key {key}, which a rule hides").format(
                query=s.tokens[row], key=s.key_tokens[column]
            ),
            say("Remove that rule first."),
        )
    drawn[tuple(np.transpose(cells))] = not is_open
    return with_mask(s, replace(s.mask, custom=None if drawn.all() else drawn))


def _check_cell_of_mask(s: Scenario, row: int, column: int) -> None:
    if not (0 <= row < s.n_q and 0 <= column < s.n_k):
        raise OptionError(
            say("The cell"),
            say("must be one of the mask, of {queries} queries and {keys} keys").format(
                queries=s.n_q, keys=s.n_k
            ),
            say("row {row}, column {column}").format(row=row, column=column),
            say("The first row and the first column are number 0."),
        )


def with_scores(s: Scenario, **options: Any) -> Scenario:
    """Some of the score options, by their names.

    Where distances get other axes, R_K and R_Q get rows for each.
    """
    for name in options:
        check_one_of(say("A score option"), name, OPTIONS, say("Leave it out."))
    scores = replace(s.scores, **options)
    return _with_fields(s, scores=scores, **distances_on_axes(s.scores, scores, s.given()))


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
    """Several changes at once: some are possible only together. What is None stays.

    `context_tokens=()` removes the second sequence, and everything that has no meaning without it:
    the position of the first query, and what the mask says of its keys. `sizes` has some of
    LAYER_SIZES; the others follow as in `with_width` and `with_heads`. A d_model_v that is not
    d_model_kv gives the values rows of their own, at first zeros. `x` and `weights` are
    recipes that make these arrays anew.

    If X was given as numbers, new tokens get rows of zeros. With `draw_new_rows` they get random
    numbers, as in links that were written when this was the rule.
    """
    before = ArrayPlan.of(s)
    words = before.tokens if tokens is None else check_tokens(tokens)
    others = before.context_tokens if context_tokens is None else tuple(context_tokens)
    rows = {"n_q": len(words), "n_k": len(others or words), "n_distances": s.n_distances}
    after = ArrayPlan(
        tokens=words,
        context_tokens=others,
        sizes={**rows, **sizes_after(s, sizes or {}, cross=bool(others))},
        x=before.x if x is None else x,
        weights=before.weights if weights is None else weights,
    )
    loses_context = s.context is not None and not others
    if scores is None:
        scores = replace(s.scores, query_start=None) if loses_context else s.scores
    scores = scores_resized(s, scores, after.sizes)
    scores = places_resized(s, scores, after.sizes, loses_context=loses_context)
    given = s.given()
    if after.sizes["d_model_v"] != after.sizes["d_model_kv"]:
        given["context_v"] = s.values_from  # it is made here
    check_room(after.sizes, s.mask, [name for name in OPTIONAL if name not in given])
    check_d_k(after.sizes, scores, sizes or {}, weights)
    afresh = ({"x", "context"} if x else set()) | ({"weights"} if weights else set())
    arrays = arrays_after(s, before, after, afresh, draw_new_rows=draw_new_rows)
    if loses_context:
        # What is added to scores of other keys has no meaning for these.
        arrays |= dict.fromkeys(goes_with("b_s"))
    arrays |= distances_on_axes(s.scores, scores, arrays)
    return _with_fields(
        s,
        **arrays,
        **{name: after.sizes[name] for name in ("n_heads", "n_kv_heads", "d_k", "d_v")},
        tokens=words,
        context_tokens=others,
        mask=_mask_after(s, loses_context=loses_context, n_q=rows["n_q"], n_k=rows["n_k"]),
        scores=scores,
        heads_off=frozenset(head for head in s.heads_off if head < after.sizes["n_heads"]),
        origin=_origin_after(s, after, arrays["x"]),
    )


def _origin_after(s: Scenario, after: ArrayPlan, x: FloatArray | None) -> Origin:
    """The recipes; and the model that made X, as long as this is the same X."""
    is_same = x is not None and np.array_equal(x, s.x)
    return replace(
        s.origin if is_same else Origin(s.origin.example),
        x=after.x.name,
        x_seed=after.x.seed,
        weights=after.weights.name,
        weights_seed=after.weights.seed,
    )


def _mask_after(s: Scenario, *, loses_context: bool, n_q: int, n_k: int) -> Mask:
    if loses_context:
        return resized_mask(mask_without_context(s), n_q, n_k)
    return s.mask if (n_q, n_k) == (s.n_q, s.n_k) else resized_mask(s.mask, n_q, n_k)


def _with_fields(s: Scenario, **fields: Any) -> Scenario:
    """Like `replace`, for fields whose names are computed."""
    return replace(s, **fields)
