"""The choice of an array to edit, and of a head's part of it."""

from __future__ import annotations

from typing import Any

import pytest

from mha_core import Scenario
from mha_core.changing.changes import with_changes, with_heads, with_own_values
from mha_core.examples import load_example
from tests.running_page import RunningPart
from ui.state import View


def script() -> None:
    from ui.blocks.number_editors import number_editors, place_for_editors
    from ui.state import open_session

    session = open_session()
    number_editors(session, place_for_editors(session))


class Numbers(RunningPart):
    """The editors of a page, unfolded."""

    def __init__(self, scenario: Scenario, view: View | None = None) -> None:
        super().__init__(script, scenario=scenario, view=view, editors=True)

    def pick(self, name: str) -> Numbers:
        self.which.set_value(name)
        self.run()
        return self

    def pick_part(self, part: str) -> Numbers:
        self.at.selectbox(key="edit-part").set_value(part)
        self.run()
        return self

    @property
    def which(self) -> Any:
        return self.at.button_group(key="edit-which")

    @property
    def parts(self) -> list[str]:
        """What the choice of a part offers; nothing where there is no choice."""
        return [part for box in self.at.selectbox if box.key == "edit-part" for part in box.options]

    @property
    def edited(self) -> str:
        return str(self.at.caption[0].value.replace("\\", "").partition(":")[0])


@pytest.mark.parametrize("name", ["x", "b_o", "mask.custom", "mask.additive"])
def test_an_array_without_heads_has_no_part_to_choose(name: str) -> None:
    assert Numbers(load_example("pizza")).pick(name).parts == []


@pytest.mark.parametrize("name", ["w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v"])
def test_an_array_of_heads_offers_each_of_them(name: str) -> None:
    numbers = Numbers(load_example("pizza")).pick(name)
    assert numbers.parts == ["All heads", "Head 1", "Head 2"]
    assert numbers.pick_part("Head 2").edited.endswith("of head 2")


def test_one_head_is_all_of_them() -> None:
    numbers = Numbers(with_heads(load_example("pizza"), 1)).pick("w_q")
    assert numbers.parts == []
    assert numbers.edited == "W_Q"


def test_one_head_of_keys_is_no_choice_where_the_queries_have_two() -> None:
    numbers = Numbers(with_heads(load_example("pizza"), 2, 1, 4, 4)).pick("w_k")
    assert numbers.parts == []
    assert "Heads 1 to 2 share it." in numbers.at.caption[0].value.replace("\\", "")
    assert len(numbers.pick("w_q").parts) == 3


def test_the_part_is_remembered_while_another_array_is_looked_at() -> None:
    numbers = Numbers(load_example("pizza")).pick("w_q").pick_part("Head 2")
    assert numbers.pick("x").edited == "X"
    assert numbers.pick("w_k").edited == "W_K of head 2"


def test_a_part_that_is_gone_gives_way_to_all_heads() -> None:
    numbers = Numbers(with_heads(load_example("pizza"), 4)).pick("w_q").pick_part("Head 4")
    numbers.at.session_state["session"].attempt("", None, lambda s: with_heads(s, 2))
    numbers.run()
    assert numbers.edited == "W_Q"
    numbers.pick("x")
    numbers.at.session_state["session"].attempt("", None, lambda s: with_heads(s, 1))
    numbers.run()
    assert numbers.pick("w_q").edited == "W_Q"


def test_a_second_sequence_that_is_gone_gives_way_to_x() -> None:
    numbers = Numbers(load_example("translation")).pick("context")
    assert numbers.edited == "C"
    numbers.at.session_state["session"].attempt(
        "", None, lambda s: with_changes(s, context_tokens=())
    )
    numbers.run()
    assert numbers.edited == "X"
    assert "C" not in numbers.which.options


def test_rows_for_values_alone_are_offered_where_there_are_some() -> None:
    pizza = load_example("pizza")
    assert "C_V" not in Numbers(pizza).which.options
    assert Numbers(with_own_values(pizza)).pick("context_v").edited == "C_V"


def test_masks_are_offered_by_short_names() -> None:
    offered = Numbers(load_example("pizza")).which.options
    assert offered[0] == "X"
    assert offered[-2:] == ["Drawn mask", "Additive mask"]
    assert max(map(len, offered)) <= len("Additive mask")


def test_who_puts_the_editors_away_has_none() -> None:
    numbers = Numbers(load_example("pizza"), View(hide=("editors",)))
    assert not numbers.at.get("expander")
    assert not numbers.at.get("button_group")
