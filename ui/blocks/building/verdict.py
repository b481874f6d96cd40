"""Whether a head does its job: how many sentences pass, its stars, and the first that fails."""

from __future__ import annotations

import html
from functools import partial
from typing import Final

import streamlit as st

from mha_core.checks.errors import MhaError
from mha_core.language import say
from mha_core.layer.matrices import labelled_matrix
from mha_core.puzzles.checking import LARGEST, Failure, Verdict, check, count_of_numbers, is_small
from mha_core.puzzles.puzzle import Puzzle
from mha_core.puzzles.wants import TIMES, Looks, Missed, Predicts, number_missed
from mha_core.stack.attending import attend
from ui.blocks.building.puzzle_shown import open_puzzle, puzzle_of
from ui.blocks.page_links import Shown, link_to
from ui.controls.markdown import plain
from ui.edits.puzzle_entries import TITLES
from ui.number_format import format_number
from ui.state import Session, View
from ui.state.best_answers import best_answers, note_answer

STARS: Final = 3


def as_stars(count: int) -> str:
    """Those that it has, then those that it lacks.

    >>> as_stars(2)
    '★★☆'
    """
    return "★" * count + "☆" * (STARS - count)


def verdict_on(session: Session, puzzle: Puzzle) -> Verdict | MhaError:
    """The verdict on all sentences, or why a sentence that nobody sees cannot be computed."""

    def judge() -> Verdict | MhaError:
        try:
            return check(puzzle, puzzle.answer_in(session.stack))
        except MhaError as error:
            return error

    return session.make_once(("verdict", puzzle.name), judge)


def note_stars(session: Session, puzzle: Puzzle) -> None:
    verdict = verdict_on(session, puzzle)
    if isinstance(verdict, Verdict):
        note_answer(best_answers(), puzzle.name, verdict.stars, session.stack)


def show_verdict(session: Session) -> None:
    """The verdict, after a way to what fails or, if nothing does, to the next puzzle.

    The ways come first, and page.css keeps room for two lines of words: what stands below the
    verdict must not move while somebody types.
    """
    puzzle = puzzle_of(session)
    verdict = verdict_on(session, puzzle)
    if isinstance(verdict, MhaError):
        st.error(plain(str(verdict)))
        return
    with st.container(horizontal=True, key=session.key("verdict")):
        if verdict.first_failure is None:
            _next_puzzle(session)
            _right(session, puzzle, verdict)
        else:
            _link_to_failure(session, verdict.first_failure)
            says = say("{passed} of {count} sentences pass.")
            if verdict.count == 1:
                says = say("The sentence does not pass.")
            words = says.format(passed=verdict.passed, count=verdict.count)
            line(words, _what_fails(session, verdict.first_failure), mark="✗", kind="no")


def _right(session: Session, puzzle: Puzzle, verdict: Verdict) -> None:
    says = say("The sentence passes.")
    if verdict.count > 1:
        says = say("All {count} sentences pass.")
    arrays = puzzle.answer_in(session.stack)
    count = count_of_numbers(arrays)
    more = [say("Numbers that are not zero: {count}.").format(count=count)]
    if count > puzzle.most_numbers:
        more.append(say("A star for at most {most}.").format(most=puzzle.most_numbers))
    if not is_small(arrays):
        more.append(say("A star if none is larger than {largest:g}.").format(largest=LARGEST))
    words = " ".join(more)
    first = f"{says.format(count=verdict.count)} {as_stars(verdict.stars)}"
    line(first, words, mark="✓", kind="yes")


def _next_puzzle(session: Session) -> None:
    names = list(TITLES)
    here = names.index(session.view.puzzle) if session.view.puzzle in names else len(names)
    if here + 1 < len(names):
        go_on = partial(open_puzzle, session, names[here + 1])
        st.button(say("Next puzzle"), key=session.key("next-puzzle"), on_click=go_on)


def line(first: str, more: str, *, mark: str, kind: str) -> None:
    """The verdict itself stands out. A screen reader hears it when it changes."""
    st.html(
        f'<p class="verdict" role="status"><span class="{kind}" aria-hidden="true">{mark}</span> '
        f"<b>{html.escape(first)}</b> {html.escape(more)}</p>",
        width="stretch",
    )


def _what_fails(session: Session, failure: Failure) -> str:
    """The sentence, the number at which it fails, what it should be, and what may be wrong."""
    tokens, cell, want = failure.stack.tokens, failure.cell, failure.want
    traces = attend(failure.stack)
    value = number_missed(traces, Missed(failure.layer, cell))
    said = {"query": f"{cell.row + 1} ({tokens[cell.row]})"}
    if isinstance(want, Looks):
        says = say("token {query} gives token {key} a weight of {value}, at least {must} is right.")
        said |= {"key": f"{cell.column + 1} ({tokens[cell.column]})"}
        must = want.least_of(cell)
    elif isinstance(want, Predicts):
        says = say(
            "after token {query}, the right word “{word}” has a probability of {value}; it must be "
            "{must:g} times that of any other."
        )
        said |= {"word": want.word}
        return _in_sentence(
            failure, says.format(value=_written(session, value), must=TIMES, **said)
        )
    else:
        says = say("token {query} makes {value} in the column of {column}, {must} is right.")
        trace = traces.layers[failure.layer]
        said |= {"column": labelled_matrix(trace, cell.step).columns.labels[cell.column]}
        must = want.number_at(cell)
    written = {"value": _written(session, value), "must": _written(session, must)}
    return _in_sentence(failure, says.format(**written, **said))


def _written(session: Session, number: float) -> str:
    return format_number(number, session.view.decimals)


def _in_sentence(failure: Failure, words: str) -> str:
    fails = say("In “{sentence}”, {words} {mistake}")
    sentence = " ".join(failure.stack.tokens)
    return fails.format(sentence=sentence, words=words, mistake=failure.mistake).strip()


def _link_to_failure(session: Session, failure: Failure) -> None:
    failing = Session(failure.stack)
    label = say("Open it at this number")
    here = {"": Shown(failing, View(layer=failure.layer, cell=failure.cell))}
    link_to("explore.py", label, session.key("failure"), here)
