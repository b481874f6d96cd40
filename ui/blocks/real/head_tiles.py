"""Heads as small pictures, each a button; and as dots between two axes."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from mha_core.language import say
from ui.controls.own_component import own_component
from ui.figures.head_tiles import COLORS, Tile, as_sent, legend
from ui.reports import reported


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
        "tiles": json.dumps([as_sent(tile) for tile in tiles]),
        "legend": json.dumps(legend()),
    }
    data["filter"] = say("Show only these")
    data["all"] = say("All heads: the arrow keys go from one to the next")
    data["open"] = say("Open this head")
    _head_tiles(key=key, data=data, on_pick_change=partial(_take, key, len(tiles), take))


def head_dots(
    key: str, dots: Sequence[Dot], axes: tuple[str, str], take: Callable[[int], None]
) -> None:
    """Show the dots. `take` gets the place of the one that is clicked."""
    sent = [{**dot._asdict(), "label": COLORS[dot.label]} for dot in dots]
    data = {"dots": json.dumps(sent), "across": axes[0], "up": axes[1]}
    _head_dots(key=key, data=data, on_pick_change=partial(_take, key, len(dots), take))


def _take(key: str, count: int, take: Callable[[int], None]) -> None:
    place = reported(key, "pick")
    if type(place) is int and 0 <= place < count:  # anyone can send anything
        take(place)


_head_tiles = own_component(__file__)
_head_dots = own_component(__file__, "head_dots")
