"""Multi-head attention with every array on the way, in NumPy alone."""

from mha_core.checks.errors import MhaError
from mha_core.layer.attention import (
    attention_weights,
    combine_heads,
    multi_head_attention,
    naive_softmax,
    scaled_dot_product_attention,
    softmax,
    split_heads,
)
from mha_core.layer.rows import Rows, attend_rows
from mha_core.layer.trace import STEPS, Trace, attend
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions

__all__ = [
    "STEPS",
    "Mask",
    "MhaError",
    "Rows",
    "Rule",
    "Scenario",
    "ScoreOptions",
    "Trace",
    "attend",
    "attend_rows",
    "attention_weights",
    "combine_heads",
    "multi_head_attention",
    "naive_softmax",
    "scaled_dot_product_attention",
    "softmax",
    "split_heads",
]
