"""From a link's names and values to a scenario, in two steps.

`scenario_before_arrays` takes the example, the words, the sizes, the recipes and the score options.
`with_mask_and_arrays` then takes the mask, the heads that are off, and the numbers.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from mha_core.changing.changes import with_changes, with_dtype
from mha_core.changing.recipes import WEIGHTS, Recipe
from mha_core.changing.sizes import sizes_after
from mha_core.checks.limits import LIMITS
from mha_core.checks.values import check_limit, check_tokens, is_one_of, need_one_of
from mha_core.examples import load_stack
from mha_core.io.scenario.fields import DTYPES
from mha_core.io.scenario.link_names import CELLS_OVER_ZEROS, NO_CONTEXT, SIZES
from mha_core.io.scenario.link_values import (
    FORMS,
    NONE,
    SMALLER,
    blank,
    read_array,
    read_labels,
    read_option,
    read_rules,
    read_whole,
    refused,
)
from mha_core.language import say
from mha_core.options.r_places import axes_of_distances
from mha_core.options.registry import OPTIONS
from mha_core.scenario.given_arrays import GIVEN, OPTIONAL
from mha_core.scenario.masks import Mask
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions

LABELS_OF_ORIGIN: Final = 5  # in a link that names no trained model
LABELS_WITH_MODEL: Final = 8  # without a decoder that has read a text of its own


@cache
def blank_scenario() -> Scenario:
    one = np.zeros((1, 1))
    return Scenario(x=one, w_q=one, w_k=one, w_v=one, w_o=one, n_heads=1)


def start_of_link(example: str | None, number: int = 0) -> Scenario:
    """What a link starts from, for its layer `number`: that layer of the example, or its first."""
    if example is None:
        return blank_scenario()
    layers = load_stack(example).on_zeros
    return layers[number] if number < len(layers) else layers[0]


class _Begun(NamedTuple):
    """What a link starts from, its words, and the sizes that it names."""

    start: Scenario
    tokens: Sequence[str]
    others: Sequence[str]
    sizes: Mapping[str, int]


def check_room(given: Mapping[str, str], number: int, used: int) -> _Begun:
    """Refuse more cells than a link may have, before any is made.

    The layer `number`, counted from 0, begins so. The layers below it have `used` so many cells.
    """
    start = start_of_link(given.get("example"), number)
    if "dtype" in given:
        start = with_dtype(start, given["dtype"])
    tokens, others = start.tokens, start.context_tokens
    if "tokens" in given:
        tokens = check_tokens(read_labels("tokens", given["tokens"]))
    if "context" in given:
        none = given["context"] == NO_CONTEXT
        others = () if none else check_tokens(read_labels("context", given["context"]))
    sizes = {ours: read_whole(name, given[name]) for name, ours in SIZES.items() if name in given}
    check_cells(used + _most_cells(given, _Begun(start, tokens, others, sizes)))
    return _Begun(start, tokens, others, sizes)


def scenario_before_arrays(given: Mapping[str, str], number: int = 0, used: int = 0) -> Scenario:
    start, tokens, others, sizes = check_room(given, number, used)
    return with_changes(
        start,
        tokens=tokens,
        context_tokens=others,
        sizes=sizes,
        x=_read_recipe(given, "x", start.origin.x),
        weights=_read_recipe(given, "weights", start.origin.weights),
        scores=_read_scores(given, start, is_cross=len(others) > 0),
        # Some links are older than random new rows: they list cells of X that lie over zeros.
        draw_new_rows=CELLS_OVER_ZEROS.isdisjoint(given),
    )


def _most_cells(given: Mapping[str, str], begun: _Begun) -> int:
    """As many as are made at one time."""
    start, tokens, others, chosen = begun
    n_q, n_k = len(tokens), len(others or tokens)
    sizes = {"n_q": n_q, "n_k": n_k, **sizes_after(start, chosen, cross=len(others) > 0)}
    sizes["n_distances"] = _distances(given, start, _axes(given, start))
    drawn = start.mask.is_drawn or any(name.startswith(("custom", "additive")) for name in given)
    named = {name.partition(".")[0] for name in given}
    if sizes["d_model_v"] != sizes["d_model_kv"]:
        named.add("context_v")
    has = [name for name in OPTIONAL if name in named or getattr(start, name) is not None]
    cells = _count(sizes, drawn, has)
    if start.origin.weights or "weights" in given:
        # A preset may make a square as wide as its widest matrix, and keep a part of it.
        cells += max(max(GIVEN[name].dims.shape(sizes)) for name in WEIGHTS) ** 2
    return cells


def _axes(given: Mapping[str, str], start: Scenario) -> int:
    """On how many axes distances are counted."""
    scores = start.scores
    if "r_places" in given:
        scores = replace(scores, r_places=read_option(OPTIONS["r_places"], given["r_places"]))
    return axes_of_distances(scores)


def _distances(given: Mapping[str, str], start: Scenario, axes: int) -> int:
    """How many rows R has on these axes."""
    if "distances" not in given:
        return start.n_distances // axes_of_distances(start.scores) * axes
    count = read_whole("distances", given["distances"])
    if not 0 < count <= LIMITS.width:
        need = say("must be from 1 to {most}").format(most=LIMITS.width)
        raise refused("distances", need, str(count))
    return count


def check_cells(count: int) -> None:
    what = say("The number of cells of all matrices of a link")
    check_limit(what, count, LIMITS.link_cells, SMALLER)


def cells_of(s: Scenario) -> int:
    """As many as a link counts for this layer, once it has been read."""
    return _count(s.sizes, s.mask.is_drawn, s.given())


def _count(sizes: Mapping[str, int], drawn: bool, has: Collection[str]) -> int:
    """Of all arrays; of those that are optional, of what the layer has."""
    those = (matrix for name, matrix in GIVEN.items() if name in has or not matrix.optional)
    cells = sum(math.prod(matrix.dims.shape(sizes)) for matrix in those)
    return cells + drawn * sizes["n_q"] * sizes["n_k"]


def _read_recipe(given: Mapping[str, str], name: str, so_far: str) -> Recipe | None:
    seed = f"{name}_seed"
    if name not in given and seed not in given:
        return None
    return Recipe(given.get(name, so_far), read_whole(seed, given.get(seed, "0")))


def _read_scores(given: Mapping[str, str], start: Scenario, *, is_cross: bool) -> ScoreOptions:
    chosen = {
        name: read_option(option, given[name]) for name, option in OPTIONS.items() if name in given
    }
    scores = replace(start.scores, **chosen)
    if "query_start" in given:
        return scores
    return replace(scores, query_start=unsaid_start(start, scores.positions, is_cross=is_cross))


def unsaid_start(start: Scenario, positions: str, *, is_cross: bool) -> int | None:
    """The first position in a link that does not say it.

    Before it could follow the keys of a second sequence, it was 0. So it is where a link adds
    that sequence, or the positions.
    """
    had_both = start.context is not None and start.scores.positions != "none"
    adds_one = is_cross and positions != "none" and not had_both
    before: int | None = start.scores.query_start
    return 0 if adds_one and before is None else before


# The mask, the heads that are off, and the numbers


def with_mask_and_arrays(s: Scenario, given: Mapping[str, str]) -> Scenario:
    fields: dict[str, Any] = {}
    distances = _distances(given, s, axes_of_distances(s.scores))
    sizes = {**s.sizes, "n_distances": distances, "d_g": _read_width_of_gate(given, s)}
    for name, matrix in GIVEN.items():
        shape = matrix.dims.shape(sizes)
        fields[name] = _read_matrix(given, name, getattr(s, name), shape, s.dtype)
    if s.context is None and fields["context"] is not None:
        raise refused(
            "context",
            say("must label the second sequence"),
            say("its numbers only"),
            say("Add it."),
        )
    rules = read_rules("mask", given["mask"]) if "mask" in given else s.mask.rules
    drawn = (s.n_q, s.n_k)
    additive_dtype = np.dtype(_checked_dtype(given.get("additive_dtype", s.dtype.name)))
    fields["mask"] = Mask(
        rules,
        _read_matrix(given, "custom", s.mask.custom, drawn, np.dtype(np.bool_)),
        _read_matrix(given, "additive", s.mask.additive, drawn, additive_dtype),
    )
    if "off" in given:
        off = [] if given["off"] == NONE else given["off"].split(".")
        fields["heads_off"] = frozenset(read_whole("off", head) for head in off)
    if "origin" in given:
        fields["origin"] = _read_origin(given["origin"])
    return replace(s, **fields)


def _read_width_of_gate(given: Mapping[str, str], s: Scenario) -> int:
    if "d_g" not in given:
        return s.d_g
    width = read_whole("d_g", given["d_g"])
    if width not in (1, s.d_v):
        need = say("must be 1 or d_v = {d_v}").format(d_v=s.d_v)
        raise refused("d_g", need, given["d_g"])
    return width


def _read_matrix(
    given: Mapping[str, str], name: str, now: Any, shape: tuple[int, ...], dtype: np.dtype[Any]
) -> Any:
    """The matrix after the link: unchanged, removed (None), or changed."""
    ways = [way for way in (name, *(f"{name}.{form}" for form in FORMS)) if way in given]
    if name in ("x", "context"):
        ways = [
            way for way in ways if way != name
        ]  # its words or its recipe, which were read before
    if len(ways) > 1:
        raise refused(
            ways[0],
            say("must be the only one of its matrix"),
            say("{parameter} too").format(parameter=ways[1]),
        )
    if not ways:
        return now
    if ways[0] == name:
        if given[name] != NONE:
            raise refused(
                name, say("must be none"), repr(given[name]), say("Give its numbers as .rows.")
            )
        return None
    if now is None or now.dtype != dtype or now.shape != shape:
        now = blank(shape, dtype)
    form = ways[0].removeprefix(f"{name}.")
    return read_array(ways[0], form, given[ways[0]], now, infinite=name == "additive")


def _checked_dtype(name: str) -> str:
    if not is_one_of(name, DTYPES):
        raise refused("additive_dtype", need_one_of(DTYPES), repr(name))
    return name


def _read_origin(text: str) -> Origin:
    labels = read_labels("origin", text)
    known = fields(Origin)
    if len(labels) not in (LABELS_OF_ORIGIN, LABELS_WITH_MODEL, len(known)):
        need = say("must be {few} or, with a model, {more} or {all} labels")
        need = need.format(few=LABELS_OF_ORIGIN, more=LABELS_WITH_MODEL, all=len(known))
        raise refused("origin", need, repr(text))
    said: dict[str, Any] = {
        field.name: read_whole("origin", label) if field.type == "int" else label
        for field, label in zip(known, labels, strict=False)
    }
    return Origin(**said)
