"""A and B in words and numbers: how they differ, and what follows, step by step."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Final
from weakref import ref

import numpy as np
import streamlit as st

from mha_core.checks.shapes import FloatArray
from mha_core.comparing.differences import (
    DifferentSetting,
    differences,
    differences_elsewhere,
    named_by_layer,
)
from mha_core.comparing.distances import (
    Distance,
    Distances,
    all_distances,
    distance,
    total_variation,
)
from mha_core.comparing.sentences import comparison_sentences, why_no_distance
from mha_core.language import say, say_number
from mha_core.layer.naming import dims_of, title_of_array
from mha_core.reading.words import quoted_query
from ui.number_format import format_number
from ui.state import Session

THE_SAME: Final = say("A and B are the same. Change one thing in B, or pick a question.")
OTHERS_DIFFER: Final = say("This layer is the same in A and in B. What differs is elsewhere.")
HEADS: Final = {"n_heads": say("Head {head}"), "n_kv_heads": say("Key/value head {head}")}
LARGEST: Final = say("Largest difference")
MEAN: Final = say("Mean")
MOVED_MOST: Final = say("Moved most")
MOST_LISTED: Final = 4  # differences
KEPT_FOR_ELSEWHERE: Final = 2  # lines of them, where other layers or the whole differ too


def what_becomes_of_it(a: Session, b: Session) -> None:
    """How B differs from A, and beside it the sentences that follow."""
    of = ref(a.trace)
    found = b.keep_last("differences", of, lambda: differences(a.scenario, b.scenario))
    elsewhere = b.keep_last("elsewhere", (of, a.layer), lambda: _elsewhere(a, b))
    if not found:
        st.caption(OTHERS_DIFFER if elsewhere else THE_SAME)
    if not found and not elsewhere:
        return
    table = _table_of(_with_layer(found, a, b), elsewhere)
    sentences = "".join(f"<p>{html.escape(each)}</p>" for each in _said(a, b) if found)
    st.html(f'<div class="compared">{table}<div>{sentences}</div></div>')


def _elsewhere(a: Session, b: Session) -> Sequence[DifferentSetting]:
    return differences_elsewhere(a.stack, b.stack, (a.layer, b.layer))


def _with_layer(
    found: Sequence[DifferentSetting], a: Session, b: Session
) -> Sequence[DifferentSetting]:
    """Where there are several layers, a line says of which it is, unless A and B show two."""
    has_several = len(a.stack.layers) > 1 or len(b.stack.layers) > 1
    return named_by_layer(found, a.layer) if has_several and a.layer == b.layer else found


def _said(a: Session, b: Session) -> Sequence[str]:
    apart = distances_of_steps(a, b)
    return b.keep_last(
        "compared", ref(a.trace), lambda: comparison_sentences(a.trace, b.trace, apart)
    )


def every_step(a: Session, b: Session) -> None:
    """How far apart the numbers of every step are, in a part that opens."""
    place = st.expander(say("Every step in numbers"), key=a.key("every-step"), on_change="rerun")
    if not place.open:
        return
    found = distances_of_steps(a, b)
    with place:
        _table(
            (say("Step"), LARGEST, MEAN, MOVED_MOST),
            [[title_of_array(step), *_in_words(a, b, step, each)] for step, each in found.items()],
        )


def distances_of_steps(a: Session, b: Session) -> Distances:
    """How far apart the numbers of every step are, computed once."""
    return b.keep_last("distances", ref(a.trace), lambda: all_distances(a.trace, b.trace))


def by_head(a: Session, b: Session, step: str) -> None:
    """The same for each head of one step; of weights, also which share of them has moved."""
    kind = dims_of(b.trace, step).axes[0]
    n_heads = min(a.scenario.sizes[kind], b.scenario.sizes[kind])
    found = [distance(a.trace, b.trace, step, head) for head in range(n_heads)]
    shares = total_variation(a.trace, b.trace) if step == "weights" else None
    moved = [] if shares is None else [say("Weight that went elsewhere, averaged over queries")]
    rows = []
    for head, each in enumerate(found):
        share = [] if shares is None else [_share_in_words(shares[head])]
        words = _in_words(a, b, step, each)
        rows.append([HEADS[kind].format(head=head + 1), *words[:2], *share, words[2]])
    _table(("", LARGEST, MEAN, *moved, MOVED_MOST), rows)


def _share_in_words(shares: FloatArray) -> str:
    return say("lost") if np.isnan(shares).any() else f"{shares.mean():.1%}"


def _in_words(a: Session, b: Session, step: str, apart: Distance | None) -> Sequence[str]:
    """The largest difference, the mean one, and the token that has moved most."""
    if apart is None:
        return why_no_distance(a.trace, b.trace, step), "", ""
    if apart.lost:
        says = say_number("{count} number lost", "{count} numbers lost", apart.lost)
        return says.format(count=apart.lost), "", ""
    if apart.is_rounding and apart.hidden_in_one:
        says = say("{count} hidden in one of them")
        return says.format(count=apart.hidden_in_one), "", ""
    if not apart.largest:
        return say("none"), "", ""
    if apart.is_rounding:
        number = f"{apart.largest:.0e}".replace("e-", "e−")
        return say("rounding, {number}").format(number=number), "", ""
    numbers = (
        format_number(number, a.view.decimals, keep_tiny=True)
        for number in (apart.largest, apart.mean)
    )
    return *numbers, "" if apart.query is None else quoted_query(b.trace, apart.query)


def _table_of(found: Sequence[DifferentSetting], elsewhere: Sequence[DifferentSetting]) -> str:
    """A few lines: those of the layer that is compared, and of the others at least some."""
    first = found[: MOST_LISTED - min(len(elsewhere), KEPT_FOR_ELSEWHERE)]
    listed = [*first, *elsewhere[: MOST_LISTED - len(first)]]
    more = len(found) + len(elsewhere) - len(listed)
    rows = [
        (each.what, each.in_a, each.in_b) if each.in_a else (each.what, each.in_b)
        for each in listed
    ]
    body = _rows(("", "A", "B"), rows)
    said = say("and {count} more").format(count=more)
    rest = f"<caption>{said}</caption>" if more > 0 else ""
    return f"<table>{rest}{body}</table>"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    st.html(f'<div class="compared numbers" tabindex="0"><table>{_rows(head, rows)}</table></div>')


def _rows(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """The HTML of a table. If a row has too few cells, its cells span the missing columns."""
    above = "".join(
        f'<th scope="col">{html.escape(text)}</th>' if text else "<td></td>" for text in head
    )
    body = "".join(_row(row, len(head)) for row in rows)
    return f"<thead><tr>{above}</tr></thead><tbody>{body}</tbody>"


def _row(row: Sequence[str], width: int) -> str:
    first, *others = row
    missing = width - len(row)
    span = f' colspan="{missing + 1}"' if missing else ""
    cells = "".join(f"<td{span}>{html.escape(text)}</td>" for text in others)
    return f'<tr><th scope="row">{html.escape(first)}</th>{cells}</tr>'
