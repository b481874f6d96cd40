"""What names, shapes and a config suggest of a layer, filled in before a person says it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from mha_core.checks.errors import MhaError
from mha_core.checks.limits import LIMITS
from mha_core.checks.values import is_whole
from mha_core.io.scenario.array_names import FUSED, layers_in, meaning_of, roles_in
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.models.by_hand.choice import (
    BIASES,
    GATE,
    GATE_OF_ADDITIONS,
    MATRICES,
    NUMBER,
    RARE,
    Choice,
    Shapes,
)
from mha_core.options.registry import OPTIONS
from mha_core.scenario.masks import Rule
from mha_core.scenario.norms import norms_of
from mha_core.scenario.score_options import ScoreOptions

# What configs call the sizes and the options.
SIZES: Final[Mapping[str, tuple[str, ...]]] = {
    "n_heads": ("num_attention_heads", "n_head", "n_heads", "num_heads", "nhead", "heads"),
    "n_kv_heads": ("num_key_value_heads", "n_kv_heads", "num_kv_heads"),
    "d_k": ("head_dim", "d_kv", "head_size"),
}
OF_SCORES: Final[Mapping[str, tuple[str, ...]]] = {
    "rope_base": ("rope_theta", "rotary_emb_base", "rope_base"),
    "rope_columns": ("rotary_dim",),
    "softcap": ("attn_logit_softcapping",),
}
OF_NORMS: Final = ("rms_norm_eps", "layer_norm_eps")
WINDOW: Final = "sliding_window"
# How the tensors are named that only some layers have. Those of a norm are two: `weight` is the
# gain, `bias` the shift, which a LayerNorm has.
_NORM: Final = r"_?(norm|ln|layer_?norm|rms_?norm)(?![a-z])"
NAMES_OF_NORMS: Final = {
    **{
        of: re.compile(rf"(^|[^a-z]){spelt}{_NORM}")
        for of, spelt in (("q", "(q|query)"), ("k", "(k|key)"), ("v", "(v|value)"))
    },
    "concat": re.compile(rf"(^|[^a-z])((attn|attention)_?sub|inner_?(attn|attention)){_NORM}"),
}
SINKS: Final = re.compile(r"(^|[^a-z])sinks?(?![a-z])")
# Of a tensor: its own name within its layer; and what that of a gate is called there.
NAME_AND_ENDING: Final = re.compile(r"[^./]*([./]weight)?$")
GATES: Final = re.compile(r"(g|gate)(_?proj)?([./]weight)?")
# The table of what heads add by distance, and how WavLM names its gate of that.
TABLES: Final = re.compile(r"rel(ative)?_?(attn|attention)_?(embed|bias)([./]weight)?$")
KINDS_OF_TABLES: Final = ("num_buckets", "relative_attention_num_buckets")
OF_TABLES: Final = ("max_bucket_distance", "relative_attention_max_distance")
NAMES_OF_FACTORS: Final = {
    "w_f": "gru_rel_pos_linear.weight",
    "b_f": "gru_rel_pos_linear.bias",
    "c_f": "gru_rel_pos_const",
}
WORDS_OF_EMBEDDINGS: Final = ("embed", "wte", "emb", "vocab")
NOT_OF_WORDS: Final = ("pos", "wpe", "type", "patch", "norm")


def guessed(file: TensorFile) -> Choice:
    """What the file suggests of its first layer; what it does not suggest is left open."""
    shapes, config = file.shapes, file.config
    choice = Choice(_named(shapes), scores=_scores(config), rules=_rules(config))
    sizes: dict[str, Any] = {
        name: _said(config, names, _is_size) or 0 for name, names in SIZES.items()
    }
    if sizes["n_heads"]:
        sizes["d_k"] = 0  # it follows
    choice = _with_gate(replace(choice, **sizes), shapes)
    choice = _with_additions(choice, shapes, config)
    choice = with_norm_of_gains(choice, shapes)
    if eps := _said(config, OF_NORMS, _may_be("qk_norm_eps")):
        choice = replace(choice, scores=_with_epsilons(choice.scores, float(eps)))
    choice = replace(choice, transposed=_transposed(choice, shapes))
    return replace(choice, embedding=_embedding(choice, shapes))


def _with_gate(choice: Choice, shapes: Shapes) -> Choice:
    """A gate has a tensor of its own beside W_Q, or W_Q's has both and is twice as large as W_O."""
    if not {*MATRICES} <= choice.names.keys() or choice.fused:
        return choice
    of_queries = choice.names["w_q"]
    if math.prod(shapes[of_queries]) == 2 * math.prod(shapes[choice.names["w_o"]]):
        return choice.with_tensor(GATE, of_queries)
    beside = NAME_AND_ENDING.sub("", of_queries)
    named = [
        name
        for name, shape in shapes.items()
        if len(shape) == 2 and name.startswith(beside) and GATES.fullmatch(name[len(beside) :])
    ]
    return choice.with_tensor(GATE, named[0]) if len(named) == 1 else choice


