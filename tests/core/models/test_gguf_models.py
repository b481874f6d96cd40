"""Models in GGUF: other names, other fields, and columns that its converter has moved."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from mha_core import attend
from mha_core.checks.errors import FileError
from mha_core.models import open_model
from mha_core.models.gguf_kinds import KINDS
from mha_core.models.gguf_kinds import LLAMA as NAMES
from mha_core.models.renamed import as_hub_names, with_config
from tests.core.models.held import Held
from tests.core.models.recorded_models import IDS, Recorded
from tests.core.refusals import check_refused

FIELDS = {
    "block_count": "num_hidden_layers",
    "embedding_length": "hidden_size",
    "feed_forward_length": "intermediate_size",
    "attention.head_count": "num_attention_heads",
    "attention.head_count_kv": "num_key_value_heads",
    "attention.layer_norm_rms_epsilon": "rms_norm_eps",
    "context_length": "max_position_embeddings",
}


def in_neighbours(rows: Any, n_heads: int) -> Any:
    """As the converter moves the rows of Q and K: those that turn together stand together."""
    parted = rows.reshape(n_heads, 2, -1, *rows.shape[1:])
    return parted.swapaxes(1, 2).reshape(rows.shape)


def as_gguf(recorded: Recorded, kind: str, base: float, **more: Any) -> Held:
    """A recorded model, written as GGUF has it."""
    config, tensors = recorded.config, {}
    theirs_of = {ours: theirs for theirs, ours in NAMES.items()}
    heads = {"q_proj": config["num_attention_heads"], "k_proj": config["num_key_value_heads"]}
    for hub, array in recorded.file.tensors.items():
        found = re.fullmatch(r"(?:layers\.(\d)\.)?(.+)\.(weight|bias)", hub)
        assert found
        layer, name, part = found.groups()
        place = f"blk.{layer}." if layer else ""
        name = f"{place}{theirs_of[name]}.{part}"
        count = next((count for part, count in heads.items() if part in hub), 0)
        tensors[name] = in_neighbours(array, count) if count and kind == "llama" else array
    fields = {f"{kind}.{theirs}": config[ours] for theirs, ours in FIELDS.items()}
    said = {"general.architecture": kind, f"{kind}.rope.freq_base": base, **fields}
    return Held({**tensors, "other.thing": np.zeros(1), **more}, said)


@pytest.mark.parametrize(("name", "kind"), [("llama", "llama"), ("qwen2", "qwen2")])
def test_it_is_the_same_model(name: str, kind: str) -> None:
    recorded = Recorded(name)
    model = open_model(as_gguf(recorded, kind, 10_000.0))
    np.testing.assert_allclose(model.run(IDS).result, recorded.expected["result0"], atol=1e-5)
    hub = open_model(recorded.file)
    for layer in (0, 1):
        np.testing.assert_array_equal(model.weights(layer).w_q, hub.weights(layer).w_q)
        np.testing.assert_array_equal(model.weights(layer).w_k, hub.weights(layer).w_k)


def test_columns_that_nobody_moves_back_give_other_weights() -> None:
    recorded = Recorded("llama")
    file = as_hub_names(as_gguf(recorded, "llama", 10_000.0))
    x, expected = recorded.expected["inputs0"], recorded.expected["weights0"]
    for moves_back, is_right in ((True, True), (False, False)):
        model = open_model(with_config(file, {"stored_in_neighbours": moves_back}))
        made = attend(model.weights(0).scenario(x)).weights
        assert np.allclose(made, expected, atol=1e-5) == is_right


def test_a_tensor_may_say_how_much_slower_each_pair_turns() -> None:
    factors = np.array([1.0, 2.0, 8.0], np.float32)
    more = {"rope_freqs.weight": factors}
    scores = open_model(as_gguf(Recorded("llama"), "llama", 100.0, **more)).weights(0).scores
    np.testing.assert_allclose(scores.rope_frequencies, 100.0 ** (-np.arange(3) / 3) / factors)
    assert scores.scale == "1/sqrt(d_k)"


def test_another_architecture_is_told() -> None:
    check_refused(
        lambda: open_model(Held({}, {"general.architecture": "mamba"})),
        FileError(
            "The file",
            f"must be one of {', '.join(KINDS)} as its architecture",
            "'mamba'",
            "Take the model's safetensors, or map its tensors by hand.",
        ),
    )


def test_rows_are_read_by_the_new_name() -> None:
    recorded = Recorded("llama")
    renamed = as_hub_names(as_gguf(recorded, "llama", 1.0))
    table = recorded.file.tensors["embed_tokens.weight"]
    np.testing.assert_array_equal(renamed.read_rows("embed_tokens.weight", [3, 1]), table[[3, 1]])
    assert renamed.folder is None
