"""A layer is mapped by hand: guessed, chosen, cut, checked, kept and read again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from mha_core import Rule, ScoreOptions, attend
from mha_core.checks.errors import (
    FileError,
    FormatError,
    HeadsError,
    MhaError,
    NumberError,
    OptionError,
    ShapeError,
)
from mha_core.checks.shapes import FloatArray
from mha_core.models import LayerNames, Stored, read_layer
from mha_core.models.by_hand.checked import check_fits, says_compared, square, unchecked
from mha_core.models.by_hand.choice import Choice, choice_of, numbered
from mha_core.models.by_hand.guess import guessed, with_norm_of_gains
from mha_core.models.by_hand.layer_by_hand import LayerByHand
from tests.core.models.held import Held
from tests.core.strategies import score_options

WIDTH, HEADS, D = 14, 2, 7


def numbers(*shape: int, seed: int = 0) -> FloatArray:
    drawn: FloatArray = np.random.default_rng([seed, *shape]).normal(size=shape).astype(np.float32)
    return drawn / np.float32(4)


MATRICES = {name: numbers(WIDTH, WIDTH, seed=seed) for seed, name in enumerate("qkvo")}


def separate(layers: int = 2, **config: Any) -> Held:
    """Square matrices with names of PyTorch's, which no family has; each layer has the same."""
    tensors = {
        f"stack.{layer}.mix.to_{name}.weight": matrix.T
        for layer in range(layers)
        for name, matrix in MATRICES.items()
    }
    tensors["tokens_embedded.weight"] = numbers(5, WIDTH)
    tensors["embedded_positions"] = numbers(9, WIDTH)
    return Held(tensors, config)


def fused(*, by_head: bool) -> Held:
    """Q, K and V in one matrix with a bias, as inputs × outputs."""
    three = [MATRICES[name] for name in "qkv"]
    biases = [numbers(1, WIDTH, seed=seed) for seed in range(3)]
    return Held(
        {
            "attn.qkv.weight": _joined(three, by_head=by_head).T,
            "attn.qkv.bias": _joined(biases, by_head=by_head)[0],
            "attn.proj.weight": MATRICES["o"].T,
        },
        {"n_head": HEADS},
    )


def _joined(parts: list[FloatArray], *, by_head: bool) -> FloatArray:
    if not by_head:
        return np.concatenate(parts, axis=1)
    heads = [part.reshape(len(part), HEADS, D) for part in parts]
    return np.concatenate(heads, axis=2).reshape(len(parts[0]), -1)


def by_hand(file: Held, **changes: Any) -> LayerByHand:
    return replace(guessed(file), n_heads=HEADS, **changes).mapped(file.shapes)


def error_of(kind: type[MhaError], action: Any) -> str:
    with pytest.raises(kind) as caught:
        action()
    return str(caught.value)


def test_names_and_config_fill_in_what_they_suggest() -> None:
    file = separate(num_attention_heads=HEADS, num_key_value_heads=1, rope_theta=500.0)
    choice = guessed(file)
    assert choice.names == {f"w_{name}": f"stack.0.mix.to_{name}.weight" for name in "qkvo"}
    assert choice.transposed == {"w_q", "w_k", "w_v", "w_o"}
    assert choice.embedding == "tokens_embedded.weight"
    assert (choice.n_heads, choice.n_kv_heads) == (HEADS, 1)
    assert choice.scores == ScoreOptions(positions="rope", rope_pairs="halves", rope_base=500.0)
    assert (choice.d_k, choice.rules) == (0, ())


def test_a_config_suggests_the_mask_the_width_of_a_head_and_more() -> None:
    config = {"head_dim": D, "architectures": ["OddForCausalLM"], "sliding_window": 4}
    choice = guessed(separate(**config, rotary_dim=4, attn_logit_softcapping=50.0))
    assert (choice.n_heads, choice.d_k) == (0, D)
    assert choice.rules == (Rule("causal"), Rule("sliding_window", left=3))
    scores = {"positions": "rope", "rope_pairs": "halves", "rope_columns": 4, "softcap": 50.0}
    assert choice.scores == ScoreOptions(**scores)
    assert guessed(separate(alibi=True)).scores == ScoreOptions(positions="alibi")
    wrong = {"rope_theta": "large", "rotary_dim": -1, "sliding_window": 0, "head_dim": 0.5}
    assert guessed(separate(**wrong)) == guessed(separate())