def _with_additions(choice: Choice, shapes: Shapes, config: Mapping[str, Any]) -> Choice:
    """The table of what heads add by distance, as large as the config says, and the gate of that.

    The first layer alone may have the table, for all.
    """
    kinds = _said(config, KINDS_OF_TABLES, _is_distance)
    tables = [
        name
        for name, shape in shapes.items()
        if shape == (kinds, choice.n_heads) and TABLES.search(name.lower())
    ]
    if len(tables) != 1 or "w_q" not in choice.names:
        return choice
    furthest = _said(config, OF_TABLES, _is_distance) or choice.furthest
    beside = NAME_AND_ENDING.sub("", choice.names["w_q"])
    of_gate = {role: f"{beside}{name}" for role, name in NAMES_OF_FACTORS.items()}
    there = {role: name for role, name in of_gate.items() if name in shapes}
    return replace(choice, names={**choice.names, **there}, table=tables[0], furthest=furthest)


def with_norm_of_gains(choice: Choice, shapes: Shapes) -> Choice:
    """There is a norm where it has gains; with shifts it is a LayerNorm."""
    scores, names = choice.scores, choice.names
    normed = {*norms_of(scores)}
    of_q_and_k = [shapes[names[role]] for role in ("q_gain", "k_gain") if role in names]
    if of_q_and_k and "q" not in normed:
        is_of_all = of_q_and_k[0][-1] in shapes.get(names.get("w_q", ""), ())
        kind = "layer" if "q_shift" in names else "rms"
        scores = replace(scores, qk_norm="all" if is_of_all else "head", qk_norm_kind=kind)
    if "v_gain" in names and "v" not in normed:
        scores = replace(scores, v_norm="rms")
    if "concat_gain" in names and "concat" not in normed:
        scores = replace(scores, concat_norm="layer" if "concat_shift" in names else "rms")
    return replace(choice, scores=scores)


def _with_epsilons(scores: ScoreOptions, eps: float) -> ScoreOptions:
    """The epsilon of the config, in each norm that there is."""
    options = {"q": "qk_norm_eps", "v": "v_norm_eps", "concat": "concat_norm_eps"}
    changed = {options[of]: eps for of in norms_of(scores) if of in options}
    return replace(scores, **changed)


def _scores(config: Mapping[str, Any]) -> ScoreOptions:
    """What a config says of the scores, in words that many configs have."""
    said = {name: _said(config, names, _may_be(name)) for name, names in OF_SCORES.items()}
    known = {name: value for name, value in said.items() if value is not None}
    if "rope_base" in known or "rope_columns" in known:
        known |= {"positions": "rope", "rope_pairs": "halves"}
    elif config.get("alibi") is True:
        known |= {"positions": "alibi"}
    return ScoreOptions(**known)


def _rules(config: Mapping[str, Any]) -> tuple[Rule, ...]:
    """What may see what: a window has the token itself in it."""
    rules = []
    if "CausalLM" in str(config.get("architectures")):
        rules.append(Rule("causal"))
    width = config.get(WINDOW)
    if is_whole(width) and 1 <= width <= LIMITS.tokens and config.get("use_sliding_window", True):
        rules.append(Rule(WINDOW, left=width - 1))
    return tuple(rules)


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
    return found | _rare(shapes, layers[0])


def _rare(shapes: Shapes, layer: str) -> dict[str, str]:
    """What few layers have, among the tensors with the number of this one: norms, and sinks.

    Gains of each head may stand one below the other.
    """
    ends = [number.end() + 1 for number in NUMBER.finditer(f"{layer}.")]
    place = f"{layer}."[: max(ends, default=0)]
    own = {
        name: name.removeprefix(place).lower()
        for name, shape in shapes.items()
        if len(shape) <= 2 and name.startswith(place)
    }
    lists = {name: spelt for name, spelt in own.items() if len(shapes[name]) == 1}
    found = {"sinks": [name for name, spelt in lists.items() if SINKS.search(spelt)]}
    for of, pattern in NAMES_OF_NORMS.items():
        of_norm = [name for name, spelt in own.items() if pattern.search(spelt)]
        shifts = [name for name in of_norm if name.endswith("bias")]
        found |= {f"{of}_gain": [name for name in of_norm if name not in shifts]}
        found |= {f"{of}_shift": shifts}
    return {role: names[0] for role, names in found.items() if len(names) == 1 and role in RARE}


def _transposed(choice: Choice, shapes: Shapes) -> frozenset[str]:
    """Which way round they are stored: shapes say it, or a table of words, or else the names."""
    chosen = frozenset(role for role in MATRICES if role in choice.names)
    is_torch = has_names_of_torch(choice.names)
    ways = [way for way in (chosen, frozenset[str]()) if _fit(choice, way, shapes)]
    with_words = [way for way in ways if _embedding(replace(choice, transposed=way), shapes)]
    turned = next(
        (some[0] for some in (ways, with_words) if len(some) == 1),
        chosen if is_torch else frozenset[str](),
    )
    gates = {GATE, GATE_OF_ADDITIONS} & choice.names.keys()
    return turned | gates if "w_q" in turned else turned


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


def _is_size(value: object) -> bool:
    return is_whole(value) and 1 <= value <= LIMITS.heads


def _is_distance(value: object) -> bool:
    return is_whole(value) and 1 <= value <= LIMITS.tokens


def _may_be(option: str) -> Callable[[Any], bool]:
    """Whether the option may have this value."""

    def is_right(value: Any) -> bool:
        try:
            OPTIONS[option].check(value)
        except MhaError:
            return False
        return value is not None

    return is_right


def _said(
    config: Mapping[str, Any], names: tuple[str, ...], is_right: Callable[[Any], bool]
) -> Any:
    """The first of these fields that a config has, if it can be right."""
    return next((config[name] for name in names if name in config and is_right(config[name])), None)
