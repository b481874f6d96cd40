"""The page on which a head is built: the choice, the verdict, help, what is kept."""

from __future__ import annotations

import json
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any
from urllib.parse import parse_qsl, urlencode
from zlib import crc32

import numpy as np
import pytest

from mha_core import Mask
from mha_core.changing.changes import with_mask
from mha_core.io.scenario.stack_link import decode_stack
from mha_core.puzzles.ladder import PUZZLES, QUESTIONS
from mha_core.puzzles.puzzle import Puzzle
from mha_core.stack.stack import Stack
from tests.pages.lecture import Lecture
from tests.pages.page_visitor import PageVisitor
from tests.pages.visitor import unmarked
from tests.running_page import undo
from tests.ui.plot.node import answering
from tests.ui.plot.test_check import RUNNER as CHECK
from tests.ui.plot.test_check import told
from ui.blocks.building import puzzle_shown
from ui.blocks.building.puzzle_shown import puzzle_of
from ui.blocks.cell_entries import take_entries
from ui.blocks.for_class.slides_of_a_tour import slides_of_tour
from ui.edits.puzzle_entries import as_given, begun
from ui.edits.tour_text import pack_tour, read_tour
from ui.plot import Entry, OnLabel
from ui.state import opened_at
from ui.state.best_answers import KEY as BEST
from ui.state.best_answers import Best
from ui.state.tour_stops import tour_on_pages

FIELDS = ("block-of", "block-part", "block-text")


class Builder(PageVisitor):
    """A visitor of the page."""

    def __init__(self, address: str = "", **state: Any) -> None:
        super().__init__("build.py", address, "h", **state)

    def choose(self, name: str) -> Builder:
        return self.enter("h-puzzle", name)

    def fill(self, matrix: str, columns: str, text: str) -> Builder:
        which, part, block = self.fields
        self.enter(which, matrix).enter(part, columns)
        self.at.text_input(key=block).set_value(text)  # it is told with the press of the button
        return self.click("h-fill-it")

    @property
    def fields(self) -> list[str]:
        puzzle = crc32(self.view.puzzle.encode())
        return [f"h-{name} {puzzle}" for name in FIELDS]

    @property
    def best(self) -> dict[str, Best]:
        return dict(self.at.session_state[BEST])

    @property
    def matrices(self) -> dict[str, Any]:
        (plot,) = self.plots
        return {matrix["name"]: matrix for matrix in plot["figure"]["matrices"]}

    @property
    def address_now(self) -> str:
        return urlencode(self.address)


@pytest.fixture
def page() -> Builder:
    return Builder()


def test_it_begins_with_the_first_puzzle_and_zeros(page: Builder) -> None:
    assert page.stack == begun("itself")
    assert PUZZLES["itself"].job in page.words
    assert "3 of 43 sentences pass." in page.words
    assert "token 1 (a) gives token 1 (a) a weight of 0.33, at least 0.90 is right" in page.words


def test_what_is_wanted_stands_beside_what_is_made(page: Builder) -> None:
    wanted = page.matrices["wanted"]
    assert wanted["caption"] == "0 of 12 tokens are right"
    assert wanted["wanted_of"] == {"matrix": "weights/0", "least": 0.9}
    makes = page.choose("copy").matrices["wanted"]
    assert makes["wanted_of"] == {"matrix": "output", "within": 0.1}
    assert list(makes["column_labels"])[:6] == ["a", "b", "c", "d", "e", "place 1"]


@pytest.mark.parametrize("name", PUZZLES)
def test_each_puzzle_is_solved_by_its_solution_in_one_step(name: str) -> None:
    page = Builder(f"h.puzzle={name}").click("h-solve")
    assert "All 43 sentences pass. ★★★" in page.words
    assert page.best[name].stars == 3
    right, count = (int(n) for n in page.matrices["wanted"]["caption"].split()[0:3:2])
    assert right == count
    undo(page.session)
    assert page.stack == begun(name)


