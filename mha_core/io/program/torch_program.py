"""The forward pass of one scenario by PyTorch's own attention function."""

from __future__ import annotations

from typing import Final

from mha_core.io.program.numpy_program import (
    SINKS,
    alibi_code,
    factors_code,
    growth_code,
    has_blind_queries,
    heads_by_numpy,
    output_by_numpy,
    own_additions,
    queries_and_keys,
    relative_code,
    values,
)
from mha_core.io.program.passages import Passage, comparison, expected, given, mask_and_additions
from mha_core.layer.trace import Trace
from mha_core.layer.unchanged import without_distances, without_growth, without_sinks
from mha_core.options.scale import in_python as scale_in_python
from mha_core.scenario.scenario import Scenario

COMPARED: Final = ("output",)  # the function of PyTorch keeps its weights to itself


def torch_passages(trace: Trace, *, is_first: bool = True) -> list[Passage]:
    """Heads are made and mixed by NumPy; what is between is `scaled_dot_product_attention`."""
    s = trace.scenario
    parts = mask_and_additions(s)
    imports = "import numpy as np\nimport torch\nfrom torch.nn import functional as F"
    return [
        Passage("Multi-head attention by PyTorch's own function", imports),
        given(s, parts, is_first=is_first),
        *heads_by_numpy(s),
        Passage("What is added to the scores: minus infinity hides a key", _added(s, [*parts])),
        Passage("Attention", _attention(s, has_blind_queries(trace))),
        output_by_numpy(s),
        expected(trace, COMPARED),
        comparison(s, COMPARED),
    ]


def _added(s: Scenario, parts: list[str]) -> str:
    code = ["added = np.zeros((n_heads, len(x), k_heads.shape[1]), x.dtype)"]
    if s.scores.positions == "alibi":
        code += [*alibi_code(s), "added -= (slopes * distances).astype(x.dtype)  # ALiBi"]
    if s.b_s is not None:
        code += [*factors_code(s), f"added += {own_additions(s)}"]
    if "additive_mask" in parts:
        code.append("added += additive_mask")
    if "mask" in parts:
        code.append("added[:, ~mask] = -np.inf")
    return "\n".join(code)


def _attention(s: Scenario, has_blind: bool) -> str:
    o = s.scores
    by = "" if o.temperature == 1 else f" / {float(o.temperature)!r}"
    names = ["q", "k", "v", "added"]
    made = [*queries_and_keys(s), values(s), "added"]
    scale = scale_in_python(o.scale)
    code, product, added = [], "q @ k.mT", "added"
    growth = ""
    if not without_growth(s):
        code, growth = growth_code(s), " * growth"
        made[0] += growth
    if not without_distances(s):
        code += relative_code(s)
        names, made = [*names, "relative"], [*made, f"relative{growth}"]
        product, added = "(q @ k.mT + relative)", f"(added + relative * {scale})"
    code.append(f"{', '.join(names)} = map(torch.from_numpy, ({', '.join(made)}))")
    if not without_sinks(s):
        code += _with_sinks(s, f"{product} * {scale}", by)
    elif o.softcap is None:
        options = f"attn_mask={added}{by}, scale={scale}{by}"
        code.append(f"heads = F.scaled_dot_product_attention(q, k, v, {options})")
    else:
        code += [
            "# That function knows no soft cap, so its steps are written out.",
            f"scores = {o.softcap!r} * torch.tanh({product} * {scale} / {o.softcap!r})",
            f"heads = torch.softmax((scores + added){by}, dim=-1) @ v",
        ]
    if has_blind and without_sinks(s):
        code.append("heads[:, torch.from_numpy(~mask.any(axis=-1))] = 0  # no key is left: not NaN")
    code.append("head_outputs = heads.numpy()")
    return "\n".join(code)


def _with_sinks(s: Scenario, scores: str, by: str) -> list[str]:
    cap = s.scores.softcap
    if cap is not None:
        scores = f"{cap!r} * torch.tanh({scores} / {cap!r})"
    return [
        "# That function knows no sinks, so its steps are written out.",
        f"scores = ({scores} + added){by}",
        f"of_sinks = torch.from_numpy({SINKS}).expand(-1, len(x), 1)",
        "weights = torch.softmax(torch.cat([scores, of_sinks], dim=-1), dim=-1)",
        "heads = weights[..., :-1] @ v  # a sink has no value",
    ]
