"""The matrices of a worksheet as HTML: the same on paper and on the screen, but for the blanks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from html import escape

from mha_core.language import say
from mha_core.worksheets.layout import Corner, Placed
from mha_core.worksheets.sheet import Piece, SheetSection, Worksheet

Typeset = Callable[[str], str]  # LaTeX as HTML, such as MathML


class SheetInHtml(ABC):
    """Writes what every page of a worksheet has.

    `typeset` makes HTML of LaTeX, and is trusted. Everything else is escaped.
    """

    def __init__(self, worksheet: Worksheet, typeset: Typeset) -> None:
        self.worksheet = worksheet
        self.typeset = typeset

    @abstractmethod
    def blank(self, piece: Piece, row: int, column: int) -> str:
        """The cell of a blank: what a person writes in, or its answer."""

    def notes(self) -> str:
        notes = "".join(f"<li>{escape(note)}</li>" for note in self.worksheet.notes)
        return f'<ul class="notes">{notes}</ul>'

    def powers(self) -> str:
        body = "".join(
            f'<tr><th scope="row">{_power(symbol)}</th>'
            f"{''.join(f'<td>{escape(text)}</td>' for text in texts)}</tr>"
            for symbol, texts in self.worksheet.powers
        )
        label = escape(say("Powers"))
        return f'<table class="matrix powers" aria-label="{label}"><tbody>{body}</tbody></table>'

    def instructions(self, section: SheetSection, *, of_all_heads: bool) -> str:
        """What to do, with its equations, as the items of a list."""
        return "".join(
            f"<li>{', '.join(map(self.typeset, formulas))}: {escape(instruction)}</li>"
            for instruction, formulas in section.instructions(of_all_heads=of_all_heads).items()
        )

    def matrices(self, block: Piece | Corner) -> str:
        """One matrix, or those that meet in a corner."""
        if isinstance(block, Piece):
            return self._figure(Placed(block))
        first = 1 if block.left else 2
        cells = "".join(
            f'<div class="{"lower" if placed.is_lower else "upper"}" '
            f'style="grid-column: {number}">{self._figure(placed)}</div>'
            for number, column in enumerate(block.columns(), start=first)
            for placed in column
        )
        return f'<div class="product">{cells}</div>'

    def _figure(self, placed: Placed) -> str:
        """One matrix with its symbol."""
        piece = placed.piece
        kinds = ["matrix"] + ["tall"] * placed.is_tall + ["wide"] * placed.is_wide
        kinds += [] if placed.has_row_labels else ["unlabelled"]
        head = "" if placed.is_lower else _column_labels(piece)
        rows = "".join(
            f'<tr><th scope="row"><span>{escape(label)}</span></th>{self._cells(piece, row)}</tr>'
            for row, label in enumerate(piece.rows.labels)
        )
        return (
            f"<figure><figcaption>{self.typeset(piece.latex)}</figcaption>"
            f'<table class="{" ".join(kinds)}" aria-label="{escape(piece.matrix.title)}">'
            f"{head}<tbody>{rows}</tbody></table></figure>"
        )

    def _cells(self, piece: Piece, row: int) -> str:
        places = [piece.place_of(row, column) for column in range(len(piece.columns.labels))]
        return "".join(
            self.blank(piece, *place)
            if piece.blanks[place]
            else f"<td>{escape(piece.texts[place[0]][place[1]])}</td>"
            for place in places
        )


def _column_labels(piece: Piece) -> str:
    labels = "".join(f'<th scope="col">{escape(label)}</th>' for label in piece.columns.labels)
    return f"<thead><tr><td></td>{labels}</tr></thead>"


def _power(symbol: str) -> str:
    """A symbol such as e^s in plain HTML: not every reader takes a formula for a heading."""
    base, _, exponent = symbol.partition("^")
    raised = f"<sup><i>{escape(exponent)}</i></sup>" if exponent else ""
    return f"{escape(base) if base.isdigit() else f'<i>{escape(base)}</i>'}{raised}"
