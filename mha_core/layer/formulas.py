r"""The formulas of the steps as LaTeX, each made for one scenario: it has only the parts in use.

i is the head, q a query and k a key. Steps that change nothing in a scenario need no formula
there: see `unchanged.py`.
"""

from __future__ import annotations

from mha_core.layer.unchanged import (
    without_added_numbers,
    without_additions,
    without_alibi,
    without_mask,
    without_rotations,
    without_second_sequence,
    without_sinusoids,
    without_softcap,
)
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import BY_ROOT_D_K


def q(s: Scenario) -> str:
    return _projected(_positioned("X", s), "W_Q") + _plus("b_Q", s.b_q)


def k(s: Scenario) -> str:
    return _projected(_keys_from(s), "W_K") + _plus("b_K", s.b_k)


def v(s: Scenario) -> str:
    return _projected(_keys_from(s), "W_V") + _plus("b_V", s.b_v)


def raw_scores(s: Scenario) -> str:
    prime = "" if without_rotations(s) else "'"
    return rf"Q_i{prime} K{prime}_{{{_key_value_head(s)}}}^\top"


def scaled_scores(s: Scenario) -> str:
    match s.scores.scale:
        case "none":
            return raw_scores(s)
        case scale if scale == BY_ROOT_D_K:
            return rf"{raw_scores(s)} / \sqrt{{d_k}}"
        case scale:
            return rf"{_number(float(scale))} \cdot {raw_scores(s)}"


def capped_scores(s: Scenario) -> str:
    cap = s.scores.softcap
    return "S_i" if cap is None else rf"{_number(cap)} \cdot \tanh(S_i / {_number(cap)})"


def bias(s: Scenario) -> str:
    terms = []
    if not without_alibi(s):
        terms.append("-a_i |p_q - p_k|")  # a_i is the head's slope
    if not without_added_numbers(s):
        terms.append(r"M_{\mathrm{add}}")
    return " + ".join(terms) or "0"


def biased_scores(s: Scenario) -> str:
    return f"{_capped(s)} + B_i"


def masked_scores(s: Scenario) -> str:
    return rf"{_biased(s)} \text{{ where }} M, \text{{ else }} {{-\infty}}"


def row_max(s: Scenario) -> str:
    return rf"\max_k ({_masked(s)})_{{qk}}"


def exponentials(s: Scenario) -> str:
    return f"e^{{{_masked(s)} - m_i}}"


def weights(s: Scenario) -> str:
    return rf"\mathrm{{softmax}}({_masked(s)})"


def head_outputs(s: Scenario) -> str:
    product = f"A_i V_{{{_key_value_head(s)}}}"
    if not s.heads_off:
        return product
    off = ", ".join(str(head + 1) for head in sorted(s.heads_off))
    return rf"{product}, \text{{ but }} 0 \text{{ for }} i \in \{{{off}\}}"


def output(s: Scenario) -> str:
    return r"\mathrm{concat} \, W_O" + _plus("b_O", s.b_o)


# What the steps before hand on, in this scenario.


def _positioned(source: str, s: Scenario) -> str:
    return source if without_sinusoids(s) else f"{source} + P"


def _keys_from(s: Scenario) -> str:
    return _positioned("X" if without_second_sequence(s) else "C", s)


def _capped(s: Scenario) -> str:
    return "S_i" if without_softcap(s) else r"\mathrm{cap}(S_i)"


def _biased(s: Scenario) -> str:
    return _capped(s) if without_additions(s) else f"{_capped(s)} + B_i"


def _masked(s: Scenario) -> str:
    """The scores that softmax gets."""
    return _biased(s) if without_mask(s) else "S_i^M"


# Parts of formulas.


def _projected(source: str, weight: str) -> str:
    return f"({source}) {weight}" if "+" in source else f"{source} {weight}"


def _plus(symbol: str, array: object) -> str:
    return "" if array is None else f" + {symbol}"


def _key_value_head(s: Scenario) -> str:
    """The key/value head that head i uses."""
    if s.n_kv_heads == s.n_heads:
        return "i"
    return "1" if s.n_kv_heads == 1 else rf"\lceil i / {s.n_heads // s.n_kv_heads} \rceil"


def _number(value: float) -> str:
    r"""All digits of a number, with a power of ten in LaTeX.

    >>> _number(30.0), _number(1e-05)
    ('30', '1 \\cdot 10^{-5}')
    """
    digits, _, exponent = repr(float(value)).partition("e")
    digits = digits.removesuffix(".0")
    return rf"{digits} \cdot 10^{{{int(exponent)}}}" if exponent else digits
