"""A worksheet as one HTML document: no script, and nothing that a browser would have to fetch.

Where both factors of a product are on the sheet, the result stands where the rows of the left one
meet the columns of the upper one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import Final, Literal, get_args

from mha_core.checks.errors import ShapeError
from mha_core.checks.values import check_one_of
from mha_core.io.worksheets.layout import Corner, blocks_of, room_for_working
from mha_core.io.worksheets.style import STYLE
from mha_core.worksheets.sheet import Part, Section, Worksheet

Typeset = Callable[[str], str]  # LaTeX as HTML, such as MathML
Pages = Literal["sheets", "keys", "both"]
# How a matrix differs by its place in a corner.
SIZES: Final = {"left": ("tall",), "upper": ("wide",), "result": ("unlabelled",)}
WITHOUT_HEAD: Final = ("left", "result", "below")


def sheet_html(worksheet: Worksheet, typeset: Typeset, *, is_key: bool = False) -> str:
    """One sheet, or its answer key, as a document."""
    return class_set_html([worksheet], typeset, "keys" if is_key else "sheets")


def class_set_html(worksheets: Sequence[Worksheet], typeset: Typeset, pages: Pages = "both") -> str:
    """All sheets as a document, then all answer keys; or only one of these.

    `typeset` makes HTML of LaTeX, and is trusted. Everything else is escaped.
    """
    check_one_of("The pages", pages, get_args(Pages), "Write 'sheets', 'keys' or 'both'.")
    if not worksheets:
        raise ShapeError("A class set", "must have sheets", "none", "Make one or more.")
    title = escape(worksheets[0].title)
    printed = "\n".join(
        _Page(worksheet, typeset, is_key, f"{number} of {len(worksheets)}").written()
        for is_key in (False, True)
        if pages in ("both", "keys" if is_key else "sheets")
        for number, worksheet in enumerate(worksheets, start=1)
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{printed}\n</body>\n"
        "</html>\n"
    )


class _Page:
    """Writes one sheet or one key. Its head is repeated on each page that it takes."""

    def __init__(self, worksheet: Worksheet, typeset: Typeset, is_key: bool, number: str) -> None:
        self.worksheet = worksheet
        self.typeset = typeset
        self.is_key = is_key
        self.number = number

    def written(self) -> str:
        kind = "sheet key" if self.is_key else "sheet"
        rows = [self._beginning(), *map(self._section, self.worksheet.sections)]
        body = "".join(f"<tr><td>{row}</td></tr>\n" for row in rows)
        return (
            f'<table class="{kind}" role="presentation">\n<thead><tr><td>{self._head()}</td></tr>'
            f"</thead>\n<tbody>\n{body}</tbody>\n</table>"
        )

    def _head(self) -> str:
        seed = self.worksheet.exercise.seed
        name = f"<span>Sheet {self.number}, seed {seed}</span>"
        if self.is_key:
            return f'<div class="head"><strong>Answer key</strong>{name}</div>'
        line = '<span class="line"></span>'
        short = '<span class="line short"></span>'
        points = f"Points {short}of {len(self.worksheet.blanks)}"
        return f'<div class="head">{name}Name {line}Date {short}{points}</div>'

    def _beginning(self) -> str:
        notes = "".join(f"<li>{escape(note)}</li>" for note in self.worksheet.notes)
        title = escape(self.worksheet.title)
        return f'<h1>{title}</h1>{self._powers()}<ul class="notes">{notes}</ul>'

    def _powers(self) -> str:
        base = self.worksheet.exercise.base
        exponents, powers = zip(*self.worksheet.table, strict=True)
        rows = (("s", exponents), (f"{base}^s", powers))
        body = "".join(
            f'<tr><th scope="row">{self.typeset(symbol)}</th>'
            f"{''.join(f'<td>{escape(text)}</td>' for text in texts)}</tr>"
            for symbol, texts in rows
        )
        return f'<table class="matrix powers"><tbody>{body}</tbody></table>'

    def _section(self, section: Section) -> str:
        blocks = "".join(self._blocks(section))
        return (
            f"<section><h2>{escape(section.title)}</h2>{self._instructions(section)}"
            f'<div class="flow">{blocks}</div></section>'
        )

    def _instructions(self, section: Section) -> str:
        """What to do, with its equations: once on a sheet, for the first head."""
        equations: dict[str, list[str]] = {}
        for part in section.parts:
            if part.instruction and part.head in (None, 0):
                equations.setdefault(part.instruction, []).append(self.typeset(part.formula))
        items = "".join(
            f"<li>{', '.join(formulas)}: {escape(instruction)}</li>"
            for instruction, formulas in equations.items()
        )
        return f'<ul class="steps">{items}</ul>' if items else ""

    def _blocks(self, section: Section) -> Iterator[str]:
        for block in blocks_of(section):
            yield self._corner(block) if isinstance(block, Corner) else self._figure(block)
        room = room_for_working(section)
        if room and not self.is_key:
            # The last one takes a matrix along to a new page, where it would stand alone.
            last = " last" * (section is self.worksheet.sections[-1])
            yield f'<div class="working{last}" style="min-height: {room}mm">Room for working</div>'

    def _corner(self, corner: Corner) -> str:
        cells = [] if corner.left is None else [self._in_corner(1, corner.left, "left")]
        for column, (upper, result) in enumerate(corner.pairs, start=2):
            cells.append(self._in_corner(column, upper, "upper"))
            cells.append(self._in_corner(column, result, "result" if corner.left else "below"))
        return f'<div class="product">{"".join(cells)}</div>'

    def _in_corner(self, column: int, part: Part, place: str) -> str:
        row = "upper" if place == "upper" else "lower"
        figure = self._figure(part, place)
        return f'<div class="{row}" style="grid-column: {column}">{figure}</div>'

    def _figure(self, part: Part, place: str = "") -> str:
        """One matrix with its symbol.

        In a corner, its cells have the size of those that they meet, and its labels stand once:
        those of the columns above, those of the rows on the left.
        """
        kinds = ["matrix", *SIZES.get(place, ()), *([] if part.is_given else ["tall", "wide"])]
        head = "" if place in WITHOUT_HEAD else _column_labels(part)
        rows = "".join(
            f'<tr><th scope="row">{escape(label)}</th>{self._cells(part, row)}</tr>'
            for row, label in enumerate(part.rows.labels)
        )
        return (
            f"<figure><figcaption>{self.typeset(part.latex)}</figcaption>"
            f'<table class="{" ".join(kinds)}">{head}<tbody>{rows}</tbody></table></figure>'
        )

    def _cells(self, part: Part, row: int) -> str:
        def cell(column: int) -> str:
            place = (column, row) if part.is_transposed else (row, column)
            text = escape(part.texts[place[0]][place[1]])
            if not part.blanks[place]:
                return f"<td>{text}</td>"
            inside = text if self.is_key else '<span class="unseen">blank</span>'
            return f'<td class="blank">{inside}</td>'

        return "".join(map(cell, range(len(part.columns.labels))))


def _column_labels(part: Part) -> str:
    labels = "".join(f'<th scope="col">{escape(label)}</th>' for label in part.columns.labels)
    return f"<thead><tr><th></th>{labels}</tr></thead>"
