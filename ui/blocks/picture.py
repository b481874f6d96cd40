"""A picture of a session: kept while its numbers stay; its cells can be picked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import streamlit as st

from mha_core.layer.cells import Cell
from mha_core.layer.derivation import has_cell
from ui import plot
from ui.blocks.board import draw_board
from ui.blocks.check_numbers import check_numbers_of_picked
from ui.blocks.influence import influence_on_picked
from ui.blocks.score_parts import why_it_looks_there
from ui.blocks.where_from import PART_OF, where_from
from ui.figures.drawing import Look
from ui.figures.figure import Figure
from ui.figures.layers import with_x_as_made
from ui.figures.moved import BEFORE, EXAMPLE, Since, moved_figure
from ui.state import Asked, Session

MOST_KEPT: Final = 4  # looks of one picture
MOST_BYTES_KEPT: Final = 2**20  # of a picture; of a larger one, only the last is kept
SINCE: Final[dict[str, Since]] = {"before": BEFORE, "example": EXAMPLE}  # in the words of the view


def look_of(session: Session) -> Look:
    """How pictures show their numbers, as the view says."""
    view = session.view
    return Look(view.decimals, view.shared_scale, view.values, view.palette)


def picture(
    session: Session,
    name: str,
    alt: str,
    make: Callable[..., Figure | None],
    *of: Any,
    shows_moved: bool = True,
) -> plot.Picture | None:
    """The picture of the figure that `make` returns; None if it returns None. The last are kept.

    Saved files are named after the example and `name`; `alt` describes the picture for
    people who cannot see it. It shows what moved, where the view says so; a page that has no
    switch for that says no (`shows_moved`).
    """
    look = look_of(session)
    moved = session.view.moved if shows_moved else "off"
    then = session.compared_with(moved)

    def draw() -> plot.Picture | None:
        figure = make(trace := session.trace, *of, look=look)
        if figure and session.layer:
            figure = with_x_as_made(figure)
        if figure and then:
            figure = moved_figure(figure, trace.scenario, then, SINCE[moved], look.decimals)
        file_name = f"{session.scenario.origin.example} {name}".strip()
        if not figure:
            return None
        return plot.Picture.of(figure, file_name, alt, session.name, has_switch=True)

    drawn: dict[Any, plot.Picture | None] = session.make_once(("pictures", name), dict)
    shown = (*of, look, moved, id(then))
    if shown not in drawn:
        is_of_layers_alone = shows_moved and then is None
        for_all = ("picture", name, alt, make, *of, look)
        new = session.share(for_all, draw) if is_of_layers_alone else draw()
        if new and len(new.data) > MOST_BYTES_KEPT:
            drawn.clear()
        elif len(drawn) == MOST_KEPT:
            del drawn[next(iter(drawn))]
        drawn[shown] = new
    return drawn[shown]


def show(
    session: Session,
    key: str,
    shown: plot.Picture | None,
    *,
    asked_in: str = "",
    board: str = "",
    can_be_picked: bool = True,
) -> None:
    """A picture, if there is one, whose cells can be picked.

    The words on a picked cell stand where `outline` is called with the key `asked_in`. The view
    knows the picture as this `board`, if that is not its key.
    """
    if not shown:
        return
    place = asked_in or key
    cell = session.view.cell
    if can_be_picked and cell and not session.asked.place and shown.has(cell):
        session.asked = session.asked._replace(place=place)  # of a link: the first that shows it

    def pick(cell: Cell) -> None:
        session.pick(cell, Asked(place))

    draw_board(session, board or key, key, shown, pick if can_be_picked else None)


def outline(session: Session, key: str, *, is_only_place: bool = True) -> None:
    """Outline the picked cell in all pictures of the session; each fragment with pictures does.

    Below the picture in which it was picked, it says where the cell's number comes from. It does so
    for a cell that no picture shows, if this `is_only_place`; else see `explain_in_first_place`.
    """
    if is_only_place and _is_nowhere(session):
        session.asked = session.asked._replace(place=key)
    said = where_from(session)
    is_here = session.asked.place == key
    plot.outline(
        session.view.cell,
        session.key(f"outlined-{key}"),
        group=session.name,
        asks_as=session.id,
        picked_at=session.picked_at,
        panel=said.panel if is_here else "",
        below=session.key(f"asked-{key}"),
        made_of=said.made_of,
        goes_into=said.goes_into,
        lines=said.lines,
        on_ask=partial(_go_on, session),
        on_edit=partial(_open_part_of, session),
    )
    if is_here and session.view.cell and said.panel:
        with st.container(gap="xsmall", key=session.key(f"asked-{key}")):
            why_it_looks_there(session, key)
            influence_on_picked(session, key, look_of(session))
            check_numbers_of_picked(session, key)


def explain_in_first_place(session: Session, key: str) -> None:
    """On a page with several places, after them all: explain a cell in no picture in `key`.

    That place is higher up and was sent already, so the page runs once more.
    """
    if _is_nowhere(session):
        session.asked = session.asked._replace(place=key)
        st.rerun()


def _is_nowhere(session: Session) -> bool:
    """Whether a cell is picked, as a link may do, and no picture so far shows it."""
    cell = session.view.cell
    return cell is not None and not session.asked.place and session.has(cell)


def _go_on(session: Session, asks: Cell | None) -> None:
    """What a person asks for in the panel: another cell, or nothing more."""
    if asks is None:
        session.pick(None)
    elif session.has(asks):  # anyone can send anything
        session.ask_on(asks)


def _open_part_of(session: Session, given: Cell) -> None:
    """Open the part of the explorer in which a given number is edited, and explain it there."""
    part = PART_OF.get(given.step)
    if part and has_cell(session.trace, given):
        session.look_at(**session.view.folds(part, is_open=True))
        session.pick(given, session.asked._replace(place=part))
