"""MLPs with experts, under the names that files of the hub have: a tensor for each expert."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from mha_core.checks.errors import NumberError
from mha_core.checks.limits import LIMITS
from mha_core.language import say
from mha_core.models.family import Tensors, activation
from mha_core.models.fields import Fields
from mha_core.models.plan import Experts, Linear, Mlp, Router
from mha_core.models.stored import EXPERT, Stored

COUNT: Final = ("num_experts", "n_routed_experts", "num_local_experts")
GATE_UP_DOWN: Final = ("gate_proj", "up_proj", "down_proj")


def gated(config: Fields, names: Tensors, place: str, width: int) -> Mlp:
    """One MLP with a gate, of this width, for all tokens."""
    gate, up, down = (names.linear(f"{place}.{each}") for each in GATE_UP_DOWN)
    return Mlp(up, down, width, activation(config, "hidden_act", default="silu"), gate)


def router(config: Fields, names: Tensors, place: str, **how: Any) -> Router:
    """The one that stands in `{place}.gate`."""
    count = config.whole(*COUNT, most=LIMITS.width)
    return Router(
        names.linear(f"{place}.gate"), count, config.whole("num_experts_per_tok", most=count), **how
    )


def groups(config: Fields, told_by: int) -> dict[str, int]:
    """What a router takes where experts stand in groups, of which some may be chosen."""
    count = config.whole(*COUNT, most=LIMITS.width)
    n_groups = config.whole("n_group", default=1, most=count)
    best = config.whole("topk_group", default=n_groups, most=n_groups)
    chosen = config.whole("num_experts_per_tok", most=count)
    if count % n_groups or chosen > best * (count // n_groups):
        raise NumberError(
            say("n_group of config.json"),
            say("must part the experts into equal groups, with enough of them in the best"),
            str(n_groups),
            say("Check the file."),
        )
    return {"groups": n_groups, "groups_chosen": best, "told_by": told_by}


def experts(
    config: Fields,
    names: Tensors,
    place: str,
    chooses: Router,
    width: int,
    *,
    called: Sequence[str] = GATE_UP_DOWN,
    **shared: Any,
) -> Experts:
    """So wide ones. Each has tensors of its own, or all have one together, as in GGUF."""
    gate, up, down = (_matrix(names, place, name) for name in called)
    act = activation(config, "hidden_act", default="silu")
    return Experts(chooses, gate, up, down, width, act, **shared)


def _matrix(names: Tensors, place: str, name: str) -> Linear:
    in_one = f"{place}.experts.{name}.weight"
    if in_one not in names:
        in_one = f"{place}.experts.{EXPERT}.{name}.weight"
    return Linear(Stored(names.name(in_one), is_transposed=True))


def has_router(names: Tensors, place: str) -> bool:
    """Whether an MLP has experts. In many models some layers have, and the names tell it best."""
    return f"{place}.gate.weight" in names
