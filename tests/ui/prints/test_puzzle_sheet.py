"""A puzzle on paper: what it says, what is left empty, and that everything is on the page."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pypdfium2
import pytest

from mha_core.puzzles.ladder import PUZZLES
from mha_core.puzzles.puzzle import Puzzle
from ui.figures.marks import Rect, Sheet, Text
from ui.prints.blocks import PAPERS
from ui.prints.pdf import pdf_of
from ui.prints.puzzle_sheet import puzzle_key, puzzle_sheets
from ui.prints.sizes import box_of


def texts(sheets: Sequence[Sheet]) -> list[str]:
    return [mark.text for sheet in sheets for mark in sheet.marks if isinstance(mark, Text)]


def numbers_written(puzzle: Puzzle) -> Counter[str]:
    arrays = puzzle.solution().values()
    return Counter(f"{n:g}" for array in arrays for n in array.flat if n == round(n) and n)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", PUZZLES)
def test_everything_is_on_its_page(name: str, paper: str) -> None:
    for sheet in (*puzzle_sheets(PUZZLES[name], paper, has_hints=True), *puzzle_key(PUZZLES[name])):
        box = box_of(sheet.marks)
        assert 0 <= box.left <= box.right <= sheet.width
        assert 0 <= box.top <= box.bottom <= sheet.height
        assert not sheet.notes  # no sign is missing


@pytest.mark.parametrize("name", PUZZLES)
def test_a_sheet_has_no_number_of_the_solution_and_the_key_has_all(name: str) -> None:
    puzzle = PUZZLES[name]
    zeros = puzzle.found_in(puzzle.on_all_seen({}))
    empty = texts(puzzle_key(puzzle, arrays=zeros))
    to_fill_in = texts(puzzle_sheets(puzzle))
    heads = {"Name", "Date", "Answer key"}
    assert [t for t in to_fill_in if t not in heads] == [t for t in empty if t not in heads]
    added = Counter(texts(puzzle_key(puzzle))) - Counter(empty)
    assert numbers_written(puzzle) <= added


def test_the_job_the_columns_and_what_is_right_are_said() -> None:
    said = " ".join(texts(puzzle_sheets(PUZZLES["before"])))
    assert PUZZLES["before"].job in said
    assert "X says of each token: words: the columns a, b, c, d, e; places:" in said
    assert "at least 0.9 of what is wanted" in said
    assert "2 times as likely" in " ".join(texts(puzzle_sheets(PUZZLES["add-digits"])))
    assert "at most 0.1 from what is wanted" in " ".join(texts(puzzle_sheets(PUZZLES["copy"])))


def test_of_several_layers_each_matrix_says_whose_it_is() -> None:
    said = texts(puzzle_sheets(PUZZLES["two-back"]))
    assert {"W_V of layer 1", "W_O of layer 2", "W_Q of layer 1"} <= set(said)


def test_where_nothing_is_wanted_it_is_grey() -> None:
    _, wanted = PUZZLES["before"].wanted_of_all_seen()
    (sheet,) = puzzle_sheets(PUZZLES["before"])
    grey = [mark for mark in sheet.marks if isinstance(mark, Rect)]
    assert len(grey) == np.isnan(wanted).sum()


def test_hints_come_on_a_page_of_their_own() -> None:
    puzzle = PUZZLES["before"]
    *sheets, hints = puzzle_sheets(puzzle, has_hints=True)
    assert texts(sheets) == texts(puzzle_sheets(puzzle))
    assert f"1. {puzzle.hints[0]}" in " ".join(texts([hints]))


def test_it_is_a_pdf_whose_words_can_be_searched() -> None:
    document = pypdfium2.PdfDocument(io.BytesIO(pdf_of(puzzle_sheets(PUZZLES["first"]))))
    assert "Look at the first token" in document[0].get_textpage().get_text_range()
    document.close()
