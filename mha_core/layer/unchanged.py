"""When a step changes nothing. It then hands on the array of an earlier step."""

from __future__ import annotations

from mha_core.scenario.scenario import Scenario


def without_second_sequence(s: Scenario) -> bool:
    return s.context is None


def without_sinusoids(s: Scenario) -> bool:
    return s.scores.positions != "sinusoidal"


def without_rotations(s: Scenario) -> bool:
    return s.scores.positions != "rope"


def without_softcap(s: Scenario) -> bool:
    return s.scores.softcap is None


def without_alibi(s: Scenario) -> bool:
    return s.scores.positions != "alibi"


def without_added_numbers(s: Scenario) -> bool:
    """Whether there is no additive mask, or one that only hides."""
    added = s.mask.added()
    return added is None or not added.any()


def without_additions(s: Scenario) -> bool:
    return without_alibi(s) and without_added_numbers(s)


def without_mask(s: Scenario) -> bool:
    return s.mask.hides_nothing


def without_temperature(s: Scenario) -> bool:
    return s.scores.temperature == 1


def without_row_max(s: Scenario) -> bool:
    """Whether the softmax subtracts nothing."""
    return s.scores.softmax == "naive"