@pytest.mark.parametrize(("name", "columns"), [("gate_proj", WIDTH), ("to_g", HEADS)])
def test_a_gate_is_a_tensor_beside_that_of_the_queries(name: str, columns: int) -> None:
    file, gate = separate(1, n_head=HEADS), numbers(WIDTH, columns, seed=9)
    tensors = {**file.tensors, f"stack.0.mix.{name}.weight": gate.T}
    mlp = {"stack.0.mlp.gate_proj.weight": numbers(3, WIDTH)}
    gated = Held({**tensors, **mlp}, file.config)
    choice = guessed(gated)
    if name == "to_g":  # no name that is known
        assert "w_g" not in choice.names
        choice = choice.with_tensor("w_g", "stack.0.mix.to_g.weight")
        choice = choice.stored("w_g", is_transposed=True)
    assert choice.names["w_g"] == f"stack.0.mix.{name}.weight"
    mapped = choice.mapped(gated.shapes)
    weights = read_layer(gated, names=mapped)
    np.testing.assert_array_equal(weights.w_g, gate)
    assert choice_of(mapped, gated.shapes) == choice
    assert LayerByHand.from_json(mapped.to_json().encode()) == mapped
    x = numbers(3, WIDTH)
    assert weights.scenario(x).d_g == columns // HEADS
    one = attend(weights.only([1]).scenario(x)).output
    np.testing.assert_allclose(one, attend(weights.scenario(x)).contributions[1], atol=1e-6)


def test_queries_and_their_gate_may_stand_in_one_tensor_cut_by_head() -> None:
    gate = numbers(WIDTH, WIDTH, seed=9)
    heads = [each.reshape(WIDTH, HEADS, D) for each in (MATRICES["q"], gate)]
    both = np.concatenate(heads, axis=2).reshape(WIDTH, -1)
    file = separate(1, n_head=HEADS)
    gated = Held({**file.tensors, "stack.0.mix.to_q.weight": both.T}, file.config)
    choice = guessed(gated)
    assert choice.names["w_g"] == choice.names["w_q"]
    weights = read_layer(gated, names=choice.mapped(gated.shapes))
    np.testing.assert_array_equal(weights.w_q, MATRICES["q"])
    np.testing.assert_array_equal(weights.w_g, gate)
    by_width = replace(choice, n_heads=0, d_k=D).mapped(gated.shapes)
    np.testing.assert_array_equal(read_layer(gated, names=by_width).w_g, gate)
    said = error_of(NumberError, lambda: replace(choice, n_heads=0).mapped(gated.shapes))
    assert said.startswith("The number of heads must be")


def with_additions(layers: int = 2, **config: Any) -> Held:
    """A table of distances in the first layer, and a gate of it in each, as WavLM has them."""
    file, tensors = (
        separate(layers, n_head=HEADS, num_buckets=8, max_bucket_distance=5, **config),
        {},
    )
    for layer in range(layers):
        beside = f"stack.{layer}.mix.gru_rel_pos"
        tensors[f"{beside}_linear.weight"] = numbers(8, D, seed=layer)
        tensors[f"{beside}_linear.bias"] = numbers(8, seed=layer)
        tensors[f"{beside}_const"] = numbers(1, HEADS, 1, 1, seed=layer)
    tensors["stack.0.mix.rel_attn_embed.weight"] = numbers(8, HEADS)
    return Held({**file.tensors, **tensors}, file.config)


