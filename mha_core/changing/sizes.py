"""The sizes of the next scenario: which follow from which, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Final

from mha_core.changing.recipes import LAYER_SIZES, Recipe
from mha_core.checks.errors import HeadsError, OptionError, ShapeError
from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import Sizes
from mha_core.checks.values import check_limit, check_whole, divisors
from mha_core.language import say
from mha_core.making.presets import PRESETS
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.masks import Mask
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions

SMALLER: Final = say("Take fewer tokens, heads or columns.")


def sizes_after(s: Scenario, chosen: Mapping[str, int], *, cross: bool) -> dict[str, int]:
    """All of LAYER_SIZES, and d_g, after some are chosen. The others follow by the same rules.

    If d_k or d_v would be a fraction, it is refused, unless it is chosen too.
    """
    for name, size in chosen.items():
        check_whole(name, size, 1, LIMITS.heads if name.endswith("heads") else LIMITS.width)
    sizes = {**{name: s.sizes[name] for name in LAYER_SIZES}, **chosen}
    d_model, n_heads = sizes["d_model"], sizes["n_heads"]
    if not cross and chosen.get("d_model_kv", d_model) != d_model:
        raise OptionError(
            "d_model_kv",
            say("must be d_model = {d_model} without a second sequence").format(d_model=d_model),
            str(chosen["d_model_kv"]),
            say("Leave it out, or add the second sequence."),
        )
    if s.d_out == s.d_model:
        sizes["d_out"] = d_model
    if s.d_model_kv == s.d_model or not cross:
        sizes["d_model_kv"] = d_model
    loses_context = s.context is not None and not cross
    if s.context_v is None or loses_context or s.d_model_v == s.d_model_kv:
        sizes["d_model_v"] = chosen.get("d_model_kv", sizes["d_model_kv"])
    if "n_heads" in chosen:
        sizes["n_kv_heads"] = n_heads
    for name in ("d_k", "d_v"):
        if "n_heads" in chosen or s.sizes[name] * s.n_heads == s.d_model:
            sizes[name] = d_model // n_heads if d_model % n_heads == 0 else 0
    sizes |= chosen
    if not sizes["d_k"] or not sizes["d_v"]:
        raise HeadsError(
            "n_heads",
            say("must divide d_model = {d_model}").format(d_model=d_model),
            str(n_heads),
            say("Take one of {divisors}, or choose d_k and d_v yourself.").format(
                divisors=divisors(d_model)
            ),
        )
    # A gate has one number for each of a head, or one for all: that stays.
    sizes["d_g"] = sizes["d_v"] if s.d_g == s.d_v else s.d_g
    return sizes


def check_room(sizes: Sizes, mask: Mask, left_out: Collection[str] = ()) -> None:
    """Refuse arrays that are too large before they are made; some are `left_out`."""
    for given in (given for name, given in GIVEN.items() if name not in left_out):
        count = say("The count of numbers in {matrix}").format(matrix=given.symbol)
        check_limit(count, math.prod(given.dims.shape(sizes)), LIMITS.cells, SMALLER)
    if mask.is_drawn:
        check_limit(
            say("The count of cells in the mask"),
            sizes["n_q"] * sizes["n_k"],
            LIMITS.cells,
            SMALLER,
        )


def check_d_k(
    sizes: Sizes, scores: ScoreOptions, chosen: Mapping[str, int], preset: Recipe | None
) -> None:
    """Refuse an odd d_k under RoPE, and say in the error where it comes from."""
    d_k, d_model, n_heads = sizes["d_k"], sizes["d_model"], sizes["n_heads"]
    if scores.positions != "rope" or scores.rope_columns is not None or d_k % 2 == 0:
        return
    if preset is not None and preset.name in PRESETS:
        cause = say("{d_k}, which the preset '{preset}' needs here").format(
            d_k=d_k, preset=PRESETS[preset.name].title
        )
    elif "d_k" not in chosen and d_k * n_heads == d_model:
        cause = say("{d_k}, which is d_model / n_heads = {d_model} / {n_heads}").format(
            d_k=d_k, d_model=d_model, n_heads=n_heads
        )
    else:
        cause = str(d_k)
    raise ShapeError(
        "d_k",
        say("must be even for RoPE, which turns columns in pairs"),
        cause,
        say("Choose other positions than RoPE, or a d_k of its own, such as {d_k}.").format(
            d_k=d_k + 1
        ),
    )
