"""A typeset formula, whose numbers the browser keeps up to date while one is dragged."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from mha_core.layer.cells import Cell
from mha_core.layer.derivation import Derivation, Rest
from mha_core.layer.expressions import Constant, Leaf, Operand
from mha_core.layer.naming import labels_in_latex
from mha_core.layer.written import written, written_constant
from ui.mathml import mathml

PLACE: Final = r"\textit{{{}}}"  # of a number in LaTeX; labels are never in italics
SIGNS: Final = re.compile(r"\\.|[{}()\[\]]| \+ ")  # that matter for a sum; escaped ones do not
PLACED: Final = re.compile(r'(<mo>&#x02212;</mo>)?<mtext mathvariant="italic">(\d+)</mtext>')


def live_formula(found: Derivation, decimals: int) -> str:
    """The name of a number, its formula, the same with numbers in, and the result.

    It wraps at its equals signs and, if it is still too long, at the plus signs of a sum.
    """
    numbers: list[str] = []

    def placed(number: str, what: Leaf | Rest) -> str:
        numbers.append(_live(what, decimals))
        minus = number[:1] if number.startswith("-") else ""
        return minus + PLACE.format(len(numbers) - 1)

    name, *sides = found.sides("latex", decimals=decimals, mark=placed)
    lines = (name, *(f"= {side}" for side in sides))
    typeset_lines = ("".join(typeset(each, numbers) for each in _terms(line)) for line in lines)
    return "".join(f"<div>{line}</div>" for line in typeset_lines)


def _terms(latex: str) -> list[str]:
    """LaTeX cut before each plus sign of its outermost sum. A browser wraps no MathML."""
    cuts, braces, brackets = [0], 0, 0
    for sign in SIGNS.finditer(latex):
        match sign[0]:
            case "{" | "}":
                braces += 1 if sign[0] == "{" else -1
            case "(" | ")" | "[" | "]" if not braces:  # within braces there may be a label
                brackets += 1 if sign[0] in "([" else -1
            case " + " if not braces and not brackets:
                cuts.append(sign.start())
    parts = [latex[start:end] for start, end in pairwise([*cuts, len(latex)])]
    # The {} makes each plus that of a sum, not the sign of a number.
    return [parts[0], *("{}" + part for part in parts[1:])]


def typeset(latex: str, numbers: Sequence[str] = ()) -> str:
    """LaTeX as MathML, with these numbers in their places.

    Labels never go through the converter, which would take them for markup.
    """
    labels: list[str] = []

    def numbered(label: str) -> str:
        labels.append(f"<mtext>{html.escape(label)}</mtext>")
        return rf"\text{{{len(labels) - 1}}}"

    def number(place: re.Match[str]) -> str:
        minus, found = place[1] or "", numbers[int(place[2])]
        return found if "\N{MINUS SIGN}" in found else minus + found

    without_labels = labels_in_latex(latex, numbered)
    math = PLACED.sub(number, mathml(without_labels.replace("<", r"\lt "), "block"))
    return re.sub(r"<mtext>(\d+)</mtext>", lambda found: labels[int(found[1])], math)


def place(cell: Cell) -> str:
    """The attributes that name a cell."""
    matrix = html.escape(cell.matrix)
    return f'data-matrix="{matrix}" data-row="{cell.row}" data-column="{cell.column}"'


def _live(what: Leaf | Rest, decimals: int) -> str:
    """A number as MathML, which says where it stands."""
    write = written_constant if isinstance(what, Constant) else written
    text = write(what.value, decimals, "text")
    where = _where(what)
    return f'<mn data-live="{decimals}" {where}>{text}</mn>' if where else f"<mn>{text}</mn>"


def _where(what: Leaf | Rest) -> str:
    """A cell; an option; of the rest of a sum, the cells of its result and of its other terms."""
    if isinstance(what, Operand):
        return place(what.cell)
    if isinstance(what, Constant):
        return f'data-option="{what.given_as}"' if what.given_as else ""
    terms = [
        [(each.cell.matrix, each.cell.row, each.cell.column) for each in term.operands]
        for term in what.terms
    ]
    return f'{place(what.result.cell)} data-less="{html.escape(json.dumps(terms))}"'
