"""Sheets and keys as one HTML document."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from html import escape
from html.parser import HTMLParser
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from latex2mathml.converter import convert

from mha_core.checks.errors import OptionError, ShapeError
from mha_core.layer.matrices import Axis
from mha_core.worksheets.document import class_set_html, sheet_html
from mha_core.worksheets.exercise import DIFFICULTIES, Exercise
from mha_core.worksheets.sheet import Worksheet, make_exercise
from tests.core.refusals import check_refused
from tests.core.worksheets.all_exercises import OF_FEW_TOKENS, class_set

SHEET = make_exercise(Exercise(seed=1))
HOSTILE = "<script>alert('&')</script>"
WITHOUT_END = {"meta", "!doctype"}


typeset = cache(convert)  # exercises share most of their formulas


def latex(text: str) -> str:
    return f"<i>{escape(text)}</i>"


class Read(HTMLParser):
    """What a document holds: its tags in order, and the text of each element of a class."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.texts: list[tuple[tuple[str, ...], str]] = []
        self.elements: list[tuple[str, str]] = []
        self.feed(document)
        assert not self.open, "some tag is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        of_class = dict(attrs).get("class") or ""
        self.elements.append((tag, of_class))
        if tag not in WITHOUT_END:
            self.open.append((tag, of_class))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        self.texts.append((tuple(f"{tag}.{of_class}" for tag, of_class in self.open), data))

    def within(self, element: str) -> list[str]:
        return [text for places, text in self.texts if element in places]

    def count(self, tag: str, of_class: str) -> int:
        return self.elements.count((tag, of_class))


def answers(sheet: Worksheet) -> Counter[str]:
    return Counter(sheet.answer(cell) for cell in sheet.blanks)


@given(st.sampled_from(OF_FEW_TOKENS), st.sampled_from(list(DIFFICULTIES)))
def test_the_sheet_has_each_blank_once_and_the_key_its_answer(
    exercise: Exercise, difficulty: Any
) -> None:
    sheet = make_exercise(replace(exercise, difficulty=difficulty))
    blank, key = Read(sheet_html(sheet, latex)), Read(sheet_html(sheet, latex, is_key=True))
    assert blank.within("td.blank") == ["blank"] * len(sheet.blanks)
    assert Counter(key.within("td.blank")) == answers(sheet)


@given(st.sampled_from(OF_FEW_TOKENS), st.sampled_from(list(DIFFICULTIES)))
def test_every_formula_can_be_typeset(exercise: Exercise, difficulty: Any) -> None:
    sheet = make_exercise(replace(exercise, difficulty=difficulty))
    for piece in sheet.pieces:
        assert typeset(piece.latex).startswith("<math")
        assert not piece.formula or typeset(piece.formula).startswith("<math")


def test_a_document_runs_nothing_and_fetches_nothing() -> None:
    document = class_set_html(class_set(Exercise(), 2), latex)
    for word in ("<script", "http", "src=", "href=", "url(", "@import", "<link", "<img"):
        assert word not in document
    assert not re.search(r"\son\w+=", document)


def test_text_is_escaped_wherever_it_comes_from() -> None:
    def labelled(sheet: Worksheet) -> Worksheet:
        axis = Axis("query", (HOSTILE,) * 3)
        sections = tuple(
            replace(
                section,
                title=HOSTILE,
                pieces=tuple(
                    replace(
                        piece,
                        matrix=replace(piece.matrix, rows=axis, columns=axis),
                        instruction=HOSTILE,
                    )
                    for piece in section.pieces
                ),
            )
            for section in sheet.sections
        )
        return replace(
            sheet, title=HOSTILE, notes=(HOSTILE,), table=((HOSTILE, HOSTILE),), sections=sections
        )

    square = make_exercise(Exercise(n_tokens=3, d_model=3, n_heads=1, seed=1))
    document = class_set_html([labelled(square)], latex)
    assert escape(HOSTILE) in document
    assert "<script" not in document


def test_keys_follow_all_sheets_on_sheets_of_their_own() -> None:
    sheets = class_set(Exercise(seed=5), 3)
    both = Read(class_set_html(sheets, latex))
    kinds = [of_class for tag, of_class in both.elements if of_class.startswith("sheet")]
    assert kinds == ["sheet"] * 3 + ["sheet key"] * 3
    numbers = [text for text in both.within("div.head") if text.startswith("Sheet")]
    assert numbers == [f"Sheet {n} of 3, seed {n + 4}" for n in (1, 2, 3)] * 2
    assert both.within("strong.") == ["Answer key"] * 3


def test_sheets_and_keys_can_be_had_alone() -> None:
    sheets = class_set(Exercise(), 2)
    blank, keys = (Read(class_set_html(sheets, latex, pages)) for pages in ("sheets", "keys"))  # type: ignore[arg-type]
    assert (blank.count("table", "sheet"), blank.count("table", "sheet key")) == (2, 0)
    assert (keys.count("table", "sheet"), keys.count("table", "sheet key")) == (0, 2)


