"""The grid of an editor: what is typed or pasted becomes the scenario, or stays until mended."""

from __future__ import annotations

import json

import numpy as np
import pytest

from mha_core import Scenario
from mha_core.changing.changes import with_changes, with_matrix, with_own_values, with_tokens
from mha_core.examples import load_example
from tests.ui.editor_page import page
from ui.edits.editable_array import EDITABLE, Editable

HOSTILE = ("<img src=x onerror=alert(1)>", "**b** :red[x]", "", "x" * 200)


@pytest.mark.parametrize("name", EDITABLE)
def test_every_array_opens_with_all_its_digits(name: str) -> None:
    s = with_own_values(load_example("translation"))
    shown = np.array([[float(text) for text in row] for row in page(name, scenario=s).grid])
    assert shown.tobytes() == Editable(name).numbers(s).tobytes()


def test_whole_numbers_are_short_and_thirds_are_exact() -> None:
    s = load_example("three-tokens")
    x = s.x.copy()
    x[0, :3] = 1 / 3, 100, -0.0
    assert page(scenario=with_matrix(s, "x", x)).grid[0][:3] == ["0.3333333333333333", "100", "-0"]


@pytest.mark.parametrize(
    ("text", "value"),
    [("1e-3", 0.001), ("-2,5", -2.5), ("1/3", 1 / 3), ("\N{MINUS SIGN}4", -4.0), (".5", 0.5)],
)
def test_a_number_as_people_write_it_is_taken_and_left_as_it_was_written(
    text: str, value: float
) -> None:
    p = page()
    p.type({(1, 2): text})
    assert p.scenario.x[1, 2] == value
    assert p.grid[1][2] == text
    assert p.errors == []


def test_edits_one_after_another_all_count_and_the_grid_is_left_alone() -> None:
    p = page()
    opened = p.opened
    for column, text in enumerate(["7", "8", "9"]):
        p.type({(0, column): text})
        p.run()
    assert p.scenario.x[0].tolist() == [7, 8, 9, 0, 1, 0]
    assert p.opened == opened
    assert len(p.session.history.moments) == 4


def test_a_pasted_block_is_one_step() -> None:
    p = page()
    p.type({(0, 0): "7", (0, 1): "8", (1, 0): "1,5", (1, 1): "1e1"})
    assert p.scenario.x[:2, :2].tolist() == [[7, 8], [1.5, 10]]
    assert len(p.session.history.moments) == 2


def test_junk_is_refused_by_its_place_and_stays_with_the_last_good_scenario() -> None:
    p = page(scenario="pizza")
    before = p.scenario
    p.type({(1, 2): "abc"})
    assert p.errors == [
        "X, row 2 (LOVE), column 3 must hold numbers only, got 'abc'. Write it like 0.5, -2, 1e-3 "
        "or 1/3, without units, underscores or thousands separators, and leave out headers and "
        "labels."
    ]
    assert p.grid[1][2] == "abc"
    assert p.scenario is before
    p.run()
    assert p.grid[1][2] == "abc"


def test_what_is_typed_beside_junk_waits_until_the_junk_is_mended() -> None:
    p = page()
    opened = p.opened
    p.type({(1, 2): "abc"})
    p.type({(0, 0): "7"})
    assert p.scenario.x[0, 0] == 1
    assert p.grid[0][0] == "7"
    p.type({(1, 2): "5"})
    assert p.errors == []
    assert (p.scenario.x[0, 0], p.scenario.x[1, 2]) == (7, 5)
    assert p.opened == opened
    assert len(p.session.history.moments) == 2


def test_several_wrong_cells_are_counted() -> None:
    p = page()
    p.type({(0, 0): "a", (1, 1): "b"})
    assert p.errors[0].startswith("X, row 1 (t1), column 1 must")
    assert p.errors[0].endswith(" 1 more cell is wrong.")
    p.type({(2, 2): "c"})
    assert p.errors[0].endswith(" 2 more cells are wrong.")


def test_a_deleted_cell_is_refused_in_words() -> None:
    p = page()
    p.type({(0, 0): None})
    assert p.errors == [
        "X, row 1 (t1), column 1 must have a number in every cell, got an empty cell. "
        "Write 0 where you mean zero."
    ]


