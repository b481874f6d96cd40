"""What a model's config says, in a few sentences."""

from __future__ import annotations

from typing import Final

from mha_core.language import say, say_number
from mha_core.models.plan import Activation, Attention, Block, Experts, ModelPlan
from mha_core.options.registry import OPTIONS

ACTIVATION_NAMES: Final[dict[Activation, str]] = {
    "gelu": say("GELU (by erf)"),
    "gelu_tanh": say("GELU (by tanh)"),
    "gelu_quick": say("GELU (by a sigmoid)"),
    "relu": "ReLU",
    "silu": "SiLU",
}


def sentences(family: str, plan: ModelPlan, more: str = "") -> str:
    """The model in words: sizes, heads, norms, MLP, what happens to the scores of layer 0."""
    block = plan.blocks[0]
    said = [
        say_number(
            "{family}: {count} layer of width {width}.",
            "{family}: {count} layers of width {width}.",
            len(plan.blocks),
        ).format(family=family, count=len(plan.blocks), width=plan.width),
        _heads(block.attention),
        _latents(block.attention),
        _norms(block),
        _mlp(plan),
        _scores(block.attention),
        _rules(plan),
        _decoder(plan),
        more,
    ]
    return " ".join(filter(None, said))


def layer_name(plan: ModelPlan, layer: int, *, is_of_mlp: bool = False) -> str:
    """What people call an attention layer: they count from 1, and a decoder's layer has two.

    The MLP behind the two belongs to both: it is of no cross-attention.
    """
    if plan.decoder is None:
        return say("Layer {layer}").format(layer=layer + 1)
    if layer < len(plan.blocks):
        return say("Encoder, layer {layer}").format(layer=layer + 1)
    of_decoder, is_second = divmod(layer - len(plan.blocks), 2)
    is_cross = is_second and not is_of_mlp
    says = say("Decoder, layer {layer}, cross") if is_cross else say("Decoder, layer {layer}")
    return says.format(layer=of_decoder + 1)


def _decoder(plan: ModelPlan) -> str:
    if plan.decoder is None:
        return ""
    count = len(plan.decoder.blocks) // 2
    layers = say_number(
        "So far its encoder. Its decoder has {count} layer: heads among its own words, where none "
        "sees a later one, then heads that look from these words at the encoder's (cross).",
        "So far its encoder. Its decoder has {count} layers, each of two: heads among its own "
        "words, where none sees a later one, then heads that look from these words at the "
        "encoder's (cross).",
        count,
    ).format(count=count)
    reads = say("It reads a text of its own; where none is given, the same one.")
    return f"{layers} {reads}"


def _heads(attention: Attention) -> str:
    n_heads, n_kv_heads = attention.n_heads, attention.n_kv_heads
    heads = say("Each layer has {count} heads of width {d_k}.").format(
        count=n_heads, d_k=attention.d_k
    )
    if n_kv_heads == n_heads:
        return heads
    shared = say_number(
        "They share {count} head of keys and values.",
        "They share {count} heads of keys and values.",
        n_kv_heads,
    ).format(count=n_kv_heads)
    return f"{heads} {shared}"


def _latents(attention: Attention) -> str:
    latents = attention.latents
    if latents is None:
        return ""
    of_queries = say(
        "Queries are made of a small row for each token, their latent, of width {width}: it is X "
        "of a layer that is opened."
    ).format(width=latents.width_of_queries)
    of_keys = say(
        "Keys and values are made of a small row for each token, their latent, of width {width}, "
        "and of {turning} columns beside it, which all heads share in their keys, and which turn. "
        "Together they are C, the second sequence of such a layer: a cache keeps nothing else. A "
        "latent has an RMSNorm behind it."
    ).format(width=latents.width_of_keys, turning=latents.n_turning)
    return f"{of_queries} {of_keys}" if latents.of_queries else of_keys


