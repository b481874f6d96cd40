"""Heads as small pictures: what a browser gets of each, and what is said below it."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.survey.head_map import IN_LAYERS, HeadsOfLayer, in_order
from mha_core.survey.measures import ENTROPY, LABELS, MEASURES, NAMES, TITLES, label_of
from ui.theme import HEAD_COLORS

NO_COLOR: Final = "#8a8796"
SINK: Final = "#a3195b"  # the last colour of a head is grey too
COLORS: Final[Mapping[str, str]] = {
    **dict.fromkeys(LABELS, NO_COLOR),
    **dict(zip(MEASURES, (*HEAD_COLORS[:-1], SINK), strict=True)),
}


class Tile(NamedTuple):
    """One head, or one head on one text: what its button says, and its picture."""

    group: str  # its heading; tiles with the same one stand together
    title: str
    label: str  # of LABELS
    says: str  # small, below the label
    spoken: str  # for those who do not see the picture
    small: FloatArray


def tiles_of(layers: Sequence[HeadsOfLayer], order: str) -> dict[tuple[int, int], Tile]:
    """The heads by layer and number, both counted from 0, in one of ORDERS."""
    return {at: _tile(layers, order, *at) for at in in_order(layers, order)}


def _tile(layers: Sequence[HeadsOfLayer], order: str, layer: int, head: int) -> Tile:
    scores = layers[layer].scores[head]
    is_grouped = order == IN_LAYERS
    title = say("Head {head}") if is_grouped else say("{layer}, head {head}")
    names = {"layer": layers[layer].name, "head": head + 1}
    return Tile(
        group=layers[layer].name if is_grouped else "",
        title=title.format(**names),
        label=label_of(scores),
        says=_small_words(scores, order),
        spoken=say("{layer}, head {head}: {says}").format(**names, says=in_words(scores)),
        small=layers[layer].small[head],
    )


def _small_words(scores: FloatArray, order: str) -> str:
    """The number that the heads are sorted by, or what the head does most, and its entropy."""
    label = label_of(scores)
    name = order if order != IN_LAYERS else label if label in NAMES else ENTROPY
    share = scores[NAMES.index(name)]
    if np.isnan(share):
        return say("cannot be told here")
    if name == label:
        return say("{share:.2f}, entropy {entropy:.2f}").format(share=share, entropy=scores[-1])
    return f"{TITLES[name]} {share:.2f}"


def in_words(scores: FloatArray) -> str:
    """All that is known of a head, the largest share first.

    >>> in_words(np.array([np.nan, np.nan, 0.9, 0, 0, 0.1, 0, 0, 0.2]))
    'Previous token 0.90, Entropy 0.20, First token 0.10'
    """
    known = [(s, n) for s, n in zip(scores, NAMES, strict=True) if not np.isnan(s) and s >= 0.005]
    known.sort(key=lambda each: -each[0])
    return ", ".join(f"{TITLES[name]} {share:.2f}" for share, name in known)


def as_sent(tile: Tile) -> dict[str, Any]:
    """What the browser gets of a tile: weights as bytes, 255 for 1."""
    cells = (tile.small.clip(0, 1) * 255).round().astype(np.uint8)
    return {
        **{name: getattr(tile, name) for name in ("group", "title", "says", "spoken")},
        "label": LABELS.index(tile.label),
        "color": COLORS[tile.label],
        "name": TITLES[tile.label],
        "across": cells.shape[1],
        "cells": base64.b64encode(cells.tobytes()).decode(),
    }


def legend() -> list[dict[str, Any]]:
    """By their numbers, as the tiles name them."""
    return [
        {"label": number, "name": TITLES[name], "color": COLORS[name]}
        for number, name in enumerate(LABELS)
    ]
