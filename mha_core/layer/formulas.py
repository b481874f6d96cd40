r"""The formulas of the steps as LaTeX, each made for one scenario: it has only the parts in use.

i is the head, q a query and k a key. `symbol` gives the symbol of an earlier step in this scenario,
or of a given array. Of a step that changes nothing, it is that of the step before it; the symbol of
raw scores is their product.
"""

from __future__ import annotations

from collections.abc import Callable

from mha_core.layer.unchanged import (
    without_added_numbers,
    without_alibi,
    without_row_max,
    without_sinusoids,
)
from mha_core.options.registry import OPTIONS
from mha_core.options.written import as_factor
from mha_core.scenario.scenario import Scenario

Symbol = Callable[[str], str]  # the LaTeX of a symbol, by the name of the step or given array


def positions(s: Scenario, _: Symbol) -> str:
    """Column 2c is the sine of the place p, by a wavelength of its own, column 2c+1 its cosine."""
    if without_sinusoids(s):
        return "0"
    angle = r"p / 10000^{2c/d_{\mathrm{model}}}"
    return rf"(\sin({angle}), \cos({angle}))_{{c = 0, 1, \ldots}}"


def x_positioned(_: Scenario, symbol: Symbol) -> str:
    return f"{symbol('x')} + {symbol('positions')}"


def context_positioned(_: Scenario, symbol: Symbol) -> str:
    return f"{symbol('context')} + {symbol('context_positions')}"


def q(s: Scenario, symbol: Symbol) -> str:
    return _projected(symbol("x_positioned"), symbol("w_q")) + _plus(symbol("b_q"), s.b_q)


def k(s: Scenario, symbol: Symbol) -> str:
    return _projected(symbol("context_positioned"), symbol("w_k")) + _plus(symbol("b_k"), s.b_k)


def v(s: Scenario, symbol: Symbol) -> str:
    return _projected(symbol("context_positioned"), symbol("w_v")) + _plus(symbol("b_v"), s.b_v)


def q_heads(_: Scenario, symbol: Symbol) -> str:
    return rf"\mathrm{{split}}({symbol('q')})_i"


def k_heads(_: Scenario, symbol: Symbol) -> str:
    return rf"\mathrm{{split}}({symbol('k')})_i"


def v_heads(_: Scenario, symbol: Symbol) -> str:
    return rf"\mathrm{{split}}({symbol('v')})_i"


def q_rotated(_: Scenario, symbol: Symbol) -> str:
    return f"R_p {symbol('q_heads')}"


def k_rotated(_: Scenario, symbol: Symbol) -> str:
    return f"R_p {symbol('k_heads')}"


def raw_scores(s: Scenario, symbol: Symbol) -> str:
    keys = symbol("k_rotated").replace("K_i", f"K_{{{_key_value_head(s)}}}")
    return rf"{symbol('q_rotated')} {keys}^\top"


def changed(scores: str, option: str) -> Callable[[Scenario, Symbol], str]:
    """What an option of the scores makes of scores."""
    step = OPTIONS[option].step
    assert step is not None
    return lambda s, symbol: step.latex(symbol(scores), getattr(s.scores, option))


def bias(s: Scenario, symbol: Symbol) -> str:
    terms = []
    if not without_alibi(s):
        terms.append("-a_i |p_q - p_k|")  # a_i is the head's slope
    if not without_added_numbers(s):
        terms.append(r"M_{\mathrm{add}}")
    return " + ".join(terms) or "0"


def biased_scores(s: Scenario, symbol: Symbol) -> str:
    return f"{symbol('capped_scores')} + {symbol('bias')}"


def masked_scores(s: Scenario, symbol: Symbol) -> str:
    score, mask = symbol("biased_scores"), symbol("mask")
    return rf"{score} \text{{ where }} {mask}, \text{{ else }} {{-\infty}}"


def row_max(s: Scenario, symbol: Symbol) -> str:
    if without_row_max(s):
        return "0"
    return rf"\max_k ({symbol('tempered_scores')})_{{qk}}"


def exponentials(s: Scenario, symbol: Symbol) -> str:
    subtracted = "" if without_row_max(s) else f" - {symbol('row_max')}"
    return f"e^{{{symbol('tempered_scores')}{subtracted}}}"


def row_sums(_: Scenario, symbol: Symbol) -> str:
    return rf"\sum_k ({symbol('exponentials')})_{{qk}}"


def shares(_: Scenario, symbol: Symbol) -> str:
    """The last step of the softmax, which `weights` writes as one."""
    return f"{symbol('exponentials')} / {symbol('row_sums')}"


def weights(s: Scenario, symbol: Symbol) -> str:
    scores = symbol("tempered_scores")
    if without_row_max(s):
        return rf"\frac{{e^{{{scores}}}}}{{\sum_k e^{{{scores}}}}}"
    return rf"\mathrm{{softmax}}({scores})"


def head_outputs(s: Scenario, symbol: Symbol) -> str:
    values = symbol("v_heads").replace("V_i", f"V_{{{_key_value_head(s)}}}")
    product = f"{symbol('weights')} {values}"
    if not s.heads_off:
        return product
    off = ", ".join(str(head + 1) for head in sorted(s.heads_off))
    return rf"{product}, \text{{ but }} 0 \text{{ for }} i \in \{{{off}\}}"


def concat(_: Scenario, symbol: Symbol) -> str:
    return rf"\mathrm{{Concat}}_i({symbol('head_outputs')})"


def output(s: Scenario, symbol: Symbol) -> str:
    return rf"{symbol('concat')} \, {symbol('w_o')}" + _plus(symbol("b_o"), s.b_o)


def _projected(source: str, weight: str) -> str:
    return f"{as_factor(source)} {weight}"


def _plus(symbol: str, array: object) -> str:
    return "" if array is None else f" + {symbol}"


def _key_value_head(s: Scenario) -> str:
    """The key/value head that head i uses."""
    if s.n_kv_heads == s.n_heads:
        return "i"
    return "1" if s.n_kv_heads == 1 else rf"\lceil i / {s.n_heads // s.n_kv_heads} \rceil"
