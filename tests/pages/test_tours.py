"""Tours on their pages: from stop to stop, what a person changes there, and a person's own tour.

Takes long: each test runs a whole page without a browser, a tenth of a second of the processor a
run.
"""

from __future__ import annotations

import json
from urllib.parse import parse_qsl, unquote, urlencode

import numpy as np
import pytest

from mha_core.changing.changes import with_matrix
from mha_core.examples import load_example
from mha_core.guide.tours import TOURS
from tests.pages.lecture import Lecture
from tests.pages.page_visitor import PageVisitor
from tests.serving import ROOT
from ui.blocks.claims import NOT_TRUE
from ui.blocks.for_class.slides_of_a_tour import slides_of_tour
from ui.blocks.tours.bar import ELSEWHERE, LIST_OF_TOURS, LOOKED_AT
from ui.blocks.tours.own import FIRST_TEXT
from ui.edits.tour_text import OR_A_TITLE, LinkedStop, OwnTour, pack_tour, read_tour, unpack_tour
from ui.state import sessions_of_page
from ui.state.tour_stops import FILES, FIRST, SESSIONS, StopOnPage, tour_on_pages

TOLD = "the tab has told its tour"
NUMBERS = np.random.default_rng(1).normal(size=(4, 1024))
OWN = """\
# Masks

Nothing is hidden.
/?example=causal&mask=none&decimals=3

Apply the mask.
https://example.org/course/walkthrough?example=causal&screen=mask
"""


def at_stop(stop: StopOnPage, **also: str) -> PageVisitor:
    address = urlencode({**stop.params, **also})
    return PageVisitor(FILES[stop.page], address, SESSIONS[stop.page][0])


def walk(tour: str, stop: int, **also: str) -> PageVisitor:
    return at_stop(tour_on_pages(tour).stops[stop - 1], **also)


@pytest.mark.parametrize("name", TOURS)
def test_each_stop_of_a_tour_opens_without_a_complaint(name: str) -> None:
    for stop in tour_on_pages(name).stops:
        page = at_stop(stop)
        assert stop.sentence in page.words
        assert NOT_TRUE not in page.words
        assert "✗" not in page.words
        assert not page.session.refusals


def test_next_leads_to_the_last_stop_of_a_page_and_back_again() -> None:
    page, tour = walk("000", 1), TOURS["000"]
    for number, stop in enumerate(tour.stops, 1):
        assert f"Stop {number} of {len(tour.stops)}" in page.words
        assert page.view.screen == stop.screen
        assert (page.view.head or 0) == stop.head
        assert page.address.get("stop", "1") == str(number)
        if number < len(tour.stops):
            page.press("Next stop")
    assert "The end: all tours" in page.links
    for number in range(len(tour.stops) - 1, 0, -1):
        assert f"Stop {number} of" in page.press("Previous stop").words
    assert page.at.button(key="tour-back").disabled


def test_a_stop_brings_its_own_scenario() -> None:
    page = walk("002", 2)
    assert page.scenario == load_example("pizza-1024")
    assert page.press("Next stop").scenario == load_example("pizza")


def test_a_stop_on_another_page_is_reached_by_a_link() -> None:
    here = walk("tellings", 7)
    there = here.links["Next stop"]
    assert there == tour_on_pages("tellings").stops[7].params
    compared = PageVisitor("compare.py", urlencode(there), "a")
    assert TOURS["tellings"].stops[7].sentence in compared.words
    assert compared.links["Previous stop"]["screen"] == "scores"
    assert compared.press("Next stop").view.step == "output"


def test_in_a_tour_the_next_stop_takes_the_place_of_the_questions() -> None:
    page = walk("tellings", 8)
    assert not [key for button in page.at.button if (key := button.key or "").startswith("a-ask")]
    page.press("Leave")
    assert [key for button in page.at.button if (key := button.key or "").startswith("a-ask")]


