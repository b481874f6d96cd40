"""Several layers on the explorer: how many, which one is shown, all in one picture."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mha_core import attend, load_example
from mha_core.changing import changes
from mha_core.changing.changes import with_heads_off
from mha_core.changing.layers import as_stack, with_layer, with_layer_count
from mha_core.examples import EXAMPLES, load_stack
from mha_core.layer.cells import Cell
from mha_core.stack.cells import in_layer
from tests.pages.page_visitor import PageVisitor
from tests.pages.visitor import Visitor
from ui.blocks.for_class.page_to_save import _scenario_as_page
from ui.blocks.where_from import answer
from ui.figures.drawing import Look
from ui.figures.grounds import GROUNDS
from ui.prints.pack import PackWish, sheets_of_handout
from ui.prints.sizes import SIZES
from ui.prints.slides import slides_of_layers
from ui.saved import page

CAT = "example=the-cat"


@pytest.fixture
def visitor() -> Visitor:
    return Visitor(CAT).enter("layers", 2)


def matrices(visitor: Visitor, plot: str) -> list[dict[str, Any]]:
    shown: list[dict[str, Any]] = visitor.plots[plot]["figure"]["matrices"]
    return shown


def panel(visitor: Visitor, cell: Cell) -> str:
    said = answer(visitor.session.id, cell)
    assert said is not None
    return str(said["panel"])


def test_one_layer_has_no_choice_and_no_second_picture() -> None:
    visitor = Visitor(CAT)
    assert not visitor.has("layer")
    assert "layers" not in visitor.plots


def test_a_second_layer_comes_with_a_choice_and_a_picture_of_all(visitor: Visitor) -> None:
    assert len(visitor.session.stack.layers) == 2
    assert visitor.shows("layer") == 0
    names = [each["name"] for each in matrices(visitor, "layers")]
    assert {"x", "weights/0", "2.x", "2.weights/3", "stream"} <= {*names}
    visitor.enter("layer", 1)
    names = [each["name"] for each in matrices(visitor, "layers")]
    assert {"1.x", "1.weights/0", "x", "weights/3", "stream"} <= {*names}
    assert "X of layer 2 is X of layer 1 and what that layer added." in visitor.words


def test_a_higher_layer_is_edited_and_its_x_is_not(visitor: Visitor) -> None:
    visitor.enter("layer", 1).enter("heads", 2)
    assert [layer.n_heads for layer in visitor.session.stack.layers] == [4, 2]
    given = [each["name"] for each in matrices(visitor, "heads") if each.get("is_given")]
    assert given == []


def test_the_input_is_that_of_the_first_layer_whichever_is_shown(visitor: Visitor) -> None:
    visitor.enter("layer", 1).enter("tokens", "a dog runs")
    assert visitor.session.stack.tokens == ("a", "dog", "runs")
    assert visitor.session.layer == 1
    assert not visitor.errors


def test_a_note_on_both_layers_goes_where_either_is_changed() -> None:
    (note,) = EXAMPLES["induction"].notes
    page = Visitor("example=induction")
    assert note.sentence in page.words
    stack = page.session.stack
    (above,) = stack.above
    one_more = with_layer_count(stack, 3)
    for other in (replace(stack, layers=(stack.first, replace(above, w_k=-above.w_k))), one_more):
        page.session.open(other)
        assert note.sentence not in page.run().words


def test_words_are_predicted_where_that_is_asked_for(visitor: Visitor) -> None:
    visitor.enter("prediction", True)
    names = [each["name"] for each in matrices(visitor, "layers")]
    assert {"w_u", "logits", "probabilities"} <= {*names}


def test_layers_may_hand_on_their_output_alone(visitor: Visitor) -> None:
    visitor.enter("layer", 1).enter("residual", False)
    assert "X of layer 2 is the output of layer 1." in visitor.words
    np.testing.assert_array_equal(
        visitor.session.scenario.x, visitor.session.traces.layers[0].output
    )


def test_the_way_down_goes_on_through_x_to_the_layer_below(visitor: Visitor) -> None:
    visitor.enter("layer", 1)
    of_x = panel(visitor, Cell("x", None, 1, 0))
    assert 'data-matrix="1.x" data-row="1" data-column="0"' in of_x
    assert 'data-matrix="1.output" data-row="1" data-column="0"' in of_x
    of_output = panel(visitor, in_layer(Cell("output", None, 1, 0), 0))
    assert "Layer 1: output" in of_output
    assert 'data-matrix="1.w_o"' in of_output
    visitor.session.ask_on(in_layer(Cell("output", None, 1, 0), 0))
    visitor.run()
    assert visitor.session.layer == 0
    assert visitor.address["cell"] == "output:2.1"


def test_numbers_at_the_end_say_of_what_they_are_made(visitor: Visitor) -> None:
    visitor.enter("prediction", True)
    assert 'data-matrix="logits"' in panel(visitor, Cell("probabilities", None, 1, 0))
    assert 'data-matrix="stream"' in panel(visitor, Cell("logits", None, 1, 0))
    assert 'data-matrix="2.output"' in panel(visitor, Cell("stream", None, 1, 0))
    assert "W_U, as it was given" in panel(visitor, Cell("w_u", None, 1, 0))


def test_a_score_of_layer_2_is_told_in_what_each_head_below_has_added(visitor: Visitor) -> None:
    visitor.enter("layer", 1)
    visitor.session.pick(Cell("weights", 0, 1, 0))
    visitor.session.asked = visitor.session.asked._replace(place="heads")
    visitor.at.session_state["parts-heads"] = True
    visitor.run()
    assert "head 3 of layer 1" in visitor.words


def test_what_a_number_of_layer_2_depends_on_is_found_in_layer_1_too(visitor: Visitor) -> None:
    visitor.enter("layer", 1)
    visitor.session.pick(Cell("output", None, 1, 0))
    visitor.session.look_at(influence="1.w_v")
    visitor.run()
    assert "output[cat (2), noun] is most sensitive to W_V[" in visitor.words


def test_a_number_of_the_stream_says_what_each_head_and_each_path_has_added(
    visitor: Visitor,
) -> None:
    said = panel(visitor, Cell("stream", None, 1, 0))
    assert "It is the sum of (direct effects)" in said
    assert 'data-matrix="2.contributions/' in said
    assert "By paths, with the weights held" in said
    assert "head 4 of layer 1 → head 4 of layer 2" in said
    visitor.enter("prediction", True)
    logit = panel(visitor, Cell("logits", None, 1, 0))
    assert "of layer 2 <b>" in logit
    of_x = panel(visitor, in_layer(Cell("x", None, 1, 0), 1))
    assert "It is the sum of" in of_x
    assert "By paths" not in of_x


def test_who_reads_whom_is_told_when_somebody_asks(visitor: Visitor) -> None:
    assert "may read" not in visitor.words
    visitor.at.session_state["reads"] = True
    visitor.run()
    assert "How much of what each head of layer 1 writes each head of layer 2 may read" in (
        visitor.words
    )
    assert "composition 1 2" in visitor.plots


LINK = "example=the-cat&layers=2&2.example=the-cat&2.heads=2&layer=2"


@pytest.mark.parametrize("page", ["walkthrough.py", "for_class.py"])
def test_other_pages_show_the_same_layer(page: str) -> None:
    visitor = Visitor(LINK, page)
    assert visitor.shows("layer") == 1
    visitor.enter("layer", 0)
    assert visitor.session.scenario.n_heads == 4
    assert "A layer reads X and adds its output to it: the sum is X of the next" in visitor.words


def test_a_side_of_a_comparison_has_layers_too() -> None:
    sides = "&".join(f"{side}.{part}" for side in "ab" for part in LINK.split("&"))
    visitor = PageVisitor("compare.py", sides, "b")
    assert visitor.session.layer == 1
    visitor.session.attempt("heads", 1, lambda s: changes.with_heads(s, 1))
    visitor.run()
    assert [layer.n_heads for layer in visitor.session.stack.layers] == [4, 1]


def test_a_saved_page_has_a_stop_for_each_layer(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Any] = []
    write = page.one_file

    def noted(script: str, data: Any, parts: Any) -> bytes:
        told.extend(data["stops"])
        return write(script, data, parts)

    monkeypatch.setattr(page, "one_file", noted)
    assert _scenario_as_page(visitor.session)
    assert [stop["title"] for stop in told] == [
        "The cat sees the other cat, changed, layer 1",
        "The cat sees the other cat, changed, layer 2",
    ]


def test_slides_and_handout_go_through_all_layers(visitor: Visitor) -> None:
    traces, look = visitor.session.traces, Look()
    titles = [slide.title for slide in slides_of_layers(traces, "Cat", "", 3, look)]
    assert titles.count("Cat, layer 1") == 1
    assert titles.count("Cat, layer 2") == 1
    wish = PackWish(traces, 1, "Cat", "", [], ["svg"], SIZES["slide"], GROUNDS["light"], look, 0)
    alone = replace(wish, traces=attend(as_stack(load_example("the-cat"))), layer=0)
    assert len(sheets_of_handout(wish)) == 2 * len(sheets_of_handout(alone))


@pytest.mark.parametrize("layer", [0, 1])
def test_an_example_of_two_layers_claims_something_of_each(layer: int) -> None:
    example = EXAMPLES["induction"]
    visitor = Visitor(f"example=induction&layer={layer + 1}")
    assert visitor.session.stack is load_stack("induction")
    assert visitor.title == example.title
    assert example.sentence in visitor.words
    claims = next(node.value for node in visitor.at.get("html") if 'class="claims"' in node.value)
    assert claims.count('class="yes"') == len(example.claims_of(layer))
    assert all(claim.sentence in visitor.words for claim in example.claims_of(layer))


def test_an_example_of_two_layers_opens_from_the_list() -> None:
    visitor = Visitor(CAT, opened=["examples"]).open_example("induction")
    assert visitor.session.stack is load_stack("induction")
    assert not visitor.session.is_changed
    assert visitor.address == {"example": "induction"}
    visitor.enter("layer", 1)
    assert not visitor.session.is_changed
    assert visitor.title == EXAMPLES["induction"].title


def test_without_the_head_of_layer_1_what_layer_2_finds_is_no_longer_claimed() -> None:
    visitor = Visitor("example=induction")
    s = visitor.session.stack.first
    visitor.session.go_to(with_layer(visitor.session.stack, 0, s, with_heads_off(s, {0})))
    visitor.run().enter("layer", 1)
    claims = next(node.value for node in visitor.at.get("html") if 'class="claims"' in node.value)
    assert 'class="no"' in claims
    visitor.press("Reset")
    assert visitor.session.stack == load_stack("induction")
