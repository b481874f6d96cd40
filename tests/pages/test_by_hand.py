"""A file that no family knows is mapped by hand on the page of real layers."""

from __future__ import annotations

import io
import json
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from mha_core import Rule, attend
from mha_core.io.tensors.opening import tensors_of
from mha_core.mask_rules.registry import RULES
from mha_core.models import LayerNames, read_layer
from mha_core.models.by_hand.layer_by_hand import FIELDS, LayerByHand
from mha_core.models.weights import GAINS
from mha_core.options.registry import OPTIONS
from mha_core.scenario.origin import Origin
from tests.core.models.recorded_models import Recorded
from tests.pages.small_model import file_of, odd_file
from tests.pages.test_real_layers import Reader, with_file
from tests.pages.visitor import WIDGETS
from ui.blocks.real.choice import FILE, _take
from ui.blocks.real.mapping import X
from ui.blocks.real.mapping_scores import WHATEVER_IS_READ
from ui.controls.file_field import file_field
from ui.state.hidden_states import StatesFile
from ui.state.layer_to_map import EMBEDDING, STATES, LayerToMap
from ui.state.models_here import MODELS
from ui.state.real_layers import KEY, described

WIDTH = 16


ODD = odd_file()


def mapping(page: Reader) -> LayerToMap:
    layer = page.shown.to_map
    assert layer
    return layer


def with_odd_model(data: bytes = ODD) -> Reader:
    return with_file(data, "odd.npz")


def with_heads(data: bytes = ODD, n_heads: int = 2) -> Reader:
    """The same for a visitor who has said how many heads there are."""
    shown = described({})
    _take(shown, data, "odd.npz")
    assert shown.to_map
    shown.to_map.choose(replace(shown.to_map.choice, n_heads=n_heads))
    return Reader(**{KEY: shown})


def said(page: Reader) -> str:
    """What is said in boxes."""
    boxes = [*page.at.success, *page.at.info, *page.at.warning, *page.at.error]
    return " ".join(box.value.replace("\\", "") for box in boxes)


def opened(page: Reader) -> Any:
    page.click("hand-opens")
    return page.at.session_state["session"]


def recorded(**arrays: Any) -> bytes:
    x = np.random.default_rng(1).standard_normal((3, WIDTH)).astype(np.float32)
    weights = read_layer(
        tensors_of("odd.npz", ODD),
        1,
        names=with_heads().shown.to_map.mapped,  # type: ignore[union-attr]
    )
    return file_of({"x": x, "output": attend(weights.scenario(x)).output, **arrays})


def test_a_file_that_is_not_recognised_is_mapped_by_hand_and_opens() -> None:
    page = with_odd_model()
    assert "odd.npz is of no family that is known here" in page.words
    assert page.shown.model == next(iter(MODELS))  # nothing is lost
    assert page.at.selectbox(key="hand-w_q").value == "stack.0.mix.to_q.weight"
    assert page.at.button(key="hand-opens").disabled
    assert "The number of heads must be a whole number from 1 to 256" in said(page)
    page.enter("hand-heads", 2)
    assert "All shapes fit: X has 16 columns; 2 heads of width 8." in said(page)
    assert "a forgotten transpose gives other heads without an error" in said(page)
    page.enter("hand-text", "a b a")
    session = opened(page)
    assert session.view.title == "odd.npz, layer 1, X made from words"
    assert session.scenario.tokens == ("a", "b", "a")
    assert session.scenario.n_heads == 2
    assert session.scenario.origin == Origin(x="word_vectors", model="odd.npz")


def test_the_person_says_which_is_which_and_how_it_is_stored() -> None:
    page = with_heads()
    page.enter("hand-layer", 1)
    page.enter("hand-w_v", "stack.0.mix.to_q.weight")
    page.enter("hand-w_v-turned", False)
    page.enter("hand-positions", "rope").enter("hand-rope_pairs", "halves")
    page.enter("hand-rope_base", "1e3 / 2")
    page.enter("hand-causal", True)
    s = opened(page).scenario
    arrays = np.load(io.BytesIO(ODD))
    np.testing.assert_array_equal(s.w_v, arrays["stack.0.mix.to_q.weight"].astype(np.float32))
    np.testing.assert_array_equal(s.w_k, arrays["stack.1.mix.to_k.weight"].astype(np.float32).T)
    assert (s.scores.positions, s.scores.rope_pairs, s.scores.rope_base) == ("rope", "halves", 500)
    assert [rule.name for rule in s.mask.rules] == ["causal"]


