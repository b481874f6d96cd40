"""PyTorch as a judge from outside: its layer, its attention function, and its single operations."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional

from mha_core import attend
from mha_core.layer.attention import scaled_dot_product_attention, softmax
from mha_core.layer.trace import STEPS, Trace
from mha_core.options.registry import OPTIONS
from mha_core.scenario.masks import Mask
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions
from tests.core.compare import TOLERANCE, fields_that_differ, largest_difference
from tests.core.oracle import first_query
from tests.core.strategies import (
    FLOATS,
    SEEDS,
    masks,
    random_arrays,
    scenario_of_distinct_sizes,
    scenarios,
    with_stable_softmax,
    without_distances,
)


def tensor(array: Any) -> torch.Tensor:
    return torch.from_numpy(np.array(array))


# nn.MultiheadAttention.


@st.composite
def layers_as_torch_has_them(draw: st.DrawFn) -> Scenario:
    """d_out = d_model = n_heads * d_k, d_v = d_k, all biases or none, and no blind query."""
    n_heads, d_k = draw(st.sampled_from([(1, 5), (2, 3), (3, 2), (5, 1)]))
    n_q, cross = draw(st.integers(1, 7)), draw(st.booleans())
    n_k, d_model_kv = (draw(st.integers(1, 7)), 11) if cross else (n_q, n_heads * d_k)
    own_values = draw(st.booleans())
    d_model_v = draw(st.sampled_from([7, d_model_kv])) if own_values else d_model_kv
    sizes = {
        **{"n_q": n_q, "n_k": n_k, "d_model": n_heads * d_k},
        **{"d_model_kv": d_model_kv, "d_model_v": d_model_v},
        **{"n_heads": n_heads, "n_kv_heads": n_heads, "d_k": d_k, "d_v": d_k},
        **{"d_out": n_heads * d_k},
    }
    biases = draw(st.sampled_from([[], ["b_q", "b_k", "b_v", "b_o"]]))
    sources = [*["context"] * cross, *["context_v"] * own_values]
    names = ["x", "w_q", "w_k", "w_v", "w_o", *biases, *sources]
    scenario = Scenario(
        **random_arrays(sizes, names, seed=draw(SEEDS), dtype=draw(FLOATS)),
        n_heads=n_heads,
        mask=draw(masks(n_q, n_k)),
        scores=ScoreOptions(positions=draw(st.sampled_from(["none", "alibi"]))),
    )
    # PyTorch's layer answers NaN for a query that may attend to nothing; ours answers zeros.
    assume(not attend(scenario).blind_queries.any())
    return scenario


def torch_layer(s: Scenario) -> nn.MultiheadAttention:
    layer = nn.MultiheadAttention(
        embed_dim=s.d_model,
        num_heads=s.n_heads,
        bias=s.b_q is not None,
        kdim=s.d_model_kv,
        vdim=s.d_model_v,
        batch_first=True,
        dtype=tensor(s.x).dtype,
    )
    given = {
        "out_proj.weight": s.w_o.T,
        **(
            {"in_proj_weight": np.concatenate([s.w_q.T, s.w_k.T, s.w_v.T])}
            if s.d_model_v == s.d_model_kv == s.d_model
            else {"q_proj_weight": s.w_q.T, "k_proj_weight": s.w_k.T, "v_proj_weight": s.w_v.T}
        ),
    }
    if s.b_q is not None:
        given["in_proj_bias"] = np.concatenate([s.b_q, s.b_k, s.b_v])
        given["out_proj.bias"] = s.b_o
    layer.load_state_dict({name: tensor(array) for name, array in given.items()})
    return layer.eval()


def answer_of_torch_layer(s: Scenario, attn_mask: torch.Tensor | None) -> dict[str, Any]:
    with torch.no_grad():
        output, weights = torch_layer(s)(
            tensor(s.x),
            tensor(s.keys_from),
            tensor(s.values_from),
            attn_mask=attn_mask,
            need_weights=True,
            average_attn_weights=False,
        )
    return {"weights": weights.numpy(), "output": output.numpy()}


@given(scenario=layers_as_torch_has_them())
def test_torch_layer_with_a_float_mask_gives_our_weights_and_output(scenario: Scenario) -> None:
    trace = attend(scenario)
    attn_mask = tensor(np.where(trace.mask, trace.bias, -np.inf).astype(scenario.dtype))
    assert fields_that_differ(trace, answer_of_torch_layer(scenario, attn_mask)) == {}


@given(scenario=layers_as_torch_has_them())
def test_torch_layer_with_a_boolean_mask_gives_our_weights_and_output(scenario: Scenario) -> None:
    trace = attend(without_additions(scenario))
    attn_mask = tensor(~trace.mask)  # PyTorch's layer marks what is hidden
    assert fields_that_differ(trace, answer_of_torch_layer(scenario, attn_mask)) == {}


def test_torch_layer_gives_our_weights_and_output_without_a_mask() -> None:
    drawn = random_arrays(
        {
            **{"n_q": 13, "n_k": 13, "d_model": 35, "d_out": 35},
            **{"d_model_kv": 35, "d_model_v": 35},
            **{"n_heads": 7, "n_kv_heads": 7, "d_k": 5, "d_v": 5},
        },
        ["x", "w_q", "w_k", "w_v", "w_o"],
        seed=1,
        dtype=np.float64,
    )
    scenario = Scenario(**drawn, n_heads=7)
    assert fields_that_differ(attend(scenario), answer_of_torch_layer(scenario, None)) == {}


def without_additions(s: Scenario) -> Scenario:
    trace = attend(s)
    given = {**s.given(), "n_heads": s.n_heads}
    return Scenario(**given, mask=Mask(custom=trace.mask))


# scaled_dot_product_attention, grouped queries included.


def head_outputs_of_torch(trace: Trace, attn_mask: torch.Tensor | None) -> np.ndarray:
    s = trace.scenario
    return functional.scaled_dot_product_attention(
        tensor(trace.q_rotated)[None],
        tensor(trace.k_rotated)[None],
        tensor(trace.v_normed)[None],
        attn_mask=attn_mask,
        scale=s.scores.factor(s.d_k),
        enable_gqa=s.n_kv_heads != s.n_heads,
    )[0].numpy()


def with_all_heads_and_no_cap(s: Scenario) -> Scenario:
    """PyTorch's function knows no caps, temperatures, growth or sinks; and no heads are off."""
    unknown = ("softcap", "temperature", "softmax", "growth")
    kept = [name for name in OPTIONS if name not in unknown]
    scores = ScoreOptions(**{name: getattr(s.scores, name) for name in kept})
    counts = {"n_heads": s.n_heads, "n_kv_heads": s.n_kv_heads}
    given = {name: array for name, array in s.given().items() if name != "sinks"}
    return Scenario(**given, **counts, mask=s.mask, scores=scores)


