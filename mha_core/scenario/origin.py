"""Which recipes a scenario's arrays came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mha_core.checks.limits import LIMITS
from mha_core.checks.values import check_label, check_whole
from mha_core.language import say

TEXTS: Final = ("model_text", "model_text_of_decoder")
# For `x`, where a trained layer makes its queries, keys and values of smaller rows. No recipe makes
# these.
LATENTS: Final = "latents"  # X and C are both such rows
LATENT_OF_KEYS: Final = "latent_of_keys"  # C alone


@dataclass(frozen=True)
class Origin:
    """Which recipes the arrays came from. It is a hint, and may be wrong.

    It keeps links short: a link holds these names, and only the numbers that differ from what
    the recipes make. An empty name means "given as numbers". Where a trained model made X, `model`
    names it: it has read `model_text`, and X is that of its layer `model_layer`, counted from 0.
    Its decoder has read `model_text_of_decoder`; empty, the same text. Where the model has read
    nothing, the layer is the model's, but X is not. Two names of `x` are of no recipe: `LATENTS`
    and `LATENT_OF_KEYS`.
    """

    example: str = ""
    x: str = ""
    x_seed: int = 0
    weights: str = ""
    weights_seed: int = 0
    model: str = ""
    model_layer: int = 0
    model_text: str = ""
    model_text_of_decoder: str = ""

    @property
    def has_latents(self) -> bool:
        """Whether X, C or both are smaller rows that a layer makes of what it reads."""
        return self.x in (LATENTS, LATENT_OF_KEYS)

    def __post_init__(self) -> None:
        for name in ("example", "x", "weights", "model"):
            check_label(f"origin's {name}", getattr(self, name))
        for name in ("x_seed", "weights_seed"):
            check_whole(
                f"origin's {name}", getattr(self, name), 0, LIMITS.seed, say("Leave it out for 0.")
            )
        check_whole("origin's model_layer", self.model_layer, 0, LIMITS.model_layers)
        for name in TEXTS:
            check_label(f"origin's {name}", getattr(self, name), LIMITS.origin_chars)
