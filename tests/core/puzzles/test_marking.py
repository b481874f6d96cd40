"""A folder of answers is marked: right ones, wrong ones, and files that are none."""

from __future__ import annotations

import csv
import io
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest

from mha_core import encode_link, encode_stack, write_scenario, write_stack
from mha_core.changing.layers import as_stack
from mha_core.checks.limits import LIMITS
from mha_core.io.scenario.stack_link import stack_parameters
from mha_core.puzzles.command import HEADINGS, as_table, main, mark_of, marks_of, write_csv
from mha_core.puzzles.ladder import PUZZLES
from mha_core.puzzles.own import own_puzzle, pack_puzzle, puzzle_of, write_puzzle
from mha_core.puzzles.puzzle import Arrays
from mha_core.scenario.scenario import Scenario

BEFORE = PUZZLES["before"]


def answer(arrays: Arrays) -> Scenario:
    return BEFORE.on(BEFORE.answered(arrays), ("a", "b", "c")).first


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    right, wrong = answer(BEFORE.solution()), answer(BEFORE.near_misses["itself"]())
    (tmp_path / "a-right.json").write_bytes(write_scenario(right, "right.json"))
    (tmp_path / "b-right.npz").write_bytes(write_scenario(right, "right.npz"))
    (tmp_path / "c-wrong.txt").write_text(f"https://example.org/?{encode_link(wrong)}\n")
    (tmp_path / "d-broken.json").write_text("{")
    (tmp_path / "e-other.pdf").write_bytes(b"%PDF")
    (tmp_path / "=f.txt").write_text("example=two-tokens")
    (tmp_path / ".hidden").write_text("")
    (tmp_path / "inner").mkdir()
    return tmp_path


def test_each_file_is_a_row_and_a_broken_one_says_why(folder: Path) -> None:
    marks = {mark.answer: mark for mark in marks_of(BEFORE, folder)}
    assert list(marks) == sorted(marks)
    assert len(marks) == 6
    for name in ("a-right.json", "b-right.npz"):
        assert marks[name] == (name, 43, 43, 3, "")
    wrong = marks["c-wrong.txt"]
    assert (wrong.sentences, wrong.stars) == (43, 0)
    assert 0 < wrong.passed < 43
    assert wrong.first_failure.startswith("a b c: ")
    assert wrong.first_failure.endswith("It looks at itself.")
    for name in ("d-broken.json", "e-other.pdf", "=f.txt"):
        assert marks[name][1:4] == (0, 0, 0)
        assert marks[name].first_failure


def of_page(scenario: Scenario, **more: str) -> str:
    """An address of the page on which puzzles are solved."""
    said = {**stack_parameters(as_stack(scenario)), **more}
    return "https://example.org/build?" + urlencode({f"h.{name}": t for name, t in said.items()})


def test_a_link_of_the_page_is_an_answer_to_the_puzzle_that_it_names(tmp_path: Path) -> None:
    right = BEFORE.on_all_seen(BEFORE.solution()).first
    first, file = PUZZLES["itself"], tmp_path / "link.txt"
    file.write_text(of_page(right, puzzle="before", hide="hints"))
    assert mark_of(BEFORE, file)[1:] == (43, 43, 3, "")
    assert "must be an answer to “Look at yourself”, got one to “before”" in (
        mark_of(first, file).first_failure
    )
    file.write_text(of_page(first.on_all_seen(first.solution()).first))
    assert mark_of(first, file).stars == 3
    assert "got one to “itself”" in mark_of(BEFORE, file).first_failure


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "large.npz"
    with file.open("wb") as opened:
        opened.truncate(LIMITS.file_bytes + 1)
    assert "must have at most 48 MB" in mark_of(BEFORE, file).first_failure


def test_what_takes_all_memory_is_a_row_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def take_all(*_: object) -> None:
        raise MemoryError

    file = tmp_path / "answer.json"
    file.write_bytes(write_scenario(answer(BEFORE.solution()), "answer.json"))
    monkeypatch.setattr("mha_core.puzzles.command.read_stack", take_all)
    assert mark_of(BEFORE, file).first_failure == "There is no memory left for it."


def test_an_answer_whose_number_is_wrong_in_the_output_names_it(tmp_path: Path) -> None:
    copy = PUZZLES["copy"]
    arrays = copy.near_misses["its own word"]()
    file = tmp_path / "copy.json"
    scenario = copy.on(copy.answered(arrays), ("a", "b")).first
    file.write_bytes(write_scenario(scenario, "copy.json"))
    assert "output" in mark_of(copy, file).first_failure


def test_one_layer_is_no_answer_to_a_puzzle_of_two(tmp_path: Path) -> None:
    file = tmp_path / "answer.json"
    file.write_bytes(write_scenario(answer(BEFORE.solution()), "answer.json"))
    assert "must have 2 layers, got 1" in mark_of(PUZZLES["induction"], file).first_failure


