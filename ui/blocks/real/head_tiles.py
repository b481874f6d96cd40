"""Heads as small pictures, each a button; and as dots between two axes."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import streamlit as st

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.survey.measures import LABELS, MEASURES, TITLES
from ui.reports import reported
from ui.theme import HEAD_COLORS

HERE: Final = Path(__file__).parent
NO_COLOR: Final = "#8a8796"
COLORS: Final[Mapping[str, str]] = {
    **dict.fromkeys(LABELS, NO_COLOR),
    **dict(zip(MEASURES, HEAD_COLORS, strict=False)),
}


class Tile(NamedTuple):
    """One head, or one head on one text: what its button says, and its picture."""

    group: str  # its heading; tiles with the same one stand together
    title: str
    label: str  # of LABELS
    says: str  # small, below the label
    spoken: str  # for those who do not see the picture
    small: FloatArray


class Dot(NamedTuple):
    """One head between the two axes, each from 0 to 1."""

    across: float
    up: float
    label: str
    spoken: str
    is_chosen: bool = False


def head_tiles(
    key: str, tiles: Sequence[Tile], take: Callable[[int], None], *, are_texts: bool = False
) -> None:
    """Show the tiles, wider where they have whole texts. `take` gets the place of a clicked one."""
    data = {
        "kind": "texts" if are_texts else "heads",
        "tiles": json.dumps([_sent(tile) for tile in tiles]),
        "legend": json.dumps(_legend()),
    }
    data["filter"] = say("Show only these")
    _head_tiles(key=key, data=data, on_pick_change=partial(_take, key, len(tiles), take))


def head_dots(
    key: str, dots: Sequence[Dot], axes: tuple[str, str], take: Callable[[int], None]
) -> None:
    """Show the dots. `take` gets the place of the one that is clicked."""
    sent = [{**dot._asdict(), "label": COLORS[dot.label]} for dot in dots]
    data = {"dots": json.dumps(sent), "across": axes[0], "up": axes[1]}
    _head_dots(key=key, data=data, on_pick_change=partial(_take, key, len(dots), take))


def _sent(tile: Tile) -> dict[str, Any]:
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


def _legend() -> list[dict[str, Any]]:
    """By their numbers, as the tiles name them."""
    return [
        {"label": number, "name": TITLES[name], "color": COLORS[name]}
        for number, name in enumerate(LABELS)
    ]


def _take(key: str, count: int, take: Callable[[int], None]) -> None:
    place = reported(key, "pick")
    if type(place) is int and 0 <= place < count:  # anyone can send anything
        take(place)


def _component(name: str) -> Callable[..., Any]:
    made: Callable[..., Any] = st.components.v2.component(
        name,
        js=(HERE / f"{name}.js").read_text("utf-8"),
        css=(HERE / f"{name}.css").read_text("utf-8"),
        isolate_styles=False,
    )
    return made


_head_tiles: Final = _component("head_tiles")
_head_dots: Final = _component("head_dots")
