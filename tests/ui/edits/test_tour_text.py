"""A person's own tour: what is written is read back, and what is wrong is said."""

from __future__ import annotations

import base64
import zlib

import pytest

from mha_core.checks.errors import MhaError
from mha_core.guide.tours import TOURS
from ui.edits.tour_text import (
    FIRST_TITLE,
    MOST_CHARS,
    MOST_PACKED,
    MOST_STOPS,
    OR_A_TITLE,
    LinkedStop,
    OwnTour,
    pack_tour,
    read_tour,
    unpack_tour,
    with_stop,
    write_tour,
)

TOUR = OwnTour(
    "Masks",
    (
        LinkedStop("Nothing is hidden.", "", "example=causal&mask=none"),
        LinkedStop(
            "Apply the mask, # and all.", "walkthrough", "example=causal&screen=mask", 0, "Ask."
        ),
        LinkedStop("Side by side.", "compare", "a.example=causal&b.example=pizza"),
    ),
)


def without_lines(tour: OwnTour) -> OwnTour:
    return tour._replace(stops=tuple(stop._replace(line=0) for stop in tour.stops))


def test_what_is_written_is_read_back() -> None:
    assert without_lines(read_tour(write_tour(TOUR))) == TOUR
    assert without_lines(unpack_tour(pack_tour(TOUR))) == TOUR


def test_lines_below_a_link_are_notes_and_no_others() -> None:
    text = "One.\n/?a=1\n> Ask first.\n>  Then wait.\n\n> is larger than.\n/?a=2\n\n> Alone.\n/?a=3"
    stops = read_tour(text).stops
    assert [(stop.sentence, stop.notes) for stop in stops] == [
        ("One.", "Ask first. Then wait."),
        ("> is larger than.", ""),
        ("> Alone.", ""),
    ]


def test_a_text_may_begin_as_notes_do() -> None:
    assert read_tour("> Alone.\n/?a=1").stops[0].sentence == "> Alone."


def test_notes_without_end_are_refused() -> None:
    with pytest.raises(MhaError, match="notes up to line 3 must be at most 1,000"):
        read_tour(f"One.\n/?a=1\n> {'x' * 1001}")


def test_a_stop_is_added_at_the_end() -> None:
    text = with_stop(write_tour(TOUR), LinkedStop("One more.", "", "example=pizza"))
    assert without_lines(read_tour(text)).stops[-1] == LinkedStop("One more.", "", "example=pizza")
    assert len(read_tour(text).stops) == len(TOUR.stops) + 1


def test_a_tour_is_read_as_people_write_one() -> None:
    tour = read_tour(
        "\r\n  Look at the\r\n  scores.\r\n\r\n"
        "http://localhost:8501/walkthrough?screen=scores#x\r\n"
        "# of tokens: 3\r\nhttps://example.org/a/course/?example=pizza\r\n"
        "Below a path.\nhttps://example.org/course?example=pizza\n"
        "Without https.\nlocalhost:8501/?example=pizza\n"
        "What is that? A/B.\n?example=causal"
    )
    assert tour.title == FIRST_TITLE
    assert [(stop.sentence, stop.link, stop.line) for stop in tour.stops] == [
        ("Look at the scores.", "/walkthrough?screen=scores", 5),
        ("# of tokens: 3", "/?example=pizza", 7),
        ("Below a path.", "/?example=pizza", 9),
        ("Without https.", "/?example=pizza", 11),
        ("What is that? A/B.", "/?example=causal", 13),
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "must have a link at least"),
        ("# A title alone", "must have a link at least"),
        ("/?example=pizza", "line 1 must have a sentence above it"),
        ("One.\n/?a=1\n\n/?a=2", "line 4 must have a sentence above it"),
        ("One.\n/?a=1\nTwo.", "The sentence in line 3 must have a link below it"),
        ("One.\n\nTwo.\n/?a=1", "The sentence in line 1 must have a link below it"),
        ("My tour\n\nOne.\n/?a=1", OR_A_TITLE),
        ("One.\n/walkthruogh?a=1", "line 2 must lead to a page of the explorer"),
        ("One.\nhttps://example.org/wiki/Attention", "line 2 must lead to a page"),
        ("One.\nwww.example.org/wiki", "line 2 must lead to a page of the explorer"),
        (f"{'x' * 301}\n/?a=1", "The length of the sentence above line 2 must be at most 300"),
        ("One.\nhttp://[/", "line 2 must be an address"),
        ("One.\n/?a=1\n" * (MOST_STOPS + 1), f"must be at most {MOST_STOPS}"),
        ("x" * (MOST_CHARS + 1), f"must be at most {MOST_CHARS:,}"),
    ],
)
def test_what_is_wrong_with_a_text_is_said_with_a_way_out(text: str, says: str) -> None:
    with pytest.raises(MhaError) as caught:
        read_tour(text)
    assert says in str(caught.value)
    assert str(caught.value).endswith(".")


def test_a_tour_that_is_too_long_for_an_address_is_refused() -> None:
    numbers = "".join(f"{n * 7919 % 9973:04x}" for n in range(MOST_PACKED))
    with pytest.raises(MhaError, match="Make two tours of it"):
        pack_tour(OwnTour("Long", (LinkedStop("One.", "", f"x={numbers}"),)))


def word_of(data: bytes) -> str:
    return "~" + base64.urlsafe_b64encode(data).decode().rstrip("=")


@pytest.mark.parametrize(
    "word",
    [
        "~",
        "~%%%",
        "~abc",
        pack_tour(TOUR)[:-8],
        word_of(zlib.compress(b"\xff\xfe")),
        word_of(zlib.compress(b"a" * (MOST_CHARS + 1))),
        word_of(zlib.compress(b"no link")),
    ],
)
def test_a_word_that_holds_no_tour_is_refused(word: str) -> None:
    with pytest.raises(MhaError):
        unpack_tour(word)


def test_no_tour_of_ours_has_a_name_that_begins_as_a_packed_one() -> None:
    assert not [name for name in TOURS if name.startswith("~")]