@pytest.mark.parametrize("text", ["1,2,3", "1;2", "1 2"])
def test_several_numbers_in_a_cell_are_sent_to_the_text_box(text: str) -> None:
    p = page()
    p.type({(0, 0): text})
    assert p.errors[0].endswith("Enter several numbers at once under Text.")


def test_numbers_that_overflow_are_refused_and_kept_too() -> None:
    p = page()
    p.type({(0, 0): "1e99", (0, 1): "1e99"})
    p.type({(1, 0): "1e101"})
    assert "must hold finite numbers of at most 1e+100" in p.errors[0]
    assert p.grid[1][0] == "1e101"


def test_undo_takes_the_grid_along() -> None:
    p = page()
    p.type({(0, 0): "7"})
    p.type({(0, 0): "8"})
    p.press("Undo")
    assert p.grid[0][0] == "7"
    p.type({(0, 1): "9"})
    assert p.scenario.x[0, :2].tolist() == [7, 9]


def test_undo_gives_up_what_was_refused() -> None:
    p = page()
    p.type({(0, 0): "7"})
    p.type({(0, 1): "abc"})
    p.press("Undo")
    assert p.errors == []
    assert p.grid[0][:2] == ["1", "0"]


def test_undo_of_something_else_gives_up_what_was_refused_too() -> None:
    p = page()
    p.type({(0, 0): "7"})
    p.change(lambda s: with_matrix(s, "w_q", s.w_q + 1))
    p.type({(0, 1): "abc"})
    p.press("Undo")
    assert p.errors == []
    assert p.grid[0][:2] == ["7", "0"]


def test_zero_and_minus_zero_are_two_texts() -> None:
    p = page()
    p.type({(0, 0): "7", (0, 1): "-0"})
    assert np.signbit(p.scenario.x[0, 1])
    p.change(lambda s: with_matrix(with_matrix(s, "x", abs(s.x)), "w_q", s.w_q + 1))
    assert p.grid[0][:2] == ["7", "0"]


def test_a_change_of_the_array_elsewhere_opens_it_anew() -> None:
    p = page()
    p.type({(0, 0): "abc"})
    p.change(lambda s: with_matrix(s, "x", s.x + 1))
    assert p.grid[0][:2] == ["2", "1"]
    assert p.errors == []


def test_a_change_of_something_else_leaves_the_grid_alone() -> None:
    p = page()
    opened = p.opened
    p.type({(0, 0): "7"})
    p.type({(0, 1): "abc"})
    p.change(lambda s: with_matrix(s, "w_q", s.w_q + 1))
    assert p.opened == opened
    assert p.grid[0][:2] == ["7", "abc"]
    assert len(p.errors) == 1


def test_other_names_of_the_tokens_keep_what_was_typed() -> None:
    p = page()
    p.type({(0, 0): "7"})
    p.type({(0, 1): "abc"})
    p.change(lambda s: with_tokens(s, ["A", "A", "B"]))
    assert list(p.at.data_editor[0].value.index) == ["A", "A", "B"]
    assert p.grid[0][:2] == ["7", "abc"]
    p.type({(1, 1): "3"})
    assert p.errors[0].startswith("X, row 1 (A), column 2 must hold numbers only, got 'abc'.")
    p.type({(0, 1): "2"})
    assert p.scenario.x[:2, :2].tolist() == [[7, 2], [0, 3]]


def test_what_was_typed_is_there_after_a_visit_elsewhere() -> None:
    p = page()
    p.type({(0, 0): "1/3"})
    p.type({(0, 1): "abc", (1, 1): "5"})
    p.go_elsewhere_and_back()
    assert p.grid[0][:2] == ["1/3", "abc"]
    assert len(p.errors) == 1
    p.type({(0, 1): "2"})
    assert p.scenario.x[:2, :2].tolist() == [[1 / 3, 2], [0, 5]]
    assert p.errors == []


