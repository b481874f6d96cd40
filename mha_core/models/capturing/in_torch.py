"""torch.nn.MultiheadAttention while it runs, alone or wherever it stands in a module."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from mha_core.checks.errors import OptionError
from mha_core.language import say
from mha_core.models.capturing.called import CalledLayers
from mha_core.models.capturing.masks_seen import as_added, as_mask, of_all_heads
from mha_core.models.capturing.run import Given, RanLayer, as_array, bound_of
from mha_core.scenario.masks import Mask
from mha_core.scenario.scenario import Scenario

if TYPE_CHECKING:
    import torch

NAME: Final = "torch.nn.MultiheadAttention"


class TorchLayers(CalledLayers):
    """The calls of such modules."""

    def _layer(
        self, number: int, part: torch.nn.MultiheadAttention, given: Given, made: Any
    ) -> RanLayer:
        _check_plain(part)
        _check_given(part, given)
        query, key, value = (given[name] for name in ("query", "key", "value"))
        text_in = partial(self._run.text_in, axis=0 if part.batch_first else 1)
        x, keys, values = text_in(query), text_in(key), text_in(value)
        scenario = Scenario(
            x=x,
            context=None if _are_same(query, key) else keys,
            context_v=None if _are_same(key, value) else values,
            n_heads=part.num_heads,
            mask=_mask(part, given, self._run.row, (len(x), len(keys))),
            **_arrays(part),
        )
        return RanLayer(number, scenario, text_in(made[0]), bound_of(made[0]))


def torch_attention_in(module: torch.nn.Module) -> Iterator[torch.nn.MultiheadAttention]:
    import torch

    return (part for part in module.modules() if isinstance(part, torch.nn.MultiheadAttention))


def _check_plain(part: torch.nn.MultiheadAttention) -> None:
    adds = {"add_bias_kv": part.bias_k is not None, "add_zero_attn": part.add_zero_attn}
    for name in filter(adds.get, adds):
        raise OptionError(
            NAME,
            say("must have no keys but those of its tokens"),
            name,
            say("It adds a key that is no token, which no Scenario has."),
        )


def _check_given(part: torch.nn.MultiheadAttention, given: Given) -> None:
    """Refuse a class made of this one whose calls say something else."""
    needed = ("query", "key", "value")
    if not given.keys() >= {*needed}:
        raise OptionError(
            type(part).__name__,
            say("must be called with query, key and value"),
            ", ".join(given) or say("nothing"),
            say("Give its forward the arguments that {name} has.").format(name=NAME),
        )


def _are_same(one: torch.Tensor, other: torch.Tensor) -> bool:
    return one is other or (one.shape == other.shape and bool((one == other).all()))


def _arrays(part: torch.nn.MultiheadAttention) -> dict[str, Any]:
    fused: torch.Tensor | None = part.in_proj_weight
    separate = (part.q_proj_weight, part.k_proj_weight, part.v_proj_weight)
    weights = (*(separate if fused is None else fused.chunk(3)), part.out_proj.weight)
    named = zip(("w_q", "w_k", "w_v", "w_o"), weights, strict=True)
    arrays = {name: as_array(weight).T for name, weight in named}
    if part.in_proj_bias is not None:
        biases = (*part.in_proj_bias.chunk(3), part.out_proj.bias)
        named = zip(("b_q", "b_k", "b_v", "b_o"), biases, strict=True)
        arrays |= {name: as_array(bias) for name, bias in named}
    return arrays


def _mask(
    part: torch.nn.MultiheadAttention, given: Given, row: int, shape: tuple[int, int]
) -> Mask:
    """Both masks that such a module takes. True hides in them, or they are added."""
    added = np.zeros(shape)
    if (pairs := given.get("attn_mask")) is not None:
        mask = as_array(pairs)
        if mask.ndim == 3:  # one for each head of each text
            mask = of_all_heads(mask[row * part.num_heads : (row + 1) * part.num_heads])
        added += as_added(mask, true_hides=True)
    if (keys := given.get("key_padding_mask")) is not None:
        mask = as_array(keys)
        added += as_added(mask if mask.ndim == 1 else mask[row], true_hides=True)
    return as_mask(added)
