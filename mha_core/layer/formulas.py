r"""The formulas of the steps as LaTeX, each made for one scenario: it has only the parts in use.

i is the head, q a query and k a key. `symbol` gives the symbol of an earlier step in this scenario,
or of a given array. A step that changes nothing has the symbol of the step before it; the symbol of
raw scores is their product.
"""

from __future__ import annotations

from collections.abc import Callable

from mha_core.language import say
from mha_core.layer.notations import NOTATIONS
from mha_core.layer.unchanged import (
    without_added_numbers,
    without_alibi,
    without_gate_of_additions,
    without_own_additions,
    without_row_max,
    without_sinks,
    without_sinusoids,
)
from mha_core.options.growth import factor_latex
from mha_core.options.qk_norm import is_divided
from mha_core.options.r_places import axes_of_distances
from mha_core.options.registry import OPTIONS
from mha_core.options.written import as_factor, as_written
from mha_core.scenario.scenario import Scenario

Symbol = Callable[[str], str]  # the LaTeX of a symbol, by the name of the step or given array
Formula = Callable[[Scenario, Symbol], str]


def positions(s: Scenario, _: Symbol) -> str:
    """Column 2c is the sine of the place p, with its own wavelength; column 2c+1 is the cosine."""
    if without_sinusoids(s):
        return "0"
    angle = r"p / 10000^{2c/d_{\mathrm{model}}}"
    return rf"(\sin({angle}), \cos({angle}))_{{c = 0, 1, \ldots}}"


def _sum(left: str, right: str) -> Formula:
    return lambda _, symbol: f"{symbol(left)} + {symbol(right)}"


def _projection(source: str, name: str) -> Formula:
    """Vectors through w_q, w_k or w_v, with the bias where there is one."""

    def formula(s: Scenario, symbol: Symbol) -> str:
        product = f"{as_factor(symbol(source))} {symbol(f'w_{name}')}"
        return product + _plus(symbol(f"b_{name}"), getattr(s, f"b_{name}"))

    return formula


def _split(whole: str) -> Formula:
    return lambda _, symbol: rf"\mathrm{{split}}({symbol(whole)})_i"


def _times(option: str, formula: Formula) -> Formula:
    """What a formula makes, times the factor that an option says."""

    def made(s: Scenario, symbol: Symbol) -> str:
        number, all_of_it = getattr(s.scores, option), formula(s, symbol)
        if number == 1:
            return all_of_it
        return rf"{as_written(float(number))} \cdot {as_factor(all_of_it)}"

    return made


def _centered(heads: str) -> Formula:
    """Vectors less the mean of their row."""
    return lambda s, symbol: f"{symbol(heads)} - {_mean(s, symbol, heads)}"


def _normed(name: str, heads: str) -> Formula:
    """Vectors over their root mean square, times their gains and with shifts where there are some.

    `name` is that of the options that say so.
    """

    def formula(s: Scenario, symbol: Symbol) -> str:
        letter = r"\mathrm{concat}" if name == "concat" else name.upper()
        gain = rf" \cdot g_{{{letter}}}" if _has(s, f"{name}_gain") else ""
        shift = rf" + \beta_{{{letter}}}" if _has(s, f"{name}_shift") else ""
        if name in ("q", "k") and not is_divided(s.scores):
            return f"{symbol(heads)}{gain}{shift}"
        root = rf"\sqrt{{{_mean(s, symbol, heads, '^2')} + \varepsilon}}"
        return rf"\frac{{{symbol(heads)}}}{{{root}}}{gain}{shift}"

    return formula


def symbol_of_norm(heads: str) -> Callable[[Scenario], str]:
    """Of normed queries or keys; gains alone are no norm."""
    return lambda s: f"{'gain' if s.scores.qk_norm == 'gains' else 'norm'}({{{heads}}})"


def _mean(s: Scenario, symbol: Symbol, heads: str, power: str = "") -> str:
    """Of the row of a head, or of the same row of all heads."""
    is_over_all = s.scores.qk_norm == "all" if heads[0] in "qk" else heads != "v_heads"
    return rf"\mathrm{{mean}}{'_i' if is_over_all else ''}({symbol(heads)}{power})"


def _has(s: Scenario, option: str) -> bool:
    return option in OPTIONS and getattr(s.scores, option) is not None


