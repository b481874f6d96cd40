"""Make a puzzle of one's own: a form, what is wrong with it, and the way to the puzzle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final
from zlib import crc32

import streamlit as st

from mha_core.checks.errors import MhaError
from mha_core.checks.limits import LIMITS
from mha_core.language import say, say_number
from mha_core.puzzles.own import OwnPuzzle, pack_puzzle, read_puzzle, write_puzzle
from mha_core.puzzles.own.own_puzzle import (
    LONGEST_LINE,
    LONGEST_TITLE,
    MASKS,
    MOST_NUMBERS,
    MOST_WIDTH,
    names_of_arrays,
)
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.x_columns import (
    MOST_OWN_PLACES,
    OF_OWN_PUZZLES,
    OWN_ONE,
    OWN_PLACES,
    OWN_WORDS,
)
from mha_core.stack.stack import W_U
from ui.controls.drop_file import take_dropped_file
from ui.controls.file_field import file_field
from ui.controls.file_names import as_file_name
from ui.controls.markdown import plain
from ui.controls.refusal import show_refusal
from ui.controls.save_button import save_button
from ui.edits.own_puzzle_form import PuzzleForm, is_being_made, own_puzzle_named, to_be_changed
from ui.state import Session, let_come_back

FILE: Final = "puzzle-file"
MOST_TEXT: Final = 20_000  # characters of all sentences
IN_WORDS: Final = {
    OWN_PLACES: say("which word, and which place"),
    OWN_ONE: say("which word, and a 1"),
    OWN_WORDS: say("which word"),
    MASKS[0]: say("all words"),
    MASKS[1]: say("the words up to itself"),
    False: say("where each word looks"),
    True: say("which word comes next"),
}
HOW_TO_LOOK: Final = say(
    "A line for each sentence: its words, a colon, and for each word the number of the word that "
    "it looks at. 1+3 is two of them, a dash is none. So: yes no yes : - 1 1+2"
)
HOW_TO_PREDICT: Final = say(
    "A line for each sentence: its words, a colon, and for each word the word that comes next. A "
    "dash asks nothing. So: yes no yes : - - no"
)
HOW_GIVEN: Final = say("Numbers, or a block such as 4*I or 4*shift(-1). Empty: zeros.")

Open = Callable[[str], None]


def is_making(session: Session) -> bool:
    return is_being_made(session.view.puzzle)


def make(session: Session, open_puzzle: Open) -> None:
    """The form, and the puzzle that it makes."""
    own = own_puzzle_named(session.view.puzzle)
    fields = _Fields(session, PuzzleForm.of(own))
    try:
        made: OwnPuzzle | None = fields.ask().puzzle()
    except MhaError as error:
        made = None
        st.error(plain(str(error)))
    if made:
        _ways_on(session, made, open_puzzle)
    _open_a_file(session, open_puzzle)


class _Fields:
    """The fields of the form. What was typed for one puzzle stays while others are looked at."""

    def __init__(self, session: Session, form: PuzzleForm) -> None:
        self.session, self.form = session, form

    def ask(self) -> PuzzleForm:
        with st.container(key=self.session.key("make")):
            left, right = st.columns(2)
            with left:
                said = self._job()
            with right:
                said |= self._sizes()
            said |= self._sentences(predicts=said["predicts"])
            said |= self._matrices(**{name: said[name] for name in ("layers", "predicts")})
        return PuzzleForm(**said)

    def _key(self, name: str) -> str:
        made_from = crc32(self.session.view.puzzle.encode())
        key = self.session.key(f"make {name} {made_from}")
        let_come_back(self.session, key)
        return key

    def _line(self, name: str, label: str, **looks: Any) -> str:
        text = st.text_input(label, getattr(self.form, name), key=self._key(name), **looks)
        return text or ""

    def _lines(self, name: str, label: str, **looks: Any) -> str:
        key = self._key(name)
        text = st.text_area(label, getattr(self.form, name), key=key, max_chars=MOST_TEXT, **looks)
        return text or ""

    def _whole(self, name: str, label: str, most: int) -> int:
        return int(st.number_input(label, 1, most, getattr(self.form, name), key=self._key(name)))

    def _one_of(self, name: str, label: str, choices: Sequence[Any]) -> Any:
        return st.selectbox(
            label,
            choices,
            choices.index(getattr(self.form, name)),
            format_func=IN_WORDS.__getitem__,
            key=self._key(name),
        )

    def _job(self) -> dict[str, Any]:
        return {
            "title": self._line("title", say("Title"), max_chars=LONGEST_TITLE),
            "job": self._line("job", say("The job, in one sentence"), max_chars=LONGEST_LINE),
            "words": self._line("words", say("Words that there are, with blanks between them")),
            "hints": self._lines("hints", say("Hints, a line for each, or none"), height=104),
        }

    def _sizes(self) -> dict[str, Any]:
        with st.container(horizontal=True):
            said = {
                "longest": self._whole("longest", say("Longest sentence"), MOST_OWN_PLACES),
                "layers": self._whole("layers", say("Layers"), LIMITS.layers),
            }
        with st.container(horizontal=True):
            said |= {
                "d_k": self._whole("d_k", "d_k", MOST_WIDTH),
                "d_v": self._whole("d_v", "d_v", MOST_WIDTH),
            }
        with st.container(horizontal=True):
            said |= {
                "x": self._one_of("x", say("X says of each word"), OF_OWN_PUZZLES),
                "mask": self._one_of("mask", say("A word sees"), MASKS),
            }
        with st.container(horizontal=True):
            label = say("A star for at most so many numbers")
            said |= {
                "predicts": self._one_of("predicts", say("What is wanted"), (False, True)),
                "most_numbers": self._whole("most_numbers", label, MOST_NUMBERS),
            }
        return said

    def _sentences(self, *, predicts: bool) -> dict[str, Any]:
        st.caption(plain(HOW_TO_PREDICT if predicts else HOW_TO_LOOK))
        left, right = st.columns(2)
        with left:
            seen = self._lines("seen", say("Sentences that are shown"), height=150)
        with right:
            label = say("Sentences that are checked, and not shown")
            hidden = self._lines("hidden", label, height=150)
        return {"seen": seen, "hidden": hidden}

    def _matrices(self, *, layers: int, predicts: bool) -> dict[str, Any]:
        names = names_of_arrays(layers, predicts=predicts)
        free = st.multiselect(
            say("Matrices that are to be written"),
            names,
            [name for name in self.form.free if name in names],
            format_func=name_in_words,
            key=self._key(f"free {layers} {predicts}"),
        )
        given = [name for name in names if name not in free]
        st.caption(plain(say("The others are given. {how}").format(how=HOW_GIVEN)))
        with st.container(horizontal=True):
            texts = {
                name: st.text_area(
                    name_in_words(name),
                    self.form.given.get(name, ""),
                    key=self._key(f"given {name}"),
                    height=68,
                    width=200,
                    max_chars=MOST_TEXT,
                )
                for name in given
            }
        return {"free": tuple(free), "given": texts}


def name_in_words(name: str) -> str:
    """A matrix, with its layer above the first.

    >>> name_in_words("w_q"), name_in_words("2.w_q")
    ('W_Q', 'W_Q of layer 2')
    """
    number, _, array = name.rpartition(".")
    symbol = GIVEN[array].symbol if array in GIVEN else W_U
    if not number:
        return symbol
    return say("{matrix} of layer {layer}").format(matrix=symbol, layer=number)


def _ways_on(session: Session, own: OwnPuzzle, open_puzzle: Open) -> None:
    """The puzzle opens where its link has room for it; its file is saved in any case."""
    try:
        name, why_not = pack_puzzle(own), ""
    except MhaError as error:
        name, why_not = "", str(error)
    shown = say_number("It shows {count} sentence", "It shows {count} sentences", len(own.seen))
    says = say("{shown}, and checks {hidden} more.")
    words = says.format(shown=shown.format(count=len(own.seen)), hidden=len(own.hidden))
    st.markdown(plain(words))
    with st.container(horizontal=True):
        st.button(
            say("Open this puzzle"),
            type="primary",
            disabled=not name,
            on_click=partial(open_puzzle, name),
            key=session.key("open-own"),
        )
        save_own(session, own)
    if why_not:
        st.caption(plain(why_not))


def save_own(session: Session, own: OwnPuzzle) -> None:
    """A button that saves the puzzle as a file."""
    save_button(
        say("Save the puzzle as a file"),
        lambda: write_puzzle(own),
        f"{as_file_name(own.title, 'puzzle')}.json",
        mime="application/json",
        key=session.key("save-own"),
    )


def _open_a_file(session: Session, open_puzzle: Open) -> None:
    def take(data: bytes, _name: str) -> None:
        session.refusals.pop(FILE, None)
        try:
            own = read_puzzle(data.decode("utf-8", "replace"))
            open_puzzle(to_be_changed(pack_puzzle(own)))
        except MhaError as error:
            session.refusals.note(FILE, error, None)

    label = say("Open a puzzle that was saved")
    file_field(session, FILE, label, (".json",), take, take_away=lambda: None, width=480)
    take_dropped_file(session, FILE)
    show_refusal(session, FILE)
