"""A page as a lecturer presents it, and the button that leads there. See js/presenting/."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import streamlit as st

from mha_core.layer.cells import Cell
from ui.plot import MOST_ENTRIES, Picture, as_cell, loader
from ui.plot.wire import pack, stamped
from ui.reports import reported

OnPress = Callable[[str, Sequence[str], Sequence[str]], None]


class Wished(NamedTuple):
    """Another part, head or page of heads; or another `mask`. Wishes are numbered from 1."""

    number: int
    part: str = ""
    head: int | None = None
    page: int = 1
    mask: str | None = None


class Captioned(NamedTuple):
    """A picture, and what stands above it where there are several."""

    picture: Picture
    caption: str = ""


def present(
    key: str,
    pictures: Sequence[Captioned],
    said: Mapping[str, Any],
    *,
    reordered: int,
    on_wish: Callable[[Wished], None],
    on_leave: Callable[[], None],
    on_pick: Callable[[int, Cell], None],
) -> None:
    """Fill the window with one part: its words are `said`, its `pictures` are as large as fits.

    `on_pick` is told in which of them, counted from 0.

    `said` has what `Presentation` in js/presenting/ reads. `asks_for_code` says whether the link is
    to be said as a QR code.
    """

    def wish(name: str) -> None:
        if wished := _as_wish(reported(key, name)):
            on_wish(wished)

    def pick() -> None:
        match value := reported(key, "pick"):
            case {"side": int(side)} if 0 <= side < len(pictures):
                cell = as_cell(value)
                if cell and pictures[side].picture.has(cell):
                    on_pick(side, cell)

    captions = [[each.caption, len(each.picture.data)] for each in pictures]
    words = pack({**said, "reordered": reordered, "pictures": captions})
    packed = [each.picture.data for each in pictures]  # what is kept is not packed again
    _present(
        key=key,
        data=stamped(b"".join([words, *packed]), len(words)),
        on_go_change=lambda: wish("go"),
        on_mask_change=lambda: wish("mask"),
        on_leave_change=on_leave,
        on_pick_change=pick,
        on_qr_change=_run_again,
    )


def asks_for_code(key: str) -> bool:
    """Whether a person looks at the QR code."""
    return reported(key, "qr") is True


def present_button(key: str, *, on_press: OnPress) -> None:
    """The button "Present".

    It tells which part was presented last, if the page still stands as it did then; and the steps
    of which most is in view, then others that are seen with them.
    """

    def press() -> None:
        match reported(key, "present"):
            case {"part": str(part), "most": list(most), "others": list(others)}:
                on_press(part, _texts(most), _texts(others))

    _present_button(key=key, data={}, on_present_change=press)


def _texts(sent: Sequence[object]) -> list[str]:
    return [each for each in sent if isinstance(each, str)]


def _run_again() -> None:
    """Do nothing else: the run that follows says the link as a code."""


def _as_wish(value: object) -> Wished | None:
    """What the browser sent, if it is a wish at all: anyone can send anything."""
    match value:
        case {"number": int(number), "part": str(part), "head": int(head), "page": int(page)}:
            wished = Wished(number, part, None if head < 0 else head, page)
        case {"number": int(number), "mask": str(mask)}:
            wished = Wished(number, mask=mask)
        case _:
            return None
    return wished if 0 < wished.number <= MOST_ENTRIES and 0 < wished.page <= MOST_ENTRIES else None


_present: Final[Callable[..., Any]] = st.components.v2.component(
    "attention_present", js=loader("present"), isolate_styles=False
)
_present_button: Final[Callable[..., Any]] = st.components.v2.component(
    "attention_present_button", js=loader("presentButton"), isolate_styles=False
)