def test_only_what_is_free_may_be_written(page: Builder) -> None:
    given = {name for name, matrix in page.matrices.items() if matrix["given"]}
    assert given == {"w_q", "w_k"}
    entries = [
        *(Entry(1, "x", 0, 0, "7"), Entry(2, "w_v", 0, 0, "7"), Entry(3, "w_q", 0, 0, "7")),
        OnLabel(4, "x", "tokens", 0, "rename", "zebra", 0),
    ]
    take_entries(page.session, entries)
    page.run()
    w_q = np.zeros((13, 8))
    w_q[0, 0] = 7
    assert page.stack == PUZZLES["itself"].on_all_seen({"w_q": w_q})


def test_a_head_is_built_from_blocks(page: Builder) -> None:
    page.fill("w_q", "places", "4*I").fill("w_k", "places", "4*I")
    assert "All 43 sentences pass. ★★★" in page.words
    assert "Numbers that are not zero: 16." in page.words
    assert "A star" not in page.words
    page.fill("w_q", "all of it", "4*zebra")
    (refusal,) = page.at.error
    assert "4*zebra" in unmarked(refusal.value)
    assert "All 43 sentences pass." in page.words
    page.click("h-fill 0")
    assert not page.at.error
    assert not page.scenario.w_q.any()


def test_more_and_larger_numbers_than_needed_take_stars_away(page: Builder) -> None:
    page.fill("w_q", "places", "11*I").fill("w_k", "places", "4*I")
    assert "★★☆" in page.words
    assert "A star if none is larger than 10." in page.words
    page.fill("w_q", "words", "ones - ones + I")
    assert "★☆☆" in page.words
    assert "A star for at most 16." in page.words
    assert page.best["itself"].stars == 2


def test_of_two_heads_both_are_seen(page: Builder) -> None:
    page.choose("noisy-key")
    assert "token 1 (c) makes 0.00 in the column of place 2, 0.50 is right." in page.words
    shown = page.matrices
    assert {"weights/0", "weights/1"} <= set(shown)
    assert {name for name, matrix in shown.items() if matrix["given"]} == {"w_q", "w_o"}
    page.click("h-solve")
    again = Builder(page.address_now)
    assert again.stack == page.stack
    assert "All 43 sentences pass." in again.words


def test_a_column_that_is_no_word_has_its_name(page: Builder) -> None:
    page.choose("brackets-depth")
    assert "token 1 (() makes 0.00 in the column of depth, 1.00 is right." in page.words


def test_hints_come_one_after_the_other(page: Builder) -> None:
    hints = PUZZLES["itself"].hints
    for number, hint in enumerate(hints, 1):
        assert hint not in page.words
        page.click("h-hint")
        assert f"{number}. {hint}" in page.words
    assert page.at.button(key="h-hint").disabled  # it stays: the solution must not take its place
    assert page.address["h.hints"] == "3"
    page.choose("first")
    assert not page.at.button(key="h-hint").disabled


def test_what_was_written_is_there_again_after_other_puzzles(page: Builder) -> None:
    page.fill("w_q", "places", "3*I").choose("first").choose("itself")
    assert page.scenario.w_q[5, 0] == 3
    undo(page.session)
    assert page.run().stack == begun("itself")
    page.choose("first").choose("itself")
    assert page.stack == begun("itself")


def test_after_a_reload_the_best_answer_is_there_again(page: Builder) -> None:
    page.click("h-solve")
    kept = {"itself": page.best["itself"]}
    again = Builder("h.puzzle=first", **{BEST: kept}).choose("itself")
    assert "★★★" in again.words
    lost = Builder("h.puzzle=first", **{BEST: {"itself": Best(3, "tokens=")}}).choose("itself")
    assert lost.stack == begun("itself")


def test_the_next_puzzle_is_offered_once_one_is_right(page: Builder) -> None:
    assert "h-next-puzzle" not in {button.key for button in page.at.button}
    assert page.click("h-solve").click("h-next-puzzle").view.puzzle == "first"
    last = Builder("h.puzzle=brackets-whole").click("h-solve")
    assert last.click("h-next-puzzle").view.puzzle in QUESTIONS


