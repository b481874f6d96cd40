"""A run computes what is asked for, and reads no more of the file than it needs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from mha_core.checks.errors import NumberError, OptionError, ShapeError
from mha_core.models import model as model_module
from mha_core.models import open_model
from tests.core.models.held import Held
from tests.core.models.recorded_models import IDS, Recorded
from tests.core.refusals import check_refused


def held(name: str) -> Held:
    return Recorded(name).file


def test_a_layer_alone_is_read_alone() -> None:
    file = held("llama")
    open_model(file).weights(1)
    assert sorted(file.was_read) == [
        f"layers.1.self_attn.{each}_proj.weight" for each in ("k", "o", "q", "v")
    ]


def test_x_of_a_layer_needs_no_later_layer() -> None:
    file = held("llama")
    run = open_model(file).run(IDS)
    assert file.was_read == []
    _ = run.inputs[1]
    assert {name.split(".")[1] for name in file.was_read if name.startswith("layers")} == {"0", "1"}
    assert "norm.weight" not in file.was_read


def test_x_of_the_first_layer_needs_no_layer_before() -> None:
    file = held("bert")
    _ = open_model(file).run(IDS).inputs[0]
    assert not [name for name in file.was_read if name.startswith("encoder.layer.1")]


def test_its_arrays_are_lists_by_layer() -> None:
    run = open_model(held("gpt2")).run(IDS)
    assert len(run.inputs) == 2
    assert len(run.streams) == 3
    np.testing.assert_array_equal(run.inputs[-1], run.inputs[1])
    assert [array.shape for array in run.outputs[0:2]] == [(7, 12), (7, 12)]
    assert len(list(run.streams)) == 3
    with pytest.raises(IndexError):
        run.inputs[2]


def test_what_it_gives_cannot_be_changed() -> None:
    run = open_model(held("gpt2")).run(IDS)
    for array in (run.inputs[1], run.outputs[0], run.stream, run.result):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1


def test_no_token_of_a_causal_model_feels_a_later_one() -> None:
    model = open_model(held("mistral"))
    whole, part = model.run(IDS).result, model.run(IDS[:4]).result
    np.testing.assert_allclose(whole[:4], part, atol=1e-6)


def test_a_scenario_runs_the_model_if_no_run_is_given() -> None:
    model = open_model(held("gpt2"))
    text = model.text_of(IDS)
    assert model.scenario(1, text) == model.scenario(1, text, model.run(IDS))


def test_an_array_that_was_read_is_not_copied_for_each_text() -> None:
    model = open_model(held("gpt2"))
    run, text = model.run(IDS), model.text_of(IDS)
    _ = run.stream
    assert model.scenario(1, text, run).w_q is model.scenario(1, text, run).w_q


def test_blocks_are_kept_until_they_take_too_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    file = held("gpt2")
    model = open_model(file)
    name = "h.0.mlp.c_fc.weight"
    _ = model.run(IDS).stream, model.run(IDS).stream
    assert file.was_read.count(name) == 1
    monkeypatch.setattr(model_module, "KEPT_BYTES", 1)
    other = open_model(held("gpt2"))
    _ = other.run(IDS).stream, other.run(IDS).stream
    assert isinstance(other.file, Held)
    assert other.file.was_read.count(name) == 2


@pytest.mark.parametrize("name", ["llama", "bert", "gpt2"])
def test_a_layer_reads_hidden_states_as_its_own_run_does(name: str) -> None:
    model = open_model(held(name))
    run = model.run(IDS)
    of_run = model.scenario(1, model.text_of(IDS), run)
    from_states = model.scenario_on(1, run.streams[1])
    np.testing.assert_array_equal(from_states.x, of_run.x)
    np.testing.assert_array_equal(from_states.w_q, of_run.w_q)
    normed = model.scenario_on(1, run.inputs[1], is_normed=True)
    np.testing.assert_array_equal(normed.x, of_run.x)
    with pytest.raises(ShapeError, match="columns, as the model is wide"):
        model.scenario_on(1, run.inputs[1][:, :3])


def test_a_layer_that_there_is_not_is_refused() -> None:
    check_refused(
        lambda: open_model(held("gpt2")).weights(2),
        NumberError(
            "The layer",
            "must be a whole number from 0 to 1",
            "2",
            "Take 1, or another number in this range.",
        ),
    )


@pytest.mark.parametrize("off", [[(9, 0)], [(0, 9)], [(0, -1)], [3], [(0, 1, 2)]])
def test_a_head_to_leave_out_that_there_is_not_is_refused(off: Any) -> None:
    with pytest.raises((NumberError, OptionError), match=r"^(The layer|heads_off) must"):
        open_model(held("gpt2")).run(IDS, heads_off=off)


@pytest.mark.parametrize("kind", [np.array, torch.tensor, tuple])
def test_ids_may_be_those_of_a_tokenizer(kind: Any) -> None:
    model = open_model(held("gpt2"))
    np.testing.assert_array_equal(model.run(kind(list(IDS))).result, model.run(IDS).result)


@pytest.mark.parametrize(
    ("ids", "got"), [(np.array([IDS]), r"shape \(1, "), (3, "3"), ("ab", "'ab'")]
)
def test_ids_of_another_kind_are_refused(ids: Any, got: str) -> None:
    with pytest.raises(ShapeError, match=f"a list of whole numbers, of one text, got {got}"):
        open_model(held("gpt2")).run(ids)


WORDS = ("wte.weight", "embed_tokens.weight", "word_embeddings.weight")


@pytest.mark.parametrize("name", ["gpt2", "llama", "bert"])
@pytest.mark.parametrize("number", [np.nan, np.inf, 3e38])
def test_a_broken_file_is_told_by_the_place_where_it_breaks(name: str, number: float) -> None:
    file = held(name)
    made = {"gpt2": "h.0.mlp.c_proj", "llama": "layers.0.mlp.down_proj", "bert": "0.output.dense"}
    (broken,) = [each for each in file.tensors if each.endswith(f"{made[name]}.weight")]
    numbers = file.tensors[broken].copy()
    numbers[:] = number
    model = open_model(Held({**file.tensors, broken: numbers}, file.config))
    with pytest.raises(NumberError, match=r"^The stream behind layer 0 must hold finite"):
        _ = model.run(IDS).stream
    (words,) = [each for each in file.tensors if each.endswith(WORDS)]
    model = open_model(Held({**file.tensors, words: file.tensors[words] * np.nan}, file.config))
    with pytest.raises(NumberError, match=r"^(What the first layer reads|X of layer 0) must"):
        _ = model.run(IDS).inputs[0]


def test_a_model_of_images_wants_x() -> None:
    model = open_model(held("vit"))
    check_refused(
        lambda: model.run(IDS),
        OptionError(
            "The input of this model",
            "must come from its pixels or sounds, which are not read here",
            "a text",
            "Give what a layer reads: X from a file on the page, or model.run_from(x).",
        ),
    )
    check_refused(
        lambda: model.run_from(np.zeros((3, 5))),
        ShapeError(
            "X",
            "must have 12 columns, as the model is wide",
            "shape (3, 5)",
            "Give what the first layer reads.",
        ),
    )
    assert model.run_from(np.zeros((3, 12))).stream.dtype == np.float32


def test_a_parallel_block_reads_the_stream_before_attention() -> None:
    recorded = Recorded("gpt-neox")
    config = {**recorded.config, "use_parallel_residual": False}
    behind = open_model(Held(recorded.file.tensors, config)).run(IDS).result
    assert np.abs(behind - recorded.expected["result0"]).max() > 0.1


@pytest.mark.parametrize(
    ("name", "table"), [("gpt-neox", "embed_out.weight"), ("llama", "lm_head.weight")]
)
def test_the_next_word_is_of_the_table_at_the_end(name: str, table: str) -> None:
    file = held(name)
    row = open_model(file).run(IDS).result[-1]
    words = np.zeros((11, len(row)), np.float32)
    words[4] = row  # the only word that is expected at all
    model = open_model(Held({**file.tensors, table: words}, file.config))
    assert open_model(file).next_token(model.text_of(IDS)) != "4"
    assert model.next_token(model.text_of(IDS)) == "4"


def test_a_bias_of_the_end_may_choose_the_next_word() -> None:
    file = held("phi")
    words = file.tensors["embed_tokens.weight"]
    bias = np.zeros(len(words), np.float32)
    tensors = {**file.tensors, "lm_head.weight": words}
    plain, pushed = (
        open_model(Held({**tensors, "lm_head.bias": each}, file.config))
        for each in (bias, 100 * np.eye(len(words), dtype=np.float32)[4])
    )
    assert plain.next_token(plain.text_of(IDS)) != "4"
    assert pushed.next_token(pushed.text_of(IDS)) == "4"
