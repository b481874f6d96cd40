"""A score in parts, below the answer about a picked number."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import pytest

from mha_core import attend, encode_link
from mha_core.changing.changes import with_matrix, with_tokens
from mha_core.examples import load_example
from tests.pages.visitor import Visitor
from ui.blocks.score_parts import _ground

TITLE = "Why does it look there?"
CELLS: Final = re.compile(r"<td[^>]*>(?:<details><summary>)?([^<]*)<")
FORMULA: Final = re.compile(r"<p>([^=<]*) = \((.*?)\) · ([\d.]+)</p>")


class Asking(Visitor):
    """A visitor who has opened the parts of a picked number."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.at.session_state["parts-heads"] = True
        self.run()

    @property
    def table(self) -> str:
        tables = [node.value for node in self.at.get("html") if "query \\ key" in node.value]
        return tables[0] if tables else ""

    @property
    def folds(self) -> list[str]:
        return [each.label for each in self.at.expander]


def test_its_products_add_up_to_the_score() -> None:
    page = Asking("example=the-cat&decimals=6&cell=weights/2:2.3")
    assert TITLE in page.folds
    score = attend(load_example("the-cat")).scaled_scores[2, 1, 2]
    numbers = [float(text.replace("−", "-")) for text in CELLS.findall(page.table)[1:]]
    assert len(numbers) == 4
    assert sum(numbers) == pytest.approx(score, abs=1e-5)
    largest = max(numbers, key=abs)
    assert largest != 0
    assert f"The score is {score:.6f}, the sum of these products." in page.words
    assert "of the query with" in page.words
    assert "Then come" not in page.words


def test_each_product_is_opened_and_is_the_sum_of_its_own() -> None:
    page = Asking("example=the-cat&decimals=6&cell=weights/2:2.3")
    found = FORMULA.findall(page.table)
    assert found
    for number, products, factor in found:
        terms = [term.split("·") for term in products.replace("−", "-").split(" + ")]
        total = sum(float(one.strip("() ")) * float(other.strip("() ")) for one, other in terms)
        assert total * float(factor) == pytest.approx(float(number.replace("−", "-")), abs=1e-3)


def test_of_what_is_hidden_it_says_what_comes_then() -> None:
    page = Asking("example=the-cat&mask=causal&cell=weights/2:2.3")
    assert "Then come soft cap, additions or mask: −∞." in page.words


def test_where_nothing_meets_it_says_so() -> None:
    page = Asking("example=the-cat&weights=zeros&cell=weights/2:2.3")
    assert "No part of the query meets a part of the key." in page.words


def test_names_of_tokens_are_text() -> None:
    s = with_tokens(load_example("the-cat"), ("<b>", "cat"))
    page = Asking(f"{encode_link(s)}&cell=weights/0:1.2")
    assert "word “&lt;b&gt;”" in page.table


@pytest.mark.parametrize("cell", ["output:1.1", "x:1.1", "q_rotated/0:1.1"])
def test_only_scores_and_weights_have_parts(cell: str) -> None:
    assert TITLE not in Asking(f"example=the-cat&cell={cell}").folds


def test_an_x_of_one_part_alone_has_no_table() -> None:
    assert TITLE not in Asking("example=pizza&cell=weights/0:2.1").folds


def test_a_bias_is_a_part() -> None:
    pizza = load_example("pizza")
    s = with_matrix(pizza, "b_q", np.ones(pizza.w_q.shape[1]))
    page = Asking(f"{encode_link(s)}&cell=weights/0:2.1")
    assert page.folds.count(TITLE) == 1
    assert "bias" in page.table


def test_parts_that_are_too_large_for_a_number_have_no_ground() -> None:
    assert "d03b3b 40%" in _ground(1)
    assert "2a78d6 20%" in _ground(-0.5)
    assert _ground(0.001) == _ground(np.inf) == _ground(np.nan) == ""
