"""What names, shapes and a config suggest of a layer, filled in before a person says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from mha_core.checks.limits import LIMITS
from mha_core.checks.values import is_whole, is_within
from mha_core.io.scenario.array_names import FUSED, layers_in, meaning_of, roles_in
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.models.by_hand.choice import BIASES, MATRICES, Choice, Shapes
from mha_core.models.by_hand.layer_by_hand import NONE
from mha_core.options.rope_base import USUAL

HEADS: Final = ("num_attention_heads", "n_head", "n_heads", "num_heads", "nhead", "heads")
KEY_HEADS: Final = ("num_key_value_heads", "n_kv_heads", "num_kv_heads")
BASES: Final = ("rope_theta", "rotary_emb_base", "rope_base")
WORDS_OF_EMBEDDINGS: Final = ("embed", "wte", "emb", "vocab")
NOT_OF_WORDS: Final = ("pos", "wpe", "type", "patch", "norm")


def guessed(file: TensorFile) -> Choice:
    """What the file suggests of its first layer; what it does not suggest is left open."""
    shapes = file.shapes
    names = _named(shapes)
    base = _said(file.config, BASES, lambda value: is_within(value, 1, 1e12))
    choice = Choice(
        names,
        n_heads=_said(file.config, HEADS, _is_count) or 0,
        n_kv_heads=_said(file.config, KEY_HEADS, _is_count) or 0,
        rotary="halves" if base else NONE,
        rope_base=float(base or USUAL),
    )
    choice = replace(choice, transposed=_transposed(choice, shapes))
    return replace(choice, embedding=_embedding(choice, shapes))


def has_names_of_torch(names: Mapping[str, str]) -> bool:
    """Whether the matrices are named as PyTorch names them, which stores outputs × inputs."""
    meanings = [meaning_of(names[role]) for role in MATRICES if role in names]
    return any(meaning is not None and meaning.is_torch for meaning in meanings)


def _named(shapes: Shapes) -> dict[str, str]:
    """The tensors of the first layer that has queries, by what their names mean."""
    layers = layers_in(shapes)
    if not layers:
        return {}
    found: dict[str, str] = {}
    for role, name in roles_in(shapes, layers[0]).items():
        for part in FUSED.get(role, (role,)):
            n_axes = 2 if part in MATRICES else 1
            if part in (*MATRICES, *BIASES) and len(shapes[name]) == n_axes:
                found.setdefault(part, name)
    return found


def _transposed(choice: Choice, shapes: Shapes) -> frozenset[str]:
    """Which way round they are stored: shapes say it, or a table of words, or else the names."""
    chosen = frozenset(role for role in MATRICES if role in choice.names)
    is_torch = has_names_of_torch(choice.names)
    ways = [way for way in (chosen, frozenset[str]()) if _fit(choice, way, shapes)]
    with_words = [way for way in ways if _embedding(replace(choice, transposed=way), shapes)]
    for some in (ways, with_words):
        if len(some) == 1:
            return some[0]
    return chosen if is_torch else frozenset()


def _fit(choice: Choice, transposed: frozenset[str], shapes: Shapes) -> bool:
    """Whether all read and write rows of one width, if these are stored the other way round."""
    widths = set()
    for role, name in choice.names.items():
        if role in MATRICES:
            sides = shapes[name][::-1] if role in transposed else shapes[name]
            widths.add(sides[1] if role == "w_o" else sides[0])
    return len(widths) == 1


def _embedding(choice: Choice, shapes: Shapes) -> str:
    """The largest table of the model's width whose name speaks of words."""
    if "w_q" not in choice.names:
        return ""
    sides = shapes[choice.names["w_q"]]
    width = sides[1] if "w_q" in choice.transposed else sides[0]
    tables = [
        name
        for name, shape in shapes.items()
        if len(shape) == 2
        and shape[1] == width
        and any(word in name.lower() for word in WORDS_OF_EMBEDDINGS)
        and not any(word in name.lower() for word in NOT_OF_WORDS)
    ]
    return max(tables, key=lambda name: shapes[name][0], default="")


def _is_count(value: object) -> bool:
    return is_whole(value) and 1 <= value <= LIMITS.heads


def _said(config: Mapping[str, Any], names: tuple[str, ...], is_right: Any) -> Any:
    """The first of these fields that a config has, if it can be right."""
    return next((config[name] for name in names if name in config and is_right(config[name])), None)