def rare_file(**more: Any) -> bytes:
    """The same layers, with gains of the norms of Q and K, and a sink for each of two heads."""
    rare = {"q_norm.weight": WIDTH // 2, "k_norm.weight": WIDTH // 2, "sinks": 2}
    return odd_file(
        **{f"stack.0.mix.{name}": np.full(count, 0.5) for name, count in rare.items()}, **more
    )


def test_what_few_layers_have_is_said_under_more() -> None:
    page = with_heads(rare_file())
    assert page.at.selectbox(key="hand-q_gain").value == "stack.0.mix.q_norm.weight"
    assert page.at.selectbox(key="hand-qk_norm").value == "head"
    page.enter("hand-gains-add-one", True).enter("hand-qk_norm_eps", "1e-5")
    page.enter("hand-positions", "alibi").enter("hand-softcap", "30")
    page.enter("hand-masks", ["sliding_window"]).enter("hand-sliding_window-left", 3)
    page.enter("hand-sliding_window-right", 0)
    s = opened(page).scenario
    assert (s.scores.qk_norm, s.scores.qk_norm_eps, s.scores.q_gain) == ("head", 1e-5, (1.5,) * 8)
    assert (s.scores.positions, s.scores.softcap) == ("alibi", 30.0)
    assert s.mask.rules == (Rule("sliding_window", left=3, right=0),)
    assert s.sinks is not None


def test_a_gate_is_found_beside_the_queries_or_chosen() -> None:
    gate = np.arange(WIDTH * WIDTH, dtype=np.float32).reshape(WIDTH, WIDTH) / 99
    named = "stack.0.mix.gate_proj.weight"
    page = with_heads(odd_file(**{named: gate.T}))
    assert page.at.selectbox(key="hand-w_g").value == named
    assert "w_g" in mapping(page).choice.transposed
    page.enter("hand-w_g-turned", False)
    np.testing.assert_array_equal(opened(page).scenario.w_g, gate.T)
    softly = with_heads(odd_file(**{named: gate.T}))
    softly.enter("hand-gate_function", "softplus").enter("hand-v_scale", "0.707")
    scores = opened(softly).scenario.scores
    assert (scores.gate_function, scores.v_scale) == ("softplus", 0.707)
    without = with_heads(odd_file(**{named: gate.T}))
    without.enter("hand-w_g", "")
    assert "hand-gate_function" not in [each.key for each in without.at.selectbox]
    assert opened(without).scenario.w_g is None


def test_a_table_of_distances_is_chosen_and_then_the_gate_of_it() -> None:
    tensors = {
        "kinds": np.arange(16, dtype=np.float32).reshape(8, 2),
        "gate": np.arange(64, dtype=np.float32).reshape(8, 8) / 99,
        "constants": np.arange(2, dtype=np.float32).reshape(1, 2, 1, 1),
    }
    page = with_heads(odd_file(**tensors))
    assert "hand-w_f" not in {each.key for each in page.at.selectbox}
    page.enter("hand-table", "kinds").enter("hand-furthest", 5)
    page.enter("hand-w_f", "gate").enter("hand-w_f-turned", True).enter("hand-c_f", "constants")
    s = opened(page).scenario
    sums = tensors["gate"].reshape(2, 4, 8).sum(axis=1).T
    np.testing.assert_array_equal(s.w_f[:8, :2], sums)
    np.testing.assert_array_equal(s.w_f[8:, 2:], sums)
    np.testing.assert_array_equal(s.c_f, [0, 1])
    assert s.b_s[0, 0] == tensors["kinds"][0, 0]
    page = with_heads(odd_file(**tensors))
    page.enter("hand-table", "kinds").enter("hand-w_f", "gate").enter("hand-table", "")
    assert "w_f" not in mapping(page).choice.names


def test_a_part_of_the_columns_may_turn() -> None:
    page = with_odd_model().enter("hand-width", 8).enter("hand-positions", "rope")
    page.enter("hand-rope_columns", "d_k / 2")
    assert "2 heads of width 8" in said(page)
    assert opened(page).scenario.scores.rope_columns == 4


def test_gains_that_are_chosen_say_that_queries_are_normed() -> None:
    page = with_heads(odd_file(other=np.ones(WIDTH)))
    assert page.at.selectbox(key="hand-qk_norm").value == "none"
    page.enter("hand-q_gain", "other")
    assert page.at.selectbox(key="hand-qk_norm").value == "all"
    page.enter("hand-qk_norm", "none")
    assert "must be that of each head or of all heads, where it has gains" in said(page)
    page.enter("hand-q_gain", "")
    assert "All shapes fit" in said(page)


def test_what_cannot_be_typed_is_refused_in_words_and_nothing_is_lost() -> None:
    page = with_heads().enter("hand-softcap", "many")
    assert "The soft cap" in said(page)
    assert page.at.text_input(key="hand-softcap").value == ""
    page.enter("hand-softcap", "30")
    assert "The soft cap" not in said(page)


def test_each_part_option_and_rule_that_python_takes_has_a_field() -> None:
    gate = {"stack.0.mix.gate_proj.weight": np.ones((WIDTH, WIDTH))}  # which has a function
    constants = np.ones((1, 2, 1, 1))
    page = with_heads(rare_file(constants=constants, **gate))
    page.enter("hand-masks", [*WHATEVER_IS_READ]).enter("hand-positions", "rope")
    page.enter("hand-rope_places", "0 0\n0 1")  # several lines, and then pairs follow axes
    page.enter("hand-v_norm", "rms").enter("hand-concat_norm", "layer").enter("hand-growth", "0.1")
    page.enter("hand-table", "embed")
    there = set()
    for positions in ("rope", "sinusoidal"):  # some options go with one of them
        page.enter("hand-positions", positions)
        there |= {w.key for kind in (*WIDGETS, "text_area") for w in page.at.get(kind)}
    roles = {field.name for field in fields(LayerNames)}
    no_tensor_is_chosen = {name for name in OPTIONS if {*OPTIONS[name].needs} - roles}
    options = {*OPTIONS} - {*GAINS, "query_start"}  # gains are tensors; a text says its place
    sizes = {"heads", "key-heads", "width", "gains-add-one", "causal", "masks", "table", "furthest"}
    assert {f"hand-{name}" for name in roles | (options - no_tensor_is_chosen) | sizes} <= there
    assert len(sizes | {"scores", "rules", "embedding"}) - 2 == len(FIELDS)
    assert set(RULES) - set(WHATEVER_IS_READ) == {"causal", "padding", "documents", "global_local"}


def test_a_config_is_given_beside_a_file_that_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded_model = Recorded("llama")
    page = with_odd_model(file_of(recorded_model.file.tensors))
    assert "are those of a family that is known here" in page.words
    assert "config.json must say hidden_size, got nothing: give it under" in page.words
    wrong = json.dumps({**recorded_model.config, "num_attention_heads": "two"})
    given_to(page, monkeypatch, "hand-config-file", wrong.encode())
    assert "num_attention_heads of config.json must be a whole number" in page.words
    page.enter("hand-config-text", "{")
    assert "config.json must be JSON" in said(page)
    page.enter("hand-config-text", json.dumps(recorded_model.config))
    assert page.shown.to_map is None
    assert page.shown.opened.title == "odd.npz"
    assert page.shown.text == "0 1 2 3 4 5 0 1 2 3 4 5"
    assert "It came without its tokenizer, so it reads the ids of tokens." in page.words
    assert len(page.tiles) == 4


def test_a_config_of_no_family_fills_in_what_it_says() -> None:
    page = with_odd_model().enter("hand-config-text", '{"num_attention_heads": 4}')
    assert page.at.number_input(key="hand-heads").value == 4
    page.enter("hand-config-text", '{"rope_theta": 500}')
    assert page.at.number_input(key="hand-heads").value is None
    assert page.at.text_input(key="hand-rope_base").value == "500"


def test_a_fused_tensor_is_cut_as_the_person_says() -> None:
    rng = np.random.default_rng(2)
    three = rng.standard_normal((3 * WIDTH, WIDTH)).astype(np.float32)
    data = file_of(
        {
            "mix.qkv.weight": three,
            "mix.qkv.bias": np.arange(3.0 * WIDTH),
            "mix.proj.weight": rng.standard_normal((WIDTH, WIDTH)),
        }
    )
    page = with_heads(data)
    assert page.at.selectbox(key="hand-b_k").value == "mix.qkv.bias"
    page.enter("hand-cut", True)
    s = opened(page).scenario
    heads = three.T.reshape(WIDTH, 2, 3, WIDTH // 2)
    np.testing.assert_array_equal(s.w_k, heads[:, :, 1].reshape(WIDTH, WIDTH))


def test_x_may_be_rows_of_the_embedding() -> None:
    page = with_heads().enter("hand-from", EMBEDDING)
    assert "rows of the embedding as they stand" in page.words
    page.enter("hand-text", "3 0 3")
    session = opened(page)
    rows = np.load(io.BytesIO(ODD))["embed"].astype(np.float32)[[3, 0, 3]]
    np.testing.assert_array_equal(session.scenario.x, rows)
    assert session.view.title == "odd.npz, layer 1, X of the embedding"
    assert session.scenario.tokens == ("3", "0", "3")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("9", "from 0 to 4, got 9"),
        ("the cat", "must be the ids of tokens"),
        ("0 " * 513, "at most 512"),
    ],
)
def test_a_text_that_the_embedding_cannot_read_is_refused_in_words(text: str, says: str) -> None:
    page = with_heads().enter("hand-from", EMBEDDING)
    page.enter("hand-text", text).click("hand-opens")
    assert says in page.words
    assert page.shown.ready is None