def test_a_table_of_distances_and_the_gate_of_it_are_those_of_wavlm() -> None:
    file = with_additions()
    choice = guessed(file)
    assert (choice.table, choice.furthest) == ("stack.0.mix.rel_attn_embed.weight", 5)
    assert "w_f" in choice.transposed
    mapped = choice.mapped(file.shapes)
    assert choice_of(mapped, file.shapes) == choice
    assert LayerByHand.from_json(mapped.to_json().encode()) == mapped
    x = numbers(6, WIDTH)
    weights = read_layer(file, 1, names=mapped)
    trace = attend(weights.scenario(x))
    gate = file.tensors["stack.1.mix.gru_rel_pos_linear.weight"]
    shift = file.tensors["stack.1.mix.gru_rel_pos_linear.bias"]
    constants = file.tensors["stack.1.mix.gru_rel_pos_const"].ravel()
    for head in range(HEADS):
        scores = (x[:, head * D :][:, :D] @ gate.T + shift).reshape(-1, 2, 4).sum(axis=-1)
        first, second = (1 / (1 + np.exp(-scores))).T
        factors = first * (second * constants[head] - 1) + 2
        np.testing.assert_allclose(trace.factors[head, :, 0], factors, rtol=1e-5)
        added = file.tensors["stack.0.mix.rel_attn_embed.weight"][:, head]
        np.testing.assert_allclose(trace.bias[head, 0, :2], factors[0] * added[[0, 5]], rtol=1e-5)
    one = attend(weights.only([1]).scenario(x)).output
    np.testing.assert_allclose(one, trace.contributions[1], atol=1e-6)


def test_a_table_may_stand_without_a_gate_and_a_decoder_has_no_kinds_ahead() -> None:
    file = with_additions(1, architectures=["OddForCausalLM"])
    choice = guessed(file)
    plain = choice
    for role in ("w_f", "b_f", "c_f"):
        plain = plain.with_tensor(role, "")
    assert choice.with_table(choice.table) == choice
    assert choice.with_table("") == replace(plain, table="")
    s = read_layer(file, names=plain.mapped(file.shapes)).scenario(numbers(3, WIDTH))
    table = file.tensors["stack.0.mix.rel_attn_embed.weight"]
    np.testing.assert_array_equal(s.b_s[:3, 0], table[[0, 1, 2], 0])
    assert s.w_f is None
    without = plain.with_tensor("w_f", choice.names["w_f"]).stored("w_f", is_transposed=True)
    alone = read_layer(file, names=without.mapped(file.shapes))
    assert (alone.b_f, alone.c_f) == (None, None)
    assert alone.only([0]).w_f is not None
    assert '"table"' not in by_hand(separate()).to_json()


def test_a_gate_without_a_table_and_a_table_that_does_not_fit_are_refused() -> None:
    file = with_additions()
    choice = guessed(file)

    def plan(changed: Choice) -> object:
        return changed.mapped(file.shapes).plan(file.shapes)

    said = error_of(FormatError, lambda: plan(replace(choice, table="")))
    assert "must say what a gate of b_S multiplies" in said
    wide = choice.names["w_q"]
    said = error_of(ShapeError, lambda: plan(replace(choice, table=wide)))
    assert "a column for each of the 2 heads" in said
    error_of(ShapeError, lambda: plan(replace(choice, furthest=2)))
    error_of(NumberError, lambda: plan(replace(choice, furthest=0)))
    other = Held(file.tensors, {**file.config, "num_buckets": 4})
    assert guessed(other).table == ""


def test_gains_and_sinks_are_known_by_their_names_and_say_how_widely_is_normed() -> None:
    file = with_rare(D)
    choice = guessed(file)
    rare = {"q_gain": "mix.q_norm.weight", "k_gain": "mix.k_norm.weight", "sinks": "sinks"}
    assert {role: choice.names[role] for role in rare} == {
        role: f"stack.0.{name}" for role, name in rare.items()
    }
    assert (choice.scores.qk_norm, choice.scores.qk_norm_eps) == ("head", 1e-5)
    assert choice.scores.qk_norm_kind == "rms"
    assert guessed(with_rare(WIDTH)).scores.qk_norm == "all"


OTHER_NORMS = {
    **{"mix.q_layernorm.weight": (HEADS, D), "mix.q_layernorm.bias": (HEADS, D)},
    **{"mix.k_layernorm.weight": (HEADS, D), "mix.k_layernorm.bias": (HEADS, D)},
    **{"mix.v_norm.weight": (D,), "mix.inner_attn_ln.weight": (WIDTH,)},
    "mix.inner_attn_ln.bias": (WIDTH,),
}


def with_other_norms() -> Held:
    """LayerNorms of queries and keys, and of the concatenation; values are normed too."""
    file = separate(layer_norm_eps=1e-4)
    norms = {
        f"stack.{layer}.{name}": numbers(*shape, seed=2)
        for layer in range(2)
        for name, shape in OTHER_NORMS.items()
    }
    return Held({**file.tensors, **norms}, file.config)


