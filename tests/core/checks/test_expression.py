"""Small expressions have the value that a pocket calculator gives, or are refused in words."""

from __future__ import annotations

import math
import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core.checks.errors import NumberError
from mha_core.checks.expression import DEEPEST, LONGEST, WAY_OUT, read_expression

NAMES = {"d_k": 64.0, "d_v": 3.0}


def value_of(text: str) -> float:
    return read_expression(text, "The scale", NAMES)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.5", 0.5),
        ("-2,5", -2.5),
        (".5", 0.5),
        ("1e-3", 0.001),
        ("1/3", 1 / 3),
        ("1/sqrt(64)", 0.125),
        ("1/sqrt(d_k)", 0.125),
        ("1/√64", 0.125),
        ("sqrt(2)/2", math.sqrt(2) / 2),
        ("2^-3", 0.125),
        ("2**-3", 0.125),
        ("2^3^2", 512),
        ("-2^2", -4),
        ("(-2)^2", 4),
        ("1-2-3", -4),
        ("8/2/2", 2),
        ("2*(1+3)/d_v", 8 / 3),
        ("--1", 1),
        ("2 × 3 ÷ 4 · 5", 7.5),
        ("d_k^-0.5", 0.125),
        ("\N{MINUS SIGN}1", -1),
        ("sqrt 16 + 1", 5),
    ],
)
def test_an_expression_has_the_value_a_person_expects(text: str, value: float) -> None:
    assert value_of(text) == value


SIGNS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


@given(
    st.lists(st.tuples(st.sampled_from(sorted(SIGNS)), st.integers(1, 99)), min_size=1, max_size=12)
)
def test_chains_are_worked_out_as_python_does(chain: list[tuple[str, int]]) -> None:
    text = "7" + "".join(f" {sign} {number}" for sign, number in chain)
    assert value_of(text) == eval(text)  # noqa: S307 (made here, of digits and signs alone)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "must be a number, got nothing"),
        ("abc", "must be made of numbers, signs, sqrt, d_k and d_v, got 'abc'"),
        ("__import__('os')", "must be made of numbers, signs, sqrt, d_k and d_v, got '__import__'"),
        ("1 2", "must have a sign such as * before 2, got '1 2'"),
        ("2(3)", "must have a sign such as * before (, got '2(3)'"),
        ("1+", "must have a number at its end, got '1+'"),
        ("*2", "must have a number before *, got '*2'"),
        ("(1", "must close every bracket, got '(1'"),
        ("1)", "must have a sign such as * before ), got '1)'"),
        ("1/0", "must not divide by zero, got '1/0'"),
        ("0^-1", "must not divide by zero, got '0^-1'"),
        ("sqrt(-4)", "must not have the root of a number below 0, got sqrt(-4)"),
        ("(-8)^0.5", "must be a real number, got -8 to the power of a fraction"),
        ("9^999", "must be a finite number of at most 1e+100 in size, got '9^999'"),
        ("1e99*100", "must be a finite number of at most 1e+100 in size, got '1e99*100'"),
        ("1e300*1e300", "must hold finite numbers of at most 1e+100 in size, got '1e300'"),
        ("1,234", "must have only one reading, and this may be 1.234 or 1234, got '1,234'"),
        ("1.2.3", "must hold numbers only, got '1.2.3'"),
        ("1 $", "must be a number or an expression, got '1 $'"),
        ("(" * 21 + "1" + ")" * 21, f"must have at most {DEEPEST} brackets within each other"),
        ("2^" * 40 + "2", f"must have at most {DEEPEST} brackets within each other"),
        ("1" * 101, f"must be at most {LONGEST} characters, got 101"),
    ],
)
def test_what_is_no_expression_is_refused_in_four_parts(text: str, said: str) -> None:
    with pytest.raises(NumberError) as caught:
        value_of(text)
    assert str(caught.value).startswith(f"The scale {said}")
    assert str(caught.value).endswith(f". {WAY_OUT}")


@given(st.text("0123456789.,+-*/^()√ esqrtd_k", max_size=LONGEST))
def test_any_text_is_a_finite_number_or_refused(text: str) -> None:
    try:
        value = value_of(text)
    except NumberError:
        return
    assert abs(value) <= 1e100
