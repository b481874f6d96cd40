"""A label is shown by LaTeX, and does nothing else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core.io.latex.prose import prose, tokens_in_words
from mha_core.io.latex.widths import shortened, width_of_latex, width_of_text
from mha_core.io.latex.words import boxed, escaped, is_boxed
from tests.core.io.latex.reader import assert_whole

TEXTS = st.text(max_size=40)
# What may stand behind a backslash: signs, letters with accents, and boxes.
SHOWN = """
    textbackslash textasciitilde textasciicircum textless textgreater textbar textvisiblespace
    texttt char ensuremath mathdollar dots ss ae AE oe OE o O l L i j r u v c d H
    fboxsep fbox tiny mathsection mathparagraph mathsterling times div pm cdot infty le ge ne
    approx surd circ to gets uparrow downarrow in alpha beta gamma delta varepsilon zeta eta theta
    iota kappa lambda mu nu xi mathit pi rho sigma varsigma tau upsilon varphi chi psi omega
    Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega
"""


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        (r"\write18{rm}", r"\textbackslash{}write18\{rm\}"),
        ("a & b # c % d", r"a \& b \# c \% d"),
        (
            "$x_1^2$~",
            r"\ensuremath{\mathdollar}x\_1\textasciicircum{}2"
            r"\ensuremath{\mathdollar}\textasciitilde{}",
        ),
        ("<a>|", r"\textless{}a\textgreater{}\textbar{}"),
        ("``a''--", r"\`{}\`{}a'{}'{}-{}-{}"),
        ('"a', r"\texttt{\char34}a"),
        ("a\n\n\tb", r"a \ \ b"),
        ("", ""),
        ("  ", r"\textvisiblespace{}\textvisiblespace{}"),
        ("\x00", r"{\fboxsep=1pt\fbox{\tiny 0000}}"),
        ("\u202e", r"{\fboxsep=1pt\fbox{\tiny 202E}}"),
        ("\ud800", r"{\fboxsep=1pt\fbox{\tiny D800}}"),
        ("É é Ş ï ĵ", r"\'{E} \'{e} \c{S} \"{\i} \^{\j}"),
        ("E\u0301", r"\'{E}"),
        ("ế ą", r"{\fboxsep=1pt\fbox{\tiny 1EBF}} {\fboxsep=1pt\fbox{\tiny 0105}}"),
        ("π ≤ §", r"\ensuremath{\pi} \ensuremath{\le} \ensuremath{\mathsection}"),
    ],
)
def test_signs_of_latex_and_of_the_world_are_shown(text: str, latex: str) -> None:
    assert escaped(text) == latex


@given(text=TEXTS)
def test_any_text_is_whole_ascii_and_runs_no_command_of_its_own(text: str) -> None:
    latex = escaped(text)
    assert latex.isascii()
    assert latex.isprintable()
    assert_whole(f"{{{latex}}}")
    commands = re.findall(r"\\([a-zA-Z]+)", re.sub(r"\\[^a-zA-Z]", "", latex))
    assert set(commands) <= set(SHOWN.split())


def test_what_stands_in_boxes_is_told() -> None:
    assert boxed(["A 🍕", "\x00 比🍕 É"]) == {
        "1F355": "slice of pizza",
        "0000": "a sign without a name",
        "6BD4": "cjk unified ideograph-6bd4",
    }
    assert not is_boxed("É")


@given(text=TEXTS, most=st.floats(40, 200))
def test_a_shortened_text_is_no_wider(text: str, most: float) -> None:
    short = shortened(text, most)
    assert width_of_text(short) <= most
    assert short == text or "…" in short


@pytest.mark.parametrize(
    ("latex", "least", "most"),
    [("-0.50", 25.5, 28), (r"-\infty", 17, 30), (r"a + b", 22, 35), (r"\text{PIZZA}", 30, 45)],
)
def test_widths_are_near_those_of_latex(latex: str, least: float, most: float) -> None:
    assert least <= width_of_latex(latex) <= most


def test_a_sentence_has_its_symbols_as_in_formulas_and_no_word_that_leaves_the_line() -> None:
    assert prose("Without 1/sqrt(d_k), b_O is 50%.") == r"Without $1/\sqrt{d_k}$, $b_O$ is 50\%."
    assert prose("W" * 200) == r"WWWWW\dots{}WWWW"


def test_of_many_tokens_the_first_are_named() -> None:
    assert tokens_in_words(["a"] * 14).endswith("a and 2 more")


@pytest.mark.parametrize("latex", ["{", "}", r"\begin{a}", r"\begin{a}{\end{a}}", "$", r"\}{"])
def test_latex_that_is_not_whole_is_seen(latex: str) -> None:
    with pytest.raises(AssertionError):
        assert_whole(latex)
