"""The parts of the page that fold: what of them is sent, and what the address says of them."""

from __future__ import annotations

import numpy as np

from mha_core.changing.changes import with_matrix
from tests.pages.visitor import Visitor

NAME = "into the heads"


def test_nothing_is_sent_of_it_while_it_is_folded() -> None:
    visitor = Visitor("example=pizza")
    assert NAME not in visitor.plots
    assert "open" not in visitor.address


def test_a_link_opens_it() -> None:
    visitor = Visitor("example=pizza&open=into")
    trace, matrices = visitor.session.trace, visitor.matrices
    assert np.array_equal(matrices["w_q"], trace.scenario.w_q)
    for name in ("x", "q", "k", "v"):
        assert np.array_equal(matrices[name], getattr(trace, name))
    assert visitor.address == {"example": "pizza", "open": "into"}
    assert "Q = X W_Q, K = X W_K, V = X W_V. Each product stands" in visitor.words


def test_its_sentence_is_true_of_the_scenario() -> None:
    words = Visitor("example=translation&open=into").words
    assert "Q = X W_Q, K = C W_K, V = C W_V." in words
    visitor = Visitor("example=positions&open=into")
    visitor.session.attempt("b_v", None, lambda s: with_matrix(s, "b_v", np.ones(8)))
    words = visitor.run().words
    assert "Q = (X + P) W_Q, K = (X + P) W_K, V = (X + P) W_V + b_V." in words


def test_a_link_folds_what_is_open_at_first() -> None:
    visitor = Visitor("example=pizza&fold=heads,together")
    assert not {"heads", "together"} & visitor.plots.keys()
    assert not visitor.errors
    visitor.session.look_at(folded=("together",))
    assert "heads" in visitor.run().plots
    assert visitor.address == {"example": "pizza", "fold": "together"}
    visitor.session.look_at(folded=())
    assert "together" in visitor.run().plots
    assert "fold" not in visitor.address


def test_undo_and_redo_neither_fold_it_nor_open_it() -> None:
    visitor = Visitor("example=pizza").enter("heads", 4)
    visitor.session.look_at(unfolded=("into",))
    assert NAME in visitor.press("Undo").plots
    assert visitor.address["open"] == "into"
    visitor.session.look_at(unfolded=())
    visitor.session.look_at(folded=("heads",))
    assert not {NAME, "heads"} & visitor.press("Redo").plots.keys()
    assert visitor.address["fold"] == "heads"
    assert "open" not in visitor.address


def test_a_wrong_part_is_refused_in_words() -> None:
    visitor = Visitor("example=pizza&open=out")
    assert visitor.complains("open in the address must be into")
    assert NAME not in visitor.plots
    visitor = Visitor("example=pizza&fold=mask")
    assert visitor.complains("fold in the address must be some of layers, heads, together")
    assert "heads" in visitor.plots