def test_a_short_address_may_name_a_layer_of_its_puzzle() -> None:
    page = Builder("h.puzzle=induction&h.layer=2")
    assert not page.at.error
    assert page.session.layer == 1


@pytest.mark.parametrize("name", ["brackets-whole", "induction-word", "induction"])
def test_an_address_opens_the_layer_in_which_something_is_to_be_written(name: str) -> None:
    page = Builder(f"h.puzzle={name}")
    assert page.session.layer == Builder("h.puzzle=itself").choose(name).session.layer
    first = Builder(f"h.puzzle={name}&h.layer=1")
    assert first.session.layer == 0
    assert Builder(first.address_now).session.layer == 0


def test_a_block_of_another_layer_is_shown_once_it_is_filled() -> None:
    page = Builder("h.puzzle=two-back")
    page.choose("itself").choose("two-back")
    assert page.session.layer == 0
    page.fill("2.w_v", "words", "nothing")
    assert page.session.layer == 0
    page.fill("2.w_v", "words", "I")
    assert page.session.layer == 1


def test_what_was_to_be_filled_is_no_choice_of_another_puzzle(page: Builder) -> None:
    page.choose("noisy-key").enter(page.fields[0], "w_o").choose("two-back")
    shown = page.at.selectbox(key=page.fields[0])
    assert shown.value in PUZZLES["two-back"].free


def test_a_link_may_hide_hints_and_the_solution() -> None:
    page = Builder("h.hide=hints&h.puzzle=mean")
    assert not {"h-hint", "h-solve"} & {button.key for button in page.at.button}
    assert PUZZLES["mean"].job in page.words


def test_a_link_brings_puzzle_and_answer_back(page: Builder) -> None:
    page.choose("copy").click("h-solve")
    again = Builder(page.address_now)
    assert again.stack == page.stack
    assert "All 43 sentences pass." in again.words


def test_a_puzzle_alone_is_an_address() -> None:
    page = Builder("h.puzzle=two-words")
    assert page.stack == begun("two-words")
    assert not page.at.error
    assert page.session.history.at == 0


def test_a_link_of_other_shapes_says_so_and_begins_with_zeros() -> None:
    page = Builder("h.example=pizza&h.puzzle=first")
    assert page.stack == begun("first")
    (error,) = page.at.error
    assert "must come with arrays of its own shapes" in error.value
    assert page.session.history.at == 0


def test_why_a_block_was_refused_goes_when_something_else_is_done(page: Builder) -> None:
    page.fill("w_q", "places", "I@I@I").click("h-hint")
    assert page.at.error  # a hint changes nothing
    page.click("h-solve")
    assert "All 43 sentences pass. ★★★" in page.words
    assert not page.at.error
    page.fill("w_q", "places", "I@I@I")
    take_entries(page.session, [Entry(1, "w_q", 0, 0, "7")])
    page.run()
    assert not page.at.error


def test_an_unknown_puzzle_is_refused() -> None:
    page = Builder("h.puzzle=chess")
    (error,) = page.at.error
    assert "must be one of itself" in error.value
    assert page.stack == begun("itself")


def test_what_fails_opens_in_the_explorer_at_its_number(page: Builder) -> None:
    params = page.links["Open it at this number"]
    assert params["cell"] == "weights/0:1.1"
    assert decode_stack({k: v for k, v in params.items() if k != "cell"}).tokens == ("a", "b", "c")


def test_a_number_too_large_is_refused_and_nothing_is_lost(page: Builder) -> None:
    page.click("h-solve")
    page.fill("w_q", "places", "1e200*I").fill("w_k", "places", "1e200*I")
    assert page.at.error
    assert page.stack != begun("itself")