def test_a_number_of_a_document_stands_beside_ours() -> None:
    words = walk("001", 2).words
    assert "Queries of head 1 ✓ document 1.2 1.5 1.8 2.4 3.0 3.6" in words
    assert "here 1.2 1.5 1.8 2.4 3.0 3.6" in words
    assert "Scaled scores of head 1 ✓ worked out independently 4.00103737" in walk("001", 5).words


def test_an_erratum_stands_where_it_occurs() -> None:
    assert "Erratum, Step 2, the cell with split_heads." in walk("001", 3).words
    assert "Erratum" not in walk("001", 2).words


def test_after_a_change_the_bar_says_what_is_not_true() -> None:
    page = walk("001", 2)
    x = page.scenario.x.copy()
    x[1, 0] = 5
    page.session.open(with_matrix(page.scenario, "x", x), page.view)
    words = page.run().words
    assert f"get the same query. {NOT_TRUE}." in words
    assert "Queries of head 1 ✗ document 1.2" in words
    assert NOT_TRUE not in page.press("Show again").words
    assert page.scenario == load_example("three-tokens")


def test_a_change_of_sizes_leaves_only_the_document_s_numbers() -> None:
    page = walk("000", 8)
    page.session.go_to(load_example("one-head"))
    words = page.run().words
    assert "Weights of head 2 ✗ worked out independently 0.5" in words
    assert "here" not in words.partition("Weights of head 2")[2][:80]


def test_the_decimals_and_colours_of_a_person_stay_on_the_way() -> None:
    page = walk("000", 1, decimals="4", palette="teal")
    assert page.press("Next stop").view.decimals == 4
    assert page.view.palette == "teal"


def test_a_tour_can_be_left() -> None:
    page = walk("000", 3).press("Leave")
    assert "Stop 3" not in page.words
    assert page.address == {"example": "split-only", "screen": "split"}


@pytest.mark.parametrize("number", [1, 2])  # on the walkthrough, and on the comparison
def test_who_leaves_a_tour_has_again_what_was_there_before(number: int) -> None:
    page = PageVisitor("explore.py", "example=pizza&decimals=4")
    before = page.scenario
    for stop in tour_on_pages("root").stops[:number]:
        go_to(page, stop)
        assert page.scenario != before
    page.press("Leave")
    page.name = ""
    assert page.scenario == before
    assert page.view.decimals == 4
    assert not page.view.tour
    assert "Stop" not in page.words
    assert page.session.history.at == page.session.history.last


def go_to(page: PageVisitor, stop: StopOnPage) -> None:
    page.at.switch_page(FILES[stop.page])
    page.at.query_params.clear()
    for param, text in stop.params.items():
        page.at.query_params[param] = text
    page.name = SESSIONS[stop.page][0]
    page.run()


def test_undo_leads_back_to_the_stop_before() -> None:
    page = walk("002", 2).press("Next stop")
    page.session.step_to(page.session.history.at - 1)
    assert "Stop 2 of 11" in page.run().words


@pytest.mark.parametrize("page", ["explore.py", "walkthrough.py", "tours.py"])
@pytest.mark.parametrize("also", ["", "example=pizza&"])
def test_a_stop_behind_the_end_is_refused_and_nothing_is_said_of_it(page: str, also: str) -> None:
    name = "t" if page == "tours.py" else ""
    words = PageVisitor(page, f"{also}tour=000&stop=12", name).words
    assert "must be a whole number from 1 to 11, got '12'" in words
    assert "of 11 " not in words
    assert NOT_TRUE not in words


@pytest.mark.parametrize("page", ["explore.py", "walkthrough.py", "compare.py", "tours.py"])
@pytest.mark.parametrize(("tour", "stop"), [("000", 5), ("tellings", 9)])
def test_a_link_with_a_stop_alone_leads_to_it(page: str, tour: str, stop: int) -> None:
    there = tour_on_pages(tour).stops[stop - 1]
    name = SESSIONS[there.page][0]
    led = PageVisitor(page, f"tour={tour}&stop={stop}&utm_source=mail", name)
    straight = at_stop(there)
    assert there.sentence in led.words
    assert ELSEWHERE not in led.words
    assert not led.session.refusals
    assert (led.scenario, led.view) == (straight.scenario, straight.view)


