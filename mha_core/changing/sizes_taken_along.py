"""The sizes that change together, so that the entry of one is not refused.

The sizes that follow by themselves are in `sizes.py`. Here are those that the page adds. Each
function gives the `sizes` for `with_changes`.
"""

from __future__ import annotations

from collections.abc import Sequence

from mha_core.making.inputs import INPUTS, natural_width
from mha_core.making.sentence_heads import OF_SENTENCES, USUAL_WIDTH
from mha_core.scenario.scenario import Scenario


def sizes_of_width(s: Scenario, d_model: int) -> dict[str, int]:
    """Another d_model. The heads share it; if they cannot, each keeps its widths."""
    if d_model % s.n_heads:
        return {"d_model": d_model, "d_k": s.d_k, "d_v": s.d_v}
    if s.d_model % s.n_heads:  # they could not share the last one
        return {"d_model": d_model, "d_k": d_model // s.n_heads, "d_v": d_model // s.n_heads}
    return {"d_model": d_model}


def sizes_of_heads(s: Scenario, n_heads: int) -> dict[str, int]:
    """Another number of heads, of width d_model / n_heads if that is a whole number.

    Heads that compare two numbers of a word stay as wide as they are, rather than have one.
    """
    least = USUAL_WIDTH if s.origin.weights == OF_SENTENCES else 1
    if s.d_model % n_heads or s.d_model // n_heads < least:
        return {"n_heads": n_heads, "d_k": s.d_k, "d_v": s.d_v}
    return {"n_heads": n_heads}


def sizes_with_one(s: Scenario, name: str, size: int) -> dict[str, int]:
    """Another n_kv_heads, d_k or d_v, while the others and n_heads stay."""
    kept = {"n_heads": s.n_heads, "n_kv_heads": s.n_kv_heads, "d_k": s.d_k, "d_v": s.d_v}
    return {**kept, name: size}


def sizes_for_input(s: Scenario, recipe: str, tokens: Sequence[str]) -> dict[str, int]:
    """The sizes to change, if any, so that X is wide enough for its recipe."""
    least = _least_width(recipe, tokens)
    if least <= s.d_model:
        return {}
    share = 2 * s.n_heads if s.scores.positions == "rope" else s.n_heads  # RoPE: an even d_k each
    return sizes_of_width(s, -(-least // share) * share)


def sizes_for_context(s: Scenario, tokens: Sequence[str]) -> dict[str, int]:
    """The same for the second sequence, which X's recipe makes too."""
    least = _least_width(s.origin.x, tokens)
    return {"d_model_kv": least} if least > s.d_model_kv else {}


def _least_width(recipe: str, tokens: Sequence[str]) -> int:
    """How many columns a recipe needs; 0 if any number is possible, or if there is no recipe."""
    return (natural_width(recipe, tokens) if recipe in INPUTS else None) or 0
