"""A head on many texts: a pattern on one sentence says little of a head."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.layer.attending import attend
from mha_core.survey.head_map import LayersOnText, tokens_of
from mha_core.survey.measures import NAMES, mean_of_known, shares

SEEN_OFTEN: Final = 5  # places: an exception is told only of words that stand there so often
SELDOM: Final = 0.5  # of the usual share: from here down it is an exception


class RareAt(NamedTuple):
    """Where a head does not do what it mostly does."""

    word: str
    is_before: bool  # the word is the token before; else it is the query's own
    share: float  # mean over these places
    places: int


@dataclass
class ManyTexts:
    """What was found so far: for each text that was read, the shares of all heads.

    `read` has an array for each text, (layers, n_heads, measures, n_q). It has NaN where a measure
    tells nothing. `tokens` are those of the queries of each layer.
    """

    texts: Sequence[str]
    tokens: list[Sequence[tuple[str, ...]]] = field(default_factory=list)
    read: list[FloatArray] = field(default_factory=list)

    @property
    def count(self) -> int:
        return len(self.read)

    def take(self, tokens: Sequence[tuple[str, ...]], found: FloatArray) -> None:
        """What the next text shows."""
        self.tokens.append(tokens)
        self.read.append(found.astype(np.float16))

    def scores(self) -> FloatArray:
        """The mean of each text. Shape: (texts, layers, n_heads, measures)"""
        return np.stack([mean_of_known(each.astype(np.float32), axis=-1) for each in self.read])

    def means(self) -> FloatArray:
        """The mean over texts. Shape: (layers, n_heads, measures)"""
        return mean_of_known(self.scores(), axis=0)

    def exceptions(self, layer: int, head: int, measure: str) -> list[RareAt]:
        """Words at which the head does it seldom, though usually it does; the clearest first."""
        found: dict[tuple[str, bool], list[float]] = defaultdict(list)
        every: list[float] = []
        for of_layers, read in zip(self.tokens, self.read, strict=True):
            tokens = of_layers[layer]
            of_queries = read[layer, head, NAMES.index(measure)].astype(float)
            for query in np.flatnonzero(~np.isnan(of_queries)):
                share = float(of_queries[query])
                every.append(share)
                found[tokens[query], False].append(share)
                if query:
                    found[tokens[query - 1], True].append(share)
        usual = float(np.mean(every)) if every else 0.0
        seldom = (
            RareAt(word, is_before, float(np.mean(of_word)), len(of_word))
            for (word, is_before), of_word in found.items()
            if len(of_word) >= SEEN_OFTEN and np.mean(of_word) <= SELDOM * usual
        )
        return sorted(seldom, key=lambda each: (each.share, -each.places))


def found_in(text: LayersOnText) -> tuple[list[tuple[str, ...]], FloatArray]:
    """The tokens of a text in each layer, and the shares of all heads on it.

    Shape: (layers, n_heads, measures, n_q). A layer with fewer heads or tokens than another has NaN
    there, as a decoder may have.
    """
    traces = [attend(text.layer(layer)) for layer in range(text.n_layers)]
    found = [
        shares(t.weights, t.mask, *tokens_of(t.scenario), has_sinks=t.scenario.sinks is not None)
        for t in traces
    ]
    n_heads, n_q = (max(each.shape[axis] for each in found) for axis in (0, 2))
    whole = np.full((len(found), n_heads, len(NAMES), n_q), np.nan, np.float32)
    for layer, each in enumerate(found):
        whole[layer, : each.shape[0], :, : each.shape[2]] = each
    return [trace.scenario.tokens for trace in traces], whole


def ranked(scores: FloatArray) -> list[int]:
    """The texts that tell, from the one where the head does it most.

    >>> ranked(np.array([0.2, np.nan, 0.9]))
    [2, 0]
    """
    known = np.flatnonzero(~np.isnan(scores))
    return [int(text) for text in known[np.argsort(-scores[known], kind="stable")]]


def highest_middle_lowest(order: Sequence[int], of_each: int = 2) -> Iterator[tuple[str, int]]:
    """Some texts of each kind, none of them twice.

    >>> [*highest_middle_lowest([4, 2, 0, 1, 3], of_each=1)]
    [('highest', 4), ('middle', 0), ('lowest', 3)]
    """
    middle = max(0, len(order) // 2 - of_each // 2)
    taken: set[int] = set()
    cuts = {
        "highest": order[:of_each],
        "middle": order[middle : middle + of_each],
        "lowest": order[max(0, len(order) - of_each) :],
    }
    for kind, texts in cuts.items():
        for text in texts:
            if text not in taken:
                taken.add(text)
                yield kind, text