@given(scenario=scenarios().map(with_all_heads_and_no_cap))
def test_torch_function_with_a_float_mask_gives_our_head_outputs(scenario: Scenario) -> None:
    trace = attend(scenario)
    added = trace.bias + trace.relative_scores * scenario.scores.factor(scenario.d_k)
    attn_mask = tensor(np.where(trace.mask, added, -np.inf).astype(scenario.dtype))
    expected = head_outputs_of_torch(trace, attn_mask)
    assert fields_that_differ(trace, {"head_outputs": expected}) == {}


@given(scenario=scenarios().map(with_all_heads_and_no_cap).map(without_distances))
def test_torch_function_with_a_boolean_mask_gives_our_head_outputs(scenario: Scenario) -> None:
    assume(scenario.scores.positions != "alibi" and scenario.mask.additive is None)
    assume(scenario.b_s is None)
    trace = attend(scenario)
    expected = head_outputs_of_torch(trace, tensor(trace.mask))
    assert fields_that_differ(trace, {"head_outputs": expected}) == {}


@pytest.mark.parametrize("kind", ["boolean", "float"])
def test_torch_agrees_that_a_blind_query_gets_zeros(kind: str) -> None:
    blind_to_all = np.ones((5, 7), np.bool_)
    blind_to_all[3] = False
    trace = attend(scenario_of_distinct_sizes(mask=Mask(custom=blind_to_all)))
    as_float = np.where(blind_to_all, 0.0, -np.inf)
    expected = head_outputs_of_torch(trace, tensor(blind_to_all if kind == "boolean" else as_float))
    assert not expected[:, 3].any()
    assert fields_that_differ(trace, {"head_outputs": expected}) == {}


