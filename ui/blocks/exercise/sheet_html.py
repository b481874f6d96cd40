"""A worksheet with fields in its blanks, as HTML, in the arrangement of the printed one.

What is done with it in a browser is in ui/controls/answer_sheet.js.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from mha_core.io.worksheets.layout import Corner, blocks_of
from mha_core.layer.cells import Cell
from mha_core.worksheets.marking import LONGEST_ANSWER
from mha_core.worksheets.on_paper import HIDDEN, MINUS
from mha_core.worksheets.sheet import Part, Section, Worksheet
from ui.mathml import mathml

# How a matrix differs by its place in a corner.
SIZES: Final = {"left": "tall", "upper": "wide", "result": "unlabelled"}
WITHOUT_COLUMN_LABELS: Final = ("left", "result", "below")
SIGNS: Final = {MINUS: "minus", "/": "divided by", HIDDEN: "minus infinity"}
LEGEND: Final = (
    ("right", "right"),
    ("yours", "right from your own numbers: it has its point"),
    ("wrong", "wrong"),
    ("unreadable", "no number"),
)


def sheet_html(worksheet: Worksheet) -> str:
    """The whole sheet. Nothing in it is from a stranger; all text is escaped all the same."""
    return _SheetInHtml(worksheet).written()


def blank_name(part: Part, cell: Cell) -> str:
    """A blank as a screen reader says it."""
    row, column = part.matrix.rows.labels[cell.row], part.matrix.columns.labels[cell.column]
    return f"{part.matrix.title}, row {row}, column {column}"


class _SheetInHtml:
    def __init__(self, worksheet: Worksheet) -> None:
        self.worksheet = worksheet
        self.numbers = {cell: number for number, cell in enumerate(worksheet.blanks)}

    def written(self) -> str:
        sections = "".join(map(self._section, self.worksheet.sections))
        return f"{self._bar()}{self._beginning()}{sections}"

    def _bar(self) -> str:
        """Stays in sight: the score, the first mistake, and what can be done with all answers."""
        signs = "".join(
            f'<button type="button" data-sign="{sign}" aria-label="Write {name}">{sign}</button>'
            for sign, name in SIGNS.items()
        )
        return (
            '<div class="bar">'
            f'<p class="result" role="status"><strong>0 of {len(self.numbers)} points</strong> '
            '<span class="first-mistake"></span></p>'
            f'<div class="tools"><span class="signs" role="group" aria-label="Signs">{signs}</span>'
            '<label><input type="checkbox" name="at-once" checked> Check at once</label>'
            '<button type="button" name="check" hidden>Check</button>'
            '<button type="button" name="empty">Start again</button></div></div>'
        )

    def _beginning(self) -> str:
        notes = "".join(f"<li>{escape(note)}</li>" for note in self.worksheet.notes)
        legend = "".join(
            f'<li><span class="sign" data-verdict="{verdict}"></span> {words}</li>'
            for verdict, words in LEGEND
        )
        return (
            f'<div class="beginning"><ul class="notes">{notes}</ul>{self._powers()}</div>'
            f'<ul class="legend" aria-label="Marks">{legend}</ul>'
        )

    def _powers(self) -> str:
        exponents, powers = zip(*self.worksheet.table, strict=True)
        rows = (("s", exponents), (f"{self.worksheet.exercise.base}^s", powers))
        body = "".join(
            f'<tr><th scope="row">{mathml(symbol)}</th>'
            f"{''.join(f'<td>{escape(text)}</td>' for text in texts)}</tr>"
            for symbol, texts in rows
        )
        return f'<table class="matrix powers" aria-label="Powers"><tbody>{body}</tbody></table>'

    def _section(self, section: Section) -> str:
        blocks = "".join(map(self._block, blocks_of(section)))
        title = escape(section.title)
        return (
            f"<section><h2>{title}</h2>{self._hint(section)}"
            f'<div class="flow">{blocks}</div></section>'
        )

    def _hint(self, section: Section) -> str:
        """The formula of each step and what to do, where somebody asks for it."""
        hints: dict[str, list[str]] = {}
        for part in section.parts:
            if part.instruction:
                hints.setdefault(part.instruction, []).append(mathml(part.formula))
        items = "".join(
            f"<li>{', '.join(formulas)}: {escape(instruction)}</li>"
            for instruction, formulas in hints.items()
        )
        of = f'<span class="unseen">: {escape(section.title)}</span>'
        return f"<details><summary>Show a hint{of}</summary><ul>{items}</ul></details>"

    def _block(self, block: Part | Corner) -> str:
        """Matrices that stand together, and below them what is said of their blanks."""
        matrices = self._corner(block) if isinstance(block, Corner) else self._figure(block)
        return f'<div class="block"><div class="scrolls">{matrices}</div><p class="said"></p></div>'

    def _corner(self, corner: Corner) -> str:
        return f'<div class="product">{"".join(self._of_corner(corner))}</div>'

    def _of_corner(self, corner: Corner) -> Iterator[str]:
        if corner.left is not None:
            yield self._in_corner(1, corner.left, "left")
        for column, (upper, result) in enumerate(corner.pairs, start=2):
            yield self._in_corner(column, upper, "upper")
            yield self._in_corner(column, result, "result" if corner.left else "below")

    def _in_corner(self, column: int, part: Part, place: str) -> str:
        row = "upper" if place == "upper" else "lower"
        figure = self._figure(part, place)
        return f'<div class="{row}" style="grid-column: {column}">{figure}</div>'

    def _figure(self, part: Part, place: str = "") -> str:
        """One matrix with its symbol. In a corner its cells have the size of those they meet."""
        sizes = SIZES.get(place, "") if part.is_given else f"{SIZES.get(place, '')} tall wide"
        head = "" if place in WITHOUT_COLUMN_LABELS else _column_labels(part)
        rows = "".join(
            f'<tr><th scope="row"><span>{escape(label)}</span></th>{self._cells(part, row)}</tr>'
            for row, label in enumerate(part.rows.labels)
        )
        return (
            f"<figure><figcaption>{mathml(part.latex)}</figcaption>"
            f'<table class="matrix {sizes}" aria-label="{escape(part.matrix.title)}">'
            f"{head}<tbody>{rows}</tbody></table></figure>"
        )

    def _cells(self, part: Part, row: int) -> str:
        columns = range(len(part.columns.labels))
        places = [(column, row) if part.is_transposed else (row, column) for column in columns]
        return "".join(self._cell(part, *place) for place in places)

    def _cell(self, part: Part, row: int, column: int) -> str:
        if not part.blanks[row, column]:
            return f"<td>{escape(part.texts[row][column])}</td>"
        cell = Cell(part.step, part.head, row, column)
        number, name = self.numbers[cell], escape(blank_name(part, cell))
        return (
            f'<td class="blank"><input type="text" inputmode="decimal" autocomplete="off" '
            f'autocapitalize="off" spellcheck="false" enterkeyhint="next" '
            f'maxlength="{LONGEST_ANSWER}" data-number="{number}" data-part="{part.name}" '
            f'data-row="{row}" data-column="{column}" aria-label="{name}" '
            f'aria-describedby="mark-{number}"><span class="sign" aria-hidden="true"></span>'
            f'<span class="unseen" id="mark-{number}"></span></td>'
        )


def _column_labels(part: Part) -> str:
    labels = "".join(f'<th scope="col">{escape(label)}</th>' for label in part.columns.labels)
    return f"<thead><tr><td></td>{labels}</tr></thead>"