def test_a_tour_alone_begins_at_its_first_stop() -> None:
    page = PageVisitor("explore.py", "tour=000")
    assert page.scenario == load_example("split-only")
    assert "Stop 1 of 11" in page.words


def test_a_stop_whose_link_says_nothing_is_where_it_is() -> None:
    word = pack_tour(OwnTour("One stop", (LinkedStop("Look here.", "", ""),)))
    page = PageVisitor("explore.py", f"tour={word}&stop=1")
    assert "Look here." in page.words
    assert ELSEWHERE not in page.words


@pytest.mark.parametrize("page", FILES)
def test_a_stop_whose_link_names_a_page_alone_shows_what_that_page_shows_alone(page: str) -> None:
    stops = (LinkedStop("Begin.", "", "example=pizza"), LinkedStop("Look here.", page, ""))
    word = pack_tour(OwnTour("Two stops", stops))
    first = SESSIONS[page][0]
    as_ever = "" if page in FIRST else "example=two-tokens"  # what such a link always meant
    alone = PageVisitor(FILES[page], as_ever, first)
    for address in (f"tour={word}&stop=2", urlencode(tour_on_pages(word).stops[1].params)):
        there = PageVisitor(FILES[page], address, first)
        assert "Look here." in there.words
        assert ELSEWHERE not in there.words
        theirs, ours = (sessions_of_page(visitor.session) for visitor in (alone, there))
        assert [each.scenario for each in ours] == [each.scenario for each in theirs]


def test_back_to_a_link_with_a_stop_alone_does_not_lead_away_again() -> None:
    page = PageVisitor("explore.py", "tour=000&stop=3")
    page.at.switch_page("explore.py")
    page.at.query_params.update({"tour": "000", "stop": "3"})
    page.run()
    assert ELSEWHERE in page.words
    assert page.scenario == load_example("split-only")


def test_a_stop_on_the_wrong_page_leads_to_its_own() -> None:
    page = PageVisitor("walkthrough.py", "example=pizza&tour=tellings&stop=8")
    assert page.links["Show again"]["a.step"] == "w_q"


@pytest.mark.parametrize(
    ("page", "address", "says"),
    [
        ("explore.py", "tour=005", "tour in the address must be one of root,"),
        ("walkthrough.py", "tour=~abc", "The tour in the link must be whole"),
        (
            "explore.py",
            "tour=000&stop=0",
            "stop in the address must be a whole number from 1 to 11",
        ),
        ("tours.py", "tour=~abc", "The tour in the link must be whole"),
    ],
)
def test_a_wrong_tour_in_an_address_is_put_right_in_words(
    page: str, address: str, says: str
) -> None:
    name = "t" if page == "tours.py" else ""
    assert says in PageVisitor(page, address, name).words


# ---- the pages that stops lead to ----------------------------------------------------------------


def test_stops_may_lead_to_every_page_with_something_to_look_at() -> None:
    pages = {file.name for file in (ROOT / "pages").glob("*.py")}
    others = {"navigation.py", LIST_OF_TOURS, "exercise.py", "real_layers.py", "for_class.py"}
    assert {*FILES.values()} == pages - others
    assert FILES.keys() == SESSIONS.keys() == LOOKED_AT.keys()


@pytest.mark.parametrize("page", FILES)
def test_a_page_that_stops_lead_to_has_its_sessions_and_the_bar(page: str) -> None:
    tour = OwnTour("One stop", (LinkedStop("Look here.", page, "decimals=3"),))
    visitor = PageVisitor(FILES[page], urlencode({"tour": pack_tour(tour)}), SESSIONS[page][0])
    names = [session.name for session in sessions_of_page(visitor.session)]
    assert tuple(names) == SESSIONS[page]
    assert "Stop 1 of 1" in visitor.words
    assert ELSEWHERE not in visitor.words


