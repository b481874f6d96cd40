"""The one thing that changes in B. An A that would not change is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NoReturn

import numpy as np

from mha_core.changing.changes import with_dtype, with_heads_off, with_scores
from mha_core.changing.layers import with_layer
from mha_core.changing.reordering import with_tokens_backwards
from mha_core.changing.rules import with_rules
from mha_core.checks.errors import HeadsError, OptionError
from mha_core.examples import load_example
from mha_core.examples.two_layers import with_copies_below
from mha_core.language import say, say_number
from mha_core.options.rope_places import axis_count, has_axes
from mha_core.scenario.scenario import Scenario
from mha_core.stack.stack import Stack

FOUR: Final = 4
KEYS_AND_VALUES: Final = ("w_k", "b_k", "w_v", "b_v")
LATER: Final = 100  # positions by which a text begins later
FAR: Final = 40  # positions between the queries and a second sequence


def without_root(s: Scenario) -> Scenario:
    if s.scores.factor(s.d_k) == 1:
        raise OptionError(
            say("The scale of A"),
            say("must change the scores, so that B can do without it"),
            say("{scale} at d_k = {d_k}").format(scale=s.scores.scale, d_k=s.d_k),
            say("Choose 1/√d_k for A, and a d_k of 2 or more."),
        )
    return with_scores(s, scale="none")


def causal(s: Scenario) -> Scenario:
    names = [rule.name for rule in s.mask.rules]
    if "causal" in names:
        raise OptionError(
            say("The mask of A"),
            say("must not be causal, so that B can be"),
            ", ".join(names),
            say("Take the causal mask away from A."),
        )
    b = with_rules(s, [*names, "causal"])
    if np.array_equal(s.mask.allowed(s.n_q, s.n_k), b.mask.allowed(s.n_q, s.n_k)):
        raise OptionError(
            say("The mask of A"),
            say("must show a later token to a query, so that B can hide it"),
            say("none"),
            say("Let queries of A see later tokens."),
        )
    return b


def in_four(s: Scenario) -> Scenario:
    """The columns of Q, K and V as four heads: every matrix stays."""
    if s.n_heads == FOUR:
        raise HeadsError(
            say("The number of heads of A"),
            say("must be another one than that of B"),
            str(FOUR),
            say("Choose one head for A."),
        )
    if s.n_kv_heads != s.n_heads:
        raise HeadsError(
            say("The number of key/value heads of A"),
            say("must be that of its heads, {count}, so that all can be split alike").format(
                count=s.n_heads
            ),
            str(s.n_kv_heads),
            say("Choose as many key/value heads as heads for A."),
        )
    widths = [s.n_heads * s.d_k, s.n_heads * s.d_v]
    if any(width % FOUR for width in widths):
        raise HeadsError(
            say("The columns of Q, K and V in A"),
            say("must be a multiple of {count}, so that four heads can share them").format(
                count=FOUR
            ),
            say(" and ").join(map(str, dict.fromkeys(widths))),
            say("Choose d_k and d_v for A, such as 4 with one head."),
        )
    if has_axes(s.scores):
        raise HeadsError(
            say("The places of A"),
            say("must be on one axis, so that narrower heads can turn by them"),
            str(axis_count(s.scores)),
            say("Take the places away from A."),
        )
    return replace(
        s,
        n_heads=FOUR,
        n_kv_heads=FOUR,
        d_k=widths[0] // FOUR,
        d_v=widths[1] // FOUR,
        heads_off=frozenset(head for head in s.heads_off if head < FOUR),
    )


def backwards(s: Scenario) -> Scenario:
    backwards = with_tokens_backwards(s, "tokens")
    if backwards == s:
        raise OptionError(
            say("The tokens of A"),
            say("must read otherwise backwards"),
            " ".join(s.tokens),
            say("Give A other tokens, two or more."),
        )
    return backwards


def without_a_head(s: Scenario) -> Scenario:
    """Head 2 off, or the only head."""
    head = min(1, s.n_heads - 1)
    if head in s.heads_off:
        raise OptionError(
            say("Head {head} of A").format(head=head + 1),
            say("must be on, so that B can do without it"),
            say("off"),
            say("Switch it on in A."),
        )
    return with_heads_off(s, s.heads_off | {head})


def without_copies(stack: Stack) -> Stack:
    """A head of layer 1 off, so that the layers above lack what it adds."""
    if len(stack.layers) == 1:
        refuse_one_layer(stack.first)
    return with_layer(stack, 0, stack.first, without_a_head(stack.first))


def refuse_one_layer(_: Scenario) -> NoReturn:
    raise OptionError(
        say("The layers of A"),
        say("must be two or more, so that layer 2 can lack what layer 1 adds"),
        "1",
        say("Take two layers for A."),
    )


def over_copies(stack: Stack) -> Stack:
    """The only layer above one that copies, on the X that has room for copies."""
    if len(stack.layers) > 1 or stack.first.x.shape != load_example("induction").x.shape:
        refuse_without_room(stack.first)
    return with_copies_below(stack.first)


def refuse_without_room(s: Scenario) -> NoReturn:
    raise OptionError(
        say("The layers of A"),
        say("must be one, on an X with free columns for copies"),
        say("X of {shape}").format(shape=" × ".join(map(str, s.x.shape))),
        say("Ask it without your own A."),
    )


def in_pairs(s: Scenario) -> Scenario:
    """Only the first of each two heads of keys and values stays."""
    if s.n_kv_heads % 2:
        raise HeadsError(
            say("The number of key/value heads"),
            say("must be even, so that two and two become one"),
            str(s.n_kv_heads),
            say("Take an A with 2, 4 or more of them."),
        )
    left = {
        name: array.reshape(*array.shape[:-1], s.n_kv_heads, -1)[..., ::2, :]
        for name in KEYS_AND_VALUES
        if (array := getattr(s, name)) is not None
    }
    arrays = {name: array.reshape(*array.shape[:-2], -1) for name, array in left.items()}
    return replace(s, n_kv_heads=s.n_kv_heads // 2, **arrays)


def in_float32(s: Scenario) -> Scenario:
    if s.dtype.name == "float32":
        raise OptionError(
            say("The number type of A"),
            say("must be float64"),
            "float32",
            say("Choose float64 for A."),
        )
    return with_dtype(s, "float32")


def later(s: Scenario) -> Scenario:
    """Queries and keys begin later together."""
    _check_rope(s)
    if s.context is not None:
        raise OptionError(
            say("The second sequence of A"),
            say("must be none, so that keys begin later with their queries"),
            " ".join(s.context_tokens),
            say("Take it away from A, or ask for a farther query."),
        )
    return with_scores(s, query_start=s.query_start + LATER)


def farther(s: Scenario) -> Scenario:
    """Queries begin later, and the keys of a second sequence stay."""
    _check_rope(s)
    if s.context is None:
        raise OptionError(
            say("The second sequence of A"),
            say("must be there, so that its keys stay where they are"),
            say("none"),
            say("Add one to A, or ask for a later start."),
        )
    return with_scores(s, query_start=s.query_start + FAR)


def _check_rope(s: Scenario) -> None:
    if s.scores.positions != "rope":
        raise OptionError(
            say("The positions of A"),
            say("must be rope"),
            s.scores.positions,
            say("Choose RoPE for A."),
        )
    if s.scores.rope_places is not None:
        raise OptionError(
            say("The places of A"),
            say("must be 0, 1, 2 and so on, so that they can begin later"),
            say_number("{count} place", "{count} places", s.n_positions).format(
                count=s.n_positions
            ),
            say("Take the places away from A."),
        )