def test_good_numbers_are_there_after_a_visit_elsewhere() -> None:
    p = page()
    p.type({(0, 0): "1/4"})
    p.go_elsewhere_and_back()
    assert p.grid[0][0] == "0.25"
    assert len(p.session.history.moments) == 2


def test_one_head_is_edited_without_the_others() -> None:
    p = page("w_q", 1, "pizza")
    before = p.scenario
    p.type({(0, 0): "42"})
    expected = before.w_q.copy()
    expected[0, 4] = 42
    assert np.array_equal(p.scenario.w_q, expected)


def test_a_head_is_passed_over_where_there_are_no_heads() -> None:
    p = page("x", 1, "pizza")
    p.type({(0, 0): "42"})
    assert p.scenario.x[0, 0] == 42


def test_a_bias_that_was_left_out_begins_with_zeros() -> None:
    p = page("b_o")
    p.type({(0, 1): "0.5"})
    assert p.scenario.b_o is not None
    assert p.scenario.b_o.tolist() == [0, 0.5, 0, 0, 0, 0]
    p.press("Leave out")
    assert p.scenario.b_o is None
    assert p.grid == [["0"] * 6]


def test_a_zero_in_the_custom_mask_hides() -> None:
    p = page("mask.custom", scenario="pizza")
    p.type({(3, 0): "0"})
    assert not p.scenario.mask.allowed(4, 4)[3, 0]
    p.type({(3, 1): "2"})
    assert p.errors == [
        "The drawn mask, row 4 (PIZZA), column 2 (LOVE) must hold 1 (may attend) and 0 (hidden), "
        "got '2'. Write 0 or 1."
    ]


def test_the_additive_mask_takes_minus_infinity_and_shows_it() -> None:
    p = page("mask.additive", scenario="pizza")
    p.type({(3, 0): "\N{MINUS SIGN}inf", (3, 1): "0.5"})
    assert p.scenario.mask.additive is not None
    assert p.scenario.mask.additive[3, :2].tolist() == [-np.inf, 0.5]
    p.go_elsewhere_and_back()
    assert p.grid[3][:2] == ["-inf", "0.5"]


def test_without_a_second_sequence_there_is_nothing_to_edit() -> None:
    p = page("context")
    assert [caption.value for caption in p.at.caption] == [
        "There is no second sequence. Enter its tokens first."
    ]


def test_a_browser_that_sends_nonsense_changes_nothing() -> None:
    p = page()
    states = p.at._tree.get_widget_states()
    edits = {"edited_rows": {"0": {"c0": "1"}, "-1": {"c0": "5"}, "1": {}}}
    states.widgets.add(id=p.at.data_editor[0].proto.id, string_value=json.dumps(edits))
    before = p.scenario
    p.at._run(states)
    assert p.scenario == before


# Large arrays


@pytest.fixture(scope="module")
def wide() -> Scenario:
    return with_changes(load_example("pizza"), sizes={"d_model": 1024, "n_heads": 8})


def test_a_large_array_is_shown_in_windows(wide: Scenario) -> None:
    p = page("w_q", scenario=wide)
    assert np.shape(p.grid) == (64, 64)
    p.at.selectbox[0].set_value(960)
    p.at.selectbox[1].set_value(128)
    p.run()
    assert p.at.selectbox[0].options[-1] == "961 to 1024 of 1024"
    p.type({(63, 1): "42"})
    assert p.scenario.w_q[1023, 129] == 42
    assert np.count_nonzero(p.scenario.w_q != wide.w_q) == 1
    p.type({(0, 0): "abc"})
    assert p.errors[0].startswith("W_Q, row 961, column 129 (2.1) must hold numbers only")


def test_junk_waits_in_its_window(wide: Scenario) -> None:
    p = page("w_q", scenario=wide)
    p.type({(0, 0): "abc"})
    p.at.selectbox[0].set_value(64)
    p.run()
    assert p.errors == []
    p.at.selectbox[0].set_value(0)
    p.run()
    assert p.grid[0][0] == "abc"
    assert len(p.errors) == 1