@given(
    seed=SEEDS,
    sizes=st.tuples(*[st.integers(1, 5)] * 4),
    batch=st.integers(1, 3),
    group=st.integers(1, 3),
    kv_heads=st.integers(1, 3),
    dtype=FLOATS,
    scale=st.sampled_from([None, 0.25, 2.0]),
)
def test_our_function_of_plain_arrays_is_torch_s_in_batches_and_groups(
    seed: int,
    sizes: tuple[int, int, int, int],
    batch: int,
    group: int,
    kv_heads: int,
    dtype: Any,
    scale: float | None,
) -> None:
    n_q, n_k, d_k, d_v = sizes
    rng = np.random.default_rng(seed)
    q = rng.standard_normal((batch, kv_heads * group, n_q, d_k)).astype(dtype)
    k = rng.standard_normal((batch, kv_heads, n_k, d_k)).astype(dtype)
    v = rng.standard_normal((batch, kv_heads, n_k, d_v)).astype(dtype)
    mask = rng.random((n_q, n_k)) < 0.7
    ours = scaled_dot_product_attention(q, k, v, mask, scale=scale)
    torchs = functional.scaled_dot_product_attention(
        *(tensor(array) for array in (q, k, v)),
        attn_mask=tensor(mask),
        scale=scale,
        enable_gqa=group > 1,
    )
    assert ours.dtype == dtype
    assert largest_difference(ours, torchs.numpy()) <= TOLERANCE[np.dtype(dtype).name]


@given(seed=SEEDS, dtype=FLOATS, shape=st.tuples(*[st.integers(1, 7)] * 3))
def test_softmax_is_torch_s(seed: int, dtype: Any, shape: tuple[int, int, int]) -> None:
    scores = (9 * np.random.default_rng(seed).standard_normal(shape)).astype(dtype)
    expected = torch.softmax(tensor(scores), dim=-1).numpy()
    assert largest_difference(softmax(scores), expected) <= TOLERANCE[np.dtype(dtype).name]


# Every step, as PyTorch's own operations write it.

OF_TORCH: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "none": lambda x: x,
    "sigmoid": torch.sigmoid,
    "softplus": functional.softplus,
    "silu": functional.silu,
    "tanh": torch.tanh,
    "relu": functional.relu,
    "hardswish": functional.hardswish,
}


