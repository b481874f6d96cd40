r"""The formulas of the steps as LaTeX, each made for one scenario: it has only the parts in use.

i is the head, q a query and k a key. If a step changes nothing in a scenario, its formula is the
symbol of the step before it: without rotations, `q_rotated` is "Q_i".
"""

from __future__ import annotations

from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import BY_ROOT_D_K


def x_positioned(s: Scenario) -> str:
    return "X + P" if _has_sinusoids(s) else "X"


def context(s: Scenario) -> str:
    return "X" if s.context is None else "C"


def context_positioned(s: Scenario) -> str:
    return f"{context(s)} + P" if _has_sinusoids(s) else context(s)


def q(s: Scenario) -> str:
    return _projected(x_positioned(s), "W_Q") + _plus("b_Q", s.b_q)


def k(s: Scenario) -> str:
    return _projected(context_positioned(s), "W_K") + _plus("b_K", s.b_k)


def v(s: Scenario) -> str:
    return _projected(context_positioned(s), "W_V") + _plus("b_V", s.b_v)


def q_rotated(s: Scenario) -> str:
    return "R_p Q_i" if _has_rotations(s) else "Q_i"


def k_rotated(s: Scenario) -> str:
    return "R_p K_i" if _has_rotations(s) else "K_i"


def raw_scores(s: Scenario) -> str:
    prime = "'" if _has_rotations(s) else ""
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
    if s.scores.softcap is None:
        return "S_i"
    cap = _number(s.scores.softcap)
    return rf"{cap} \cdot \tanh(S_i / {cap})"


def bias(s: Scenario) -> str:
    terms = []
    if s.scores.positions == "alibi":
        terms.append("-a_i |p_q - p_k|")  # a_i is the head's slope
    if _adds_a_matrix(s):
        terms.append(r"M_{\mathrm{add}}")
    return " + ".join(terms) or "0"


def biased_scores(s: Scenario) -> str:
    capped = "S_i" if s.scores.softcap is None else r"\mathrm{cap}(S_i)"
    return capped if bias(s) == "0" else f"{capped} + B_i"


def masked_scores(s: Scenario) -> str:
    scores = biased_scores(s)
    if s.mask.hides_nothing:
        return scores
    return rf"\begin{{cases}} {scores} & M \\ -\infty & \lnot M \end{{cases}}"


def row_max(s: Scenario) -> str:
    return rf"\max_k ({_last_scores(s)})_{{qk}}"


def exponentials(s: Scenario) -> str:
    return f"e^{{{_last_scores(s)} - m_i}}"


def weights(s: Scenario) -> str:
    return rf"\mathrm{{softmax}}({_last_scores(s)})"


def head_outputs(s: Scenario) -> str:
    product = f"A_i V_{{{_key_value_head(s)}}}"
    if not s.heads_off:
        return product
    off = ", ".join(str(head + 1) for head in sorted(s.heads_off))
    return rf"\begin{{cases}} 0 & i \in \{{{off}\}} \\ {product} & \text{{else}} \end{{cases}}"


def output(s: Scenario) -> str:
    return r"\mathrm{concat} \, W_O" + _plus("b_O", s.b_o)


def _has_sinusoids(s: Scenario) -> bool:
    return s.scores.positions == "sinusoidal"


def _has_rotations(s: Scenario) -> bool:
    return s.scores.positions == "rope"


def _adds_a_matrix(s: Scenario) -> bool:
    """Whether the additive mask adds numbers, and does not only hide."""
    added = s.mask.added()
    return added is not None and bool(added.any())


def _projected(source: str, weight: str) -> str:
    return f"({source}) {weight}" if "+" in source else f"{source} {weight}"


def _plus(symbol: str, array: object) -> str:
    return "" if array is None else f" + {symbol}"


def _key_value_head(s: Scenario) -> str:
    """The key/value head that head i uses."""
    if s.n_kv_heads == s.n_heads:
        return "i"
    return "1" if s.n_kv_heads == 1 else rf"\lceil i / {s.n_heads // s.n_kv_heads} \rceil"


def _last_scores(s: Scenario) -> str:
    """The scores that softmax gets."""
    return biased_scores(s) if s.mask.hides_nothing else "S_i^M"


def _number(value: float) -> str:
    r"""All digits of a number, with a power of ten in LaTeX.

    >>> _number(30.0), _number(1e-05)
    ('30', '1 \\cdot 10^{-5}')
    """
    digits, _, exponent = repr(float(value)).partition("e")
    digits = digits.removesuffix(".0")
    return rf"{digits} \cdot 10^{{{int(exponent)}}}" if exponent else digits
