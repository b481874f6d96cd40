"""A list whose lines are dragged into another order, or removed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from mha_core.language import say
from ui.controls.own_component import own_component
from ui.reports import reported

ACTS: Final = {"up": say("Move up"), "down": say("Move down"), "remove": say("Remove")}


def order_list(
    label: str, lines: Sequence[str], key: str, take: Callable[[Sequence[int]], None]
) -> None:
    """Show the lines. `take` gets the places of those that stay, in their new order."""
    data = {
        "label": label,
        "lines": json.dumps(list(lines)),
        **ACTS,
    }  # for a list, Streamlit would load pandas
    _order_list(key=key, data=data, on_order_change=partial(_take, key, len(lines), take))


def _take(key: str, count: int, take: Callable[[Sequence[int]], None]) -> None:
    order = reported(key, "order")
    is_order = isinstance(order, list) and all(type(place) is int for place in order)
    if is_order and len({*order}) == len(order) and {*order} <= {*range(count)}:
        take(order)


_order_list = own_component(__file__)