def _rotated(heads: str) -> Formula:
    return lambda _, symbol: f"R_p {symbol(heads)}"


x_positioned = _sum("x", "positions")
context_positioned = _sum("context", "context_positions")
q = _projection("x_positioned", "q")
k = _projection("context_positioned", "k")
v = _projection("context_v", "v")
q_heads, k_heads, v_heads = _split("q"), _split("k"), _times("v_scale", _split("v"))
q_rotated_first, k_rotated_first = _rotated("q_heads"), _rotated("k_heads")
q_centered, k_centered = _centered("q_rotated_first"), _centered("k_rotated_first")
q_normed, k_normed = _normed("q", "q_centered"), _normed("k", "k_centered")
v_normed = _normed("v", "v_heads")
q_rotated, k_rotated = _rotated("q_normed"), _rotated("k_normed")
heads_centered = _centered("gated_outputs")
heads_normed = _normed("concat", "heads_centered")


def raw_scores(s: Scenario, symbol: Symbol) -> str:
    keys = symbol("k_rotated").replace("K_i", f"K_{{{_key_value_head(s)}}}")
    return rf"{symbol('q_rotated')} {keys}^\top"


def relative_scores(s: Scenario, symbol: Symbol) -> str:
    """Of the products with all vectors, each pair takes that of its distance, on each axis."""
    terms = []
    axes = axes_of_distances(s.scores)
    far = "k - q" if s.scores.r_places is None else "p(k) - p(q)"
    each, of_axis = "", ""
    if axes > 1:
        far, each, of_axis = "p_a(k) - p_a(q)", rf"\sum_{{a=1}}^{{{axes}}} ", ",a"
    if s.r_k is not None:
        vectors = symbol("r_k").replace("R_K", f"R_{{K,i{of_axis}}}")
        terms.append(rf"{each}({symbol('q_rotated')} {vectors}^\top)_{{q, \, {far}}}")
    if s.r_q is not None:
        keys = symbol("k_rotated").replace("K_i", f"K_{{{_key_value_head(s)}}}")
        vectors = symbol("r_q").replace("R_Q", f"R_{{Q,i{of_axis}}}")
        terms.append(rf"{each}({keys} {vectors}^\top)_{{k, \, {far}}}")
    return " + ".join(terms) or "0"


summed_scores = _sum("raw_scores", "relative_scores")


def grown_scores(s: Scenario, symbol: Symbol) -> str:
    return rf"({factor_latex(s.scores, 'p')}) \cdot {symbol('summed_scores')}"


def changed(scores: str, option: str) -> Formula:
    """The scores after an option of the scores has changed them."""
    step = OPTIONS[option].step
    assert step is not None
    return lambda s, symbol: step.latex(symbol(scores), getattr(s.scores, option))


def f(s: Scenario, symbol: Symbol) -> str:
    return "0" if without_gate_of_additions(s) else _projection("x_positioned", "f")(s, symbol)


def f_gates(s: Scenario, symbol: Symbol) -> str:
    return "0" if without_gate_of_additions(s) else rf"\sigma({_split('f')(s, symbol)})"


def factors(s: Scenario, symbol: Symbol) -> str:
    """Of the two columns of shares: the first counts how far the factor is not 2."""
    if without_gate_of_additions(s):
        return "1"
    shares = symbol("f_gates")
    of_head = "" if s.c_f is None else symbol("c_f").replace("c_F", r" \, c_{F,i}")
    return rf"2 - {shares}_{{q1}} (1 - {shares}_{{q2}}{of_head})"


def bias(s: Scenario, symbol: Symbol) -> str:
    terms = []
    if not without_alibi(s):
        terms.append("-a_i |p_q - p_k|")  # a_i is the head's slope
    if not without_own_additions(s):
        own = symbol("b_s").replace("b_S", "b_{S,i}")
        terms.append(own if without_gate_of_additions(s) else rf"{symbol('factors')} \odot {own}")
    if not without_added_numbers(s):
        terms.append(r"M_{\mathrm{add}}")
    return " + ".join(terms) or "0"


biased_scores = _sum("capped_scores", "bias")


def masked_scores(s: Scenario, symbol: Symbol) -> str:
    score, mask = symbol("biased_scores"), symbol("mask")
    where, otherwise = say("where"), say("else")
    return rf"{score} \text{{ {where} }} {mask}, \text{{ {otherwise} }} {{-\infty}}"