def test_without_an_embedding_or_a_file_the_layer_does_not_open() -> None:
    page = with_heads()
    mapping(page).x_from = EMBEDDING
    page.run().enter("hand-embedding", "").click("hand-opens")
    assert "The embedding must be one of the tensors, got none." in page.words
    page.enter("hand-from", STATES).click("hand-opens")
    assert "X must come from somewhere, got no file." in page.words


def with_states(data: bytes, **first: Any) -> Reader:
    page = with_heads(n_heads=first.get("heads", 2)).enter("hand-layer", 1)
    page.enter("hand-from", STATES)
    mapping(page).states = StatesFile.read("states.npz", data, WIDTH)
    return page.run()


def test_x_may_be_hidden_states_and_what_was_recorded_checks_the_mapping() -> None:
    page = with_states(recorded())
    assert "Checked: the layer gives what was recorded" in said(page)
    page.enter("hand-w_k-turned", False)
    assert "It does so with W_K stored the other way round." in said(page)
    page.enter("hand-w_k-turned", True)
    session = opened(page)
    assert session.view.title == "odd.npz, layer 2, X from a file"
    assert session.scenario.n_q == 3
    assert session.scenario.origin == Origin(model="odd.npz", model_layer=1)


def test_states_of_several_arrays_are_chosen_and_need_no_output() -> None:
    page = with_states(file_of({"a": np.zeros((3, WIDTH)), "b": np.ones((2, 4, WIDTH))}))
    page.enter("hand-array", "b")
    assert opened(page).scenario.x.shape == (4, WIDTH)
    page = with_states(file_of({"a": np.zeros((513, WIDTH))}))
    assert "The hidden states must have at most 512 rows, got 513." in said(page)


