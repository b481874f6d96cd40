"""When a step changes nothing. It then hands on the array of an earlier step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from mha_core.options.qk_norm import is_divided
from mha_core.options.registry import OPTIONS
from mha_core.options.sinusoids_for import QUERIES_AND_KEYS
from mha_core.scenario.scenario import Scenario


def without_second_sequence(s: Scenario) -> bool:
    return s.context is None


def without_own_values(s: Scenario) -> bool:
    """Whether values are made from the same rows as keys."""
    return s.context_v is None


def without_waves_in_values(s: Scenario) -> bool:
    """Whether values are made from the rows of the keys, but without the waves in these."""
    only = s.scores.sinusoids_for == QUERIES_AND_KEYS
    return only and without_own_values(s) and not without_sinusoids(s)


def without_sinusoids(s: Scenario) -> bool:
    return bool(s.scores.positions != "sinusoidal")


def without_rotations(s: Scenario) -> bool:
    return bool(s.scores.positions != "rope")


def without_norms(s: Scenario) -> bool:
    """Whether queries and keys pass no norm, and no gains alone."""
    return bool(s.scores.qk_norm == "none")


def without_division(s: Scenario) -> bool:
    """Whether no norm divides queries and keys."""
    return not is_divided(s.scores)


def without_norm_of(of: str) -> Callable[[Scenario], bool]:
    """Whether queries (q) or keys (k) are neither divided nor have gains or shifts."""
    names = (f"{of}_gain", f"{of}_shift")

    def is_so(s: Scenario) -> bool:
        if without_norms(s):
            return True
        return without_division(s) and all(getattr(s.scores, name) is None for name in names)

    return is_so


def without_gains_alone(s: Scenario) -> bool:
    """Whether queries and keys get no gains, or behind a norm."""
    return without_norms(s) or is_divided(s.scores)


def without_rotation_first(s: Scenario) -> bool:
    """Whether queries and keys are not turned before their norm."""
    return without_norms(s) or without_rotations(s) or s.scores.qk_norm_place == "before"


def without_rotation_last(s: Scenario) -> bool:
    """Whether queries and keys stay as they are once they were normed, if they were."""
    return without_rotations(s) or not without_rotation_first(s)


def without_centering(s: Scenario) -> bool:
    """Whether no mean of queries and keys is subtracted."""
    return s.scores.qk_norm_kind != "layer" or without_division(s)


def without_norm_of_values(s: Scenario) -> bool:
    return bool(s.scores.v_norm == "none")


def without_norm_of_concat(s: Scenario) -> bool:
    return bool(s.scores.concat_norm == "none")


def without_centering_of_concat(s: Scenario) -> bool:
    return bool(s.scores.concat_norm != "layer")


def without_concat_function(s: Scenario) -> bool:
    """Whether W_O gets what heads, gate and norm give."""
    return bool(s.scores.concat_function == "none")


def without_factor_of_values(s: Scenario) -> bool:
    return bool(s.scores.v_scale == 1)


def without_factor_of_output(s: Scenario) -> bool:
    return bool(s.scores.output_scale == 1)


def gates_are_shares(s: Scenario) -> bool:
    """Whether all numbers of the gate are from 0 to 1."""
    return without_gate(s) or s.scores.gate_function == "sigmoid"


def without(option: str) -> Callable[[Scenario], bool]:
    """Whether an option of the scores changes none of them."""
    step = OPTIONS[option].step
    return lambda s: step is None or s.scores.number(option, s.d_k) == step.idle


def without_distances(s: Scenario) -> bool:
    """Whether no distance from a query to a key has a vector of its own."""
    return s.r_k is None and s.r_q is None


def without_growth(s: Scenario) -> bool:
    """Whether scores do not grow with the position of their query."""
    return bool(s.scores.growth == 0)


def without_alibi(s: Scenario) -> bool:
    return bool(s.scores.positions != "alibi")


def without_added_numbers(s: Scenario) -> bool:
    """Whether there is no additive mask, or one that only hides."""
    added = s.mask.added()
    return added is None or not added.any()


def without_own_additions(s: Scenario) -> bool:
    """Whether no head adds numbers of its own to its scores."""
    return s.b_s is None or not s.b_s.any()


def without_gate_of_additions(s: Scenario) -> bool:
    """Whether no gate multiplies what the heads add to their scores."""
    return s.w_f is None


def without_additions(s: Scenario) -> bool:
    return without_alibi(s) and without_own_additions(s) and without_added_numbers(s)


def without_mask(s: Scenario) -> bool:
    return s.mask.hides_nothing


def without_sinks(s: Scenario) -> bool:
    """Whether all weight of a row goes to keys."""
    return s.sinks is None


def without_gate(s: Scenario) -> bool:
    """Whether nothing stands between the heads and W_O."""
    return s.w_g is None


def without_row_max(s: Scenario) -> bool:
    """Whether the softmax subtracts nothing."""
    return bool(s.scores.softmax == "naive")


# Steps that a scenario may have no use for: there all their numbers are 0, or 1.
UNUSED: Final[Mapping[str, Callable[[Scenario], bool]]] = {
    "positions": without_sinusoids,
    "context_positions": without_sinusoids,
    "relative_scores": without_distances,
    **dict.fromkeys(("f", "f_gates", "factors"), without_gate_of_additions),
    "bias": without_additions,
    "row_max": without_row_max,
    "sink_weights": without_sinks,
    "g": without_gate,
    "gates": without_gate,
}


def is_unused(step: str, s: Scenario) -> bool:
    """Whether a step, by its name, has nothing to do."""
    return step in UNUSED and UNUSED[step](s)
