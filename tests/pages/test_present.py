"""Pages as a lecturer presents them, without a browser: what is sent, and what a wish does."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import segno

from mha_core.changing.changes import with_matrix, with_scores, with_tokens
from mha_core.examples import EXAMPLES, load_example
from mha_core.guide.screens import screens_of
from mha_core.guide.tours import TOURS
from tests.pages.lecture import Lecture
from tests.pages.page_visitor import PageVisitor
from tests.running_page import undo
from tests.ui.state.working import at_pizza
from ui.blocks.presenting import page as presented
from ui.blocks.presenting.page import _code, _take
from ui.blocks.presenting.parts import nearest, parts_of_explorer
from ui.controls.qr_code import MOST_BYTES, NEEDS_SEGNO, NoCodeError, qr_code
from ui.edits.tour_text import LinkedStop, OwnTour, pack_tour
from ui.figures.one_head import head_steps_in_use
from ui.plot.presenting import Wished, _as_wish
from ui.state import PARTS, Session, View

PIZZA = load_example("pizza")
NUMBERS = np.random.default_rng(1).normal(size=(4, 1024))


def parts_of(session: Session) -> list[str]:
    return [part.name for part in parts_of_explorer(session).all]


# ---- which parts there are ----------------------------------------------------------------------


def test_the_parts_go_from_the_input_to_the_output_and_leave_out_what_changes_nothing() -> None:
    assert parts_of(at_pizza()) == [
        *("into", "queries", "keys", "values", "raw_scores", "scaled_scores", "masked_scores"),
        *("row_max", "exponentials", "row_sums", "weights", "head_outputs", "contributions"),
        *("head", "together"),
    ]
    assert "masked_scores" not in [
        step.name for step in head_steps_in_use(load_example("two-tokens"))
    ]
    assert "bias" in [
        step.name for step in head_steps_in_use(with_scores(PIZZA, positions="alibi"))
    ]


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_every_part_of_every_example_has_a_title_a_formula_and_a_picture(name: str) -> None:
    session = Session(load_example(name), View())
    for part in parts_of_explorer(session).all:
        assert part.name in PARTS
        assert part.title
        assert "<math" in part.formula
        shown = part.draw(session)
        assert [each.whose for each in shown] == [session]
        assert shown[0].picture.sizes


def test_of_a_part_that_has_nothing_to_do_the_one_before_is_shown() -> None:
    names = ["queries", "raw_scores", "weights"]
    assert [nearest(name, names) for name in ("weights", "masked_scores", "into", "")] == [
        2,
        1,
        0,
        0,
    ]


def test_on_the_walkthrough_the_parts_are_its_screens() -> None:
    page = Lecture("example=pizza&screen=scores", "walkthrough.py")
    assert [name for name, _ in page.said["parts"]] == [each.name for each in screens_of(PIZZA)]
    assert page.said["title"] == "Each query meets each key: head 1"
    assert page.said["sentence"].startswith("A row times a column")


def test_a_comparison_shows_its_sides_and_the_difference() -> None:
    page = Lecture("a.example=pizza&b.example=pizza&b.mask=none", "compare.py", "a")
    assert [name for name, _ in page.said["parts"]] == ["beside", "a", "b", "difference"]
    page.wish(part="difference")
    assert page.said["title"] == "B − A: weights"
    assert "before" in page.figure["matrices"][0]


def test_the_title_of_a_side_keeps_a_symbol_as_it_is() -> None:
    page = Lecture("a.example=pizza&b.example=pizza&a.step=w_q", "compare.py", "a")
    page.wish(part="b")
    assert page.said["title"] == "B, Pizza, a language model: W_Q"


def test_all_sides_are_on_one_screen_and_the_difference_has_a_caption_of_its_own() -> None:
    page = Lecture("a.example=pizza&b.example=pizza&b.mask=none", "compare.py", "a")
    captions = [caption for caption, _ in page.said["pictures"]]
    assert captions == [
        *("A, Pizza, a language model", "B, Pizza, a language model, changed"),
        "B − A, difference ±0.79",
    ]
    a, b, difference = (each["figure"] for each in page.pictures)
    for figure in (a, b, difference):
        assert [each["name"] for each in figure["matrices"]] == ["weights/0", "weights/1"]
        assert not figure["bars"]  # a caption says how far colours go
    assert [each["group"] for each in page.pictures] == ["a", "b", "b"]
    assert "before" in difference["matrices"][0]
    assert page.said["sentence"].startswith("The largest change from A: Weights, head 2,")


def test_while_a_comparison_is_presented_a_is_a_side_and_no_matrix() -> None:
    page = Lecture("a.example=pizza&b.example=pizza&b.mask=none", "compare.py", "a")
    for part in ("beside", "a", "b", "difference"):
        page.wish(part=part)
        assert page.said["part"] == part
        assert page.said["formula"] == ""


def test_sides_that_are_the_same_say_so() -> None:
    page = Lecture("a.example=pizza&b.example=pizza", "compare.py", "a")
    assert page.said["pictures"][2][0] == "B − A, no difference"


def test_of_sides_that_cannot_be_compared_there_are_two() -> None:
    page = Lecture("a.example=pizza&b.example=two-tokens", "compare.py", "a")
    assert page.said["title"] == "Weights: A and B"
    assert len(page.pictures) == 2
    assert [name for name, _ in page.said["parts"]] == ["beside", "a", "b"]


def test_sliders_and_masks_move_b() -> None:
    page = Lecture("a.example=pizza&b.example=pizza", "compare.py", "a")
    assert [each["label"] for each in page.said["sliders"]] == ["Scale of B", "Temperature of B"]
    assert page.said["changed"] == "b"
    alone = Lecture("example=pizza&temperature=2")
    assert [each["label"] for each in alone.said["sliders"]] == ["Scale", "Temperature"]
    assert alone.said["sliders"][1]["value"] == 2
    assert alone.said["changed"] == ""


# ---- what is sent -------------------------------------------------------------------------------


def test_a_presented_page_sends_one_part_and_nothing_to_press() -> None:
    page = Lecture("example=pizza&part=weights")
    assert page.said["title"] == "Weights"
    assert [each["name"] for each in page.figure["matrices"]] == ["weights/0", "weights/1"]
    assert not [*page.at.button, *page.at.title, *page.at.expander]
    assert page.address == {"example": "pizza", "part": "weights", "present": "1"}


def test_a_page_that_is_not_presented_sends_the_button_and_no_more() -> None:
    names = [
        node.proto.component_name
        for node in PageVisitor("explore.py", "example=pizza").at.get("bidi_component")
    ]
    assert [name for name in names if "present" in name] == [
        name for name in names if name.endswith("attention_present_button")
    ]
    assert len([name for name in names if "present" in name]) == 1


def test_a_picture_that_is_kept_is_not_made_again() -> None:
    page = Lecture("example=pizza&part=weights")
    before = page.session.make_once(("pictures", "presented weights"), dict)
    kept = dict(before)
    page.wish(part="raw_scores").wish(part="weights")
    assert page.session.make_once(("pictures", "presented weights"), dict) == kept


def test_what_is_wrong_with_the_address_is_said() -> None:
    page = Lecture("example=pizza&part=weights&decimals=99")
    assert page.said["refused"].startswith("decimals in the address must be")
    assert page.said["title"] == "Weights"


def ranges(page: Lecture) -> set[tuple[float, float]]:
    return {(each["low"], each["high"]) for each in page.figure["matrices"]}


def test_raw_and_scaled_scores_have_one_range_of_colours_so_that_dividing_is_seen() -> None:
    page = Lecture("example=wide-head&part=raw_scores")
    of_raw = ranges(page)
    page.wish(part="scaled_scores")
    assert ranges(page) == of_raw
    page.wish(part="masked_scores")
    assert ranges(page) == of_raw
    ((_, high),) = of_raw
    trace = page.session.trace
    assert high == np.abs(trace.raw_scores).max() > np.abs(trace.scaled_scores).max()


def test_each_matrix_has_colours_of_its_own_where_that_is_chosen() -> None:
    page = Lecture("example=wide-head&part=raw_scores&colors=own")
    of_raw = ranges(page)
    page.wish(part="scaled_scores")
    assert ranges(page) != of_raw


# ---- wishes -------------------------------------------------------------------------------------


def test_a_wish_is_a_glance_that_the_address_says() -> None:
    page = Lecture("example=pizza").wish(part="weights", head=1)
    assert page.address == {"example": "pizza", "part": "weights", "present": "1", "head": "2"}
    assert [each["name"] for each in page.figure["matrices"]] == ["weights/1"]
    assert page.session.history.last == 0
    assert page.said["heard"] == 1


def test_a_mask_is_an_entry_that_can_be_undone_and_the_presentation_stays() -> None:
    page = Lecture("example=pizza&part=weights").wish(mask="sliding_window")
    assert [rule.name for rule in page.scenario.mask.rules] == ["sliding_window"]
    page.wish(part="raw_scores")
    undo(page.session)
    page.run()
    assert page.scenario == PIZZA
    assert page.said["part"] == "raw_scores"


@pytest.mark.parametrize(
    "wished", [Wished(1, "no such part", 9, 3), Wished(1, mask="padding"), Wished(1)]
)
def test_what_nobody_can_wish_does_nothing(wished: Wished) -> None:
    session = at_pizza(View(present=True, part="weights"))
    before = session.scenario
    _take(session, session, "part", wished)
    assert session.view.part == "weights"
    assert session.view.head is None
    assert session.scenario is before


@pytest.mark.parametrize(
    "sent",
    [
        *(None, 7, {}, {"number": 1}, {"number": "1", "part": "a", "head": 0, "page": 1}),
        *({"number": 0, "part": "a", "head": 0, "page": 1}, {"number": 2**32, "mask": ""}),
        {"number": 1, "part": "a", "head": 0, "page": -4},
    ],
)
def test_what_is_no_wish_is_not_read(sent: object) -> None:
    assert _as_wish(sent) is None


def test_all_heads_are_wished_for_by_a_number_below_0() -> None:
    sent = {"number": 3, "part": "weights", "head": -1, "page": 2}
    assert _as_wish(sent) == Wished(3, "weights", None, 2)
    assert _as_wish({"number": 4, "mask": "causal"}) == Wished(4, mask="causal")


# ---- tours --------------------------------------------------------------------------------------


def test_a_stop_says_its_sentence_and_where_the_keys_lead() -> None:
    page = Lecture("tour=000&stop=3", "walkthrough.py")
    assert page.said["tour"] == {"back": "tour-back", "on": "tour-on"}
    stops = TOURS["000"].stops
    assert page.said["sentence"] == f"{stops[2].sentence} (3 of {len(stops)})"
    first = Lecture("tour=000", "walkthrough.py")
    assert first.said["tour"] == {"back": "", "on": "tour-on"}
    page.click("tour-on")
    assert page.view.stop == 4
    assert page.view.present
    assert page.said["tour"]["back"] == "tour-back"
    page.wish(part="")
    page.session.look_at(screen="output")
    page.run()
    assert "mixes" not in page.said["sentence"]


@pytest.mark.parametrize("named", ["", "&part=head_outputs"], ids=["no part", "a part"])
def test_a_stop_is_about_its_part_alone(named: str) -> None:
    says = "Here every word looks at the word before it."
    tour = pack_tour(OwnTour("Mine", (LinkedStop(says, "", f"example=the-cat{named}"),)))
    page = Lecture(f"example=the-cat&tour={tour}{named}")
    assert page.said["sentence"] == says
    its = page.said["part"]
    page.wish(part="together")
    assert page.said["sentence"] != says
    page.wish(part=its)
    assert page.said["sentence"] == says


def test_a_sentence_that_a_key_made_false_says_so() -> None:
    stop = TOURS["root"].stops[1]
    sides = "a.example=the-cat&a.head=3&b.example=the-cat&b.scale=none&a.tour=root&a.stop=2"
    page = Lecture(sides, "compare.py", "a")
    assert page.said["sentence"] == f"{stop.sentence} (2 of 4)"
    changed = Lecture(f"{sides}&b.mask=causal", "compare.py", "a")
    assert changed.said["sentence"] == f"Not true here: {stop.sentence} (2 of 4)"


# ---- the code -----------------------------------------------------------------------------------


def test_a_code_is_that_of_segno() -> None:
    rows = qr_code("https://example.org/?example=pizza")
    assert rows == tuple(
        "".join(map(str, row))
        for row in segno.make_qr("https://example.org/?example=pizza", error="l").matrix
    )


def test_the_longest_code_and_one_letter_more() -> None:
    assert len(qr_code("x" * MOST_BYTES)) == 177
    with pytest.raises(NoCodeError, match="has 2,954 characters, and a QR code holds 2,953"):
        qr_code("x" * (MOST_BYTES + 1))


def test_without_its_package_the_page_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "segno", None)
    with pytest.raises(NoCodeError) as refused:
        qr_code("a text that nobody has asked for before")
    assert str(refused.value) == NEEDS_SEGNO


def test_a_code_leads_to_the_page_and_not_to_the_presentation() -> None:
    said = _code(at_pizza(View(present=True, part="weights", head=1)))
    assert said["modules"] == list(qr_code("?example=pizza&head=2"))
    assert said["words"] == []


def test_a_dense_code_and_one_that_cannot_be_made_say_so() -> None:
    assert "(5" in _code(at_pizza(View(title="ä" * 80)))["words"][0]
    too_long = _code(Session(with_tokens(PIZZA, ["ä" * 70 + str(i) for i in range(8)])))
    assert too_long["modules"] == []
    assert "a QR code holds 2,953. Send the link by mail" in too_long["words"][0]
    too_large = _code(Session(with_matrix(load_example("pizza-1024"), "x", NUMBERS)))
    assert too_large["modules"] == []
    assert too_large["words"][0].startswith("This page holds too much for a link")


def test_a_code_of_this_machine_alone_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presented, "link_to_page", lambda *_: "http://localhost:8501?head=2")
    said = presented._code(at_pizza())
    assert said["host"] == "localhost:8501"
    assert said["words"] == [presented.OF_THIS_MACHINE]
