"""Masks: each against its definition cell by cell, alone, in parts and combined."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import FrozenInstanceError
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core.mask_rules.registry import MASKS, RULES
from mha_core.scenario.masks import Mask, Rule, combine
from tests.core.oracle import allows
from tests.core.strategies import rules

masks = SimpleNamespace(**MASKS)

SIZES = st.integers(1, 7)


def cells(mask: Any) -> list[str]:
    """A mask as rows of signs, so that a test can show it."""
    return ["".join(".x"[int(cell)] for cell in row) for row in mask]


@st.composite
def rules_with_sizes(draw: st.DrawFn) -> tuple[Rule, int, int]:
    n_q, n_k = draw(SIZES), draw(SIZES)
    return draw(rules(n_q, n_k)), n_q, n_k


SLICES = st.builds(slice, st.integers(0, 7), st.integers(0, 8))


@given(case=rules_with_sizes())
def test_every_mask_is_its_definition_cell_by_cell(case: tuple[Rule, int, int]) -> None:
    rule, n_q, n_k = case
    expected = [[allows(rule, i, j, n_q, n_k) for j in range(n_k)] for i in range(n_q)]
    allowed = rule.allowed(n_q, n_k)
    assert allowed.dtype == np.bool_
    assert allowed.tolist() == expected


@given(case=rules_with_sizes(), rows=SLICES)
def test_rows_asked_for_alone_are_rows_of_the_whole(
    case: tuple[Rule, int, int], rows: slice
) -> None:
    rule, n_q, n_k = case
    assert np.array_equal(rule.allowed(n_q, n_k, rows), rule.allowed(n_q, n_k)[rows])


@given(case=rules_with_sizes(), seed=st.integers(0, 2**32 - 1), rows=SLICES)
def test_masks_combine_by_and(case: tuple[Rule, int, int], seed: int, rows: slice) -> None:
    rule, n_q, n_k = case
    rng = np.random.default_rng(seed)
    custom = rng.random((n_q, n_k)) < 0.5
    additive = np.where(rng.random((n_q, n_k)) < 0.5, -np.inf, 0.5)
    mask = Mask((rule, Rule("causal")), custom, additive)
    together = rule.allowed(n_q, n_k) & masks.causal(n_q, n_k) & custom & (additive == 0.5)
    assert np.array_equal(mask.allowed(n_q, n_k), together)
    assert np.array_equal(mask.allowed(n_q, n_k, rows), together[rows])


def test_combine_leaves_open_what_every_mask_leaves_open() -> None:
    window = masks.sliding_window(4, 4, left=1, right=1)
    assert cells(combine(masks.causal(4, 4), window, masks.padding(4, 4, hidden=[2]))) == [
        "x...",
        "xx..",
        ".x..",
        "...x",
    ]


@given(n=SIZES, name=st.sampled_from(["causal", "sliding_window", "prefix_lm", "strided"]))
def test_where_lengths_are_equal_both_alignments_are_one(n: int, name: str) -> None:
    options = {"sliding_window": {"left": 2}, "prefix_lm": {"prefix": 2}, "strided": {"stride": 2}}
    mask = partial(MASKS[name], n, n, **options.get(name, {}))
    assert np.array_equal(mask(align="end"), mask(align="start"))


CAUSAL_SHAPES: list[tuple[int, int, Mapping[str, str], list[str]]] = [
    (2, 5, {}, ["xxxx.", "xxxxx"]),
    (2, 5, {"align": "start"}, ["x....", "xx..."]),
    (5, 2, {}, ["..", "..", "..", "x.", "xx"]),
    (5, 2, {"align": "start"}, ["x.", "xx", "xx", "xx", "xx"]),
]


@pytest.mark.parametrize(("n_q", "n_k", "options", "expected"), CAUSAL_SHAPES)
def test_causal_is_aligned_at_the_end_or_at_the_start(
    n_q: int, n_k: int, options: Mapping[str, Any], expected: list[str]
) -> None:
    assert cells(masks.causal(n_q, n_k, **options)) == expected


def test_a_window_slides_with_the_queries_place_among_the_keys() -> None:
    assert cells(masks.sliding_window(2, 5, left=1)) == ["..xx.", "...xx"]
    assert cells(masks.sliding_window(2, 5, left=1, align="start")) == ["x....", "xx..."]
    assert cells(masks.sliding_window(3, 5, left=0, right=2, align="start")) == [
        "xxx..",
        ".xxx.",
        "..xxx",
    ]


def test_a_prefix_is_open_to_all_and_the_rest_is_causal() -> None:
    assert cells(masks.prefix_lm(3, 5, prefix=2, align="start")) == ["xx...", "xx...", "xxx.."]
    assert np.array_equal(masks.prefix_lm(3, 5, prefix=0), masks.causal(3, 5))
    assert masks.prefix_lm(3, 5, prefix=5).all()


def test_documents_see_only_themselves() -> None:
    assert cells(masks.documents(4, 4, segments=[7, 7, 9, 7])) == ["xx.x", "xx.x", "..x.", "xx.x"]
    crossed = masks.documents(2, 3, segments=[1, 2, 2], query_segments=[2, 3])
    assert cells(crossed) == [".xx", "..."]


def test_documents_may_be_longer_than_a_page() -> None:
    segments = [token // 100 for token in range(300)]
    assert masks.documents(300, 300, segments=segments).sum() == 3 * 100**2


def test_global_tokens_see_and_are_seen_by_all() -> None:
    mask = masks.global_local(5, 5, global_tokens=[2], left=0)
    assert cells(mask) == ["x.x..", ".xx..", "xxxxx", "..xx.", "..x.x"]
    assert np.array_equal(mask, mask.T)


def test_a_global_token_is_a_place_among_the_keys() -> None:
    at_the_end = masks.global_local(2, 5, global_tokens=[4], left=0)
    assert cells(at_the_end) == ["...xx", "xxxxx"]
    at_the_start = masks.global_local(2, 5, global_tokens=[1], left=0, right=1, align="start")
    assert cells(at_the_start) == ["xx...", "xxxxx"]


def test_strided_sees_near_neighbours_and_every_stride_th_key() -> None:
    assert cells(masks.strided(3, 9, stride=3)) == ["x..xxxxxx", ".x..xxxxx", "..x..xxxx"]
    assert cells(masks.strided(2, 9, stride=4, align="start")) == ["xxxxx...x", "xxxxxx..."]
    assert masks.strided(3, 7, stride=1).all()


def test_the_largest_counts_are_taken() -> None:
    assert masks.causal(1, 16_384).all()
    assert masks.sliding_window(1, 3, left=16_384).all()


def test_no_mask_hides_nothing() -> None:
    assert Mask().allowed(3, 5).all()
    assert Mask().allowed(3, 5).shape == (3, 5)
    assert Mask().allowed(3, 5, slice(1, 3)).shape == (2, 5)
    assert Mask().added() is None
    assert Mask().hides_nothing
    assert Mask(additive=np.zeros((3, 5))).hides_nothing


@pytest.mark.parametrize(
    "mask",
    [
        Mask((Rule("causal"),)),
        Mask(custom=np.ones((3, 5), np.bool_)),
        Mask(additive=np.full((3, 5), -np.inf)),
    ],
    ids=["rule", "custom", "additive"],
)
def test_what_may_hide_is_not_said_to_hide_nothing(mask: Mask) -> None:
    assert not mask.hides_nothing


def test_an_additive_mask_hides_where_it_is_minus_infinity_and_adds_the_rest() -> None:
    mask = Mask(additive=np.array([[0.5, -np.inf], [-2.0, 3.0], [-np.inf, -np.inf]]))
    added = mask.added()
    assert added is not None
    assert added.tolist() == [[0.5, 0.0], [-2.0, 3.0], [0.0, 0.0]]
    assert np.array_equal(mask.added(slice(1, 2)), [[-2.0, 3.0]])
    assert cells(mask.allowed(3, 2)) == ["x.", "xx", ".."]


def test_a_mask_keeps_its_own_copy() -> None:
    custom, additive = np.ones((3, 5), np.bool_), np.zeros((3, 5))
    mask = Mask(custom=custom, additive=additive)
    custom[0], additive[1] = False, 7
    assert mask.allowed(3, 5).all()
    assert not mask.added().any()  # type: ignore[union-attr] # one was given


@pytest.mark.parametrize("name", ["custom", "additive"])
def test_the_matrices_of_a_mask_are_read_only(name: str) -> None:
    mask = Mask(custom=np.ones((3, 5), np.bool_), additive=np.zeros((3, 5)))
    with pytest.raises(ValueError, match="read-only"):
        getattr(mask, name)[0, 0] = 0


@pytest.mark.parametrize(
    ("frozen", "name"),
    [(Mask(), "rules"), (Mask(), "custom"), (Rule("causal"), "name"), (Rule("causal"), "options")],
)
def test_no_field_of_a_mask_or_a_rule_can_be_set(frozen: object, name: str) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(frozen, name, None)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_an_additive_mask_may_be_of_any_float_type(kind: type) -> None:
    mask = Mask(additive=np.array([[1.5, -np.inf]], kind))
    assert cells(mask.allowed(1, 2)) == ["x."]
    assert mask.added().tolist() == [[1.5, 0.0]]  # type: ignore[union-attr] # one was given


def test_masks_are_equal_when_all_their_numbers_are() -> None:
    custom = np.eye(3, dtype=np.bool_)
    assert Mask(custom=custom) == Mask(custom=custom.copy())
    assert Mask(custom=custom) != Mask(custom=~custom)
    assert Mask(custom=custom) != Mask()
    assert Mask((Rule("causal"),)) == Mask([Rule("causal")])  # type: ignore[arg-type] # a list too
    assert Mask((Rule("causal"),)) != Mask((Rule("causal", {"align": "start"}),))
    assert Mask(additive=np.zeros((2, 2))) != Mask(additive=np.zeros((2, 2), np.float32))


def test_the_options_of_a_rule_become_plain_data() -> None:
    options = {"hidden": np.array([0, 2])}
    assert Rule("padding", options).options == {"hidden": (0, 2)}
    assert type(Rule("strided", {"stride": np.int64(2)}).options["stride"]) is int
    assert Rule("padding", {"hidden": []}).options == {"hidden": ()}
    assert Rule("causal", {"align": "start"}).options == {"align": "start"}


@pytest.mark.parametrize("name", MASKS)
def test_the_options_of_a_mask_are_named_where_it_is_called(name: str) -> None:
    sizes, *options = inspect.signature(MASKS[name]).parameters.values()
    kinds = {option.name: option.kind for option in options[1:]}
    assert [sizes.name, options[0].name] == ["n_q", "n_k"]
    assert set(kinds.values()) == {inspect.Parameter.KEYWORD_ONLY}
    assert "rows" in kinds


def test_every_mask_is_found_by_its_name_and_says_what_it_is() -> None:
    for name, mask in MASKS.items():
        assert mask.__name__ == name
        title, _, meaning = (mask.__doc__ or "").partition("\n")[0].partition(": ")
        assert title.lower().replace(" ", "_").startswith(name.split("_")[0])
        assert meaning.endswith(".")
        assert RULES[name].words in ("", f"{title}: {meaning}")  # as the page says it