def steps_of_torch(s: Scenario) -> dict[str, Any]:
    x, context = tensor(s.x), tensor(s.keys_from)
    p = s.scores
    positions, context_positions = torch.zeros_like(x), torch.zeros_like(context)
    if p.positions == "sinusoidal":
        positions = waves(x, first_query(s))
        context_positions = positions if s.context is None else waves(context, 0)
    x_positioned, context_positioned = x + positions, context + context_positions
    q = linear(x_positioned, s.w_q, s.b_q)
    k = linear(context_positioned, s.w_k, s.b_k)
    context_v = context_positioned if p.sinusoids_for == "everything" else context
    if s.context_v is not None:
        context_v = tensor(s.context_v)
    v = linear(context_v, s.w_v, s.b_v)
    q_heads = q.unflatten(1, (s.n_heads, s.d_k)).transpose(0, 1)
    k_heads = k.unflatten(1, (s.n_kv_heads, s.d_k)).transpose(0, 1)
    v_heads = v.unflatten(1, (s.n_kv_heads, s.d_v)).transpose(0, 1) * p.v_scale
    first_key = first_query(s) if s.context is None else 0
    is_normed, is_turned = p.qk_norm != "none", p.positions == "rope"
    is_turned_first = is_normed and is_turned and p.qk_norm_place == "after"
    q_rotated_first, k_rotated_first = q_heads, k_heads
    if is_turned_first:
        q_rotated_first = turned(q_heads, first_query(s), p)
        k_rotated_first = turned(k_heads, first_key, p)
    is_divided, of_all = p.qk_norm in ("head", "all"), p.qk_norm == "all"
    is_layer = is_divided and p.qk_norm_kind == "layer"
    q_normed, k_normed, v_normed = q_rotated_first, k_rotated_first, v_heads
    if is_normed:
        eps = p.qk_norm_eps if is_divided else None
        q_normed = norm(q_normed, is_layer, of_all, eps, p.q_gain, p.q_shift)
        k_normed = norm(k_normed, is_layer, of_all, eps, p.k_gain, p.k_shift)
    if p.v_norm != "none":
        v_normed = norm(v_heads, False, False, p.v_norm_eps, p.v_gain, None)

    q_rotated, k_rotated = q_normed, k_normed
    if is_turned and not is_turned_first:
        q_rotated = turned(q_normed, first_query(s), p)
        k_rotated = turned(k_normed, first_key, p)

    group = s.n_heads // s.n_kv_heads
    raw = torch.einsum("hqd,hkd->hqk", q_rotated, k_rotated.repeat_interleave(group, 0))
    relative = relative_of_torch(s, q_rotated, k_rotated.repeat_interleave(group, 0))
    summed = raw + relative
    grown = summed * growth_of_torch(s)
    scaled = grown * p.factor(s.d_k)
    capped = scaled if p.softcap is None else p.softcap * torch.tanh(scaled / p.softcap)
    bias = torch.zeros_like(raw)
    f = torch.zeros(s.n_q, s.n_heads * 2, dtype=x.dtype)
    f_gates = torch.zeros(s.n_heads, s.n_q, 2, dtype=x.dtype)
    factors = torch.ones(s.n_heads, s.n_q, 1, dtype=x.dtype)
    if s.w_f is not None:
        f = linear(x_positioned, s.w_f, s.b_f)
        f_gates = torch.sigmoid(f.unflatten(1, (s.n_heads, 2)).transpose(0, 1))
        one, other = f_gates.chunk(2, dim=-1)
        constants = 1.0 if s.c_f is None else tensor(s.c_f).view(-1, 1, 1)
        factors = one * (other * constants - 1.0) + 2.0
    if s.b_s is not None:
        bias = bias + factors * tensor(s.b_s).unflatten(0, (s.n_heads, s.n_q))
    if s.mask.additive is not None:
        additive = tensor(s.mask.additive.astype(s.dtype))
        bias = bias + additive.masked_fill(additive == -math.inf, 0)
    mask = tensor(s.mask.allowed(s.n_q, s.n_k))
    biased = capped + bias
    masked = biased.masked_fill(~mask, -math.inf)
    tempered = masked / p.temperature
    sinks = torch.full((s.n_heads,), -math.inf) if s.sinks is None else tensor(s.sinks)
    beside = torch.cat([tempered, sinks.to(raw).view(-1, 1, 1).expand(-1, s.n_q, 1)], -1)
    has_none = beside.isneginf().all(-1, keepdim=True)
    shares = torch.softmax(beside, -1).masked_fill(has_none, 0)
    weights, sink_weights = shares[..., :-1], shares[..., -1:]
    head_outputs = weights @ v_normed.repeat_interleave(group, 0)
    head_outputs[sorted(s.heads_off)] = 0
    g = torch.zeros(s.n_q, s.n_heads * s.d_v, dtype=x.dtype)
    gates = torch.ones(s.n_heads, s.n_q, s.d_v, dtype=x.dtype)
    if s.w_g is not None:
        g = linear(x_positioned, s.w_g, s.b_g)
        gates = OF_TORCH[p.gate_function](g).unflatten(1, (s.n_heads, -1)).transpose(0, 1)
    gated_outputs = head_outputs * gates
    is_centered = p.concat_norm == "layer"
    heads_normed = gated_outputs
    if p.concat_norm != "none":
        heads_normed = norm(
            gated_outputs, is_centered, True, p.concat_norm_eps, p.concat_gain, p.concat_shift
        )
    heads_bent = OF_TORCH[p.concat_function](heads_normed)
    concat = heads_bent.transpose(0, 1).flatten(1)
    w_o = tensor(s.w_o).unflatten(0, (s.n_heads, s.d_v))
    fields = {
        "x": x,
        "context": context,
        "positions": positions,
        "x_positioned": x_positioned,
        "context_positions": context_positions,
        "context_positioned": context_positioned,
        "context_v": context_v,
        **{"q": q, "k": k, "v": v, "q_heads": q_heads, "k_heads": k_heads, "v_heads": v_heads},
        **{"q_rotated_first": q_rotated_first, "k_rotated_first": k_rotated_first},
        "q_centered": less_mean(q_rotated_first, of_all) if is_layer else q_rotated_first,
        "k_centered": less_mean(k_rotated_first, of_all) if is_layer else k_rotated_first,
        **{"q_normed": q_normed, "k_normed": k_normed, "v_normed": v_normed},
        **{"q_rotated": q_rotated, "k_rotated": k_rotated, "raw_scores": raw},
        **{"relative_scores": relative, "summed_scores": summed, "grown_scores": grown},
        **{"f": f, "f_gates": f_gates, "factors": factors},
        **{"scaled_scores": scaled, "capped_scores": capped, "bias": bias},
        **{"biased_scores": biased, "mask": mask, "blind_queries": ~mask.any(-1)},
        **{
            "masked_scores": masked,
            "tempered_scores": tempered,
            "weights": weights,
            "sink_weights": sink_weights,
            "head_outputs": head_outputs,
        },
        **{"g": g, "gates": gates, "gated_outputs": gated_outputs},
        "row_max": beside.amax(-1, keepdim=True).masked_fill(has_none, 0),
        "heads_centered": less_mean(gated_outputs, True) if is_centered else gated_outputs,
        "heads_normed": heads_normed,
        "heads_bent": heads_bent,
        "concat": concat,
        "contributions": torch.einsum("hqd,hdo->hqo", heads_bent, w_o) * p.output_scale,
        "output": linear(concat, s.w_o, s.b_o) * p.output_scale,
    }
    exponentials = torch.exp(beside - fields["row_max"])
    row_sums = exponentials.sum(-1, keepdim=True)
    fields |= {"exponentials": exponentials[..., :-1], "row_sums": row_sums}
    return {name: field.numpy() for name, field in fields.items()}


