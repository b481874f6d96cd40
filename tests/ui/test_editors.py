"""An editor's text box, its files and its buttons: all of a matrix at once."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest

from mha_core import Scenario
from mha_core.checks.shapes import FloatArray
from mha_core.examples import load_example
from mha_core.io.matrix.array_files import write_arrays
from mha_core.io.matrix.files import write_matrix
from mha_core.io.matrix.matrix_text import format_matrix, parse_matrix
from mha_core.scenario.origin import Origin
from tests.pages.visitor import unmarked
from tests.ui.editor_page import page
from ui.edits.editable_array import Editable

# The text box


@pytest.mark.parametrize("style", ["csv", "tsv", "json", "numpy", "latex", "markdown"])
def test_text_in_any_notation_takes_the_matrixs_place(style: str) -> None:
    p = page("w_q")
    new: FloatArray = np.random.default_rng(3).normal(size=p.scenario.w_q.shape)
    p.paste_text(format_matrix(new, style))
    assert p.scenario.w_q.tobytes() == new.tobytes()
    assert p.text == format_matrix(new).removesuffix("\n")
    assert p.grid[0][0] == repr(float(new[0, 0]))


def test_wrong_text_stays_with_line_and_column() -> None:
    p = page()
    before = p.scenario
    p.paste_text("1 2 3\n4 x 6")
    assert p.errors[0].startswith("Line 2, column 3: X must hold numbers only, got 'x'.")
    assert p.text == "1 2 3\n4 x 6"
    assert p.scenario is before
    p.go_elsewhere_and_back()
    assert p.text == "1 2 3\n4 x 6"
    assert len(p.errors) == 1


def test_text_of_another_shape_is_told_the_right_one() -> None:
    p = page("w_q", 0, "pizza")
    p.paste_text("1 2\n3 4")
    assert p.errors == [
        "W_Q of head 1 must have shape (d_model, d_k) = (8, 4), got (2, 2). "
        "Give 8 rows of 4 numbers."
    ]


def test_a_text_with_more_rows_resizes_only_when_asked_to() -> None:
    p = page()
    before, five_rows = p.scenario, "1,2,3,4,5,6\n" * 5
    p.paste_text(five_rows)
    assert p.scenario is before
    assert p.text == five_rows
    assert p.warnings == [
        "The new matrix has 5 rows, X has 3. Each row belongs to a token. "
        "Nothing has been replaced yet."
    ]
    p.press("Resize X to 5 rows and replace")
    assert p.scenario.tokens == ("t1", "t2", "t3", "t4", "t5")
    assert p.warnings == []
    assert p.text == format_matrix(p.scenario.x).removesuffix("\n")
    assert np.shape(p.grid) == (5, 6)


def test_an_offer_to_resize_goes_when_the_text_is_another() -> None:
    p = page()
    p.paste_text("1,2,3,4,5,6\n" * 2)
    assert "Resize X to 2 rows and replace" in p.buttons
    p.type_text("1,2,3,4,5,6\n" * 3)
    assert p.warnings == []


def test_a_file_with_more_rows_resizes_only_when_asked_to() -> None:
    p = page()
    before = p.scenario
    p.upload("x.npy", write_matrix(np.ones((4, 6)), "x.npy"))
    assert p.scenario is before
    p.press("Resize X to 4 rows and replace")
    assert p.scenario.x.tolist() == [[1] * 6] * 4


def test_an_empty_text_is_refused() -> None:
    p = page()
    p.paste_text("")
    assert p.errors == [
        "Line 1, column 1: X must hold numbers, got an empty text. Paste rows of numbers."
    ]


def test_the_box_starts_with_the_matrix_and_follows_it() -> None:
    p = page("w_q", 1, "grouped-query")
    assert parse_matrix(p.text).tobytes() == Editable("w_q", 1).numbers(p.scenario).tobytes()
    p.change(lambda s: Editable("w_q", 1).put(s, np.array([[1 / 3, -1e-9]] * 8)))
    assert p.text == "\n".join(["0.3333333333333333,-1e-9"] * 8)


def test_the_boxs_own_text_gives_the_additive_mask_again() -> None:
    p = page("mask.additive", scenario="three-tokens")
    assert len(p.grid) == 3
    p.type({(0, 2): "-inf"})
    hidden = p.text
    assert hidden == "0,0,-inf\n0,0,0\n0,0,0"
    p.press("Leave out")
    p.paste_text(hidden)
    assert p.scenario.mask.additive is not None
    assert p.scenario.mask.additive.tolist() == [[0, 0, -np.inf], [0, 0, 0], [0, 0, 0]]


def test_text_that_was_not_taken_yet_outlives_changes_and_looks_elsewhere() -> None:
    p = page()
    p.type_text("1 2 3")
    p.change(lambda s: Editable("x").put(s, s.x + 1))
    assert p.text == "1 2 3"
    p.go_elsewhere_and_back()
    assert p.text == "1 2 3"
    assert len(p.grid) == 3
    assert p.text == "1 2 3"
    p.press("Start again from the present numbers")
    assert parse_matrix(p.text).tobytes() == p.scenario.x.tobytes()


def test_each_matrix_has_its_own_text_under_the_same_tab() -> None:
    p = page()
    p.type_text("1 2 3")
    p.look_at("w_q")
    assert p.at.session_state["edit-as"] == "Text"
    assert parse_matrix(p.at.text_area[0].value).tobytes() == p.scenario.w_q.tobytes()
    p.look_at("x")
    assert p.at.text_area[0].value == "1 2 3"


def test_a_matrix_too_large_for_the_box_says_so() -> None:
    p = page("w_q", scenario="pizza-1024")
    assert p.text == ""
    assert "1,048,576 numbers, too many to show here" in unmarked(p.at.caption[1].value)


def test_the_page_says_what_the_box_takes() -> None:
    p = page()
    p.open_tab("Text")
    words = [caption.value.replace("\\", "") for caption in p.at.caption]
    assert words == [
        "X: n_q × d_model = 3 × 6 numbers.",
        "Type or paste a matrix: CSV, TSV or numbers with spaces; a list of Python, NumPy, JSON, "
        "MATLAB or Mathematica; LaTeX; or a Markdown table. A number may look like 1e-3, like "
        "-2,5 or like 1/3.",
    ]


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        (
            "mask.custom",
            "The drawn mask: n_q × n_k = 3 × 3 numbers. "
            "1 means that the query may attend to the key, 0 that it may not.",
        ),
        (
            "mask.additive",
            "The additive mask: n_q × n_k = 3 × 3 numbers. "
            "They are added to the scaled scores; -inf hides the key.",
        ),
    ],
)
def test_the_page_says_what_the_numbers_of_a_mask_mean(name: str, meaning: str) -> None:
    assert page(name).at.caption[0].value.replace("\\", "") == meaning


@pytest.mark.parametrize("word", ["-inf", "-Infinity", "-∞", "\N{MINUS SIGN}∞"])
def test_minus_infinity_as_text_hides_in_the_additive_mask_and_nowhere_else(word: str) -> None:
    p = page("mask.additive")
    p.paste_text(f"0 {word} 0\n0 0 0.5\n0 0 0")
    assert p.scenario.mask.additive is not None
    assert p.scenario.mask.additive.tolist() == [[0, -np.inf, 0], [0, 0, 0.5], [0, 0, 0]]
    for name in ("mask.custom", "x"):
        p = page(name)
        p.paste_text(f"0 {word} 0\n0 0 0\n0 0 0")
        assert " must hold finite numbers, got '" in p.errors[0]


# Files


@pytest.mark.parametrize("kind", ["csv", "tsv", "json", "npy", "npz"])
def test_a_file_takes_the_matrixs_place(kind: str) -> None:
    p = page("w_q")
    new: FloatArray = np.random.default_rng(5).normal(size=p.scenario.w_q.shape)
    p.upload(f"w.{kind}", write_matrix(new, f"w.{kind}"))
    assert p.errors == []
    assert p.scenario.w_q.tobytes() == new.tobytes()


@pytest.mark.parametrize("kind", ["csv", "tsv", "npy", "npz"])
def test_a_file_of_the_additive_mask_gives_the_same_bits(kind: str) -> None:
    added = np.array([[-0.0, -np.inf, 1 / 3], [0.1, -np.inf, -np.inf], [0, 0, 1e-9]])
    p = page("mask.additive")
    p.upload(f"m.{kind}", write_matrix(added, f"m.{kind}"))
    assert p.errors == []
    assert p.scenario.mask.additive is not None
    assert p.scenario.mask.additive.tobytes() == added.tobytes()
    p = page("mask.custom")
    p.upload(f"m.{kind}", write_matrix(added, f"m.{kind}"))
    assert "must hold finite numbers" in p.errors[0]


def test_an_additive_mask_among_others_is_found_by_its_name() -> None:
    added = np.array([[0, -np.inf, 0]] * 3)
    p = page("mask.additive")
    p.upload("all.npz", write_arrays({"mask.additive": added, "w_q": np.eye(3)}))
    assert p.scenario.mask.additive is not None
    assert np.array_equal(p.scenario.mask.additive, added)


def test_of_several_arrays_in_a_file_the_one_with_the_right_name_is_taken() -> None:
    p = page("w_q")
    new: FloatArray = np.full(p.scenario.w_q.shape, 3.0)
    p.upload("all.npz", write_arrays({"w_k": new + 1, "w_q": new}))
    assert np.array_equal(p.scenario.w_q, new)


def test_of_several_arrays_without_the_right_name_a_person_picks_one() -> None:
    p = page("w_q")
    before, shape = p.scenario, p.scenario.w_q.shape
    new = np.arange(float(before.w_q.size)).reshape(shape)
    several = {"a": np.eye(9), "b": new, "q_proj.weight": new.T + 1}
    p.upload("all.npz", write_arrays(several))
    assert p.errors == []
    assert p.scenario is before
    choice = p.at.selectbox(key="edit w_q file entry")
    assert choice.value == "q_proj.weight"  # its name says what it is
    choice.set_value("b")
    p.run()
    p.press("Replace W_Q")
    assert np.array_equal(p.scenario.w_q, new)
    p.at.selectbox(key="edit w_q file entry").set_value("q_proj.weight")
    p.run()
    p.at.checkbox(key="edit w_q file turned q_proj.weight").check()
    p.run()
    p.press("Replace W_Q")
    assert np.array_equal(p.scenario.w_q, new + 1)
    p.at.selectbox(key="edit w_q file entry").set_value("a")
    p.run()
    p.press("Replace W_Q")
    assert "W_Q must have shape" in p.errors[0]


def test_weights_that_come_the_other_way_round_are_transposed_by_a_button() -> None:
    s = load_example("three-tokens")
    ways_in = {name: getattr(s, name)[:, :2] for name in ("w_q", "w_k", "w_v")}
    narrow = Scenario(x=s.x, **ways_in, w_o=s.w_o[:2], n_heads=1)
    p = page("w_q", scenario=narrow)
    new = np.arange(float(narrow.w_q.size)).reshape(narrow.w_q.shape)
    p.upload("w.npy", write_matrix(new.T, "w.npy"))
    assert p.scenario == narrow
    assert "the other way round. Nothing is replaced." in p.warnings[0]
    p.press("Transpose it and replace W_Q")
    assert np.array_equal(p.scenario.w_q, new)
    assert p.warnings == []


def test_square_weights_are_transposed_where_they_stand() -> None:
    p = page("w_q", scenario="pizza")
    before = p.scenario.w_q
    p.press("Transpose")
    assert np.array_equal(p.scenario.w_q, before.T)
    assert not np.array_equal(before, before.T)


def test_a_file_that_is_not_what_its_name_says_is_refused() -> None:
    p = page()
    before = p.scenario
    p.upload("<b>x.npy", b"\x89PNG")
    assert "must be a NumPy array, got a PNG picture." in p.errors[0]
    assert "<b>" in p.errors[0]
    assert p.scenario is before
    p.at.file_uploader[0].clear()
    p.run()
    assert p.errors == []


def test_a_refusal_goes_with_the_file_that_a_field_has_forgotten() -> None:
    p = page()
    p.upload("x.npy", b"\x89PNG")
    assert len(p.errors) == 1
    p.go_elsewhere_and_back()
    p.open_tab("File")
    assert p.errors == []


def test_a_pickle_in_a_file_is_never_read() -> None:
    file = io.BytesIO()
    np.save(file, np.array([[{}]], dtype=object), allow_pickle=True)
    p = page()
    p.upload("x.npy", file.getvalue())
    assert "must hold bool, integers, float16, float32 or float64, got type |O." in p.errors[0]


@pytest.mark.parametrize(("rows", "is_kept"), [(7, True), (2000, False)])
def test_a_refused_file_is_kept_to_be_tried_again_only_if_it_is_small(
    rows: int, is_kept: bool
) -> None:
    p = page("w_q")
    p.upload("w.npy", write_matrix(np.ones((rows, 6)), "w.npy"))
    (refusal,) = p.session.refusals.values()
    assert "W_Q must have shape" in p.errors[0]
    assert (refusal.change is not None) == is_kept


def test_of_more_rows_than_a_page_shows_nothing_is_kept() -> None:
    p = page()
    p.upload("x.npy", write_matrix(np.ones((600, 6)), "x.npy"))
    assert "X must have at most 512 rows with 2 heads on this page, got 600." in p.errors[0]
    assert p.warnings == []
    assert p.session.offers == {}


# Buttons


def test_all_zeros_and_back() -> None:
    p = page("w_q", 1, "grouped-query")
    before = p.scenario
    p.press("All zeros")
    assert not p.scenario.w_q[:, before.d_k : 2 * before.d_k].any()
    assert np.array_equal(p.scenario.w_q[:, : before.d_k], before.w_q[:, : before.d_k])
    p.press("As made by Random")
    assert np.array_equal(p.scenario.w_q, before.w_q)


def test_the_way_back_is_named_by_where_it_leads() -> None:
    def actions(name: str, scenario: Scenario) -> list[str]:
        labels = [button.label for button in page(name, scenario=scenario).at.button]
        return [label for label in labels if label not in ("Undo", "Replace")]

    pizza = load_example("pizza")
    assert actions("x", pizza) == ["All zeros", "As made by One-hot words"]
    weights = ["All zeros", "As in the example", "Transpose"]
    assert actions("w_q", load_example("three-tokens")) == weights
    assert actions("mask.custom", pizza) == ["Leave out"]
    assert actions("x", replace(pizza, origin=Origin())) == ["All zeros"]


def test_a_way_back_that_no_longer_fits_is_refused() -> None:
    p = page()
    p.paste_text("1,2,3,4,5,6\n" * 5)
    p.press("Resize X to 5 rows and replace")
    p.press("As in the example")
    assert p.errors[0].startswith("X must have shape (n_q, d_model) = (5, 6), got (3, 6).")


def test_two_visitors_do_not_see_each_others_numbers() -> None:
    one, other = page(), page()
    one.type({(0, 0): "7"})
    other.run()
    assert other.grid[0][0] == "1"
    assert other.scenario.x[0, 0] == 1
