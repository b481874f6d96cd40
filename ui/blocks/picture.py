"""A picture of a session: made once while its numbers stay; its cells can be picked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ui import plot
from ui.figures.heatmap import Figure
from ui.figures.pictures import Look
from ui.state import Session


def look_of(session: Session) -> Look:
    """How pictures show their numbers, as the view says."""
    view = session.view
    return Look(view.decimals, view.shared_scale, view.values, view.palette)


def picture(
    session: Session, name: str, alt: str, make: Callable[..., Figure | None], *of: Any
) -> plot.Picture | None:
    """What `make` makes of the trace and of `of`; None where it makes nothing.

    Saved files are named after the example and `name`; `alt` says to people who do not see it what
    there is.
    """
    look = look_of(session)

    def draw() -> plot.Picture | None:
        figure = make(session.trace, *of, look=look)
        file_name = f"{session.scenario.origin.example} {name}".strip()
        return plot.Picture.of(figure, file_name, alt) if figure else None

    return session.once((name, *of, look), draw)


def show(session: Session, key: str, shown: plot.Picture | None) -> None:
    """A picture, if there is one, whose cells can be picked."""
    if shown:
        widget = session.key(key)
        plot.show(shown, widget, on_pick=lambda: _remember_pick(session, widget))


def _remember_pick(session: Session, widget: str) -> None:
    if cell := plot.just_picked(widget):
        session.look_at(cell=cell)