def test_other_norms_are_known_by_their_names_too() -> None:
    file = with_other_norms()
    choice = guessed(file)
    assert {name.removeprefix("stack.0.") for name in choice.names.values()} >= {*OTHER_NORMS}
    assert choice.scores == ScoreOptions(
        **{"qk_norm": "head", "qk_norm_kind": "layer", "qk_norm_eps": 1e-4},
        **{"v_norm": "rms", "v_norm_eps": 1e-4, "concat_norm": "layer", "concat_norm_eps": 1e-4},
    )
    scores = read_layer(file, names=by_hand(file)).scores
    for role in ("q_gain", "q_shift", "k_gain", "k_shift", "v_gain", "concat_gain", "concat_shift"):
        expected = file.tensors[choice.names[role]].ravel()
        np.testing.assert_array_equal(np.float32(getattr(scores, role)), expected)


def test_norms_that_were_said_are_not_guessed_anew() -> None:
    choice = guessed(with_other_norms())
    said = replace(choice.scores, qk_norm_kind="rms", concat_norm="rms")
    again = with_norm_of_gains(replace(choice, scores=said), with_other_norms().shapes)
    assert again.scores == said


@pytest.mark.parametrize(
    ("option", "says"),
    [("v_norm", "The norm of values"), ("concat_norm", "The norm of the concat")],
)
def test_gains_of_values_and_of_the_concatenation_need_their_norm(option: str, says: str) -> None:
    file = with_other_norms()
    without = replace(guessed(file).scores, **{option: "none"})
    mapped = by_hand(file, scores=without)
    assert says in error_of(OptionError, lambda: mapped.plan(file.shapes))


def with_rare(gains: int) -> Held:
    """Queries and keys are normed with so many gains, and heads have sinks."""
    file = separate(rms_norm_eps=1e-5)
    names = dict.fromkeys(("mix.q_norm.weight", "mix.k_norm.weight"), gains)
    names["sinks"] = HEADS
    rare = {
        f"stack.{layer}.{name}": numbers(1, count)[0]
        for layer in range(2)
        for name, count in names.items()
    }
    return Held({**file.tensors, **rare}, file.config)


def test_gains_sinks_and_the_options_reach_the_layer() -> None:
    file = with_rare(D)
    mapped = by_hand(file, gains_add_one=True, rules=(Rule("sliding_window", left=2),))
    weights = read_layer(file, names=mapped)
    gains = file.tensors["stack.0.mix.q_norm.weight"]
    np.testing.assert_allclose(weights.scores.q_gain, gains + 1, rtol=1e-6)
    assert weights.scores.qk_norm == "head"
    assert weights.sinks is not None
    np.testing.assert_array_equal(weights.sinks, file.tensors["stack.0.sinks"])
    assert weights.rules == (Rule("sliding_window", left=2),)


def test_gains_of_no_norm_and_a_rotation_that_does_not_fit_are_refused() -> None:
    file = with_rare(D)
    no_norm = by_hand(file, scores=ScoreOptions())
    says = error_of(OptionError, lambda: no_norm.plan(file.shapes))
    assert "The norm of queries and keys must be that of each head or of all heads" in says
    odd = by_hand(separate(), scores=ScoreOptions(positions="rope"))
    assert "must be even for RoPE" in error_of(ShapeError, lambda: odd.plan(file.shapes))
    few = by_hand(separate(), scores=ScoreOptions(qk_norm="head", q_gain=(1.0, 2.0)))
    says = error_of(ShapeError, lambda: few.plan(file.shapes))
    assert "The gains of the queries must be 7, one for each column of a head, or 14" in says


