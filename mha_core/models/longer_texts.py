"""How fast columns turn in texts that are longer than those of the training."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mha_core.scenario.score_options import ScoreOptions


@dataclass(frozen=True)
class LongerTexts:
    """In texts of more than `known` tokens each pair of columns turns slower.

    `factors`: what a pair turns by then, as a part of what it turns by in short ones. Without them
    it follows from the length and from `stretch`, as "dynamic" of config.json says it.
    """

    known: float
    factors: tuple[float, ...] = ()
    stretch: float = 1.0

    def turned(self, scores: ScoreOptions, n_tokens: int) -> ScoreOptions:
        """The options of a layer in a text of so many tokens."""
        plain = scores.rope_frequencies
        if n_tokens <= self.known or plain is None:
            return scores
        changed = np.multiply(plain, self.factors or self._factors(len(plain), n_tokens))
        return replace(scores, rope_frequencies=tuple(changed.tolist()))

    def _factors(self, n_pairs: int, n_tokens: int) -> list[float]:
        """The base grows so that the last pair turns as much slower as the text is longer."""
        slower = self.stretch * n_tokens / self.known - (self.stretch - 1)
        return [slower ** -(pair / max(n_pairs - 1, 1)) for pair in range(n_pairs)]
