"""How many heads there are, and how wide each is."""

from __future__ import annotations

from collections.abc import Sequence

from mha_core.changing.additions import with_gate_of_additions
from mha_core.changing.changes import with_matrix
from mha_core.checks.limits import PAGE_LIMITS
from mha_core.language import say, say_number
from mha_core.scenario.scenario import Scenario
from ui.controls.form import Item, Section, one_of, said, tick, whole_number
from ui.controls.sidebar.layers import layer_count, of_the_stream
from ui.edits import entries
from ui.edits.followed import head_widths_that_followed
from ui.state import Session


def heads_section(session: Session) -> Section:
    s = session.scenario
    fitting = [n for n in range(1, PAGE_LIMITS.heads + 1) if s.d_model % n == 0]
    often: list[Item] = [
        one_of(
            "heads",
            say("Number of heads"),
            {n: str(n) for n in sorted({*fitting, s.n_heads})},
            s.n_heads,
            entries.with_head_count,
        ),
        *said(head_sentence(s), head_widths_that_followed(session.before_last_entry, s)),
        layer_count(session),
    ]
    return Section("heads", say("Heads"), often, [*_rare(s), *of_the_stream(session)])


def _rare(s: Scenario) -> Sequence[Item]:
    return [
        whole_number(
            "any-heads",
            say("Other number of heads"),
            s.n_heads,
            entries.with_head_count,
            called=say("The number of heads"),
            help=say("A number that does not divide d_model leaves d_k and d_v as they are."),
        ),
        whole_number(
            "kv-heads",
            say("Key/value heads (GQA)"),
            s.n_kv_heads,
            entries.with_size("n_kv_heads"),
            called="n_kv_heads",
            help=say("Each key/value head is shared by the same number of query heads."),
        ),
        whole_number("d-k", say("Width d_k"), s.d_k, entries.with_size("d_k"), called="d_k"),
        whole_number("d-v", say("Width d_v"), s.d_v, entries.with_size("d_v"), called="d_v"),
        one_of(
            "gate",
            say("Gate before W_O"),
            entries.GATES,
            entries.gate_of(s),
            entries.with_gate_of,
            help=say(
                "What a head gives is multiplied by numbers from 0 to 1, which W_G makes of X: "
                "sigmoid(X W_G + b_G). A new gate is half open, as its W_G is 0. Another function "
                "than the sigmoid can be chosen below “Scores”."
            ),
            as_list=True,
        ),
        *([] if s.b_s is None else [_gate_of_additions(s)]),
    ]


def _gate_of_additions(s: Scenario) -> Item:
    return tick(
        "gate-of-additions",
        say("Gate of b_S"),
        s.w_f is not None,
        lambda s, is_on: with_gate_of_additions(s) if is_on else with_matrix(s, "w_f", None),
        help=say(
            "Each query multiplies what a head adds to its scores by a factor, which W_F makes of "
            "X. A new gate multiplies by 1.75 everywhere, as its W_F is 0."
        ),
    )


def head_sentence(s: Scenario) -> str:
    """How wide the heads are, and which numbers of heads d_model does not allow.

    >>> from mha_core.examples import load_example
    >>> head_sentence(load_example("pizza"))
    '2 heads of width 4 (3, 5, 6, 7 do not divide 8).'
    """
    heads = _heads(s)
    if s.d_model % s.n_heads:
        says = say("{heads}, as {count} does not divide {d_model}.")
        return says.format(heads=heads, count=s.n_heads, d_model=s.d_model)
    rest = [str(n) for n in range(2, min(s.d_model, 9)) if s.d_model % n]
    if not rest:
        return f"{heads}."
    says = say_number(
        "{heads} ({numbers} does not divide {d_model}).",
        "{heads} ({numbers} do not divide {d_model}).",
        len(rest),
    )
    return says.format(heads=heads, numbers=", ".join(rest), d_model=s.d_model)


def _heads(s: Scenario) -> str:
    says = say_number("{count} head of {width}", "{count} heads of {width}", s.n_heads)
    heads = says.format(count=s.n_heads, width=_widths(s))
    if s.n_kv_heads == s.n_heads:
        return heads
    says = say_number("{count} key/value head", "{count} key/value heads", s.n_kv_heads)
    return f"{heads}, {says.format(count=s.n_kv_heads)}"


def _widths(s: Scenario) -> str:
    if s.d_k == s.d_v:
        return say("width {d_k}").format(d_k=s.d_k)
    return say("widths d_k = {d_k} and d_v = {d_v}").format(d_k=s.d_k, d_v=s.d_v)