def test_the_width_of_a_head_says_how_many_there_are() -> None:
    file = separate()
    mapped = replace(guessed(file), d_k=D).mapped(file.shapes)
    attention, _ = mapped.plan(file.shapes)
    assert (attention.n_heads, attention.n_kv_heads, attention.d_k) == (HEADS, HEADS, D)
    for n_heads, says in ((0, "2 heads of width 5"), (7, "7 heads of width 5")):
        wrong = replace(mapped, d_k=5, n_heads=n_heads)
        said = error_of(HeadsError, lambda wrong=wrong: wrong.plan(file.shapes))
        assert f"must share out the 14 columns of queries, got {says}." in said
    both = fused(by_head=False)
    choice = replace(guessed(both), n_heads=0, d_k=D)
    assert choice.mapped(both.shapes).plan(both.shapes)[0].n_heads == HEADS
    wide = replace(choice, d_k=50)
    assert "The number of heads" in error_of(NumberError, lambda: wide.mapped(both.shapes))
    shared = Held({"qkv.weight": numbers(4 * D, WIDTH), "proj.weight": numbers(WIDTH, WIDTH)}, {})
    choice = replace(guessed(shared), d_k=D, n_kv_heads=1)
    attention, _ = choice.mapped(shared.shapes).plan(shared.shapes)
    assert (attention.n_heads, attention.n_kv_heads) == (HEADS, 1)


def test_what_is_not_suggested_stays_open() -> None:
    choice = guessed(Held({"one": numbers(3, 3), "two": numbers(3)}, {"n_head": "many"}))
    assert choice == Choice()
    alone = guessed(Held({"a.w_k": numbers(3, 3), "a.wq": numbers(3)}, {}))
    assert alone.names == {"w_k": "a.w_k"}


def test_shapes_say_which_way_round_they_are_stored() -> None:
    tensors = {
        "wq": numbers(6, 14),
        "wk": numbers(6, 14),
        "wv": numbers(6, 14),
        "wo": numbers(14, 6),
    }
    tensors |= {"wk": numbers(6, 7), "wv": numbers(6, 7)}
    turned = {name: each.T for name, each in tensors.items()}
    assert guessed(Held(turned, {})).transposed == {"w_q", "w_k", "w_v", "w_o"}
    assert guessed(Held(tensors, {})).transposed == frozenset()
    tensors |= {"wk": numbers(6, 14), "wv": numbers(6, 14), "embed": numbers(3, 14)}
    assert guessed(Held(tensors, {})).transposed == {"w_q", "w_k", "w_v", "w_o"}
    assert guessed(Held(MATRICES_HERE, {})).transposed == frozenset()


MATRICES_HERE = {f"w_{name}": matrix for name, matrix in MATRICES.items()}


@pytest.mark.parametrize("by_head", [False, True])
def test_a_fused_matrix_is_cut(by_head: bool) -> None:
    file = fused(by_head=by_head)
    choice = replace(guessed(file), is_cut_by_head=by_head)
    assert choice.fused == ("w_q", "w_k", "w_v")
    weights = read_layer(file, names=choice.mapped(file.shapes))
    for name in "qkvo":
        np.testing.assert_array_equal(getattr(weights, f"w_{name}"), MATRICES[name])
    for seed, name in enumerate("qkv"):
        np.testing.assert_array_equal(
            getattr(weights, f"b_{name}"), numbers(1, WIDTH, seed=seed)[0]
        )


def test_keys_and_values_of_fewer_heads_are_cut_too() -> None:
    kv = numbers(WIDTH, 2 * D)
    file = Held({"w_q": MATRICES["q"], "kv": kv, "w_o": MATRICES["o"]}, {})
    choice = Choice({"w_q": "w_q", "w_k": "kv", "w_v": "kv", "w_o": "w_o"}, n_heads=2, n_kv_heads=1)
    weights = read_layer(file, names=choice.mapped(file.shapes))
    np.testing.assert_array_equal(np.hstack([weights.w_k, weights.w_v]), kv)
    assert (weights.n_heads, weights.n_kv_heads) == (2, 1)


def test_columns_that_cannot_be_cut_are_refused() -> None:
    file = fused(by_head=False)
    says = error_of(ShapeError, lambda: replace(guessed(file), n_heads=5).mapped(file.shapes))
    assert says == (
        "attn.qkv.weight must have columns for the heads of W_Q, W_K, W_V, 15 together, got 42. "
        "Look at the numbers of heads, and at which way round it is stored."
    )


def test_a_choice_can_be_changed_role_by_role() -> None:
    choice = Choice().with_tensor("w_q", "a").with_tensor("w_k", "b").with_tensor("w_k", "")
    assert choice.names == {"w_q": "a"}
    assert choice.fused == ()
    turned = choice.stored("w_q", is_transposed=True)
    assert turned.transposed == {"w_q"}
    assert turned.stored("w_q", is_transposed=False) == choice


