"""The names that a link may hold: its own parameters, and those of others beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mha_core.checks.limits import LIMITS
from mha_core.io.scenario.link_values import FORMS
from mha_core.options.registry import OPTIONS
from mha_core.scenario.given_arrays import GIVEN, OPTIONAL

NO_CONTEXT: Final = "~none"  # no label can be "~none", because `~n` has no meaning in a label
SIZES: Final = {  # the names in a link, and those of a Scenario
    "d_model": "d_model",
    "d_model_kv": "d_model_kv",
    "d_model_v": "d_model_v",
    "heads": "n_heads",
    "kv_heads": "n_kv_heads",
    "d_k": "d_k",
    "d_v": "d_v",
    "d_out": "d_out",
}
MATRICES: Final = (*GIVEN, "custom", "additive")
CELLS_OVER_ZEROS: Final = {"x.cells", "context.cells"}
MAY_BE_NONE: Final = (*OPTIONAL, "custom", "additive")
FIRST_TO_FOLLOW: Final = (
    *("d_k", "d_v", "n_kv_heads", "d_out", "d_model_v", "d_model_kv", "n_heads", "d_model"),
)
PARAMETERS: Final[Mapping[str, str]] = {
    "example": "the example to start from",
    "dtype": "float32 or float64",
    "tokens": "labels of the queries: tokens=I+LOVE+PIZZA",
    "context": f"labels of the second sequence; {NO_CONTEXT} removes it",
    "d_model": "width of X",
    "d_model_kv": "width of the second sequence",
    "d_model_v": "width of the source of values, if it is not that of the keys",
    "heads": "number of heads; kv_heads, d_k and d_v follow unless they are given too",
    "kv_heads": "number of key/value heads",
    "d_k": "width of a head's queries and keys",
    "d_v": "width of a head's values",
    "d_out": "width of the output",
    "d_g": "columns of the gate for each head: 1, or d_v if left out",
    "x": "how X is made: one of INPUTS",
    "x_seed": "its seed, 0 if left out",
    "weights": "how the projections are made: one of PRESETS",
    "weights_seed": "their seed, 0 if left out",
    **{name: option.in_a_link for name, option in OPTIONS.items()},
    "mask": "mask rules: mask=causal+sliding_window~left.2; none removes all",
    "off": "heads switched off: off=0.2; none switches all on",
    **{f"{name}.{form}": f"{name}'s numbers" for name in MATRICES for form in FORMS},
    "distances": "how many distances have a row in R_K and R_Q: an odd number for each axis",
    "additive_dtype": "float32 or float64, if the additive mask has another type than X",
    **{name: "none removes it" for name in MAY_BE_NONE},
    "origin": "what made the arrays, if the rest of the link does not say so",
}
OF_THE_INPUT: Final = ("tokens", "context", "d_model", "d_model_kv", "dtype", "x", "x_seed")
OF_LAYERS: Final = tuple(  # what is said of a layer that is not the first
    name for name in PARAMETERS if name.partition(".")[0] not in OF_THE_INPUT
)
NUMBERS_OF_LAYERS: Final = tuple(str(number) for number in range(2, LIMITS.layers + 1))
OF_A_STACK: Final[Mapping[str, str]] = {
    "layers": "how many layers there are; what is said of layer 2 begins with 2.",
    "residual": "on: each layer adds its output to its X; off: it hands on its output alone",
    "words": "those that are predicted, one for each column of W_U",
    **{f"w_u.{form}": "the numbers of W_U" for form in FORMS},
    "w_u": "none: nothing is predicted, though the example does",
}
OF_THE_PAGE: Final = (  # they say how the page shows the scenario, and are in its address too
    *("decimals", "colors", "values", "palette", "moved", "drawn", "show", "rows"),
    *(
        "head",
        "cell",
        "influence",
        "page",
        "step",
        "order",
        "screen",
        "puzzle",
        "layer",
        "hints",
        "tour",
        "stop",
        "present",
        "part",
        "open",
        "fold",
        "hide",
        "title",
        "embed",
        "embed_options",
    ),
)
ADDED_BY_OTHERS: Final = ("utm_", "fbclid", "gclid")  # mailings add parameters that begin so


def layer_of_name(name: str) -> int | None:
    """The layer, counted from 0, that a parameter is about; None where it names none.

    >>> layer_of_name("2.w_q.rows"), layer_of_name("w_q.rows"), layer_of_name("9.heads")
    (1, None, None)
    """
    number, _, rest = name.partition(".")
    is_layer = number in NUMBERS_OF_LAYERS and rest in OF_LAYERS
    return int(number) - 1 if is_layer else None


def is_parameter(name: str) -> bool:
    """Whether a link may say this of layers.

    >>> is_parameter("heads"), is_parameter("2.heads"), is_parameter("2.tokens")
    (True, True, False)
    """
    return name in PARAMETERS or name in OF_A_STACK or layer_of_name(name) is not None