def test_heads_of_a_question_are_switched_off_and_nothing_else_is_changed() -> None:
    page = Builder().choose("read-lying").enter("h-enter-heads-on", [0])
    assert page.stack.first.heads_off == {1}
    likely = page.matrices["probabilities"]["values"]
    page.enter("h-enter-heads-on", [1])
    assert page.stack.first.heads_off == {0}
    assert not np.array_equal(page.matrices["probabilities"]["values"], likely)
    again = Builder(page.address_now)
    assert again.stack == page.stack


def test_an_answer_is_kept_as_link_and_file() -> None:
    page = Builder(**{"h-to-keep": True, "h-bare": True})
    sent = [node.proto for node in page.at.get("bidi_component")]
    (copied,) = [json.loads(p.json) for p in sent if p.component_name == "copy_text"]
    assert "h.hide=hints" in copied["text"]
    assert "Open this head in the explorer" in page.links


def test_what_is_seen_is_added_to_ones_own_tour() -> None:
    opened = {"h-to-tour": True, "the tab has told its tour": True}
    page = Builder("h.puzzle=first", **opened).click("h-solve").click("h-add-stop")
    (stop,) = read_tour(page.at.session_state["t-tour-draft"]).stops
    assert decode_stack(own(stop.query)) == page.stack


def own(query: str) -> dict[str, str]:
    return {name.removeprefix("h."): text for name, text in parse_qsl(query)}


def test_a_puzzle_is_a_stop_of_a_tour_and_a_slide() -> None:
    text = "# Heads\n\nNow you.\n/build?h.puzzle=copy\n\nAnd on.\n/?tokens=own+words+here"
    tour = tour_on_pages(pack_tour(read_tour(text)))
    page = Builder(urlencode(tour.stops[0].params))
    assert page.stack == begun("copy")
    assert "Heads Stop 1 of 2" in page.words
    assert "Now you." in page.words
    _, of_puzzle, of_own = slides_of_tour(tour)
    assert of_puzzle.title == PUZZLES["copy"].title
    assert [each.name for each in of_puzzle.figures[0].heatmaps][:4] == ["w_q", "w_k", "w_v", "w_o"]
    assert of_own.title == "Heads"  # words of one's own have no title


def test_a_choice_that_another_puzzle_does_not_have_is_forgotten(page: Builder) -> None:
    page.choose("copy").fill("w_o", "places", "I")
    page.choose("before-rope").click("h-fill 4*I")
    assert not page.at.error
    np.testing.assert_array_equal(page.scenario.w_q, 4 * np.eye(6, 8))


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_shows_weights_that_are_given_and_says_which_choice_is_true(name: str) -> None:
    question, page = QUESTIONS[name], Builder(f"h.puzzle={name}")
    assert page.stack == question.stack
    assert not [each["name"] for each in page.matrices.values() if each["given"]]
    assert "wanted" not in page.matrices
    assert question.asked in page.words
    take_entries(page.session, [Entry(1, "w_q", 0, 0, "7")])
    assert page.run().stack == question.stack
    right = question.right  # it is computed
    answer = page.at.radio(key=f"h-answer {name}")
    assert [*map(unmarked, answer.options)] == [choice.says for choice in question.choices]
    for place in range(len(question.choices)):
        page.at.radio(key=f"h-answer {name}").set_value(place)
        page.run()
        assert (question.why in page.words) == (place == right)
        assert ("look at the weights again" in page.words) == (place != right)
    again = Builder(page.address_now)
    assert again.stack == question.stack
    assert again.best == {}


def test_of_two_layers_one_is_written_at_a_time(page: Builder) -> None:
    page.choose("induction")
    assert {name for name, each in page.matrices.items() if each["given"]} == {
        *("w_q", "w_k", "w_v", "w_o")
    }
    assert page.matrices["wanted"]["wanted_of"]["matrix"] == "2.weights/0"
    page.session.look_at(layer=1)
    page.run()
    assert {name for name, each in page.matrices.items() if each["given"]} == {"w_q", "w_k"}
    take_entries(page.session, [Entry(1, "w_q", 1, 0, "5")])
    page.run()
    assert page.stack.above[0].w_q[1, 0] == 5
    assert not page.stack.first.w_q.any()
    page.fill("2.w_k", "free columns", "5*I")
    assert np.count_nonzero(page.stack.above[0].w_k) == 8
    again = Builder(page.address_now)
    assert (again.stack, again.session.layer) == (page.stack, 1)


