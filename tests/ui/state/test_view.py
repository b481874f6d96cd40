"""The view: how it stands in an address, and what it lets go."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mha_core.changing.changes import with_heads
from mha_core.changing.layers import as_stack
from mha_core.checks.errors import FormatError
from mha_core.examples import load_example
from mha_core.io.scenario.link_names import OF_THE_PAGE, PARAMETERS
from mha_core.layer.cells import Cell
from mha_core.layer.trace import HEAD_STEPS
from ui.state import IN_SIDEBAR, MORE_ROWS, PARTS, ROWS, SCORES, SECTIONS, View
from ui.state.view_params import PARAMS
from ui.theme import PALETTES

WRITTEN: list[tuple[View, dict[str, str]]] = [
    (View(), {}),
    (View(decimals=0), {"decimals": "0"}),
    (View(shared_scale=False), {"colors": "own"}),
    (View(values=False), {"values": "off"}),
    *[(View(palette=name), {"palette": name}) for name in sorted(PALETTES) if name != "indigo"],
    *[(View(moved=name), {"moved": name}) for name in ("before", "example")],
    *[(View(scores=name), {"show": name}) for name in SCORES if name != "masked"],
    (View(rows=ROWS), {"rows": "scores,weights,outputs"}),
    (View(head=0), {"head": "1"}),
    (View(page=2), {"page": "2"}),
    (View(cell=Cell("weights", 0, 1, 0)), {"cell": "weights/0:2.1"}),
    (View(cell=Cell("a:b.c", None, 0, 9)), {"cell": "a:b.c:1.10"}),
    (View(present=True), {"present": "1"}),
    *[(View(part=name), {"part": name}) for name in PARTS],
    *[(View(hide=(name,)), {"hide": name}) for name in SECTIONS],
    (View(hide=SECTIONS), {"hide": "sidebar,view,editors,hints"}),
    (View(hide=IN_SIDEBAR), {"hide": "sidebar"}),
    (View(title="Order & <b>attention</b>"), {"title": "Order & <b>attention</b>"}),
]


@pytest.mark.parametrize(("view", "params"), WRITTEN, ids=str)
def test_a_view_is_written_as_what_differs_from_the_first_and_read_again(
    view: View, params: dict[str, str]
) -> None:
    assert view.to_params() == params
    assert View.from_params(params) == (view, [])


def test_the_order_of_words_plays_no_part() -> None:
    view, _ = View.from_params({"rows": "outputs,scores", "hide": "view,input,view"})
    assert (view.rows, view.hide) == (("scores", "outputs"), ("input", "view"))


def test_a_hidden_sidebar_is_all_its_sections_hidden() -> None:
    view, _ = View.from_params({"hide": "editors,sidebar,mask"})
    assert view.hide == (*IN_SIDEBAR, "editors")
    named_one_by_one = View.from_params({"hide": ",".join(IN_SIDEBAR)})
    assert named_one_by_one == View.from_params({"hide": "sidebar"})


def test_words_are_taken_as_the_message_writes_them() -> None:
    assert View.from_params({"rows": "outputs, scores"}) == (View(rows=("scores", "outputs")), [])
    _, (wrong,) = View.from_params({"rows": "all"})
    assert "must be some of scores, weights, outputs, q_heads, " in str(wrong)


def test_a_title_is_on_one_line() -> None:
    view, _ = View.from_params({"title": "  Attention,\n lecture\t3 "})
    assert view.title == "Attention, lecture 3"


def test_parameters_of_the_scenario_are_left_alone() -> None:
    assert View.from_params({"example": "pizza", "heads": "4"}) == (View(), [])
    assert not set(PARAMS) & set(PARAMETERS)


WRONG = [
    *[("decimals", text) for text in ("7", "-1", "", "2.0", "٣", "x", "0" * 9 + "1", "9" * 5000)],
    *[(name, text) for name in ("head", "page") for text in ("0", "257", "first")],
    *[("cell", text) for text in ("", "w_o", "w_o:1", ":1.1", "w_o:0.1", "w_o:1.0", "w_o:1.-1")],
    *[("cell", "x" * 201 + ":1.1"), ("cell", "w_o:1.100000")],
    *[("colors", "all"), ("values", "yes"), ("palette", ""), ("show", "Raw")],
    *[("moved", text) for text in ("", "on", "Before")],
    *[("rows", ""), ("rows", "scores,"), ("hide", "all"), ("hide", "")],
    *[("present", "0"), ("present", ""), ("present", "yes"), ("part", ""), ("part", "all")],
    *[("title", text) for text in ("x" * 81, "turned \u202e round", "half \ud83c", "\x00")],
]


@pytest.mark.parametrize(("param", "text"), WRONG)
def test_what_no_view_writes_is_refused_by_its_name_with_a_way_out(param: str, text: str) -> None:
    view, (wrong,) = View.from_params(
        {param: text, "values": "off"} if param != "values" else {param: text}
    )
    assert view == View(values=param == "values")  # the rest is taken
    message = str(wrong)
    assert message.startswith(f"{param} in the address must ")
    assert repr(text[:40]) in message
    assert message.endswith(f"Leave out {param}= for the usual view.")
    assert len(message) < 300


def test_a_view_lets_go_of_cells_that_moved_and_of_a_head_that_is_gone() -> None:
    pizza = as_stack(load_example("pizza"))
    one_head = as_stack(with_heads(pizza.first, 1))
    view = View(decimals=3, head=1, cell=Cell("w_o", None, 0, 0), page=2)
    view.check_head(pizza)
    assert view.without_what_is_gone(pizza) == View(decimals=3, head=1)
    assert view.without_what_is_gone(one_head) == View(decimals=3)
    with pytest.raises(FormatError, match="must be one of the heads, 1 to 1, got '2'"):
        view.check_head(one_head)


def test_a_link_may_say_all_that_an_address_says() -> None:
    assert set(PARAMS) <= set(OF_THE_PAGE)


def test_every_step_of_a_head_can_be_a_row_of_the_picture() -> None:
    """A person who adds a step sees it on the page."""
    view = View(scores="raw", rows=(*ROWS, *MORE_ROWS))
    assert view.steps == tuple(step.name for step in HEAD_STEPS)
    assert View.from_params(view.to_params()) == (view, [])


def test_a_step_that_is_chosen_twice_is_shown_once() -> None:
    assert View(scores="masked", rows=("scores", "masked_scores")).steps == ("masked_scores",)


def test_where_heads_have_sinks_their_shares_stand_with_the_weights() -> None:
    pizza = load_example("pizza")
    with_sinks = replace(pizza, sinks=np.zeros(2))
    assert View().steps_of(pizza) == View().steps == ("masked_scores", "weights")
    assert View().steps_of(with_sinks) == ("masked_scores", "weights", "sink_weights")
    assert View(rows=("scores",)).steps_of(with_sinks) == ("masked_scores",)