@pytest.mark.parametrize(
    ("name", "miss", "said"),
    [
        ("induction", "too weak", ". a b a: A_1[a (4), b] of layer 2 is 0."),
        ("add-digits", "9 counts as 8", "0 9 =: the probability of “9” after “=” is 0."),
    ],
)
def test_the_first_failure_of_a_stack_says_in_which_layer_it_is(
    name: str, miss: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = PUZZLES[name]
    stack = puzzle.on_all_seen(puzzle.near_misses[miss]())
    monkeypatch.setattr("mha_core.puzzles.command._answer_in", lambda *_: stack)
    mark = mark_of(puzzle, tmp_path / "answer.json")
    assert 0 < mark.passed < mark.sentences
    assert mark.first_failure.startswith(said)


OWN = own_puzzle(
    lambda tokens: [None, *range(len(tokens) - 1)],
    title="The one before",
    job="Each word looks at the one before it.",
    words=("yes", "no"),
    seen=["yes no yes"],
    longest=4,
    d_k=4,
)


def test_answers_to_a_teachers_own_puzzle_are_marked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.json").write_text(write_puzzle(replace(OWN, hints=("Look at places.",))))
    right = np.vstack([np.zeros((2, 4)), 4 * np.eye(4)])
    turned = np.vstack([np.zeros((2, 4)), 4 * np.eye(4, k=-1)])
    puzzle, folder = puzzle_of(OWN), tmp_path / "answers"
    folder.mkdir()
    other = pack_puzzle(replace(OWN, words=("no", "yes")))
    for file, (w_q, name) in {
        "right.txt": (turned, pack_puzzle(OWN)),
        "wrong.txt": (right, pack_puzzle(OWN)),
        "other.txt": (turned, other),
    }.items():
        said = stack_parameters(puzzle.on_all_seen({"w_q": w_q, "w_k": right}))
        link = urlencode({f"h.{param}": text for param, text in {**said, "puzzle": name}.items()})
        (folder / file).write_text(link)
    assert main(["check", str(folder), "--puzzle", str(tmp_path / "own.json")]) == 0
    _, other_row, right_row, wrong_row = capsys.readouterr().out.splitlines()
    count = str(1 + len(OWN.hidden))
    assert right_row.split() == ["right.txt", count, count, "3"]
    assert wrong_row.split()[2:4] == [count, "0"]
    assert "must be an answer to “The one before”" in other_row


@pytest.mark.parametrize("content", [None, "{", "[]"])
def test_a_puzzle_that_is_none_is_said_before_any_mark(
    content: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "puzzle.json"
    if content:
        file.write_text(content)
    with pytest.raises(SystemExit):
        main(["check", str(tmp_path), "--puzzle", str(file)])
    assert "must be" in capsys.readouterr().err


def test_answers_of_several_layers_are_read_from_links_and_files(tmp_path: Path) -> None:
    for name in ("induction", "induction-word", "add-digits"):
        puzzle, folder = PUZZLES[name], tmp_path / name
        folder.mkdir()
        stack = puzzle.on_all_seen(puzzle.solution())
        (folder / "a.json").write_bytes(write_stack(stack, "a.json"))
        (folder / "b.npz").write_bytes(write_stack(stack, "b.npz"))
        of_page = {f"h.{param}": text for param, text in stack_parameters(stack).items()}
        (folder / "c.txt").write_text(f"http://x/build?{urlencode({**of_page, 'h.puzzle': name})}")
        (folder / "d.txt").write_text(encode_stack(stack))
        (folder / "e.txt").write_text(f"{encode_stack(stack)}&2.w_q.cells=0_0_nan")
        (folder / "f.txt").write_text("example=the-cat&layers=1000000")
        *right, nan, many = marks_of(puzzle, folder)
        assert [mark[1:4] for mark in right] == [(43, 43, 3)] * 4
        assert nan[1:4] == many[1:4] == (0, 0, 0)
        assert "must be at most 4" in many.first_failure


def test_the_table_for_spreadsheets_has_no_formula(folder: Path) -> None:
    text = io.StringIO()
    write_csv(marks_of(BEFORE, folder), text)
    rows = list(csv.reader(io.StringIO(text.getvalue())))
    assert tuple(rows[0]) == HEADINGS
    assert [row[0] for row in rows[1:3]] == ["'=f.txt", "a-right.json"]


def test_a_head_of_an_answer_may_be_narrower(tmp_path: Path) -> None:
    wide = replace(answer(BEFORE.solution()), w_q=np.ones((13, 4)), w_k=np.ones((13, 4)), d_k=4)
    file = tmp_path / "narrow.json"
    file.write_bytes(write_scenario(wide, "narrow.json"))
    assert mark_of(BEFORE, file).sentences == 43


def test_the_command_prints_a_table_and_writes_a_file(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    written = tmp_path_factory.mktemp("marks") / "marks.csv"
    assert main(["check", str(folder), "--puzzle", "before", "--csv", str(written)]) == 0
    printed = capsys.readouterr().out
    assert printed == f"{as_table(marks_of(BEFORE, folder))}\n"
    assert written.read_text("utf-8").count("\n") >= 7
    with pytest.raises(SystemExit):
        main(["check", str(folder / "none"), "--puzzle", "before"])
    assert "must be a folder of answers" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["check", str(folder), "--puzzle", "before", "--csv", str(folder / "none" / "m.csv")])
    assert "error: [Errno 2] No such file" in capsys.readouterr().err


def test_it_runs_as_a_module(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["", "check", str(folder), "--puzzle", "before"])
    with pytest.raises(SystemExit) as ended:
        import_module("mha_core.puzzles.__main__")
    assert ended.value.code == 0
    assert "a-right.json" in capsys.readouterr().out
