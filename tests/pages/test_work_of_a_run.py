"""What a run of the explorer computes, sets and waits for: nothing twice."""

from __future__ import annotations

from collections import Counter
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from mha_core.layer.cells import Cell
from tests.pages.visitor import Visitor
from ui.blocks import heads_picture, heads_shown, together, top, what_to_look_for
from ui.edits import page_limits
from ui.figures import into_heads, pictures, whole
from ui.state import binding, in_words, params

PIZZA = "example=pizza"

FIGURES = {
    "into_heads_figure": into_heads,
    "whole_figure": whole,
    **dict.fromkeys(("together_figure", "mask_figure", "additive_figure", "step_figure"), pictures),
}


def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a page makes what is worth making once."""
    calls: Counter[str] = Counter()

    def count(module: ModuleType, name: str) -> None:
        function = getattr(module, name)

        def counting(*args: Any, **options: Any) -> Any:
            calls[name] += 1
            return function(*args, **options)

        monkeypatch.setattr(module, name, counting)

    count(page_limits, "attend")
    count(in_words, "stack_parameters")
    count(params, "decode_stack")
    count(heads_shown, "all_readings")
    count(what_to_look_for, "setting_notes")
    for name in ("output_change", "contributions_gap"):
        count(together, name)
    count(top, "strip")
    for name, module in FIGURES.items():
        count(module, name)
    return calls


def test_nothing_is_computed_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    visitor = Visitor(f"{PIZZA}&off=1&open=into")
    calls = counted(monkeypatch)
    visitor.enter("scale", "0.5")
    assert set(calls.values()) == {1}
    assert set(calls) >= {"attend", "stack_parameters", "all_readings", "strip", "output_change"}
    assert set(calls) >= {*FIGURES}
    calls.clear()
    visitor.run()
    visitor.enter("head", 1)
    visitor.session.look_at(cell=Cell("weights", 0, 1, 1))
    visitor.run()
    assert visitor.address["cell"] == "weights/0:2.2"
    visitor.enter("scale", "abc")
    assert calls == Counter()
    visitor.enter("decimals", 4).run()
    assert calls == Counter(list(FIGURES))


def test_a_field_is_set_only_where_it_shows_something_else() -> None:
    """Setting a field takes away what somebody is typing there meanwhile."""
    visitor = Visitor(PIZZA).run()

    def fields_set() -> set[str]:
        controls = visitor.controls.values()
        return {c.key for c in controls if getattr(c.proto, "set_value", False)} - {
            binding.RECEIPT_KEY
        }

    assert fields_set() == set()
    visitor.enter("heads", 4)
    assert fields_set() == {"enter-heads-on", "view-order"}  # two heads had no order


def test_a_browser_has_time_to_paint_new_pictures_and_only_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(heads_picture, "SLEEP", 0.06)
    monkeypatch.setattr(heads_picture, "time", SimpleNamespace(sleep=pauses.append))
    visitor = Visitor(PIZZA)
    assert pauses == [0.06]
    visitor.run().enter("head", 1).enter("scale", "abc")
    assert pauses == [0.06]
    visitor.enter("scale", "0.5")
    assert pauses == [0.06] * 2
    visitor.enter("decimals", 4)
    assert pauses == [0.06] * 3
