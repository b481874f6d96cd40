"""Mark a folder of answers.

python -m mha_core.puzzles check FOLDER --puzzle before [--csv marks.csv]

`--puzzle` is the name of one of ours, or the file of a teacher's own.
Each file is one answer: a scenario that was saved in the explorer (.json, .npz), or a text with its
link (.txt). A file that cannot be read is a row that says why.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple, TextIO

from mha_core.checks.errors import FileError, FormatError, MhaError, OptionError
from mha_core.checks.limits import LIMITS
from mha_core.checks.sizes import size_in_words
from mha_core.io.packed_text import PACKED
from mha_core.io.scenario.files import read_stack
from mha_core.io.scenario.link_query import pairs_of
from mha_core.io.scenario.stack_link import decode_stack
from mha_core.language import say
from mha_core.layer.naming import name_of
from mha_core.puzzles.checking import Failure, check
from mha_core.puzzles.ladder import PUZZLES
from mha_core.puzzles.own import OwnPuzzle, puzzle_of, read_puzzle, unpack_puzzle, write_puzzle
from mha_core.puzzles.puzzle import Puzzle
from mha_core.puzzles.wants import Missed, Predicts, number_missed
from mha_core.stack.attending import attend
from mha_core.stack.stack import Stack
from mha_core.stack.trace import StackTrace

LINK: Final = ".txt"
PAGE: Final = "h."  # begins what an address of the page "Build a head" says of an answer
HEADINGS: Final = (say("answer"), say("passed"), say("of"), say("stars"), say("first failure"))


class Mark(NamedTuple):
    """A row of the table. Of a file that cannot be read, nothing passes."""

    answer: str
    passed: int
    sentences: int
    stars: int
    first_failure: str


def mark_of(puzzle: Puzzle, file: Path) -> Mark:
    try:
        verdict = check(puzzle, puzzle.found_in(_answer_in(puzzle, file)))
    except (MhaError, OSError, MemoryError) as error:
        words = str(error) or say("There is no memory left for it.")
        return Mark(file.name, 0, 0, 0, words)
    failure = verdict.first_failure
    words = _in_words(failure) if failure else ""
    return Mark(file.name, verdict.passed, verdict.count, verdict.stars, words)


def _answer_in(puzzle: Puzzle, file: Path) -> Stack:
    """Only what may be an answer is read."""
    size = file.stat().st_size
    if size > LIMITS.file_bytes:
        raise FileError(
            say("The file {file}").format(file=file.name),
            say("must have at most {limit}").format(limit=size_in_words(LIMITS.file_bytes)),
            size_in_words(size),
            say("Save the answer alone."),
        )
    data = file.read_bytes()
    if file.suffix.lower() == LINK:
        return _stack_of_link(puzzle, data.decode("utf-8", "replace").strip())
    return read_stack(data, file.name)


def _stack_of_link(puzzle: Puzzle, link: str) -> Stack:
    """A link of the explorer, or of the page of puzzles, which says of which puzzle it is."""
    of_page = {n.removeprefix(PAGE): text for n, text in pairs_of(link) if n.startswith(PAGE)}
    name = of_page.get("puzzle", next(iter(PUZZLES)))  # an address leaves out what is usual
    if of_page and _job(name) != puzzle.name:
        raise FormatError(
            say("The link"),
            say("must be an answer to “{title}”").format(title=puzzle.title),
            say("one to “{name}”").format(name=name[:40]),
            say("Mark it with the answers to that puzzle."),
        )
    return decode_stack(of_page or link)


def _job(name: str) -> str:
    """Of a teacher's own puzzle, all but its help, which may have come later."""
    return _without_help(unpack_puzzle(name)) if name.startswith(PACKED) else name


def _without_help(own: OwnPuzzle) -> str:
    return write_puzzle(replace(own, hints=(), solution={}))


def _in_words(failure: Failure) -> str:
    """The sentence, the number and how large it is; what may be wrong."""
    trace = attend(failure.stack)
    says = say("{sentence}: {number} is {value:.2f}. {mistake}")
    return says.format(
        sentence=" ".join(failure.stack.tokens),
        number=_name_of_number(trace, failure),
        value=number_missed(trace, Missed(failure.layer, failure.cell)),
        mistake=failure.mistake,
    ).strip()


def _name_of_number(trace: StackTrace, failure: Failure) -> str:
    """In a stack of several layers, with the layer."""
    cell, stack = failure.cell, trace.stack
    if cell.step == Predicts.step:
        says = say("the probability of “{word}” after “{token}”")
        return says.format(word=stack.words[cell.column], token=stack.tokens[cell.row])
    name = name_of(trace.layers[failure.layer], cell, "text")
    if len(stack.layers) == 1:
        return name
    return say("{number} of layer {layer}").format(number=name, layer=failure.layer + 1)


def marks_of(puzzle: Puzzle, folder: Path) -> list[Mark]:
    """One for each file, in the order of their names. Files that begin with a dot are none."""
    files = sorted(each for each in folder.iterdir() if each.is_file())
    return [mark_of(puzzle, file) for file in files if not file.name.startswith(".")]


def write_csv(marks: Sequence[Mark], into: TextIO) -> None:
    """A name that a spreadsheet would take for a formula gets an apostrophe."""
    writer = csv.writer(into)
    writer.writerow(HEADINGS)
    for mark in marks:
        safe = f"'{mark.answer}" if mark.answer[:1] in ("=", "+", "-", "@") else mark.answer
        writer.writerow(mark._replace(answer=safe))


def as_table(marks: Sequence[Mark]) -> str:
    """For the screen: columns one below the other."""
    rows = [HEADINGS, *(tuple(map(str, mark)) for mark in marks)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS) - 1)]
    lines = (
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]])
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def _puzzle(name: str) -> Puzzle:
    """One of ours, or that of a file."""
    if name in PUZZLES:
        return PUZZLES[name]
    file = Path(name)
    if not file.is_file():
        raise OptionError(
            say("The puzzle"),
            say("must be a puzzle's file, or one of {names}").format(names=", ".join(PUZZLES)),
            repr(name[:40]),
            say("Save it on the page that made it."),
        )
    own = read_puzzle(file.read_text("utf-8", "replace"))
    return puzzle_of(own, _without_help(own))


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser("python -m mha_core.puzzles", description=say("Mark answers."))
    parser.add_argument("act", choices=["check"])
    parser.add_argument("folder", type=Path)
    ours = ", ".join(PUZZLES)
    own = say("a puzzle's file, or one of ours: {names}").format(names=ours)
    parser.add_argument("--puzzle", required=True, help=own)
    parser.add_argument("--csv", type=Path, help=say("a file to write the table to"))
    asked = parser.parse_args(arguments)
    if not asked.folder.is_dir():
        parser.error(say("{folder} must be a folder of answers").format(folder=asked.folder))
    try:
        puzzle = _puzzle(asked.puzzle)
    except (MhaError, OSError) as error:
        parser.error(str(error))
    marks = marks_of(puzzle, asked.folder)
    sys.stdout.write(f"{as_table(marks)}\n")
    if asked.csv:
        try:
            with asked.csv.open("w", encoding="utf-8", newline="") as file:
                write_csv(marks, file)
        except OSError as error:
            parser.error(str(error))
    return 0