# ---- one of one's own ---------------------------------------------------------------------------


def test_an_own_tour_leads_through_its_pages_from_its_link() -> None:
    word = pack_tour(read_tour(OWN))
    explorer = PageVisitor("explore.py", f"example=causal&mask=none&decimals=3&tour={word}&stop=1")
    assert "Masks Stop 1 of 2" in explorer.words
    assert "Nothing is hidden." in explorer.words
    there = explorer.links["Next stop"]
    assert there == {
        "decimals": "3",
        "example": "causal",
        "screen": "mask",
        "tour": word,
        "stop": "2",
    }
    walked = PageVisitor("walkthrough.py", urlencode(there))
    assert "Apply the mask." in walked.words
    assert walked.view.screen == "mask"


def test_who_changed_nothing_is_not_told_of_a_change() -> None:
    word = pack_tour(read_tour(OWN))
    page = PageVisitor("explore.py", f"tour={word}&stop=1")
    (claims,) = [node.value for node in page.at.get("html") if 'class="claims"' in node.value]
    assert f'title="{NOT_TRUE}"' in claims
    assert "change" not in NOT_TRUE


def test_how_a_title_is_written_is_said_above_the_text() -> None:
    assert OR_A_TITLE in PageVisitor("tours.py", name="t").words


def copied(page: PageVisitor) -> str:
    """The link to the tour, as it can be copied."""
    sent = [node.proto for node in page.at.get("bidi_component")]
    (text,) = [json.loads(p.json)["text"] for p in sent if p.component_name == "copy_text"]
    return text


def in_address(page: PageVisitor) -> dict[str, str]:
    """What the browser is told to put into the address."""
    sent = [node.proto for node in page.at.get("bidi_component")]
    (put,) = [json.loads(p.json) for p in sent if p.component_name == "address_of_page"]
    assert put["page"] == "tours"
    return dict(parse_qsl(put["query"]))


def test_a_text_becomes_a_tour_and_the_address_keeps_it() -> None:
    page = PageVisitor("tours.py", name="t")
    assert page.at.text_area[0].value == FIRST_TEXT
    page.enter("t-tour-text", OWN)
    assert page.at.button(key="t-begin-tour").label == "Begin: 2 stops"
    word = in_address(page)["tour"]
    assert f"tour={word}" in unquote(copied(page))
    assert unpack_tour(word).title == "Masks"
    again = PageVisitor("tours.py", f"tour={word}", "t")
    assert read_tour(again.at.text_area[0].value).stops[1].page == "walkthrough"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("No link.", "The sentence in line 1 must have a link below it"),
        ("One.\n/?example=nothing", "Line 2: "),
        ("One.\n/?example=pizza\n\nTwo.\n/compare?a.heads=99&b.example=pizza", "Line 5: "),
        ("One.\nhttps://example.org/watch?v=1", "Line 2: The address must hold only parameters"),
    ],
)
def test_what_is_wrong_with_a_text_is_said_and_it_cannot_begin(text: str, says: str) -> None:
    page = PageVisitor("tours.py", name="t").enter("t-tour-text", text)
    (error,) = page.at.error
    assert says in page.words
    assert error.value
    assert page.at.button(key="t-begin-tour").disabled
    assert copied(page) == ""


def adding(page: str, address: str, name: str = "") -> PageVisitor:
    """At "Add to my tour", in a tab that has kept nothing from before."""
    opened = f"{name}-to-tour".removeprefix("-")
    return PageVisitor(page, address, name, **{opened: True, TOLD: True})


def test_a_stop_waits_for_the_tour_that_the_tab_has_kept() -> None:
    page = PageVisitor("explore.py", "example=pizza", **{"to-tour": True}).click("add-stop")
    assert "t-tour-draft" not in page.at.session_state
    page.at.session_state["t-tour-draft"] = OWN
    page.at.session_state[TOLD] = True
    assert "It is stop 3 of your tour." in page.run().words
    assert len(added_stops(page)) == 3