def test_states_wait_until_it_is_known_how_wide_x_is() -> None:
    page = with_odd_model().enter("hand-from", STATES)
    assert "First say which tensor is which" in page.words


def test_a_mapping_is_kept_and_given_again() -> None:
    page = with_heads().enter("hand-causal", True)
    kept = mapping(page).mapped.to_json().encode()
    again = with_odd_model()
    mapping(again).take_mapping(LayerByHand.from_json(kept))
    again.run()
    assert mapping(again).exact is None
    assert again.at.number_input(key="hand-heads").value == 2
    assert again.at.toggle(key="hand-causal").value
    assert "All shapes fit" in said(again)


def test_a_mapping_that_says_more_than_can_be_chosen_holds_as_it_is() -> None:
    page = with_heads()
    said_more = json.loads(mapping(page).mapped.to_json())
    said_more["names"]["w_q"] |= {"heads_of_neighbours": 2}
    mapping(page).take_mapping(LayerByHand.from_json(json.dumps(said_more).encode()))
    assert "may say more than stands above" in page.run().words
    assert mapping(page).mapped.names.w_q.heads_of_neighbours == 2
    page.enter("hand-heads", 4)
    assert mapping(page).exact is None


def test_a_layer_with_more_scores_than_the_page_shows_opens_head_by_head() -> None:
    page = with_heads(n_heads=16).enter("hand-text", "a " * 400)
    page.click("hand-opens")
    assert "must have at most 32 heads and 524,288 scores on this page" in page.words
    page.enter("hand-head", 3).enter("hand-causal", True)
    session = opened(page)
    assert session.scenario.n_heads == 1
    assert session.view.title == "odd.npz, layer 1, head 3, X made from words"


