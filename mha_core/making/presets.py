"""Weight presets: projections by name, each with a sentence and with claims that tests check."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from mha_core.checks.shapes import FloatArray
from mha_core.checks.values import check_one_of
from mha_core.language import say
from mha_core.layer.trace import Trace
from mha_core.making.hand_built import HAND_BUILT, IN_TURN, HandBuilt, expected_weights
from mha_core.making.inputs import Tokens
from mha_core.making.projections import (
    LayerSizes,
    Projections,
    by_hand,
    glorot_limit,
    random,
    random_orthogonal,
    repeat_for_groups,
    shared_qk,
    split_only,
    split_then_project,
    zeros,
)
from mha_core.making.sentence_heads import OF_SENTENCES, SENTENCE_HEADS, sentence_heads
from mha_core.reading.claims import Claim
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.scenario.x_columns import OF_WORDS

__all__ = ["PRESETS", "LayerSizes", "Preset", "Projections", "make_projections"]


@dataclass(frozen=True)
class Preset:
    """Projections by name: what to see, how to build them, and what is true of every trace.

    `needs_input` names the input that the claims need; it is empty if they hold for any X.
    `seeded` says whether the numbers depend on the seed.
    """

    name: str
    title: str
    sentence: str
    build: Callable[[LayerSizes, Tokens, int], Projections]
    claims: tuple[Claim, ...]
    needs_input: str = ""
    seeded: bool = False

    @property
    def reads_tokens(self) -> bool:
        """Whether other tokens need other numbers."""
        return self.needs_input == "one_hot_position"


def make_projections(
    name: str, sizes: LayerSizes, tokens: Sequence[str] = (), seed: int = 0
) -> Projections:
    """The four projections of a preset, by its name.

    >>> make_projections("split_only", LayerSizes(2, 2, 2, 2, 1, 1, 2)).w_q
    array([[1., 0.],
           [0., 1.]])
    """
    check_one_of(say("The preset"), name, PRESETS)
    return PRESETS[name].build(sizes, tuple(tokens), seed)


# Claims: a sentence for the page, and a function that says whether it is true of a trace.


def nothing_is_projected(trace: Trace) -> bool:
    """Q, K and V are what is projected: X, with positions where they are added to it."""
    return (
        np.array_equal(trace.q, trace.x_positioned)
        and np.array_equal(trace.k, trace.context_positioned)
        and np.array_equal(trace.v, trace.context_positioned)
    )


def _q_k_and_v_are_x(trace: Trace) -> bool:
    return all(np.array_equal(made, trace.x) for made in (trace.q, trace.k, trace.v))


def _only_its_own_slice(trace: Trace) -> bool:
    s = trace.scenario
    return (
        _is_block_diagonal(s.w_q, s.n_heads)
        and _is_block_diagonal(s.w_k, s.n_kv_heads)
        and _is_block_diagonal(s.w_v, s.n_kv_heads)
    )


def _is_block_diagonal(w: FloatArray, n_blocks: int) -> bool:
    rows, columns = w.shape
    if rows % n_blocks or columns % n_blocks:
        return False
    blocks = w.reshape(n_blocks, rows // n_blocks, n_blocks, columns // n_blocks)
    outside = ~np.eye(n_blocks, dtype=np.bool_)
    return not blocks.swapaxes(1, 2)[outside].any()


def _every_head_reaches_every_column(trace: Trace) -> bool:
    s = trace.scenario
    reaches = s.w_o.reshape(s.n_heads, s.d_v, s.d_out).any(axis=1)
    return bool(reaches.all()) and not s.heads_off


def _within_glorots_limit(trace: Trace) -> bool:
    return all(bool(np.abs(w).max() <= glorot_limit(*w.shape)) for w in _projections(trace))


def _heads_ask_differently(trace: Trace) -> bool:
    s = trace.scenario
    by_head = s.w_q.reshape(s.d_model, s.n_heads, s.d_k).swapaxes(0, 1)
    return len({head.tobytes() for head in by_head}) == s.n_heads


def _is_orthogonal(trace: Trace) -> bool:
    return all(_keeps_lengths(w) for w in _projections(trace))


def _keeps_lengths(w: FloatArray) -> bool:
    smaller_gram = w.T @ w if w.shape[0] >= w.shape[1] else w @ w.T
    return nearly_equal(smaller_gram, np.eye(len(smaller_gram)))


def _projections(trace: Trace) -> tuple[FloatArray, ...]:
    s = trace.scenario
    return s.w_q, s.w_k, s.w_v, s.w_o


def _queries_are_projected_as_keys(trace: Trace) -> bool:
    s = trace.scenario
    return np.array_equal(s.w_q, repeat_for_groups(s.w_k, LayerSizes.of(s), s.d_k))


def _scores_are_mutual(trace: Trace) -> bool:
    if trace.scenario.context is not None:
        return True
    return nearly_equal(trace.raw_scores, trace.raw_scores.mT)


def _weights_are_uniform(trace: Trace) -> bool:
    open_keys = trace.mask.sum(axis=-1, keepdims=True)
    shares = trace.mask / np.maximum(open_keys, 1)
    return nearly_equal(trace.weights, np.broadcast_to(shares, trace.weights.shape))


def _output_copies_what_is_seen(trace: Trace) -> bool:
    """The output is head 1's blend of the rows that it sees, in the columns that the heads hold."""
    s = trace.scenario
    width = min(s.d_model_kv, s.n_kv_heads * s.d_v, s.d_out)
    seen = trace.weights[0] @ s.keys_from[:, :width]
    return nearly_equal(trace.output[:, :width], seen, within=1e-9)