def test_matrices_that_nobody_has_named_are_asked_for() -> None:
    says = error_of(FormatError, lambda: Choice({"w_q": "a", "w_v": "a"}).mapped({}))
    assert "which tensor is W_Q" in says
    assert "got none for W_K, W_O." in says


def test_a_mapping_holds_for_all_layers_of_its_names() -> None:
    file = separate(layers=3)
    choice = guessed(file)
    assert numbered(choice.names, file.shapes)[1:] == (0, [0, 1, 2])
    last = choice.of_layer(2, file.shapes)
    assert last.names["w_o"] == "stack.2.mix.to_o.weight"
    assert numbered(last.names, file.shapes)[1] == 2
    assert by_hand(file).names.w_q.name == "stack.{layer}.mix.to_q.weight"
    del file.shapes["stack.1.mix.to_v.weight"]
    assert numbered(choice.names, file.shapes)[2] == [0, 2]


def test_it_computes_what_the_matrices_compute() -> None:
    file = separate()
    weights = read_layer(file, 1, names=by_hand(file))
    x = numbers(3, WIDTH)
    q = (x @ MATRICES["q"]).reshape(3, HEADS, D)
    k = (x @ MATRICES["k"]).reshape(3, HEADS, D)
    scores = np.einsum("ihd,jhd->hij", q, k) / np.sqrt(D)
    by_loops = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(attend(weights.scenario(x)).weights, by_loops, atol=1e-6)


def test_key_heads_follow_from_the_shapes() -> None:
    file = separate()
    file.shapes["stack.0.mix.to_k.weight"] = file.shapes["stack.0.mix.to_v.weight"] = (D, WIDTH)
    attention, width = by_hand(file).plan(file.shapes)
    assert (attention.n_kv_heads, attention.d_v, width) == (1, D, WIDTH)
    file.shapes["stack.0.mix.to_k.weight"] = (D + 1, WIDTH)
    says = error_of(HeadsError, lambda: by_hand(file).plan(file.shapes))
    assert "must be such that each has the 7 columns of a head of queries, got 8 columns" in says


def test_what_is_given_beside_a_mapping_counts_more() -> None:
    file = separate()
    scores = ScoreOptions(positions="rope", rope_base=100.0)
    mapped = by_hand(file, scores=scores, rules=(Rule("causal"),))
    mapped = replace(mapped, n_heads=1)
    assert read_layer(file, names=mapped).scores.rope_base == 100.0
    changed = read_layer(file, names=mapped, n_heads=7, rules=(), scores=ScoreOptions())
    assert (changed.n_heads, changed.rules, changed.scores) == (7, (), ScoreOptions())
    assert len(read_layer(file, names=mapped).rules) == 1


# As a file.


names = st.builds(
    lambda four: LayerNames(*four),
    st.lists(st.builds(Stored, st.text(max_size=5), st.booleans()), min_size=4, max_size=4),
)
mappings = st.builds(
    LayerByHand,
    names,
    n_heads=st.integers(0, 256),
    n_kv_heads=st.integers(0, 256),
    d_k=st.integers(0, 99),
    scores=score_options(D),
    rules=st.lists(st.sampled_from([Rule("causal"), Rule("sliding_window", left=3)])).map(tuple),
    gains_add_one=st.booleans(),
    embedding=st.text(max_size=5),
)


@given(mappings)
def test_a_mapping_goes_through_its_file(mapped: LayerByHand) -> None:
    assert LayerByHand.from_json(mapped.to_json().encode()) == mapped


NAMES: Mapping[str, Any] = {name: {"name": name} for name in ("w_q", "w_k", "w_v", "w_o")}
CAUSAL = (Rule("causal"),)


@pytest.mark.parametrize(
    ("older", "scores", "rules"),
    [
        ({"rotary": "none", "rope_base": 1e4, "is_causal": False}, ScoreOptions(), ()),
        ({"is_causal": True}, ScoreOptions(), CAUSAL),
        (
            {"rotary": "halves", "rope_base": 500.0, "is_causal": True},
            ScoreOptions(positions="rope", rope_pairs="halves", rope_base=500.0),
            CAUSAL,
        ),
        ({"rotary": "neighbours"}, ScoreOptions(positions="rope"), ()),
    ],
)
def test_a_file_that_was_kept_before_scores_and_rules_still_opens(
    older: Mapping[str, Any], scores: ScoreOptions, rules: tuple[Rule, ...]
) -> None:
    kept = json.dumps({"names": NAMES, "n_heads": 2, "n_kv_heads": 0, "embedding": "e", **older})
    mapped = LayerByHand.from_json(kept.encode())
    assert (mapped.n_heads, mapped.embedding) == (2, "e")
    assert (mapped.scores, mapped.rules) == (scores, rules)


