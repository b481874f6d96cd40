"""A person's own tour as a text: a title, and links with a sentence above each.

    # Softmax in ten minutes

    Look at the scores first: one is much larger than the others.
    https://example.org/walkthrough?example=saturated&screen=scores

    And these are its weights.
    /walkthrough?example=saturated&screen=weights
    > Ask first which one they expect.

An address on a line of its own is a link; the lines above it are its sentence. Lines right below it
that begin with > are the speaker's notes: slides have them. Of a link, only its page and what it
says of that page are kept: so a tour still works when the explorer moves to another address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from mha_core.checks.errors import FormatError
from mha_core.checks.values import check_limit
from mha_core.io.packed_text import pack_text, unpack_text
from mha_core.language import say

FIRST_TITLE: Final = say("My tour")
LONGEST_TOUR_TITLE: Final = 80  # characters
MOST_STOPS: Final = 60
MOST_CHARS: Final = 100_000  # of the text
MOST_PACKED: Final = 4_000  # characters: an address holds a scenario beside it
PAGES: Final = ("walkthrough", "compare", "patterns", "build")  # beside the explorer, which is ""
WAY_OUT: Final = say("Write a sentence, and below it a link on a line of its own.")
OR_A_TITLE: Final = say("A first line that begins with # is the title.")
LONGEST_SENTENCE: Final = 300  # characters
LONGEST_NOTES: Final = 1_000  # characters, of one stop
NOTE: Final = ">"  # begins a line of notes
_LINK: Final = re.compile(r"(https?://|www\.|/|\?)\S*|\S*/\?\S*")
_COPY_AGAIN: Final = say("Copy the whole link again, or open the tour's file.")


class LinkedStop(NamedTuple):
    """A sentence, and the page that is looked at while it is said.

    `query` is what stands behind the ? of the page's address. `line` is that of the link. `notes`
    are for the speaker.
    """

    sentence: str
    page: str
    query: str
    line: int = 0
    notes: str = ""

    @property
    def link(self) -> str:
        return f"/{self.page}?{self.query}"


class OwnTour(NamedTuple):
    """A title, and stops in an order."""

    title: str
    stops: tuple[LinkedStop, ...]


def read_tour(text: str) -> OwnTour:
    r"""The tour that a text describes.

    >>> tour = read_tour("# Masks\nApply the mask.\nhttps://a.org/walkthrough?screen=mask")
    >>> tour.title, tour.stops[0].sentence, tour.stops[0].link
    ('Masks', 'Apply the mask.', '/walkthrough?screen=mask')
    """
    check_limit(say("The tour's length"), len(text), MOST_CHARS, say("Make two tours of it."))
    title, stops = FIRST_TITLE, list[LinkedStop]()
    said: list[str] = []
    last = 0  # the last line of a sentence
    of_link = 0  # the last line of a link and its notes
    for number, line in _lines(text):
        if line.startswith("#") and not (said or stops):
            title = line.lstrip("# ")[:LONGEST_TOUR_TITLE] or title
        elif _LINK.fullmatch(line):
            stops.append(_stop(" ".join(said), line, number))
            said, of_link = [], number
        elif stops and line.startswith(NOTE) and number == of_link + 1:
            stops[-1], of_link = _with_notes(stops[-1], line, number), number
        elif said and number > last + 1:
            raise _without_link(last, said, stops)
        else:
            said, last = [*said, line], number
    if said:
        raise _without_link(last, said, stops)
    if not stops:
        raise FormatError(say("A tour"), say("must have a link at least"), say("none"), WAY_OUT)
    check_limit(say("The number of stops"), len(stops), MOST_STOPS, say("Make two tours of it."))
    return OwnTour(title, tuple(stops))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Each line that is not empty, with its number, counted from 1."""
    for number, line in enumerate(text.splitlines(), 1):
        if line := " ".join(line.split()):
            yield number, line


def _without_link(line: int, said: list[str], before: list[LinkedStop]) -> FormatError:
    thing = say("The sentence in line {line}").format(line=line)
    way_out = WAY_OUT if before else f"{WAY_OUT} {OR_A_TITLE}"
    return FormatError(thing, say("must have a link below it"), repr(said[-1][:40]), way_out)


def _stop(sentence: str, link: str, line: int) -> LinkedStop:
    thing = say("The link in line {line}").format(line=line)
    if not sentence:
        raise FormatError(thing, say("must have a sentence above it"), say("none"), WAY_OUT)
    shorter = say("Say the rest yourself, or make two stops of it.")
    check_limit(
        say("The length of the sentence above line {line}").format(line=line),
        len(sentence),
        LONGEST_SENTENCE,
        shorter,
    )
    try:
        parts = urlsplit(link)
    except ValueError as error:
        raise FormatError(thing, say("must be an address"), repr(link[:40]), WAY_OUT) from error
    page = parts.path.rpartition("/")[2]
    is_first = not page or (bool(parts.query) and not link.startswith("/"))  # below a base path
    if page not in PAGES and not is_first:
        pages = ", ".join(f"/{page}" for page in ("", *PAGES))
        need = say("must lead to a page of the explorer: {pages}").format(pages=pages)
        raise FormatError(thing, need, repr(link[:40]), say("Copy the address of a page."))
    return LinkedStop(sentence, page if page in PAGES else "", parts.query, line)


def _with_notes(stop: LinkedStop, line: str, number: int) -> LinkedStop:
    notes = f"{stop.notes} {line.removeprefix(NOTE).strip()}".strip()
    thing = say("The length of the notes up to line {number}").format(number=number)
    check_limit(thing, len(notes), LONGEST_NOTES, say("Keep what you say in another place, too."))
    return stop._replace(notes=notes)


def with_stop(text: str, stop: LinkedStop) -> str:
    r"""The text of a tour with one more stop at its end.

    >>> with_stop("# Masks\n", LinkedStop("Apply the mask.", "walkthrough", "screen=mask"))
    '# Masks\n\nApply the mask.\n/walkthrough?screen=mask\n'
    """
    return f"{text.rstrip()}\n\n{_written(stop)}".lstrip()


def _written(stop: LinkedStop) -> str:
    notes = f"{NOTE} {stop.notes}\n" if stop.notes else ""
    return f"{stop.sentence}\n{stop.link}\n{notes}"


def write_tour(tour: OwnTour) -> str:
    """A tour as a text that `read_tour` reads."""
    stops = map(_written, tour.stops)
    return "\n".join([f"# {tour.title}\n", *stops])


def pack_tour(tour: OwnTour) -> str:
    r"""A tour as one word of an address.

    >>> tour = read_tour("Apply the mask.\n/walkthrough?screen=mask")
    >>> unpack_tour(pack_tour(tour)).stops[0].link
    '/walkthrough?screen=mask'
    """
    word = pack_text(write_tour(tour))
    way_out = say("Make two tours of it, or begin with examples: links with many numbers are long.")
    check_limit(say("The length of the tour's link"), len(word), MOST_PACKED, way_out)
    return word


def unpack_tour(word: str) -> OwnTour:
    """The tour that a word of an address holds."""
    return read_tour(unpack_text(word, say("The tour in the link"), MOST_CHARS, _COPY_AGAIN))
