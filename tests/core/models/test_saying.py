"""What a model's config said, in sentences."""

from __future__ import annotations

import pytest

from mha_core.models import open_model
from tests.core.models.held import Held
from tests.core.models.own_model import own_model
from tests.core.models.recorded_models import NAMES, Recorded

SAYS = {
    "llama": (
        "Llama: 2 layers of width 12. Each layer has 2 heads of width 6. They share 1 head of "
        "keys and values. RMSNorm (eps 1e-06) stands before each part. The MLP has a gate, with "
        "SiLU. Q and K are turned by an angle that grows with the position. Each column of the "
        "first half turns with its like of the second: as in Llama's files. No token sees a later "
        "one."
    ),
    "bert": (
        "BERT: 2 layers of width 12. Each layer has 3 heads of width 4. LayerNorm (eps 1e-12) "
        "stands behind each part. The MLP has GELU (by erf). Every token sees every other."
    ),
    "llama-yarn": "Scores are multiplied by 0.5293.",
    "phi3-longrope-part": "The columns of Q and K that turn grow by 1.225, in W_Q and W_K.",
    "llama-dynamic": "In texts of more than 4 tokens, Q and K turn slower.",
    "mistral": "Tokens see the last 3 tokens in all layers.",
    "ministral3": (
        "Scores grow with the position of the query. Scores grow after 3 tokens. Tokens are "
        "counted from 0: as in Ministral 3."
    ),
    "gemma2": "Tokens see the last 3 tokens in some layers, all earlier ones in others.",
    "gemma3-sees-all": (
        "Tokens see 2 tokens before them and 2 behind them in some layers, all tokens in others."
    ),
    "gpt-oss": "The MLP has 5 experts; a router chooses 2 of them for each token.",
    "deepseek-v2": (
        "Queries are made of a small row for each token, their latent, of width 7: it is X of a "
        "layer that is opened. Keys and values are made of a small row for each token, their "
        "latent, of width 6, and of 4 columns beside it, which all heads share in their keys, and "
        "which turn. Together they are C, the second sequence of such a layer: a cache keeps "
        "nothing else. A latent has an RMSNorm behind it. RMSNorm (eps 1e-06) stands before each "
        "part. The MLP has a gate, with SiLU. From layer 2 on it has 6 experts; a router chooses 2 "
        "of them for each token. Beside them is one that every token passes."
    ),
    "deepseek-v2-lite": "Each layer has 2 heads of width 12. Keys and values are made of a small",
    "qwen2-moe": "a router chooses 2 of them for each token. Beside them is one that every token",
    "gptj": "It works beside attention, not behind it.",
    "vit": "Its input comes from pixels, which are not read here: give X, a row for each patch.",
}


@pytest.mark.parametrize("name", SAYS)
def test_it_says_what_is_its_own(name: str) -> None:
    assert SAYS[name] in open_model(Recorded(name).file).says


def test_long_texts_are_told_with_all_digits() -> None:
    file = Recorded("llama-dynamic").file
    config = {**file.config, "max_position_embeddings": 1_048_576}
    says = open_model(Held(file.tensors, config)).says
    assert "In texts of more than 1,048,576 tokens, Q and K turn slower." in says


def test_a_model_of_attention_alone_says_so() -> None:
    assert open_model(own_model()).says == (
        "Attention layers alone: 2 layers of width 5. Each layer has 2 heads of width 3. "
        "It has no norms. It has no MLP. No token sees a later one."
    )


@pytest.mark.parametrize("name", NAMES)
def test_every_model_says_something_in_whole_sentences(name: str) -> None:
    said = open_model(Recorded(name).file).says
    assert said.endswith(".")
    assert "  " not in said