def test_of_such_a_file_a_wrong_word_is_refused() -> None:
    for older in ({"rotary": "thirds"}, {"is_causal": "yes"}, {"rotary": 5}):
        kept = json.dumps({"names": NAMES, **older}).encode()
        error_of(MhaError, lambda kept=kept: LayerByHand.from_json(kept))  # type: ignore[misc]


def test_python_reads_the_file_that_the_page_gives(tmp_path: Path) -> None:
    file = separate()
    kept = tmp_path / "mapping.json"
    kept.write_text(by_hand(file).to_json(), "utf-8")
    by_path = read_layer(file, 1, names=kept)
    np.testing.assert_array_equal(by_path.w_q, MATRICES["q"])
    assert read_layer(file, 1, names=str(kept)).n_heads == HEADS


def test_names_alone_are_a_mapping_without_heads() -> None:
    file = separate()
    kept = by_hand(file).names.to_json().encode()
    mapped = LayerByHand.from_json(kept)
    assert mapped == LayerByHand(by_hand(file).names)
    says = error_of(NumberError, lambda: mapped.plan(file.shapes))
    assert "The number of heads must be a whole number from 1 to 256, got 0." in says


FOUR = json.loads(by_hand(separate()).to_json())


@pytest.mark.parametrize(
    ("data", "kind", "said"),
    [
        (b"[", FileError, "The mapping must be JSON"),
        (b"{}", FormatError, "The mapping must have names"),
        (json.dumps({**FOUR, "odd": 1}).encode(), FormatError, "must have names"),
        (json.dumps({**FOUR, "names": 3}).encode(), FormatError, "The names of the matrices"),
        (
            json.dumps({**FOUR, "n_heads": True}).encode(),
            FormatError,
            "The field 'n_heads' must be",
        ),
        (json.dumps({**FOUR, "n_heads": 900}).encode(), NumberError, "from 0 to 256, got 900"),
        (json.dumps({**FOUR, "n_kv_heads": -1}).encode(), NumberError, "The number of key heads"),
        (json.dumps({**FOUR, "d_k": 9000}).encode(), NumberError, "The width of a head"),
        (json.dumps({**FOUR, "scores": {"positions": "odd"}}).encode(), OptionError, "positions"),
        (
            json.dumps({**FOUR, "scores": {"rope_base": -1}}).encode(),
            NumberError,
            "The base of the rotary angles",
        ),
        (json.dumps({**FOUR, "rules": [{"name": "odd"}]}).encode(), OptionError, "A mask"),
    ],
)
def test_a_file_of_another_kind_is_refused(data: bytes, kind: type[MhaError], said: str) -> None:
    assert said in error_of(kind, lambda: LayerByHand.from_json(data))


@pytest.mark.parametrize("by_head", [False, True])
def test_a_mapping_is_chosen_again_from_its_file(by_head: bool) -> None:
    for file in (separate(), fused(by_head=by_head)):
        choice = replace(
            guessed(file), n_heads=HEADS, is_cut_by_head=by_head and "qkv" in str(file.shapes)
        )
        assert choice_of(choice.mapped(file.shapes), file.shapes) == choice


def test_a_mapping_of_names_that_are_not_there_is_of_layer_0() -> None:
    mapped = LayerByHand(LayerNames(*(Stored(f"x.{{layer}}.{name}") for name in "qkvo")))
    assert choice_of(mapped, {"y": (2, 2)}).names["w_q"] == "x.0.q"


# What is checked.


def test_what_was_checked_and_what_was_not_is_said() -> None:
    file = separate()
    mapped = by_hand(file)
    assert check_fits(file, mapped, 1) == ["All shapes fit: X has 14 columns; 2 heads of width 7."]
    squares = square(file, mapped, 1)
    assert squares == ("w_q", "w_k", "w_v", "w_o")
    says = " ".join(unchecked(file, mapped, 1))
    assert "which way round W_Q, W_K, W_V, W_O are stored" in says
    assert "as PyTorch's" in says


