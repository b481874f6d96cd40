"""Multi-head attention with every array on the way, in NumPy alone.

    >>> attend(load_example("two-tokens")).output.shape
    (2, 4)

The folders, in order. Each imports only the folders above it:

    checks/       errors, limits, shapes by name, and one check for each kind of input
    terms/        how a number is made of others, as data
    options/      what may be chosen for the scores, one file for each option
    mask_rules/   which query may attend to which key, one file for each rule
    scenario/     what a person chose, as plain data: arrays, masks, score options
    layer/        the forward pass: one step for each array, its formula, its axes and labels
    trained/      the numbers of a model that we trained, and the stories that it read
    stack/        several layers on one stream, their paths, and what is read of it at the end
    reading/      what a trace shows: metrics, patterns, sentences, claims
    making/       ways to make X and the projections: inputs and presets
    examples/     worked examples with their questions and claims
    changing/     from one scenario to the next: sizes, recipes, edited cells, masks
    comparing/    two layers side by side
    guide/        the walkthrough, the tours and the field guide
    puzzles/      jobs for a head that people build, and the checker of their answers
    worksheets/   exercises for a pen, their keys, their HTML, and the marks of answers
    survey/       what the heads of a whole trained model do, on one text and on many
    io/           a matrix and a scenario as text, as a file, as a link, as a program
    models/       trained models out of files: their layers, texts and runs

Where a new thing goes, such as a step, a mask or a format: see docs/where-things-go.md.
"""

from typing import TYPE_CHECKING, Any, Final

from mha_core.checks.errors import MhaError
from mha_core.examples import load_example
from mha_core.io.matrix.matrix_text import parse_matrix
from mha_core.io.scenario.files import read_scenario, read_stack, write_scenario, write_stack
from mha_core.io.scenario.link import decode_link, encode_link
from mha_core.io.scenario.stack_link import decode_stack, encode_stack
from mha_core.layer.attention import (
    attention_weights,
    combine_heads,
    multi_head_attention,
    naive_softmax,
    scaled_dot_product_attention,
    softmax,
    split_heads,
)
from mha_core.layer.chosen_rows import Rows, attend_rows
from mha_core.layer.trace import STEPS, Trace
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions
from mha_core.stack.attending import attend
from mha_core.stack.layer import Layer
from mha_core.stack.stack import Stack
from mha_core.stack.trace import StackTrace

if TYPE_CHECKING:
    from mha_core.models import capture, open_model, scenario_from_layer
    from mha_core.survey.head_map import HeadMap, head_map

__all__ = [
    "STEPS",
    "HeadMap",
    "Layer",
    "Mask",
    "MhaError",
    "Rows",
    "Rule",
    "Scenario",
    "ScoreOptions",
    "Stack",
    "StackTrace",
    "Trace",
    "attend",
    "attend_rows",
    "attention_weights",
    "capture",
    "combine_heads",
    "decode_link",
    "decode_stack",
    "encode_link",
    "encode_stack",
    "head_map",
    "load_example",
    "multi_head_attention",
    "naive_softmax",
    "open_model",
    "parse_matrix",
    "read_scenario",
    "read_stack",
    "scaled_dot_product_attention",
    "scenario_from_layer",
    "softmax",
    "split_heads",
    "write_scenario",
    "write_stack",
]

OF_MODELS: Final = ("capture", "open_model", "scenario_from_layer")
OF_THE_SURVEY: Final = ("HeadMap", "head_map")


def __getattr__(name: str) -> Any:
    """The rooms of trained models are large, and opened only by those who ask for them."""
    if name in OF_MODELS:
        from mha_core import models

        return getattr(models, name)
    if name in OF_THE_SURVEY:
        from mha_core.survey import head_map

        return getattr(head_map, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