def _norms(block: Block) -> str:
    norms = block.norms
    norm = norms.attention_in or norms.after_attention or norms.attention_out
    if norm is None:
        return say("It has no norms.")
    kind = "RMSNorm" if norm.is_rms else "LayerNorm"
    if norms.attention_in:
        where = say("{kind} (eps {eps:g}) stands before each part.")
    else:
        where = say("{kind} (eps {eps:g}) stands behind each part.")
    return where.format(kind=kind, eps=norm.eps)


def _mlp(plan: ModelPlan) -> str:
    block = plan.blocks[0]
    if block.mlp is None:
        return say("It has no MLP.")
    if isinstance(block.mlp, Experts):
        return _experts(block.mlp)
    name = ACTIVATION_NAMES[block.mlp.activation]
    gated = say("The MLP has a gate, with {activation}.")
    plain = say("The MLP has {activation}.")
    said = (gated if block.mlp.gate else plain).format(activation=name)
    if experts := _later_experts(plan):
        return f"{said} {experts}"
    if not block.is_parallel:
        return said
    beside = say("It works beside attention, not behind it.")
    return f"{said} {beside}"


def _experts(experts: Experts, layer: int = 0) -> str:
    """The experts that all layers have, or those from this layer on."""
    says = say("The MLP has {count} experts; a router chooses {chosen} of them for each token.")
    if layer:
        says = say(
            "From layer {layer} on it has {count} experts; a router chooses {chosen} of them for "
            "each token."
        )
    router = experts.router
    said = says.format(layer=layer + 1, count=router.count, chosen=router.chosen)
    if experts.shared is None:
        return said
    beside = say("Beside them is one that every token passes.")
    return f"{said} {beside}"


def _later_experts(plan: ModelPlan) -> str:
    """Of models whose first layers have one MLP for all tokens."""
    for layer, block in enumerate(plan.blocks):
        if isinstance(block.mlp, Experts):
            return _experts(block.mlp, layer)
    return ""


def _scores(attention: Attention) -> str:
    scores = attention.scores
    changed = [
        option.note(value)
        for name, option in OPTIONS.items()
        if (value := getattr(scores, name)) != option.default
        and option.applies(scores)
        and option.has_what_it_needs(attention.names.given())
    ]
    if not isinstance(scores.scale, str):
        changed.append(say("Scores are multiplied by {scale:.4g}.").format(scale=scores.scale))
    if scores.scale == "none":
        changed.append(say("Scores are not scaled."))
    if attention.turning_growth != 1:
        changed.append(
            say("The columns of Q and K that turn grow by {factor:.4g}, in W_Q and W_K.").format(
                factor=attention.turning_growth
            )
        )
    if attention.longer_texts is not None:
        changed.append(
            say("In texts of more than {count:,.0f} tokens, Q and K turn slower.").format(
                count=attention.longer_texts.known
            )
        )
    if attention.distances is not None:
        changed.append(say("Each head adds a number for each kind of distance to its scores."))
    return " ".join(filter(None, changed))


def _rules(plan: ModelPlan) -> str:
    rules = {block.attention.rules for block in plan.blocks}
    if rules == {()}:
        return say("Every token sees every other.")
    windows = sorted(
        {
            (rule.options["left"], rule.options.get("right", 0))
            for each in rules
            for rule in each
            if "left" in rule.options
        }
    )
    if not windows:
        return say("No token sees a later one.")
    before, behind = windows[0]
    some = say("Tokens see the last {count} tokens in all layers.")
    if len(rules) > 1:
        some = say("Tokens see the last {count} tokens in some layers, all earlier ones in others.")
    if behind:
        some = say("Tokens see {before} tokens before them and {behind} behind them in all layers.")
    if behind and len(rules) > 1:
        some = say(
            "Tokens see {before} tokens before them and {behind} behind them in some layers, all "
            "tokens in others."
        )
    return some.format(count=before + 1, before=before, behind=behind)
