"""What a browser reports of the blanks of a sheet, which may be anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.worksheets.marking import LONGEST_ANSWER
from mha_core.worksheets.sheet import Worksheet

LARGEST_NUMBER: Final = 2**53  # that a browser counts to
NO_TEXTS: Final = say("The answers did not come as a list of texts. Load the page again.")


class Report(NamedTuple):
    """The answers of one report. `note` says what was not taken."""

    number: int
    answers: Mapping[Cell, str]
    note: str = ""


NOTHING_REPORTED: Final = Report(0, {})


def report_of(reported: Any, worksheet: Worksheet, sheet: str) -> Report:
    """The answers to this sheet; those to another one are left alone.

    A report has the texts of all blanks, in the order of the page. Each blank takes one text, and
    of that at most one letter too many.
    """
    if not isinstance(reported, Mapping) or reported.get("sheet") != sheet:
        return NOTHING_REPORTED
    number, texts = reported.get("number"), reported.get("texts")
    if type(number) is not int or not 0 < number < LARGEST_NUMBER:
        return NOTHING_REPORTED
    if not isinstance(texts, list):
        return Report(number, {}, NO_TEXTS)
    answers = {
        cell: text[: LONGEST_ANSWER + 1]
        for cell, text in zip(worksheet.blanks, texts, strict=False)
        if isinstance(text, str)
    }
    return Report(number, answers, _left_out(len(worksheet.blanks), len(texts)))


def _left_out(blanks: int, texts: int) -> str:
    if texts <= blanks:
        return ""
    says = say(
        "{count:,} answers came, and the sheet has {blanks} blanks: the others were not read."
    )
    return says.format(count=texts, blanks=blanks)
