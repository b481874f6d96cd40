"""A worksheet as one HTML document: no script, and nothing that a browser would have to fetch.

Where both factors of a product are on the sheet, the result stands where the rows of the left one
meet the columns of the upper one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Literal, get_args

from mha_core.checks.errors import ShapeError
from mha_core.checks.values import check_one_of
from mha_core.language import say
from mha_core.worksheets.html import SheetInHtml, Typeset
from mha_core.worksheets.layout import blocks_of, room_for_working
from mha_core.worksheets.sheet import Piece, SheetSection, Worksheet
from mha_core.worksheets.style import STYLE

Pages = Literal["sheets", "keys", "both"]


def sheet_html(worksheet: Worksheet, typeset: Typeset, *, is_key: bool = False) -> str:
    """One sheet, or its answer key, as a document."""
    return class_set_html([worksheet], typeset, "keys" if is_key else "sheets")


def class_set_html(worksheets: Sequence[Worksheet], typeset: Typeset, pages: Pages = "both") -> str:
    """All sheets as a document, then all answer keys; or only one of these."""
    check_one_of(say("The pages"), pages, get_args(Pages), say("Write 'sheets', 'keys' or 'both'."))
    if not worksheets:
        raise ShapeError(
            say("A class set"), say("must have sheets"), say("none"), say("Make one or more.")
        )
    title, says = escape(worksheets[0].title), say("{number} of {count}")
    printed = "\n".join(
        _Page(
            worksheet, typeset, is_key, says.format(number=number, count=len(worksheets))
        ).written()
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


class _Page(SheetInHtml):
    """Writes one sheet or one key. Its head is repeated on each page that it takes."""

    def __init__(self, worksheet: Worksheet, typeset: Typeset, is_key: bool, number: str) -> None:
        super().__init__(worksheet, typeset)
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
        sheet = say("Sheet {number}, seed {seed}").format(number=self.number, seed=seed)
        sheet = f"<span>{sheet}</span>"
        if self.is_key:
            answers = say("Answer key")
            return f'<div class="head"><strong>{answers}</strong>{sheet}</div>'

        line = '<span class="line"></span>'
        short = '<span class="line short"></span>'
        name, date, points = say("Name"), say("Date"), say("Points")
        of_all = say("of {points}").format(points=self.worksheet.points)
        to_fill_in = f"{name} {line}{date} {short}{points} {short}{of_all}"
        return f'<div class="head">{sheet}{to_fill_in}</div>'

    def _beginning(self) -> str:
        return f"<h1>{escape(self.worksheet.title)}</h1>{self.powers()}{self.notes()}"

    def _section(self, section: SheetSection) -> str:
        steps = self.instructions(section, of_all_heads=False)
        instructions = f'<ul class="steps">{steps}</ul>' if steps else ""
        return (
            f"<section><h2>{escape(section.title)}</h2>{instructions}"
            f'<div class="flow">{"".join(self._blocks(section))}</div></section>'
        )

    def _blocks(self, section: SheetSection) -> Iterator[str]:
        yield from map(self.matrices, blocks_of(section))
        room = room_for_working(section)
        if room and not self.is_key:
            # The last one takes a matrix along to a new page, so as not to stand there alone.
            last = " last" * (section is self.worksheet.sections[-1])
            words = say("Room for working")
            yield f'<div class="working{last}" style="min-height: {room}mm">{words}</div>'

    def blank(self, piece: Piece, row: int, column: int) -> str:
        answer = escape(piece.texts[row][column])
        blank = say("blank")
        inside = answer if self.is_key else f'<span class="unseen">{blank}</span>'
        return f'<td class="blank">{inside}</td>'