def test_a_prediction_is_written_into_w_u(page: Builder) -> None:
    page.choose("add-digits")
    assert page.matrices["wanted"]["wanted_of"] == {"matrix": "probabilities", "times": 2}
    assert "the right word “7” has a probability of 0.05; it must be 2 times" in page.words
    entries = [
        Entry(1, "w_u", 11, 3, "2,5"),
        Entry(2, "w_u", 99, 3, "1"),
        Entry(3, "w_u", 0, 0, "x"),
    ]
    take_entries(page.session, entries)
    page.run()
    assert page.stack.w_u is not None
    assert page.stack.w_u[11, 3] == 2.5
    assert np.count_nonzero(page.stack.w_u) == 1
    assert any("W_U, row 1, column 1" in each.reason for each in page.session.refusals.values())
    take_entries(page.session, [Entry(4, "w_u", 0, 0, "")])
    page.run()
    assert not any("row 1, column 1" in each.reason for each in page.session.refusals.values())


def test_what_fails_in_layer_2_opens_there(page: Builder) -> None:
    page.choose("induction")
    params = page.links["Open it at this number"]
    assert params["layer"] == "2"
    assert params["cell"].startswith("weights/0:")
    explorer = PageVisitor("explore.py", urlencode(params))
    assert explorer.session.layer == 1
    assert explorer.session.view.cell is not None


@pytest.mark.parametrize("name", ["before", "copy", "induction", "add-digits", "read-waves"])
def test_a_puzzle_is_presented(name: str) -> None:
    lecture = Lecture(f"h.puzzle={name}", "build.py", "h")
    lecture.session.look_at(present=True)
    lecture.run()
    said = lecture.said
    assert said["title"] in {each.title for each in (*PUZZLES.values(), *QUESTIONS.values())}
    names = [each["name"] for each in lecture.figure["matrices"]]
    assert "w_v" in names or "w_q" in names
    assert ("wanted" in names) == (name in PUZZLES)
    before = lecture.stack
    lecture.session.attempt("mask", None, lambda s: with_mask(s, Mask()))
    lecture.run()
    assert lecture.stack == before  # what is given stays


@pytest.mark.parametrize("name", ["copy", "noisy-key", "induction-word"])
def test_an_answer_that_was_copied_without_a_server_opens(name: str) -> None:
    puzzle = PUZZLES[name]
    with answering(CHECK) as ask:
        (said,) = ask({"puzzle": told(puzzle), "answers": [puzzle.solution()]})
    page = Builder(said["link"].partition("?")[2])
    assert page.session.view.puzzle == name
    assert "All 43 sentences pass. ★★★" in page.words


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("induction", "The free columns of X are 0"),
        ("before-waves", "Waves tell the place"),
        ("induction-word", "W_U makes a logit for each word"),
    ],
)
def test_words_of_hints_that_nothing_else_names_are_explained(name: str, says: str) -> None:
    assert says in Builder(f"h.puzzle={name}").words
    assert says not in Builder("h.puzzle=copy").words


def test_a_number_that_arrives_while_a_run_looks_at_the_layers_is_not_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = opened_at({"puzzle": "brackets-whole"}, "h")
    puzzle_of(session)
    entry = Entry(1, "w_u", 3, 0, "7")
    with ThreadPoolExecutor() as threads:
        entered: list[Future[None]] = []

        def read(puzzle: Puzzle, stack: Stack) -> Stack:
            own = as_given(puzzle, stack)
            entered.append(threads.submit(take_entries, session, [entry]))
            wait([entered[0]], timeout=0.05)  # it would have been taken by then
            return own

        monkeypatch.setattr(puzzle_shown, "as_given", read)
        puzzle_of(session)
        entered[0].result()
    assert session.stack.w_u is not None
    assert session.stack.w_u[3, 0] == 7