def test_a_window_that_is_gone_gives_way_to_the_first(wide: Scenario) -> None:
    p = page("w_q", scenario=wide)
    p.at.selectbox[0].set_value(960)
    p.run()
    p.change(lambda s: with_changes(s, sizes={"d_model": 128}))
    assert np.shape(p.grid) == (64, 64)
    p.change(lambda s: with_changes(s, sizes={"d_model": 16}))
    assert np.shape(p.grid) == (16, 16)
    assert not p.at.selectbox


# Hostile text


def test_hostile_tokens_are_text_in_the_grid_and_in_its_errors() -> None:
    p = page(scenario=with_tokens(load_example("pizza"), HOSTILE))
    assert list(p.at.data_editor[0].value.index) == list(HOSTILE)
    p.type({(0, 0): "<script>alert(1)</script>"})
    assert "row 1 (<img src=x onerror=alert(1)>)" in p.errors[0]
    assert "\\<img" in p.at.error[0].value
    assert "\\<script\\>" in p.at.error[0].value
    p.type({(0, 0): "1", (3, 0): "x"})
    assert f"row 4 ({'x' * 40}), column 1" in p.errors[0]
    p.type({(2, 0): "x"})
    assert "X, row 3, column 1 must" in p.errors[0]


def test_hostile_key_tokens_head_the_columns_of_a_mask_as_text() -> None:
    p = page("mask.custom", scenario=with_tokens(load_example("pizza"), HOSTILE))
    columns = json.loads(p.at.data_editor[0].proto.columns)
    assert [columns[f"c{i}"]["label"] for i in range(4)] == [*HOSTILE[:2], " ", HOSTILE[3]]


# A pasted block that is larger than the room for it


def test_a_block_that_is_too_tall_is_kept_and_pastes_when_x_is_resized() -> None:
    p = page()
    before = p.scenario
    p.paste_block(2, 4, "7\t8\n1\t2\n3\t4\n")
    assert p.scenario is before
    assert p.warnings == [
        "The pasted block has 3 × 2 numbers. From the cell that you chose, X has room for 1 × 2. "
        "Nothing has been pasted yet."
    ]
    p.go_elsewhere_and_back()
    p.press("Resize X to 5 rows and paste")
    assert p.scenario.x[2:, 4:].tolist() == [[7, 8], [1, 2], [3, 4]]
    assert p.scenario.tokens == ("t1", "t2", "t3", "t4", "t5")
    assert p.warnings == []


def test_a_block_that_is_too_large_pastes_only_what_fits_when_asked_to() -> None:
    p = page("w_o")
    p.paste_block(5, 5, "7\t8\n1\t2\n")
    assert not any(label.startswith("Resize") for label in p.buttons)
    p.press("Paste only what fits")
    assert p.scenario.w_o[5, 5] == 7
    assert p.warnings == []


def test_a_block_that_is_too_wide_does_not_resize() -> None:
    p = page()
    p.paste_block(2, 5, "7\t8\n1\t2\n")
    assert not any(label.startswith("Resize") for label in p.buttons)
    before = p.scenario
    p.press("Do not paste")
    assert p.scenario is before
    assert p.warnings == []


def test_a_kept_block_with_a_wrong_cell_says_where_and_is_still_kept() -> None:
    p = page()
    p.paste_block(2, 5, "7\nabc\n")
    p.press("Resize X to 4 rows and paste")
    assert p.errors[0].startswith("X, row 4, column 6 must hold numbers only, got 'abc'.")
    assert "Do not paste" in p.buttons
    p.press("Paste only what fits")
    assert p.errors == []
    assert p.scenario.x[2, 5] == 7


def test_a_block_larger_than_the_window_of_a_large_matrix_is_pasted_whole() -> None:
    p = page("w_o", scenario="eight-tokens-512")
    p.paste_block(0, 63, "7\t8\n")
    assert p.scenario.w_o[0, 63:65].tolist() == [7, 8]


@pytest.mark.parametrize("place", [(3, 0), (0, 6), (-1, 0)])
def test_a_block_sent_for_a_cell_that_is_not_there_is_passed_over(place: tuple[int, int]) -> None:
    p = page()
    before = p.scenario
    p.paste_block(*place, "1\t2\n3\t4")
    assert p.scenario is before
    assert p.warnings == []
