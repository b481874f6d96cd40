"""All heads of a model in one file, without a server: ui/plot/js/saved/map_page.js shows them."""

from __future__ import annotations

from typing import Any

from mha_core import HeadMap
from mha_core.language import say
from mha_core.survey.head_map import IN_LAYERS, ORDERS
from mha_core.survey.measures import TITLES
from ui.figures.head_tiles import as_sent, legend, tiles_of
from ui.saved.one_file import one_file


def map_page(heads: HeadMap, title: str) -> bytes:
    """The page as HTML: the heads in any order, and each of them large once it is pressed."""
    tiles = tiles_of(heads.layers, IN_LAYERS)
    data = {
        "title": title,
        "says": f"{heads}: {' '.join(map(str.strip, heads.tokens))}",
        "tokens": list(heads.tokens),
        "tiles": [as_sent(tile) for tile in tiles.values()],
        "orders": [_order(heads, list(tiles), name) for name in ORDERS],
        "legend": legend(),
    }
    return one_file("map_page.js", data)


def _order(heads: HeadMap, places: list[tuple[int, int]], name: str) -> dict[str, Any]:
    """Which heads come one after the other, and what their tiles say then."""
    tiles = tiles_of(heads.layers, name)
    return {
        "title": say("Layer") if name == IN_LAYERS else TITLES[name],
        "places": [places.index(at) for at in tiles],
        "says": [[tile.group, tile.title, tile.says] for tile in tiles.values()],
    }