def relative_of_torch(s: Scenario, q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    """As Shaw has it: a vector for every pair, taken out of its table; and as SAM, one an axis."""
    first_key = first_query(s) if s.context is None else 0
    of_queries = (torch.arange(s.n_q) + first_query(s))[:, None]
    of_keys = (torch.arange(s.n_k) + first_key)[:, None]
    if s.scores.r_places is not None:
        places = torch.tensor(s.scores.r_places)
        of_queries, of_keys = places[of_queries[:, 0]], places[of_keys[:, 0]]
    apart = of_keys[None] - of_queries[:, None]
    made = torch.zeros(s.n_heads, s.n_q, s.n_k, dtype=q.dtype)
    for table, met in ((s.r_k, "hqd"), (s.r_q, "hkd")):
        if table is not None:
            of_axes = tensor(table).unflatten(1, (s.n_heads, s.d_k)).tensor_split(apart.shape[-1])
            for axis, own in enumerate(of_axes):
                reach = len(own) // 2
                rows = own[apart[..., axis].clamp(-reach, reach) + reach]
                made = made + torch.einsum(f"{met},qkhd->hqk", q if met == "hqd" else k, rows)
    return made


def linear(x: torch.Tensor, w: Any, b: Any) -> torch.Tensor:
    return functional.linear(x, tensor(w.T), None if b is None else tensor(b))


def waves(x: torch.Tensor, start: int) -> torch.Tensor:
    n, width = x.shape
    places = torch.arange(start, start + n, dtype=torch.float64)
    pairs = torch.arange((width + 1) // 2, dtype=torch.float64)
    angles = torch.outer(places, 10_000.0 ** (-2 * pairs / width))
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1)[:, :width].to(x.dtype)


def norm(
    heads: torch.Tensor,
    is_layer: bool,
    of_all: bool,
    eps: float | None,
    gains: tuple[float, ...] | None,
    shifts: tuple[float, ...] | None,
) -> torch.Tensor:
    """PyTorch's own RMS norm or LayerNorm, over the columns of a head or of all side by side.

    Without an epsilon there are gains and shifts alone.
    """
    rows = heads.double().transpose(0, 1)
    width = rows[0].shape if of_all else rows.shape[-1:]
    made = rows
    if eps is not None:
        made = (functional.layer_norm if is_layer else functional.rms_norm)(rows, width, eps=eps)
    if gains is not None:
        made = made * in_columns(gains, heads)
    if shifts is not None:
        made = made + in_columns(shifts, heads)
    return made.transpose(0, 1).to(heads.dtype)


def in_columns(numbers: tuple[float, ...], heads: torch.Tensor) -> torch.Tensor:
    return torch.tensor(numbers, dtype=torch.float64).unflatten(0, (-1, heads.shape[-1]))


def less_mean(heads: torch.Tensor, of_all: bool) -> torch.Tensor:
    return heads - heads.mean((0, 2) if of_all else 2, keepdim=True)


def growth_of_torch(s: Scenario) -> torch.Tensor:
    """As Llama 4 has it, as Ministral 3, and as the first Qwen if the growth is 1 / ln(n)."""
    p, tokens = s.scores, torch.arange(s.n_q, dtype=torch.float64) + first_query(s)
    by = {
        "steps": torch.log1p(torch.floor((tokens + 1) / p.growth_every)),
        "steps_from_0": torch.log(1 + torch.floor(tokens / p.growth_every)),
        "smooth": torch.log(tokens + 1).sub(math.log(p.growth_every)).clamp(min=0),
    }
    return (1 + p.growth * by[p.growth_kind]).to(tensor(s.x))[:, None]


def turned(heads: torch.Tensor, start: int, scores: ScoreOptions) -> torch.Tensor:
    """The rotation as a product of complex numbers."""
    n, d_k = heads.shape[-2:]
    width = scores.rope_columns or d_k
    places = torch.arange(start, start + n, dtype=torch.float64)
    columns = torch.arange(0, width, 2, dtype=torch.float64)
    speeds = scores.rope_base ** (-columns / width)
    of_pairs = places[:, None].expand(-1, len(columns))
    if scores.rope_places is not None:
        table = torch.tensor(scores.rope_places, dtype=torch.float64)[start : start + n]
        axes = axes_of_pairs(scores, len(columns))
        of_pairs = table[:, axes]
        if scores.rope_series == "axis":
            among = torch.nn.functional.one_hot(axes)
            number = ((among.cumsum(0) - 1) * among).sum(1)
            speeds = scores.rope_base ** (-number / among.sum(0)[axes].double())
    if scores.rope_frequencies is not None:
        speeds = torch.tensor(scores.rope_frequencies, dtype=torch.float64)
    angles = of_pairs * speeds
    turning, staying = heads.double().split([width, d_k - width], -1)
    if scores.rope_pairs == "crossed":
        return torch.cat([crossed(turning, angles, scores), staying], -1).to(heads.dtype)
    shape = (2, -1) if scores.rope_pairs == "halves" else (-1, 2)
    in_pairs = turning.unflatten(-1, shape)
    if scores.rope_pairs == "halves":
        in_pairs = in_pairs.mT
    pairs = torch.view_as_complex(in_pairs.contiguous())
    both = torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles))
    if scores.rope_pairs == "halves":
        both = both.mT
    return torch.cat([both.flatten(-2), staying], -1).to(heads.dtype)