def added_stops(page: PageVisitor) -> list[dict[str, str]]:
    """What the links of a person's own tour say."""
    text = page.at.session_state["t-tour-draft"]
    return [dict(parse_qsl(stop.query)) for stop in read_tour(text).stops]


def test_a_stop_keeps_the_part_that_it_presents_and_another_may_be_chosen() -> None:
    page = adding("explore.py", "example=pizza&head=2").click("add-stop")
    page.enter("stop-part", "together").click("add-stop")
    assert added_stops(page) == [
        {"example": "pizza", "head": "2", "part": "weights"},
        {"example": "pizza", "head": "2", "part": "together"},
    ]
    word = pack_tour(read_tour(page.at.session_state["t-tour-draft"]))
    (_, stop) = tour_on_pages(word).stops
    there = PageVisitor("explore.py", urlencode(stop.params), **{"to-tour": True})
    assert there.at.selectbox(key="stop-part").value == "together"  # as the stop has it
    presented = Lecture(urlencode(stop.params))
    assert presented.said["part"] == "together"
    (slide,) = slides_of_tour(tour_on_pages(word))[2:]
    assert [each.name for each in slide.figures[0].heatmaps] == ["concat", "w_o", "output"]


def test_a_stop_of_the_walkthrough_keeps_its_screen() -> None:
    page = adding("walkthrough.py", "example=pizza&screen=scores").click("add-stop")
    assert added_stops(page) == [{"example": "pizza", "screen": "scores"}]


def test_a_stop_of_a_comparison_presents_it() -> None:
    address = "a.example=pizza&b.example=pizza&b.mask=none"
    page = adding("compare.py", address, "a")
    page.click("a-add-stop").enter("a-stop-part", "difference").click("a-add-stop")
    parts = [stop["a.part"] for stop in added_stops(page)]
    assert parts == ["beside", "difference"]


def test_a_slide_of_a_comparison_shows_the_head_that_its_sentence_is_about() -> None:
    *_, slide = slides_of_tour(tour_on_pages("causal"))
    assert slide.sentence.startswith("Head 4")
    assert [[each.name for each in side.heatmaps] for side in slide.figures] == [["weights/3"]] * 3
    assert slide.title == "Weights: A, B and B − A"
    assert [name.split(",")[0] for name in slide.names] == ["A", "B", "B − A"]


@pytest.mark.parametrize("step", ["context", "w_g"])
def test_a_step_that_neither_side_has_is_presented_as_the_weights(step: str) -> None:
    address = f"a.example=pizza&b.example=pizza&b.scale=none&a.step={step}"
    (_, slide) = slides_of_tour(tour_on_pages(pack_tour(read_tour(f"Look.\n/compare?{address}"))))
    assert slide.title == "Weights: A, B and B − A"
    presented = Lecture(f"{address}&a.present=1", "compare.py", "a")
    assert presented.said["title"] == "Weights: A, B and B − A"


def test_a_slide_of_a_comparison_shows_all_heads_or_the_side_of_its_stop() -> None:
    address = "/compare?a.example=pizza&b.example=pizza&b.scale=none"
    said = f"Look.\n{address}\n\nAnd.\n{address}&a.part=difference"
    _, all_sides, alone = slides_of_tour(tour_on_pages(pack_tour(read_tour(said))))
    assert [len(side.heatmaps) for side in all_sides.figures] == [2, 2, 2]
    assert alone.title == "B − A: weights"
    assert [len(side.heatmaps) for side in alone.figures] == [2]
    assert alone.names == ()


def test_tours_that_name_no_part_and_those_of_before_still_open() -> None:
    before = "Look.\n/?example=pizza\n\nAnd.\n/compare?a.example=pizza&b.example=causal&a.part=b"
    weights, side = tour_on_pages(pack_tour(read_tour(before))).stops
    assert Lecture(urlencode(weights.params)).said["part"] == "weights"
    assert Lecture(urlencode(side.params), "compare.py", "a").said["part"] == "b"