def test_a_sheet_asks_for_a_name_and_says_how_many_points_there_are() -> None:
    head = Read(sheet_html(SHEET, latex)).within("div.head")
    assert head == ["Sheet 1 of 1, seed 1", "Name ", "Date ", "Points ", "of 348"]
    key = Read(sheet_html(SHEET, latex, is_key=True)).within("div.head")
    assert key == ["Answer key", "Sheet 1 of 1, seed 1"]


def test_the_head_is_repeated_on_each_page_and_no_matrix_is_cut() -> None:
    document = sheet_html(SHEET, latex)
    assert "display: table-header-group" in document
    for rule in ("figure {", ".product {", ".working {"):
        block = document[document.index(rule) :]
        assert "break-inside: avoid" in block[: block.index("}")]
    assert ".sheet {" in document
    assert "break-after: page" in document


def test_each_instruction_is_given_once_with_all_its_equations() -> None:
    items = Read(sheet_html(SHEET, latex)).within("li.")
    sentence = ": Multiply X by the projection of the head: rows by columns. 4 points each."
    assert items.count(sentence) == 1
    before = items[: items.index(sentence)]
    assert [text for text in before if "X W" in text] == [
        "Q_1 = X W_{Q,1}",
        "K_1 = X W_{K,1}",
        "V_1 = X W_{V,1}",
    ]


def corners(sheet: Worksheet) -> list[list[str]]:
    """The symbols of each corner: the left factor, then upper factors and results in turn."""
    found: list[list[str]] = []
    parts = sheet_html(sheet, latex).split('<div class="product">')[1:]
    for part in parts:
        inside = part.split("</table></figure></div></div>")[0]
        found.append([piece.split("</i>")[0] for piece in inside.split("<figcaption><i>")[1:]])
    return found


def test_results_stand_where_their_factors_meet_as_far_as_the_paper_is_wide() -> None:
    assert corners(SHEET) == [
        ["X", "W_{Q,1}", "Q_1", "W_{K,1}", "K_1", "W_{V,1}", "V_1"],
        ["X", "W_{Q,2}", "Q_2", "W_{K,2}", "K_2", "W_{V,2}", "V_2"],
        [r"\mathrm{concat}", "W_O", r"\mathrm{output}"],
    ]
    wide = make_exercise(Exercise(d_model=8, n_heads=2, seed=1))
    assert corners(wide) == [
        ["X", "W_{Q,1}", "Q_1", "W_{K,1}", "K_1"],
        ["X", "W_{V,1}", "V_1", "W_{Q,2}", "Q_2"],
        ["X", "W_{K,2}", "K_2", "W_{V,2}", "V_2"],
        ["W_O", r"\mathrm{output}"],  # the concatenation stands before it
    ]


def test_given_queries_and_keys_meet_in_the_scores() -> None:
    sheet = make_exercise(Exercise(n_heads=1, difficulty="queries_given", d_model=3))
    assert corners(sheet) == [
        ["Q_1", r"K_1^\top", r"Q_1 K_1^\top"],
        ["A_1", "V_1", r"\mathrm{head}_1"],
    ]


def test_transposed_keys_show_their_numbers_on_their_side() -> None:
    sheet = make_exercise(Exercise(n_tokens=3, n_heads=1, d_model=2, difficulty="queries_given"))
    keys = sheet.sections[0].named("k_heads/0")
    document = sheet_html(sheet, latex)
    first_row = "".join(f"<td>{row[0]}</td>" for row in keys.texts)
    assert f'<th scope="row"><span>1</span></th>{first_row}</tr>' in document


def test_the_powers_stand_in_a_table() -> None:
    powers = Read(sheet_html(SHEET, latex)).within("table.matrix powers")
    assert powers == ["s", "0", "−1", "−2", "−3", "e", "s", "1", "0.368", "0.135", "0.050"]


def test_there_is_room_for_working_on_the_sheet_and_none_on_the_key() -> None:
    assert Read(sheet_html(SHEET, latex)).count("div", "working") == 2
    assert Read(sheet_html(SHEET, latex, is_key=True)).count("div", "working") == 0


def test_only_room_for_working_at_the_end_takes_a_matrix_along_to_a_new_page() -> None:
    scores = Read(sheet_html(make_exercise(Exercise(difficulty="scores_given")), latex))
    assert (scores.count("div", "working"), scores.count("div", "working last")) == (1, 1)
    document = sheet_html(SHEET, latex)
    assert ".working.last { break-before: avoid; }" in document
    assert Read(document).count("div", "working last") == 0


def test_a_class_set_without_sheets_is_refused() -> None:
    refusal = ShapeError("A class set", "must have sheets", "none", "Make one or more.")
    check_refused(lambda: class_set_html([], latex), refusal)


def test_other_pages_are_refused() -> None:
    pages: Any = "all"
    refusal = OptionError(
        "The pages",
        "must be one of sheets, keys, both",
        "'all'",
        "Write 'sheets', 'keys' or 'both'.",
    )
    check_refused(lambda: class_set_html([SHEET], latex, pages), refusal)
