"""The part of the page above the heads: folded until it is opened, and kept in the address."""

from __future__ import annotations

import numpy as np

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
    assert "X times W_Q, W_K and W_V gives Q, K and V. A product stands" in visitor.words


def test_its_sentence_is_true_of_the_scenario() -> None:
    words = Visitor("example=translation&open=into").words
    assert "X times W_Q gives Q; C times W_K and W_V gives K and V." in words
    words = Visitor("example=positions&open=into").words
    assert "X + P times W_Q, W_K and W_V gives Q, K and V." in words


def test_it_stays_open_through_changes_and_undo_does_not_fold_it() -> None:
    visitor = Visitor("example=pizza").enter("heads", 4)
    visitor.session.look_at(unfolded=("into",))
    assert NAME in visitor.run().enter("scale", "0.5").plots
    assert NAME in visitor.press("Undo").plots
    assert visitor.address["open"] == "into"


def test_a_wrong_part_is_refused_in_words() -> None:
    visitor = Visitor("example=pizza&open=out")
    assert visitor.complains("open in the address must be some of into")
    assert NAME not in visitor.plots
