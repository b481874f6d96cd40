"""The field guide: one pattern at a time: its head, its weights, what breaks it, who saw it."""

from __future__ import annotations

import html
from functools import partial
from typing import Any, Final

import streamlit as st

from mha_core import Stack
from mha_core.guide.field_guide import FIELD_GUIDE, FIRST_ENTRY, Breaker, GuideEntry, entry_of
from mha_core.language import say
from ui.blocks.claims import show_claims
from ui.blocks.layers import which_layer
from ui.blocks.page_links import Shown, link_to
from ui.blocks.picture import outline, picture, show
from ui.blocks.title_line import PATTERNS, title_line
from ui.controls.fragment import fragment, leave_to_whole_page
from ui.controls.history import history_buttons
from ui.controls.markdown import plain
from ui.controls.refusal import show_refusal
from ui.edits.token_text import read_tokens, write_tokens
from ui.figures import pictures
from ui.figures.into_heads import into_heads_figure
from ui.state import Session, View, bound, bound_choice

HERE: Final = "guide"
SEEN: Final = say("Seen in real models")
BREAKS: Final = say("What breaks it, side by side")
STILL_SHOWN: Final = say("The pictures still show the sentence before.")
STEPS: Final = {"masked_scores": say("Scores"), "weights": say("Weights")}


def guide_heading(session: Session) -> None:
    """The title, the patterns to choose from, and a person's own sentence."""
    with title_line(session, PATTERNS):
        history_buttons(session)
    show_refusal(session, "address")
    entry = entry_of(session.stack)
    st.pills(
        say("Pattern"),
        list(FIELD_GUIDE),
        required=True,
        format_func=lambda name: FIELD_GUIDE[name].title,
        label_visibility="collapsed",
        **_pattern_chosen(session, entry.name if entry else None),
    )
    st.text_input(
        say("On a sentence of your own"),
        width=480,
        help=say("Blanks separate words. “Dogs” and “dogs” are different words."),
        **bound(
            session, "sentence", write_tokens(session.stack.tokens), _with_sentence, of_layers=True
        ),
    )
    show_refusal(session, "sentence", meanwhile=STILL_SHOWN)
    which_layer(session)


def _pattern_chosen(session: Session, name: str | None) -> dict[str, Any]:
    """Ties the patterns to the session, which then shows the last layer: the pattern is there."""
    tied = bound_choice(session, "pattern", name, _with_pattern, of_layers=True)

    def choose() -> None:
        tied["on_change"]()
        session.look_at(layer=len(session.stack.layers) - 1)

    return {**tied, "on_change": choose}


def _with_pattern(stack: Stack, name: str) -> Stack:
    return FIELD_GUIDE[name].on(stack.tokens)


def _with_sentence(stack: Stack, text: str) -> Stack:
    return (entry_of(stack) or FIRST_ENTRY).on(read_tokens(text))


@fragment
def pattern(session: Session) -> None:
    """The head, its weights, and beside them what there is to know.

    A pick of a cell runs only this fragment.
    """
    leave_to_whole_page(session)
    entry = entry_of(session.stack)
    scores, weights, words = st.columns([5, 5, 6], gap="medium")
    for column, step in ((scores, "masked_scores"), (weights, "weights")):
        with column:
            _show_step(session, step)
    with words:
        if entry:
            _what_there_is_to_know(session, entry)
    outline(session, HERE)
    st.header(say("The weights that make it so"), anchor=False)
    if entry:
        st.markdown(plain(f"{entry.why} {_columns_of_x(session.stack)}"))
    alt = say("X, the projections, and Q, K and V")
    way_in = picture(session, "pattern weights", alt, into_heads_figure, shows_moved=False)
    show(session, "pattern-weights", way_in, asked_in=HERE, board="pattern")
    session.conversation.write_address()


def _show_step(session: Session, step: str) -> None:
    """The only head, under what it shows."""
    title = STEPS[step]
    make = partial(pictures.step_figure, heading=title, headed=None, color="")
    shown = picture(session, title, title, make, step, (0,), shows_moved=False)
    show(session, step, shown, asked_in=HERE, board="pattern")


def _what_there_is_to_know(session: Session, entry: GuideEntry) -> None:
    trace = session.traces.layers[-1]
    show_claims([(entry.claim_on(trace.scenario.tokens).sentence, entry.holds(trace))])
    seen = "".join(
        f"<p>{html.escape(each.sentence)} <cite>{html.escape(_ended(each.paper))}</cite></p>"
        for each in entry.seen
    )
    st.html(f'<h2 class="title">{SEEN}</h2><div class="seen">{seen}</div>')
    with st.container(gap=None, key=session.key("guide-links")):
        st.html(f'<h2 class="title">{BREAKS}</h2>')
        for number, breaker in enumerate(entry.breakers):
            _link_to_comparison(session, number, breaker)
        here = {"": Shown(session, session.view.without_step())}
        link_to("explore.py", say("Open this head in the explorer"), session.key("explore"), here)


def _ended(title: str) -> str:
    """With a full stop, unless it ends as a question.

    >>> _ended("Attention Is All You Need"), _ended("What Does BERT Look At?")
    ('Attention Is All You Need.', 'What Does BERT Look At?')
    """
    return title if title.endswith("?") else f"{title}."


def _columns_of_x(stack: Stack) -> str:
    """What the columns of X say."""
    free = say("The others are free: layer 1 writes there.")
    return " ".join([_of_words_and_places(stack), *([free] if len(stack.layers) > 1 else [])])


def _of_words_and_places(stack: Stack) -> str:
    words, places = len(set(stack.tokens)), len(stack.tokens)
    if places == 1:
        return say("Column 1 of X says which word a token is, column 2 where it stands.")
    if words == 1:
        says = say(
            "Column 1 of X says which word a token is, columns {first} to {last} where it stands."
        )
    else:
        says = say(
            "Columns 1 to {count} of X say which word a token is, columns {first} to {last} where "
            "it stands."
        )
    return says.format(count=words, first=words + 1, last=words + places)


def _link_to_comparison(session: Session, number: int, breaker: Breaker) -> None:
    """A sentence that leads to the comparison of the head with the broken one."""
    make = partial(_broken, session.stack, breaker)
    broken = session.make_once(("broken", number), make)
    last = View(layer=len(session.stack.layers) - 1)
    sides = {"a": Shown(session, last), "b": Shown(broken, last)}
    link_to("compare.py", plain(breaker.sentence), session.key(f"break-{number}"), sides)


def _broken(stack: Stack, breaker: Breaker) -> Session:
    return Session(breaker.of(stack))