def crossed(turning: torch.Tensor, angles: torch.Tensor, scores: ScoreOptions) -> torch.Tensor:
    """As V-JEPA 2 has it: each axis repeats its angles, and neighbours are exchanged."""
    axes = torch.zeros(angles.shape[-1], dtype=torch.long)
    if scores.rope_places is not None:
        axes = axes_of_pairs(scores, angles.shape[-1])
    of_columns = torch.empty(len(angles), turning.shape[-1], dtype=torch.float64)
    for axis in axes.unique():
        of_columns[:, (axes == axis).repeat_interleave(2)] = angles[:, axes == axis].repeat(1, 2)
    one, other = turning.unflatten(-1, (-1, 2)).unbind(-1)
    exchanged = torch.stack([-other, one], -1).flatten(-2)
    return turning * of_columns.cos() + exchanged * of_columns.sin()


def axes_of_pairs(scores: ScoreOptions, pairs: int) -> torch.Tensor:
    """The axis of each pair: as chosen, or in equal runs."""
    n_axes = len(scores.rope_places[0])
    runs = torch.arange(n_axes).repeat_interleave(pairs // n_axes)
    chosen = runs if scores.rope_axes is None else torch.tensor(scores.rope_axes)
    return chosen if n_axes > 1 else torch.zeros(pairs, dtype=torch.long)


def without_alibi(s: Scenario) -> bool:
    return s.scores.positions != "alibi"


@given(scenario=scenarios().filter(without_alibi).map(with_stable_softmax))
def test_every_field_is_what_torch_s_operations_say(scenario: Scenario) -> None:
    expected = steps_of_torch(scenario)
    assert set(expected) == {step.name for step in STEPS}
    assert fields_that_differ(attend(scenario), expected) == {}
