"""A page as it is presented: one part fills the window, and keys lead on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

import streamlit as st

from mha_core.changing.rules import with_rules
from mha_core.guide.screens import SCREENS
from mha_core.language import say
from mha_core.mask_rules import registry
from mha_core.options.registry import OPTIONS
from ui import plot
from ui.blocks.heads_shown import count_pages, page_of_large
from ui.blocks.presenting.parts import Parts, shown_head
from ui.blocks.share import link_to_page, why_no_link
from ui.blocks.tours.bar import part_of_stop, place_of_stop, sentence_of_stop, way_behind
from ui.controls.fragment import fragment, leave_to_whole_page
from ui.controls.history import history_buttons
from ui.controls.kept_in_tab import keep_in_tab
from ui.controls.qr_code import SEEN_FROM_FAR, NoCodeError, qr_code
from ui.controls.sidebar.mask import rules_on
from ui.controls.sidebar.scores import slider_of
from ui.plot.presenting import Captioned, Wished, asks_for_code, present
from ui.state import PARTS, Session, View, fits_a_link, sessions_of_page

OWN: Final = ("head", "page", "part", "screen", "step")  # of the view; the fragment answers them
HERE: Final = "presentation"
MASKS: Final = ("", "causal", "sliding_window")  # rules that the key M goes through; "" is none
ONLY_HERE: Final = ("localhost", "127.0.0.1", "::1")
FAR: Final = say(
    "The link is long ({count:,} characters), so its code is hard to scan from the back row."
)
OF_THIS_MACHINE: Final = say(
    "This address works on this machine alone. Open the page by the name "
    "of the machine, so that others can follow the link."
)
SLIDERS: Final = ("scale", "temperature")  # options that have one here
RULES: Final = "rules"  # as the field of the sidebar

MakeParts = Callable[[Session], Parts]


def presentation(session: Session, parts_of: MakeParts, page: str = "", *others: Session) -> None:
    """All that the page shows while it is presented.

    Undo by key, Back, and the ways of a tour work behind it, unseen. If there are `others`, a
    lecturer changes the last one.
    """
    with st.container(key=session.key("behind-presentation")):
        for each in (session, *others):
            history_buttons(each)
            keep_in_tab(each)
        tour = way_behind(session, page)
    _presentation((session, *others), parts_of, page, tour)


@fragment
def _presentation(
    sessions: Sequence[Session], parts_of: MakeParts, page: str, tour: Mapping[str, str] | None
) -> None:
    """Another part or head runs only this fragment."""
    for each in sessions:
        leave_to_whole_page(each, *OWN)
    session, changed = sessions[0], sessions[-1]
    parts = parts_of(session)
    shown = parts.now.draw(session)
    if not shown:
        raise ValueError(f"The part {parts.now.name} must have a picture.")
    present(
        session.key(HERE),
        [Captioned(each.picture, each.caption) for each in shown],
        _said(session, changed, parts, page, tour),
        reordered=changed.conversation.reordered,
        on_wish=lambda wished: _take(session, changed, parts.field, wished),
        on_leave=lambda: session.look_at(**View().presented),
        on_pick=lambda side, cell: shown[side].whose.pick(cell),
    )
    for each in sessions:
        plot.outline(
            each.view.cell, each.key(f"outlined-{HERE}"), group=each.name, picked_at=each.picked_at
        )
    session.conversation.write_address()


def _said(
    session: Session, changed: Session, parts: Parts, page: str, tour: Mapping[str, str] | None
) -> dict[str, Any]:
    """The words of a part, and all that the keys lead to."""
    s, view, now = changed.scenario, session.view, parts.now
    is_of_heads = now.of == "heads"
    return {
        "heard": session.conversation.presenting,
        "title": _title(now.title, now.of, s.n_heads, shown_head(session)),
        "formula": now.formula,
        "sentence": _sentence(session, parts, page),
        "parts": [[part.name, part.title] for part in parts.all],
        "part": now.name,
        "of": now.of,
        "n_heads": s.n_heads,
        "head": view.head,
        "shown_head": shown_head(session),
        "page": page_of_large(s, view.page),
        "pages": count_pages(s) if is_of_heads and view.head is None else 1,
        "masks": [[name, registry.RULES[name].title if name else say("none")] for name in MASKS],
        "mask": "+".join(rules_on(s)),
        "changed": changed.name,
        "sliders": _sliders(changed, of_b=changed is not session),
        "tour": tour,
        "refused": _refused(session, changed),
        "qr": _code(session) if asks_for_code(session.key(HERE)) else None,
    }


def _sliders(changed: Session, *, of_b: bool) -> list[dict[str, Any]]:
    """What the sliders show; of a comparison they move B."""
    said = [slider_of(changed.scenario, OPTIONS[name]) for name in SLIDERS]
    says = say("{slider} of B") if of_b else "{slider}"
    return [{**each, "label": says.format(slider=each["label"])} for each in said]


def _refused(session: Session, changed: Session) -> str:
    """Why a mask was not taken, or what is wrong with the address."""
    refusals = changed.refusals.get(RULES), session.refusals.get("address")
    return next((refusal.reason for refusal in refusals if refusal), "")


def _title(title: str, of: str, n_heads: int, head: int) -> str:
    """Which head is meant, where a part shows one."""
    if of != "head" or n_heads == 1:
        return title
    return say("{part}: head {head}").format(part=title, head=head + 1)


def _sentence(session: Session, parts: Parts, page: str) -> str:
    """The sentence of a tour's stop while its part is on the screen; else that of the part."""
    said = sentence_of_stop(session, page)
    is_of_stop = said and parts.is_about(part_of_stop(session, page))
    return f"{said} {place_of_stop(session)}".strip() if is_of_stop else parts.now.sentence


def _take(session: Session, changed: Session, field: str, wished: Wished) -> None:
    """Do what a person wishes, so far as it can be done: anyone can send anything."""
    session.conversation.presenting = max(session.conversation.presenting, wished.number)
    if wished.mask is None:
        known = PARTS if field == "part" else tuple(SCREENS)
        part = {field: wished.part} if wished.part in known else {}
        shown = page_of_large(changed.scenario, changed.view.page)
        page = changed.view.page if wished.page == shown else wished.page
        session.look_at(**part, head=wished.head, page=page)
    elif wished.mask in MASKS:
        rules = [wished.mask] if wished.mask else []
        changed.attempt(RULES, rules, lambda s: with_rules(s, rules))


def _code(session: Session) -> dict[str, Any]:
    """The link to what is on screen, as a QR code and in words.

    It opens the page, not the presentation: those who scan it want to try things out themselves.
    """
    sessions = sessions_of_page(session)
    if not all(map(fits_a_link, sessions)):
        return {"modules": [], "host": "", "words": [why_no_link(*sessions)]}
    link = link_to_page(session, session.view.without_presenting())
    host = urlsplit(link).netloc
    words = []
    try:
        modules = qr_code(link)
    except NoCodeError as error:
        return {"modules": [], "host": host, "words": [str(error)]}
    if urlsplit(link).hostname in ONLY_HERE:
        words.append(OF_THIS_MACHINE)
    if len(link) > SEEN_FROM_FAR:
        words.append(FAR.format(count=len(link)))
    return {"modules": list(modules), "host": host, "words": words}
