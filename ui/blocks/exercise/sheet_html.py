"""A worksheet with fields in its blanks, as HTML, in the arrangement of the printed one.

The browser's part is in ui/controls/answer_sheet.js.
"""

from __future__ import annotations

from html import escape
from typing import Final

from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.worksheets.html import SheetInHtml
from mha_core.worksheets.layout import Corner, blocks_of
from mha_core.worksheets.marking import LONGEST_ANSWER
from mha_core.worksheets.on_paper import HIDDEN, MINUS
from mha_core.worksheets.sheet import Piece, SheetSection, Worksheet
from ui.mathml import mathml

SIGNS: Final = {MINUS: say("minus"), "/": say("divided by"), HIDDEN: say("minus infinity")}
SIGNS_IN_WORDS: Final = say("Signs")
MARKS: Final = say("Marks")
CHECK: Final = say("Check")
CHECK_AT_ONCE: Final = say("Check at once")
START_AGAIN: Final = say("Start again")
SHOW_A_HINT: Final = say("Show a hint")
LEGEND: Final = (
    ("right", say("right")),
    ("yours", say("right, given your own numbers: it counts")),
    ("wrong", say("wrong")),
    ("unreadable", say("no number")),
)


def sheet_html(worksheet: Worksheet) -> str:
    """The whole sheet. No text in it comes from a stranger; all text is escaped even so."""
    return _SheetToFillIn(worksheet).written()


def blank_name(piece: Piece, cell: Cell) -> str:
    """A blank as a screen reader says it."""
    row, column = piece.matrix.rows.labels[cell.row], piece.matrix.columns.labels[cell.column]
    says = say("{matrix}, row {row}, column {column}")
    return says.format(matrix=piece.matrix.title, row=row, column=column)


def _button_of_sign(sign: str, name: str) -> str:
    label = say("Write {sign}").format(sign=name)
    return f'<button type="button" data-sign="{sign}" aria-label="{label}">{sign}</button>'


class _SheetToFillIn(SheetInHtml):
    def __init__(self, worksheet: Worksheet) -> None:
        super().__init__(worksheet, mathml)
        self.numbers = {cell: number for number, cell in enumerate(worksheet.blanks)}

    def written(self) -> str:
        sections = "".join(map(self._section, self.worksheet.sections))
        return f"{self._bar()}{self._beginning()}{sections}"

    def _bar(self) -> str:
        """Stays in sight: the score, the first mistake, and what can be done with all answers."""
        signs = "".join(_button_of_sign(sign, name) for sign, name in SIGNS.items())
        score = say("0 of {count} points").format(count=self.worksheet.points)
        return (
            '<div class="bar">'
            f'<p class="result" role="status"><strong>{score}</strong> '
            '<span class="first-mistake"></span></p>'
            f'<div class="tools"><span class="signs" role="group" aria-label="{SIGNS_IN_WORDS}">'
            f"{signs}</span>"
            f'<label><input type="checkbox" name="at-once" checked> {CHECK_AT_ONCE}</label>'
            f'<button type="button" name="check" hidden>{CHECK}</button>'
            f'<button type="button" name="empty">{START_AGAIN}</button></div></div>'
        )

    def _beginning(self) -> str:
        legend = "".join(
            f'<li><span class="sign" data-verdict="{verdict}"></span> {words}</li>'
            for verdict, words in LEGEND
        )
        return (
            f'<div class="beginning">{self.notes()}{self.powers()}</div>'
            f'<ul class="legend" aria-label="{MARKS}">{legend}</ul>'
        )

    def _section(self, section: SheetSection) -> str:
        """The matrices; above them a hint that opens: each step's formula and what to do."""
        title = escape(section.title)
        hints = self.instructions(section, of_all_heads=True)
        return (
            f"<section><h2>{title}</h2><details><summary>{SHOW_A_HINT}"
            f'<span class="unseen">: {title}</span></summary><ul>{hints}</ul></details>'
            f'<div class="flow">{"".join(map(self._block, blocks_of(section)))}</div></section>'
        )

    def _block(self, block: Piece | Corner) -> str:
        """Matrices that stand together, and below them the words on their blanks."""
        matrices = self.matrices(block)
        return f'<div class="block"><div class="scrolls">{matrices}</div><p class="said"></p></div>'

    def blank(self, piece: Piece, row: int, column: int) -> str:
        cell = Cell(piece.step, piece.head, row, column)
        number, name = self.numbers[cell], escape(blank_name(piece, cell))
        return (
            f'<td class="blank"><input type="text" inputmode="decimal" autocomplete="off" '
            f'autocapitalize="off" spellcheck="false" enterkeyhint="next" placeholder=" " '
            f'maxlength="{LONGEST_ANSWER}" data-number="{number}" data-part="{piece.name}" '
            f'data-row="{row}" data-column="{column}" aria-label="{name}" '
            f'aria-describedby="mark-{number}"><span class="sign" aria-hidden="true"></span>'
            f'<span class="unseen" id="mark-{number}"></span></td>'
        )