def test_a_page_that_is_too_large_for_a_link_becomes_no_stop() -> None:
    page = PageVisitor("explore.py", "example=pizza-1024", **{"to-tour": True})
    page.session.open(with_matrix(load_example("pizza-1024"), "x", NUMBERS))
    page.run()
    assert not [button for button in page.at.button if button.key == "add-stop"]
    assert "too much for a link" in page.words


def test_a_text_stays_while_other_pages_are_looked_at() -> None:
    page = PageVisitor("tours.py", name="t").enter("t-tour-text", OWN)
    page.at.switch_page("explore.py")
    page.run()
    page.at.switch_page("tours.py")
    assert page.run().at.text_area[0].value == OWN


def test_what_was_written_can_be_brought_back() -> None:
    page = PageVisitor("tours.py", name="t").enter("t-tour-text", OWN).click("t-change-000")
    assert page.at.text_area[0].value.startswith("# Overview of Multi-Head Attention")
    assert page.press("Bring my text back").at.text_area[0].value == OWN


def test_no_button_brings_back_what_nobody_has_written() -> None:
    page = PageVisitor("tours.py", name="t").click("t-change-000")
    assert "Bring my text back" not in page.buttons


def test_who_looks_elsewhere_is_told_the_way_back() -> None:
    page = walk("000", 4)
    assert ELSEWHERE not in page.words
    page.session.look_at(screen="input")
    assert ELSEWHERE in page.run().words
    assert ELSEWHERE not in page.press("Show again").words
    page.session.look_at(head=1)
    assert ELSEWHERE in page.run().words


def test_at_a_stop_all_numbers_are_there() -> None:
    for page, by_itself in ((walk("000", 4), False), (walk("000", 4).press("Leave"), True)):
        (plot,) = page.plots
        assert plot["figure"]["walk"]["begins_by_itself"] == by_itself


def test_each_of_ours_can_be_taken_as_a_text() -> None:
    page = PageVisitor("tours.py", name="t")
    for name, tour in TOURS.items():
        page.click(f"t-change-{name}")
        text = page.at.text_area[0].value
        assert [stop.sentence for stop in read_tour(text).stops] == [
            stop.sentence for stop in tour.stops
        ]
        assert not page.at.error
        assert page.at.button(key="t-begin-tour").label == f"Begin: {len(tour.stops)} stops"


def test_one_of_ours_begins_at_its_first_stop() -> None:
    *_, name = TOURS
    page = PageVisitor("tours.py", name="t").click(f"t-begin-{name}")
    assert TOURS[name].stops[0].sentence in page.words


# ---- of several layers --------------------------------------------------------------------------


def test_a_stop_about_layer_2_shows_it_and_the_one_before_shows_layer_1() -> None:
    page = walk("two-layers", 3)
    assert (page.session.layer, page.scenario) == (0, load_example("induction"))
    page.press("Next stop")
    assert (page.session.layer, page.address["layer"]) == (1, "2")
    assert page.scenario.x[1].nonzero()[0].tolist() == [1, 5, 9]  # b, its place, and the a before
    assert NOT_TRUE not in page.words


def test_who_looks_at_another_layer_is_told_so_and_the_sentence_stays_true() -> None:
    page = walk("two-layers", 6)
    page.session.look_at(layer=0)
    words = page.run().words
    assert ELSEWHERE in words
    assert f"(e¹⁰ + 3). {NOT_TRUE}" not in words
    assert ELSEWHERE not in page.press("Show again").words


def test_a_slide_of_a_stop_shows_its_layer() -> None:
    *_, slide = slides_of_tour(tour_on_pages("two-layers"))
    (weights,) = slide.figures[0].heatmaps
    assert round(float(weights.values[-1, 1]), 6) == 0.999864