def test_one_square_matrix_is_said_alone_and_names_of_ones_own_promise_nothing() -> None:
    tensors = {"Q": numbers(6, 6), "K": numbers(6, 3), "V": numbers(6, 2), "O": numbers(4, 6)}
    file = Held(tensors, {})
    choice = Choice({f"w_{name.lower()}": name for name in tensors}, n_heads=2)
    says = " ".join(unchecked(file, choice.mapped(file.shapes), 0))
    assert "which way round W_Q is stored" in says
    assert "PyTorch" not in says


def test_four_that_fit_the_other_way_round_together_are_said() -> None:
    file = Held({name: numbers(6, 14) for name in ("wq", "wk", "wv")} | {"wo": numbers(14, 6)}, {})
    mapped = replace(guessed(file), n_heads=2).mapped(file.shapes)
    assert check_fits(file, mapped, 0) == ["All shapes fit: X has 6 columns; 2 heads of width 7."]
    says = unchecked(file, mapped, 0)
    assert says[0].endswith("All four fit the other way round too; then X has 14 columns.")
    file.shapes["wk"] = file.shapes["wv"] = (6, 7)
    assert unchecked(file, mapped, 0)[0].startswith("Not checked either: the number of heads")


def test_shared_heads_are_said() -> None:
    file = separate()
    for name in "kv":
        file.shapes[f"stack.0.mix.to_{name}.weight"] = (D, WIDTH)
    assert check_fits(file, by_hand(file), 0)[1] == "They share 1 head of keys and values."


def test_what_does_not_fit_is_refused_before_a_number_is_read() -> None:
    file = separate()
    file.shapes["stack.0.mix.to_o.weight"] = (WIDTH, 3)
    says = error_of(ShapeError, lambda: check_fits(file, by_hand(file), 0))
    assert "stack.0.mix.to_o.weight must give a matrix of shape (14, 14)" in says
    assert file.was_read == []


def output_of(file: Held, mapped: LayerByHand, x: FloatArray) -> FloatArray:
    made: FloatArray = attend(read_layer(file, names=mapped).scenario(x)).output
    return made


def test_a_recorded_run_finds_a_forgotten_transpose() -> None:
    file, x = separate(), numbers(5, WIDTH)
    mapped = by_hand(file)
    recorded = output_of(file, mapped, x)
    agrees, says = says_compared(file, mapped, 0, x, recorded)
    assert agrees
    assert says.startswith("Checked: the layer gives what was recorded")
    wrong = replace(guessed(file), n_heads=HEADS, transposed=frozenset({"w_q", "w_o"})).mapped(
        file.shapes
    )
    agrees, says = says_compared(file, wrong, 0, x, recorded)
    assert not agrees
    assert says.endswith("It does so with W_K, W_V stored the other way round.")


def test_another_fault_is_said_to_be_elsewhere() -> None:
    file, x = separate(), numbers(5, WIDTH)
    recorded = output_of(file, by_hand(file), x)
    agrees, says = says_compared(file, by_hand(file, rules=(Rule("causal"),)), 0, x, recorded)
    assert not agrees
    assert says.endswith("Look at the heads, the rotation, and what may see what.")
    agrees, _ = says_compared(file, by_hand(file), 0, x, np.zeros_like(recorded))
    assert not agrees


def test_nothing_that_a_person_chooses_breaks_it() -> None:
    file = fused(by_head=False)
    drawn = np.random.default_rng(0)
    tensors = ["", *file.shapes]
    roles = [f"{kind}_{name}" for kind in "wb" for name in "qkvo"]
    for _ in range(200):
        names: Mapping[str, str] = {
            role: name for role in roles if (name := str(drawn.choice(tensors)))
        }
        choice = Choice(
            names,
            frozenset(r for r in roles if drawn.random() < 0.5),
            bool(drawn.random() < 0.5),
            n_heads=int(drawn.integers(0, 5)),
            n_kv_heads=int(drawn.integers(0, 5)),
            d_k=int(drawn.choice([0, 3, 7, 50])),
        )
        with suppress(MhaError):
            check_fits(file, choice.mapped(file.shapes), 0)