def test_a_layer_that_is_too_wide_for_the_page_is_refused_and_can_be_kept() -> None:
    wide = {f"w_{name}": np.zeros((1032, 8), np.float32) for name in "qkv"}
    page = with_odd_model(file_of({**wide, "w_o": np.zeros((8, 1032), np.float32)}))
    page.enter("hand-heads", 2).click("hand-opens")
    assert "must be at most 1,024 columns wide on this page, got 1,032." in page.words


def test_a_way_back_leads_to_the_heads() -> None:
    page = with_odd_model().press("Back to the heads")
    assert page.shown.to_map is None
    assert len(page.tiles) == 8


def test_the_next_file_is_opened_in_its_place_and_room_is_made() -> None:
    page = with_odd_model()
    page.shown.let_mapping_go()
    assert page.shown.to_map is None
    assert "must leave room" in page.shown.refusals["own"].reason
    page.shown.let_mapping_go()
    _take(page.shown, file_of({"a": np.zeros(3)}), "none.npz")
    assert page.shown.to_map is None
    assert "must be of a model that is recognised" in page.shown.refusals[FILE].reason


def test_a_file_without_biases_asks_for_none_and_long_lists_are_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ui.blocks.real.mapping.MOST_LISTED", 3)
    page = with_odd_model()
    assert "The first 3 of them." in page.words
    assert "hand-b_q" not in page.at.session_state


def given_to(page: Reader, monkeypatch: pytest.MonkeyPatch, name: str, data: bytes | None) -> None:
    """Drop a file into a field of the page, or take it away."""
    fields: dict[str, Any] = {}

    def note(of: Any, key: str, label: str, types: Any, take: Any, take_away: Any) -> str | None:
        fields[key] = (take, take_away)
        return file_field(of, key, label, types, take, take_away)

    monkeypatch.setattr("ui.blocks.real.mapping.file_field", note)
    page.run()
    take, take_away = fields[name]
    take_away() if data is None else take(data, "given.npz")
    page.run()


def test_wrong_files_are_refused_in_words_and_nothing_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = with_heads()
    given_to(page, monkeypatch, "hand-kept", b"{}")
    assert "The mapping must have names" in said(page)
    other = json.loads(mapping(page).mapped.to_json().replace("stack", "other"))
    given_to(page, monkeypatch, "hand-kept", json.dumps(other).encode())
    assert "must have the tensor other.0.mix.to_q.weight" in said(page)
    assert mapping(page).choice.n_heads == 2
    given_to(page, monkeypatch, "hand-kept", mapping(page).mapped.to_json().encode())
    page.enter("hand-from", STATES)
    given_to(page, monkeypatch, "hand-states", b"none")
    assert X in page.shown.refusals
    given_to(page, monkeypatch, "hand-states", recorded())
    assert X not in page.shown.refusals
    given_to(page, monkeypatch, "hand-states", None)
    assert mapping(page).states is None


def test_tokens_are_those_of_the_model_where_it_says_its_words() -> None:
    config = np.frombuffer(json.dumps({"words": list("abcde")}).encode(), np.uint8)
    page = with_heads(odd_file(config=config))
    page.enter("hand-from", EMBEDDING).enter("hand-text", "b e")
    assert opened(page).scenario.tokens == ("b", "e")