def _heads_do(patterns: Sequence[HandBuilt]) -> Callable[[Trace], bool]:
    def holds(trace: Trace) -> bool:
        s = trace.scenario
        if s.n_q != s.n_k:
            return False
        group = s.n_heads // s.n_kv_heads
        expected = [expected_weights(pattern, s.tokens) for pattern in patterns]
        return all(
            nearly_equal(weights, expected[head // group % len(patterns)], within=1e-9)
            for head, weights in enumerate(trace.weights)
        )

    return holds


def _nothing_above(
    head: int, keys: Callable[[Trace], npt.NDArray[np.bool_]]
) -> Callable[[Trace], bool]:
    """Whether no key has more weight in this head of four than these keys, where a query has any.

    `keys` are True where a query has such a key. Shape: (n_q, n_k)
    """

    def holds(trace: Trace) -> bool:
        s = trace.scenario
        if s.n_q != s.n_k:
            return False
        group = s.n_heads // s.n_kv_heads
        alike = [each for each in range(s.n_heads) if each // group % len(SENTENCE_HEADS) == head]
        has_one = keys(trace).any(axis=-1)
        of_its_kind = trace.weights[alike][:, has_one]
        among = np.where(keys(trace)[has_one], of_its_kind, 0).max(axis=-1, initial=0)
        return bool((of_its_kind.max(axis=-1, initial=0) <= among + 1e-9).all())

    return holds


def _the_one_before(trace: Trace) -> npt.NDArray[np.bool_]:
    return np.eye(trace.scenario.n_q, trace.scenario.n_k, -1, np.bool_)


def _the_same_word(trace: Trace) -> npt.NDArray[np.bool_]:
    words = np.array(trace.scenario.key_tokens)
    is_same: npt.NDArray[np.bool_] = np.array(trace.scenario.tokens)[:, None] == words
    return is_same


OWN_SLICE_ALONE: Final = Claim(
    say("Each head reads only its own slice of X: outside its block W_Q, W_K and W_V are 0."),
    _only_its_own_slice,
)
W_O_MIXES: Final = Claim(
    say("W_O mixes: every head reaches every output column."), _every_head_reaches_every_column
)
_COPIES: Final = Claim(
    say("The output is the rows of X that head 1 looks at, blended by its weights."),
    _output_copies_what_is_seen,
)


def _preset_of(pattern: HandBuilt) -> Preset:
    return Preset(
        pattern.name,
        pattern.title,
        say("Built by hand. {promise}").format(promise=pattern.promise),
        by_hand([pattern]),
        (Claim(pattern.promise, _heads_do([pattern])), _COPIES),
        needs_input="one_hot_position",
    )


_IN_TURN: Final = ", ".join(pattern.title.lower() for pattern in IN_TURN)
PRESETS: Final[Mapping[str, Preset]] = {
    preset.name: preset
    for preset in (
        Preset(
            "split_only",
            say("Split only"),
            say("All four projections are the identity: each head compares its own slice of X."),
            split_only,
            (
                Claim(say("Nothing is projected: Q, K and V are X itself."), _q_k_and_v_are_x),
                Claim(
                    say("The output is the concatenation of the heads."),
                    lambda t: np.array_equal(t.output, t.concat),
                ),
            ),
        ),
        Preset(
            "split_then_project",
            say("Split, then project"),
            say(
                "Block-diagonal: each head reads only its own slice of X. Then W_O mixes the heads."
            ),
            split_then_project,
            (OWN_SLICE_ALONE, W_O_MIXES),
            seeded=True,
        ),
        Preset(
            "random",
            say("Random"),
            say("As before training: random numbers of the usual size (Xavier)."),
            random,
            (
                Claim(
                    say("No number of a projection exceeds sqrt(6 / (rows + columns))."),
                    _within_glorots_limit,
                ),
                Claim(say("No two heads have the same W_Q."), _heads_ask_differently),
            ),
            seeded=True,
        ),
        Preset(
            "random_orthogonal",
            say("Random rotations"),
            say("A square projection turns vectors and keeps their lengths."),
            random_orthogonal,
            (
                Claim(
                    say(
                        "The columns of each projection (its rows, if it is wide) are orthonormal."
                    ),
                    _is_orthogonal,
                ),
            ),
            seeded=True,
        ),
        Preset(
            "shared_qk",
            say("Shared W_Q = W_K"),
            say("Queries and keys are made by one matrix, so raw scores are symmetric."),
            shared_qk,
            (
                Claim(
                    say("Each head projects its queries and its keys with the same matrix."),
                    _queries_are_projected_as_keys,
                ),
                Claim(
                    say(
                        "Where a sequence attends to itself, raw scores are symmetric; "
                        "weights need not be."
                    ),
                    _scores_are_mutual,
                ),
            ),
            seeded=True,
        ),
        Preset(
            "zeros",
            say("Zeros"),
            say("W_Q and W_K are 0: all scores are equal, and attention is a plain mean."),
            zeros,
            (
                Claim(
                    say(
                        "Every query spreads its weight evenly over the keys that the mask allows."
                    ),
                    _weights_are_uniform,
                ),
                _COPIES,
            ),
        ),
        Preset(
            OF_SENTENCES,
            say("For a sentence"),
            say("Built by hand: the word before, the same word, noun and verb, all words."),
            sentence_heads,
            (
                Claim(
                    say("In head 1 no word gets more weight than the one before."),
                    _nothing_above(0, _the_one_before),
                ),
                Claim(
                    say("In head 2 no word gets more weight than the same word."),
                    _nothing_above(1, _the_same_word),
                ),
            ),
            needs_input=OF_WORDS,
        ),
        *(_preset_of(pattern) for pattern in HAND_BUILT.values()),
        Preset(
            "all_patterns",
            say("All patterns"),
            say("Built by hand. Each head follows the next of these patterns: {patterns}.").format(
                patterns=_IN_TURN
            ),
            by_hand(IN_TURN),
            (
                Claim(
                    say("Each head follows the next of these patterns: {patterns}.").format(
                        patterns=_IN_TURN
                    ),
                    _heads_do(IN_TURN),
                ),
            ),
            needs_input="one_hot_position",
        ),
    )
}