def row_max(s: Scenario, symbol: Symbol) -> str:
    if without_row_max(s):
        return "0"
    score = f"({symbol('tempered_scores')})_{{qk}}"
    if without_sinks(s):
        return rf"\max_k {score}"
    return rf"\max(\max_k {score}, {_sink(symbol)})"


def exponentials(s: Scenario, symbol: Symbol) -> str:
    subtracted = "" if without_row_max(s) else f" - {symbol('row_max')}"
    return f"e^{{{symbol('tempered_scores')}{subtracted}}}"


def row_sums(s: Scenario, symbol: Symbol) -> str:
    of_keys = rf"\sum_k ({symbol('exponentials')})_{{qk}}"
    return of_keys if without_sinks(s) else f"{of_keys} + {_exponential_of_sink(s, symbol)}"


def shares(_: Scenario, symbol: Symbol) -> str:
    """The last step of the softmax, which `weights` writes as one."""
    return f"{symbol('exponentials')} / {symbol('row_sums')}"


def weights(s: Scenario, symbol: Symbol) -> str:
    scores = symbol("tempered_scores")
    if without_row_max(s):
        of_sink = "" if without_sinks(s) else f" + e^{{{_sink(symbol)}}}"
        return rf"\frac{{e^{{{scores}}}}}{{\sum_k e^{{{scores}}}{of_sink}}}"
    if without_sinks(s):
        return rf"\mathrm{{softmax}}({scores})"
    of_keys = say("of the keys")
    return rf"\mathrm{{softmax}}([{scores}, {_sink(symbol)}]) \text{{ {of_keys} }}"


def sink_weights(s: Scenario, symbol: Symbol) -> str:
    if without_sinks(s):
        return "0"
    return f"{_exponential_of_sink(s, symbol)} / {symbol('row_sums')}"


def head_outputs(s: Scenario, symbol: Symbol) -> str:
    values = symbol("v_normed").replace("V_i", f"V_{{{_key_value_head(s)}}}")
    product = f"{symbol('weights')} {values}"
    if not s.heads_off:
        return product
    off = ", ".join(str(head + 1) for head in sorted(s.heads_off))
    but, these = say("but"), say("for")
    return rf"{product}, \text{{ {but} }} 0 \text{{ {these} }} i \in \{{{off}\}}"


def g(s: Scenario, symbol: Symbol) -> str:
    return "0" if s.w_g is None else _projection("x_positioned", "g")(s, symbol)


def gates(s: Scenario, symbol: Symbol) -> str:
    if s.w_g is None:
        return "1"
    return NOTATIONS["latex"].applied(s.scores.gate_function, _split("g")(s, symbol))


def gated_outputs(_: Scenario, symbol: Symbol) -> str:
    return rf"{symbol('head_outputs')} \odot {symbol('gates')}"


def heads_bent(s: Scenario, symbol: Symbol) -> str:
    return NOTATIONS["latex"].applied(s.scores.concat_function, symbol("heads_normed"))


def concat(_: Scenario, symbol: Symbol) -> str:
    return rf"\mathrm{{Concat}}_i({symbol('heads_bent')})"


def _contributions(_: Scenario, symbol: Symbol) -> str:
    return f"{symbol('heads_bent')} W_{{O,i}}"


def _output(s: Scenario, symbol: Symbol) -> str:
    return rf"{symbol('concat')} \, {symbol('w_o')}" + _plus(symbol("b_o"), s.b_o)


contributions = _times("output_scale", _contributions)
output = _times("output_scale", _output)


def _exponential_of_sink(s: Scenario, symbol: Symbol) -> str:
    subtracted = "" if without_row_max(s) else f" - {symbol('row_max')}"
    return f"e^{{{_sink(symbol)}{subtracted}}}"


def _sink(symbol: Symbol) -> str:
    return f"{symbol('sinks')}_i"


def _plus(symbol: str, array: object) -> str:
    return "" if array is None else f" + {symbol}"


def _key_value_head(s: Scenario) -> str:
    """The key/value head that head i uses."""
    if s.n_kv_heads == s.n_heads:
        return "i"
    return "1" if s.n_kv_heads == 1 else rf"\lceil i / {s.n_heads // s.n_kv_heads} \rceil"
