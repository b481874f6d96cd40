"""A picture is made once for each way to look at it; the last ones are kept."""

from __future__ import annotations

from mha_core.changing.changes import with_scores
from mha_core.examples import load_example
from ui.blocks.picture import MOST_BYTES_KEPT, MOST_KEPT, picture
from ui.figures.into_heads import into_heads_figure
from ui.plot import Picture
from ui.state import Session


def way_in(session: Session, decimals: int) -> Picture:
    session.change_view(decimals=decimals)
    made = picture(session, "way in", "the way in", into_heads_figure)
    assert made
    return made


def test_a_small_picture_is_there_again_after_another_look() -> None:
    session = Session(with_scores(load_example("pizza"), scale=3.0))  # no example as it is
    first = way_in(session, 1)
    assert len(first.data) < MOST_BYTES_KEPT
    for decimals in range(2, MOST_KEPT + 1):
        way_in(session, decimals)
    assert way_in(session, 1) is first
    way_in(session, MOST_KEPT + 1)
    assert way_in(session, 1) is not first


def test_two_who_look_at_an_example_in_the_same_way_share_its_picture() -> None:
    one, other = Session(load_example("pizza")), Session(load_example("pizza"))
    assert way_in(one, 1) is way_in(other, 1)
    assert way_in(one, 2) is not way_in(other, 1)
    other.change_view(moved="before")
    other.attempt("scale", "3", lambda s: with_scores(s, scale=3.0))
    other.step_to(0)
    assert way_in(one, 1) is way_in(other, 1)  # nothing was before it


def test_of_a_large_picture_only_the_last_is_kept() -> None:
    session = Session(load_example("pizza-1024"))
    first = way_in(session, 1)
    assert len(first.data) > MOST_BYTES_KEPT
    second = way_in(session, 2)
    assert way_in(session, 2) is second
    assert way_in(session, 1) is not first
