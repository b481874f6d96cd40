"""A picked cell says where its number comes from, below the picture in which it was picked.

Takes long: each test runs a whole page without a browser, a tenth of a second of the processor a
run.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from mha_core import attend
from mha_core.changing.changes import with_scores
from mha_core.examples import load_example
from mha_core.layer.cells import Cell
from tests.pages.comparison import Comparison
from tests.pages.visitor import Visitor
from tests.running_page import RunningPage
from ui.blocks.influence import _ask
from ui.blocks.picture import _go_on, _open_part_of
from ui.blocks.where_from import where_from
from ui.controls.markdown import plain
from ui.state import Asked

PIZZA = "example=pizza"
OUTPUT = Cell("output", None, 3, 2)


def panels(visitor: RunningPage) -> dict[str, str]:
    """What each place on the page says of the picked cell, where it says something."""
    sent = [node.proto for node in visitor.at.get("bidi_component")]
    outlines = [(p.id, json.loads(p.json)) for p in sent if p.component_name == "attention_outline"]
    says = [(each.rpartition("outlined-")[2], said["panel"]) for each, said in outlines]
    return {place: panel for place, panel in says if panel}


def boxes(visitor: Visitor, name: str) -> list[Any]:
    sent = [node.proto for node in visitor.at.get("bidi_component")]
    outlines = [json.loads(p.json) for p in sent if p.component_name == "attention_outline"]
    (lit,) = {json.dumps(outline[name]) for outline in outlines}  # all say the same
    found: list[Any] = json.loads(lit)
    return found


@pytest.mark.parametrize(
    ("cell", "place"),
    [
        ("weights/0:4.2", "heads"),
        ("w_q:1.1", "into"),
        ("output:4.3", "heads"),
        ("w_o:1.1", "together"),
        ("q_rotated/1:1.1", "one-head"),
        ("contributions/0:1.1", "contributions"),
        ("mask.additive:1.1", "additive"),  # none is given, so nothing is added
        ("weights/0:99.1", ""),
    ],
)
def test_a_link_opens_with_the_cell_explained_below_the_first_picture_of_it(
    cell: str, place: str
) -> None:
    visitor = Visitor(f"{PIZZA}&open=into&head=2&cell={cell}")
    assert list(panels(visitor)) == ([place] if place else [])


def test_what_a_refused_cell_could_be_is_copied_as_it_is_read() -> None:
    visitor = Visitor(f"{PIZZA}&cell=weights/0:99.1")
    (said,) = [error.value for error in visitor.at.error]
    assert "weights/0:1.1" in said.replace("\\", "")


NOWHERE = ("scaled_scores/0:1.1", "exponentials/0:1.1", "q_heads/0:1.1", "x:1.1")


@pytest.mark.parametrize("cell", NOWHERE)
def test_a_cell_in_no_picture_is_explained_below_the_first(cell: str) -> None:
    visitor = Visitor(f"example=two-tokens&cell={cell}")
    assert list(panels(visitor)) == ["heads"]
    assert visitor.address["cell"] == cell


@pytest.mark.parametrize(
    ("page", "address", "place"),
    [
        ("walkthrough", "example=two-tokens&screen=weights&cell=scaled_scores/0:1.1", "walk"),
        ("compare", "a.example=pizza&b.example=pizza&a.cell=x:1.1", "compared"),
        ("patterns", "p.cell=exponentials/0:1.1", "guide"),
    ],
)
def test_so_it_is_on_every_page(page: str, address: str, place: str) -> None:
    assert list(panels(Comparison(address, f"{page}.py"))) == [place]


def test_a_cell_in_no_picture_is_explained_after_undo() -> None:
    visitor = Visitor(f"{PIZZA}&cell=weights/0:4.2")
    visitor.session.ask_on(Cell("exponentials", 0, 3, 1))
    visitor.run().enter("scale", "1").press("Undo")
    assert visitor.address["cell"] == "exponentials/0:4.2"
    assert list(panels(visitor)) == ["heads"]


def test_a_cell_that_several_pictures_show_is_explained_where_it_was_picked() -> None:
    visitor = Visitor(f"{PIZZA}&head=1")
    visitor.session.pick(Cell("weights", 0, 3, 1), Asked("one-head"))
    assert list(panels(visitor.run())) == ["one-head"]


def test_one_goes_on_asking_back_and_closes() -> None:
    visitor = Visitor(f"{PIZZA}&cell=output:4.3")
    session = visitor.session
    for cell in (Cell("concat", None, 3, 0), Cell("head_outputs", 0, 3, 0)):
        session.ask_on(cell)
    visitor.run()
    assert visitor.outlined == ["head_outputs/0", 3, 0]
    assert "concat[PIZZA, 1.1]" in panels(visitor)["heads"]  # the way back
    session.ask_on(OUTPUT)
    visitor.run()
    assert visitor.address["cell"] == "output:4.3"
    assert "Asked before" not in panels(visitor)["heads"]
    session.pick(None)
    visitor.run()
    assert panels(visitor) == {}
    assert "cell" not in visitor.address


def test_what_a_number_is_made_of_is_lit_in_all_pictures() -> None:
    visitor = Visitor(f"{PIZZA}&cell=output:4.3")
    assert boxes(visitor, "made_of")[0] == ["concat", 3, 0, 3, 7]
    assert ["w_o", 0, 2, 7, 2] in boxes(visitor, "made_of")
    assert boxes(visitor, "goes_into") == []


def test_other_sizes_close_what_was_said_and_say_so_until_something_else_is_done() -> None:
    visitor = Visitor(f"{PIZZA}&cell=output:4.3")
    visitor.enter("n-tokens", 3)
    assert "was let go" in panels(visitor)["heads"]
    assert "PIZZA" in panels(visitor)["heads"]  # it had that name
    assert "cell" not in visitor.address
    visitor.enter("decimals", 4)  # no change of the layer
    assert "was let go" in panels(visitor)["heads"]
    visitor.enter("scale", "1")
    assert panels(visitor) == {}


@pytest.mark.parametrize("away", ["close", "another", "undo", "open"])
def test_that_a_number_was_let_go_is_said_no_longer_than_it_matters(away: str) -> None:
    visitor = Visitor(f"{PIZZA}&cell=output:4.3").enter("n-tokens", 3)
    match away:
        case "close":
            _go_on(visitor.session, None)
        case "another":
            visitor.session.pick(OUTPUT, Asked("heads"))
        case "undo":
            visitor.press("Undo")
        case "open":
            visitor.open("examples").open_example("causal")
    assert "was let go" not in "".join(panels(visitor.run()).values())


def test_it_follows_the_numbers() -> None:
    visitor = Visitor(f"{PIZZA}&cell=scaled_scores/0:4.2&show=scaled")
    before = panels(visitor)["heads"]
    visitor.enter("scale", "1")
    assert panels(visitor)["heads"] != before


def test_the_place_of_a_picture_that_has_gone_is_forgotten() -> None:
    visitor = Visitor(f"{PIZZA}&head=1")
    visitor.session.pick(Cell("weights", 0, 3, 1), Asked("one-head"))
    visitor.run().enter("head", None)
    assert list(panels(visitor)) == ["heads"]


def test_after_undo_a_cell_is_explained_where_it_is_shown_first() -> None:
    visitor = Visitor(f"{PIZZA}&head=1&cell=weights/0:4.2")
    visitor.enter("scale", "1")
    visitor.session.pick(Cell("weights", 0, 3, 1), Asked("one-head"))
    visitor.run().press("Undo")
    assert list(panels(visitor)) == ["heads"]


def test_who_comes_to_a_cell_again_goes_back_to_it() -> None:
    session = Visitor(f"{PIZZA}&cell=output:4.3").session
    concat = Cell("concat", None, 3, 0)
    session.ask_on(concat)
    session.ask_on(OUTPUT)
    assert session.view.cell == OUTPUT
    assert session.asked.trail == ()


def test_a_cell_that_is_not_there_cannot_be_asked_for() -> None:
    session = Visitor(f"{PIZZA}&cell=output:4.3").session
    _go_on(session, Cell("output", None, 99, 0))
    _go_on(session, Cell("nothing", None, 0, 0))
    assert session.view.cell == OUTPUT
    _go_on(session, Cell("concat", None, 3, 0))
    _go_on(session, OUTPUT)
    assert session.view.cell == OUTPUT
    _go_on(session, None)
    assert session.view.cell is None


@pytest.mark.parametrize(
    ("cell", "part", "address"),
    [(Cell("w_q", None, 0, 1), "into", "open"), (Cell("w_o", None, 0, 1), "together", "")],
)
def test_whoever_edits_a_given_number_is_led_to_the_part_that_shows_it(
    cell: Cell, part: str, address: str
) -> None:
    visitor = Visitor(f"{PIZZA}&fold=together&cell=weights/0:4.2")
    visitor.session.ask_on(cell)
    assert list(panels(visitor.run())) == ["heads"]  # below the picture from which links led there
    _open_part_of(visitor.session, cell)
    assert list(panels(visitor.run())) == [part]
    assert visitor.address.get("open", "") == ("into" if address else "")
    assert ("fold" in visitor.address) == (part != "together")
    assert visitor.session.asked.trail == (Cell("weights", 0, 3, 1),)


def test_nobody_is_led_to_a_number_that_is_not_there_or_was_not_given() -> None:
    session = Visitor(f"{PIZZA}&cell=output:4.3").session
    for cell in (Cell("w_q", None, 99, 0), Cell("weights", 0, 0, 0)):
        _open_part_of(session, cell)
    assert session.view.cell == OUTPUT
    assert not session.view.unfolded


def test_under_rope_the_rotated_queries_and_keys_are_pictures() -> None:
    visitor = Visitor("example=positions&positions=rope&open=into")
    assert "rotated" in visitor.plots
    said = plain("R_p turns pair c of the columns by p / 10000^(2c/d_k)")
    assert [each for each in visitor.at.caption if said in each.value]
    visitor.session.pick(Cell("k_rotated", 1, 2, 3), Asked("into"))
    assert list(panels(visitor.run())) == ["into"]
    visitor.enter("positions", "none")
    assert "rotated" not in visitor.plots


def test_only_what_is_said_of_the_last_cell_is_kept() -> None:
    session = Visitor(f"{PIZZA}&cell=output:4.3").session
    for row in range(4):
        session.pick(Cell("output", None, row, 0), Asked("together"))
        assert where_from(session) is where_from(session)
    assert len(session.make_once("where from", list)) == 1


def test_the_influence_on_a_number_is_chosen_array_by_array() -> None:
    visitor = Visitor(f"{PIZZA}&cell=output:4.3")
    choice = "influence-heads"
    assert visitor.widget(choice).options == ["X", "W_Q", "W_K", "W_V", "W_O"]
    visitor.enter(choice, "x")
    assert "output[PIZZA, 3] is most sensitive to the 4th number of “PEPPERONI”" in visitor.words
    assert visitor.address["influence"] == "x"
    visitor.session.ask_on(Cell("concat", None, 3, 0))
    assert "concat[PIZZA, 1.1] is most sensitive to" in visitor.run().words  # the choice stays
    visitor.enter(choice, None)
    assert "is most sensitive to" not in visitor.words
    assert "influence" not in visitor.address


@pytest.mark.parametrize("cell", ["x:1.1", "mask:1.1", "weights/0:99.1"])
def test_what_moves_with_no_number_has_no_picture_of_it(cell: str) -> None:
    visitor = Visitor(f"{PIZZA}&open=into&cell={cell}&influence=x")
    assert not [key for key in visitor.controls if "influence" in key]


def test_a_click_on_an_influence_asks_for_its_number() -> None:
    session = Visitor(f"{PIZZA}&cell=output:4.3&influence=w_v").session
    _ask(session, Cell("influence.w_v", None, 2, 1))
    assert session.view.cell == Cell("w_v", None, 2, 1)
    assert session.asked.trail == (OUTPUT,)
    _ask(session, Cell("influence.w_v", None, 99, 1))
    assert session.view.cell == Cell("w_v", None, 2, 1)


def test_only_the_influences_on_the_last_cell_are_kept() -> None:
    visitor = Visitor(f"{PIZZA}&cell=output:4.3")
    visitor.session.ask_on(Cell("concat", None, 3, 0))
    visitor.run()
    kept = visitor.session.make_once("influence", list)
    assert [asked for asked, _ in kept] == [Cell("concat", None, 3, 0)]


ALL_RIGHT = plain("16 of 16 numbers right at 2 decimals.")
NUMBERS = "numbers-heads-weights/0"
BOX = f"{PIZZA}&cell=weights/0:4.2"


def checking(text: str, address: str = BOX) -> Visitor:
    """A visitor who has opened the fold and entered numbers for the weights of head 1."""
    visitor = Visitor(address)
    visitor.at.session_state["check-heads"] = True
    visitor.run().at.text_area(key=NUMBERS).set_value(text)
    return visitor.run()


def weights_without_scale() -> str:
    trace = attend(with_scores(load_example("pizza"), scale="none"))
    return "\n".join(" ".join(f"{number:.2f}" for number in row) for row in trace.weights[0])


def test_somebodys_own_numbers_are_checked_at_the_decimals_of_the_page() -> None:
    visitor = checking("1 0 0 0; .6 .4 0 0; .2 .4 .4 0; .4 .2 .3 .1")
    assert visitor.at.success[0].value == ALL_RIGHT
    visitor.enter("decimals", 6)
    assert visitor.at.success[0].value == ALL_RIGHT.replace("2", "6")


def test_a_likely_mistake_is_named_and_the_wrong_numbers_are_marked() -> None:
    visitor = checking(weights_without_scale())
    said = "8 of 16 numbers right at 2 decimals. The scale was forgotten."
    assert visitor.at.warning[0].value == plain(said)
    assert "right: 0.60" in visitor.words
    visitor.enter("scale", "none")  # the layer is then as the numbers are
    assert visitor.at.success[0].value == ALL_RIGHT


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1 0 zero 0", "Line 1, column 5: Your matrix must hold numbers only, got 'zero'."),
        ("1 0; 0", "Line 1, column 6: Your matrix must have 2 numbers in every row"),
    ],
)
def test_numbers_that_cannot_be_read_are_refused_in_words(text: str, says: str) -> None:
    assert checking(text).complains(says)


def test_the_numbers_for_each_matrix_have_a_box_of_their_own() -> None:
    visitor = checking(weights_without_scale())
    visitor.session.pick(Cell("weights", 1, 3, 1), Asked("heads"))
    assert not visitor.run().at.warning
    assert [box.label for box in visitor.at.text_area] == ["Your numbers for Weights, head 2"]


def test_a_number_that_was_given_has_nothing_to_check() -> None:
    visitor = Visitor(f"{PIZZA}&open=into&cell=w_q:1.1")
    assert panels(visitor)
    assert not [each.label for each in visitor.at.expander if "Check my numbers" in each.label]
