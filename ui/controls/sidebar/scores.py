"""How scores are made of Q and K: scale, soft cap, positions, temperature; and their softmax."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from mha_core.changing.changes import with_scores
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import POSITIONS, SOFTMAXES
from ui import plot
from ui.controls.form import Field, Item, Section, one_of, said, text, whole_number
from ui.edits import entries
from ui.state import Session

POSITION_TITLES: Final = {
    "none": "None",
    "sinusoidal": "Sinusoidal",
    "rope": "RoPE",
    "alibi": "ALiBi",
}


def scores_section(session: Session) -> Section:
    s = session.scenario
    often: list[Item] = [
        option(
            s,
            "scale",
            "Scale",
            s.scores.factor(s.d_k),
            plot.Range(0, max(1.0, 2 / math.sqrt(s.d_k))),  # the same while the slider moves
            help="Scores are multiplied by it. Write an expression such as `1/sqrt(d_k)`, `1/8` or "
            "`sqrt(2)/2`, or `none`.",
        ),
        option(
            s,
            "temperature",
            "Temperature",
            s.scores.temperature,
            plot.Range(0.05, 20, by_factors=True),
            placeholder="1",
            help="Masked scores are divided by it. Below 1, the best key gets more weight; above "
            "1, weights get more even. Write a number or an expression such as `1/2`.",
        ),
        one_of(
            "positions",
            "Positions",
            {name: POSITION_TITLES[name] for name in POSITIONS},
            s.scores.positions,
            lambda s, name: with_scores(s, positions=name),
            help=POSITIONS["none"],
            as_list=True,
        ),
        *said(
            "" if s.scores.softcap is None else f"Soft cap {s.scores.softcap:.4g}.",
            "" if s.scores.softmax == "stable" else "The softmax is naive.",
            "" if s.scores.positions == "none" else POSITIONS[s.scores.positions],
            f"The first {_first(s)} is at position {s.scores.query_start}."
            if s.scores.query_start
            else "",
        ),
    ]
    return Section("scores", "Scores", often, _rare(s))


def _rare(s: Scenario) -> Sequence[Item]:
    rare = [
        one_of(
            "softmax",
            "Softmax",
            {name: name.title() for name in SOFTMAXES},
            s.scores.softmax,
            lambda s, kind: with_scores(s, softmax=kind),
            help=" ".join(f"{name.title()}: {words}" for name, words in SOFTMAXES.items()),
        ),
        option(
            s,
            "softcap",
            "Soft cap",
            s.scores.softcap,
            plot.Range(0.1, 100, by_factors=True, may_be_none=True),
            placeholder="none",
            help="A cap of 30 bends large scores, so that all stay between -30 and 30.",
        ),
    ]
    if s.scores.positions == "none":
        return rare
    start = whole_number(
        "query-start",
        f"Position of the first {_first(s)}",
        s.scores.query_start,
        lambda s, start: with_scores(s, query_start=start),
        called="query_start",
        help="Change it for a later part of a text, which does not begin at position 0.",
    )
    return [*rare, start]


def option(
    s: Scenario,
    name: str,
    label: str,
    value: float | None,
    over: plot.Range,
    *,
    help: str,
    placeholder: str = "",
) -> Field:
    """A number of the scenario that stands in no cell: a field to type it, and a slider below.

    `value` is its number, None where it is switched off.
    """
    return text(
        name,
        label,
        entries.option_as_typed(s, name),
        entries.OPTIONS[name],
        help=help,
        placeholder=placeholder,
        slider={"name": name, "label": label, "value": value, **asdict(over)},
    )


def _first(s: Scenario) -> str:
    """What has this position: a token (query and key at once), or with two sequences a query."""
    return "token" if s.context is None else "query"
