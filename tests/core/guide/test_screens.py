"""The walkthrough's screens: each has its place, its reason and its arrays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from mha_core import Scenario, attend
from mha_core.changing.changes import with_context, with_heads, with_own_values, with_scores
from mha_core.changing.rules import with_rules
from mha_core.examples import load_example
from mha_core.guide.screens import SCREENS, nearest_screen, passed_over, screens_of
from mha_core.layer.trace import STEPS
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.masks import Mask
from tests.core.strategies import scenarios

PIZZA = load_example("pizza")
ORDER = [step.name for step in STEPS]
BARE = with_scores(with_rules(with_heads(PIZZA, 1), []), scale="none")
IN_TWO = with_context(PIZZA, ["A", "B"])
IN_TWO_WITH_WAVES = with_scores(IN_TWO, positions="sinusoidal")

# Few layers have them, so nobody is told that they are not there.
RARE = (
    *("distances", "both", "growth", "factor-scores", "shares", "factors", "gated-additions"),
    *("rotation-first", "center", "norm-of-values", "center-of-heads", "norm-of-heads"),
    *("gains-of-queries", "gains-of-keys"),
    *("gate", "gate-of-another-kind", "function-of-heads"),  # one of the two, with a gate
)
NORMED = with_scores(PIZZA, qk_norm="head")


def names(s: Scenario) -> list[str]:
    return [screen.name for screen in screens_of(s)]


def test_screens_come_in_the_order_of_the_computation_and_name_what_there_is() -> None:
    results = [ORDER.index(screen.result) for screen in SCREENS.values()]
    assert results == sorted(results)
    for screen in SCREENS.values():
        assert {*screen.takes, *screen.gives} <= {*ORDER, *GIVEN}
        assert screen.why.endswith(".")


@given(scenarios())
def test_all_that_goes_in_was_there_before(s: Scenario) -> None:
    trace = attend(s)
    for screen in screens_of(s):
        first = min(ORDER.index(name) for name in screen.gives)
        for name in screen.taken(s):
            assert name in GIVEN or ORDER.index(name) < first or name in ("positions", "bias")
            array = getattr(s, name) if name in GIVEN else getattr(trace, name)
            assert array is not None


@given(scenarios())
def test_a_screen_is_there_or_passed_over_with_a_word(s: Scenario) -> None:
    over = [screen for screen in SCREENS.values() if screen.name not in names(s)]
    others = {"context-positions": {"context", "positions"}, "own-values": {"own-values"}}
    others |= {"gated": {"gate-scores"}}
    said_by_others = [screen for screen in over if screen.name in others]
    said = [screen.idle for screen in over if screen.name not in (*others, *RARE)]
    if s.context is None and s.context_v is not None:
        said[0] = "no second sequence: keys are made of X too"
    assert passed_over(s) == said
    assert all(passed_over(s))
    for screen in said_by_others:
        assert others[screen.name] & {each.name for each in over}
    for screen in SCREENS.values():
        assert nearest_screen(screen.name, s) in screens_of(s)


def test_a_second_sequence_is_for_keys_alone_where_values_have_rows_of_their_own() -> None:
    both, keys = (
        nearest_screen("context", IN_TWO),
        nearest_screen("context", with_own_values(IN_TWO)),
    )
    assert both.why == "Keys and values are made of these rows, queries of those of X."
    assert keys.why == "Keys are made of these rows, queries of those of X."
    assert keys.gives == both.gives


@pytest.mark.parametrize(
    ("name", "without", "with_it"),
    [
        ("context", PIZZA, with_context(PIZZA, ["A", "B"])),
        ("positions", PIZZA, with_scores(PIZZA, positions="sinusoidal")),
        ("context-positions", IN_TWO, IN_TWO_WITH_WAVES),
        ("context-positions", with_scores(PIZZA, positions="sinusoidal"), IN_TWO_WITH_WAVES),
        ("own-values", PIZZA, with_own_values(PIZZA)),
        ("split", BARE, PIZZA),
        ("join", BARE, PIZZA),
        ("rotation", PIZZA, with_scores(PIZZA, positions="rope")),
        ("distances", PIZZA, replace(PIZZA, r_k=np.zeros((3, 8)))),
        ("both", PIZZA, replace(PIZZA, r_q=np.zeros((3, 8)))),
        ("norm", PIZZA, NORMED),
        ("center", NORMED, with_scores(NORMED, qk_norm_kind="layer")),
        (
            "rotation-first",
            with_scores(NORMED, positions="rope"),
            with_scores(NORMED, positions="rope", qk_norm_place="after"),
        ),
        (
            "rotation",
            with_scores(NORMED, qk_norm_place="after"),
            with_scores(NORMED, positions="rope"),
        ),
        ("norm-of-values", PIZZA, with_scores(PIZZA, v_norm="rms")),
        ("norm-of-heads", PIZZA, with_scores(PIZZA, concat_norm="rms")),
        ("gains-of-queries", NORMED, with_scores(PIZZA, qk_norm="gains", q_gain=(2.0,) * 4)),
        ("gains-of-keys", PIZZA, with_scores(PIZZA, qk_norm="gains", k_shift=(2.0,) * 4)),
        ("function-of-heads", PIZZA, with_scores(PIZZA, concat_function="relu")),
        (
            "center-of-heads",
            with_scores(PIZZA, concat_norm="rms"),
            with_scores(PIZZA, concat_norm="layer"),
        ),
        ("growth", PIZZA, with_scores(PIZZA, growth=0.1)),
        ("scale", BARE, PIZZA),
        ("cap", PIZZA, with_scores(PIZZA, softcap=2.0)),
        ("additions", PIZZA, with_scores(PIZZA, positions="alibi")),
        ("additions", PIZZA, replace(PIZZA, mask=Mask(additive=np.eye(4)))),
        ("mask", BARE, PIZZA),
        ("temperature", PIZZA, with_scores(PIZZA, temperature=2.0)),
        ("maximum", with_scores(PIZZA, softmax="naive"), PIZZA),
    ],
)
def test_a_screen_is_passed_over_where_it_has_nothing_to_do(
    name: str, without: Scenario, with_it: Scenario
) -> None:
    assert name not in names(without)
    assert name in names(with_it)


def test_a_step_that_changes_nothing_is_named_by_the_one_before_it() -> None:
    assert SCREENS["scores"].taken(PIZZA) == ["q_heads", "k_heads"]
    assert SCREENS["maximum"].taken(BARE) == ["scaled_scores"]
    assert SCREENS["queries"].taken(PIZZA) == ["x", "w_q"]
    assert SCREENS["queries"].taken(replace(PIZZA, b_q=np.ones(8))) == ["x", "w_q", "b_q"]


def test_only_what_meets_a_distance_goes_in() -> None:
    screen, r = SCREENS["distances"], np.zeros((3, 8))
    assert screen.taken(replace(PIZZA, r_k=r)) == ["q_heads", "r_k"]
    assert screen.taken(replace(PIZZA, r_q=r)) == ["k_heads", "r_q"]
    assert screen.taken(replace(PIZZA, r_k=r, r_q=r)) == ["q_heads", "r_k", "k_heads", "r_q"]


def test_positions_are_added_to_both_sequences() -> None:
    screen = SCREENS["context-positions"]
    assert names(IN_TWO_WITH_WAVES)[:4] == ["input", "context", "positions", screen.name]
    assert screen.taken(IN_TWO_WITH_WAVES) == ["context", "context_positions"]
    assert SCREENS["keys"].taken(IN_TWO_WITH_WAVES)[0] == screen.result == "context_positioned"


@given(scenarios())
def test_the_formulas_of_a_screen_name_all_that_goes_in_and_comes_out(s: Scenario) -> None:
    for screen in screens_of(s):
        named: set[str] = set()

        def mark(name: str, latex: str, named: set[str] = named) -> str:
            named.add(name)
            return latex

        made = screen.equations(s, mark)
        assert len(made) == (len(screen.gives) if screen.takes else 0)
        assert named >= ({*screen.taken(s), *screen.gives} if screen.takes else set())


def test_a_mark_changes_nothing_else_in_a_formula() -> None:
    def mark(name: str, latex: str) -> str:
        return f"<{name}>{latex}</{name}>"

    (marked,) = SCREENS["scale"].equations(IN_TWO_WITH_WAVES, mark)
    assert marked.latex == (
        "<scaled_scores>S_i</scaled_scores> = <raw_scores><q_heads>Q_i</q_heads> "
        r"<k_heads>K_{i}</k_heads>^\top</raw_scores> / \sqrt{d_k}"
    )
    (keys,) = SCREENS["keys"].equations(IN_TWO_WITH_WAVES, mark)
    c = "<context_positioned>C + P_C</context_positioned>"
    assert keys.latex == f"<k>K</k> = ({c}) <w_k>W_K</w_k>"
    (weights,) = SCREENS["weights"].equations(PIZZA, lambda _, latex: latex)
    assert weights.latex == "A_i = E_i / Z_i"


def test_a_screen_that_is_gone_gives_way_to_the_one_before_it() -> None:
    assert nearest_screen("mask", BARE).name == "scores"
    assert nearest_screen("join", BARE).name == "blend"
    assert nearest_screen("input", BARE).name == "input"
