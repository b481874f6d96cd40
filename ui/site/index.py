"""The first page of a site: all its pages, the examples by the question that they answer."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from ui.saved.one_file import html_page

STYLE: Final = Path(__file__).parent / "index.css"
TITLE: Final = say("Attention, number by number")
ABOUT: Final = say(
    "Every number of multi-head attention can be seen, dragged and asked where it comes from. "
    "These pages need no server and no network. Save one, and it works from your disk."
)
MOST_ROWS: Final = 12  # of the weights that are painted small


@dataclass(frozen=True)
class Entry:
    """A page: its title, what it says, its file, and the weights of a head, painted beside it."""

    title: str
    sentence: str
    file: str
    weights: FloatArray | None = None


@dataclass(frozen=True)
class Part:
    """Pages below a heading. Those of a `Part` without a sentence belong to the part before it."""

    heading: str
    entries: Sequence[Entry]
    sentence: str = ""


def index_of(parts: Sequence[Part]) -> bytes:
    """The page as HTML, without a script."""
    words = [f"<h1>{html.escape(TITLE)}</h1>", f"<p>{html.escape(ABOUT)}</p>"]
    body = ["<main>", *words, *map(_part, parts), "</main>"]
    return html_page(TITLE, [STYLE], body)


def _part(part: Part) -> str:
    level = "h2" if part.sentence else "h3"
    heading = f"<{level}>{html.escape(part.heading)}</{level}>"
    sentence = f"<p>{html.escape(part.sentence)}</p>" if part.sentence else ""
    entries = "\n".join(map(_entry, part.entries))
    return f"{heading}{sentence}\n<ul>\n{entries}\n</ul>" if entries else f"{heading}{sentence}"


def _entry(entry: Entry) -> str:
    title, sentence = html.escape(entry.title), html.escape(entry.sentence)
    picture = "" if entry.weights is None else _painted(entry.weights)
    link = f'<a href="{html.escape(entry.file)}">{title}</a>'
    return f"<li>{picture}<div>{link}<p>{sentence}</p></div></li>"


def _painted(weights: FloatArray) -> str:
    """The first rows of a head's weights as an SVG: the more weight, the more colour."""
    some = weights[:MOST_ROWS, :MOST_ROWS]
    rows, columns = some.shape
    cells = "".join(
        f'<rect x="{j}" y="{i}" width="1.02" height="1.02" opacity="{some[i, j]:.2f}"/>'
        for i in range(rows)
        for j in range(columns)
        if some[i, j] >= 0.01
    )
    box = f"0 0 {columns} {rows}"
    return f'<svg viewBox="{box}" preserveAspectRatio="none" aria-hidden="true">{cells}</svg>'
