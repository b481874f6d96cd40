"""Models of the families while they run, and parts of them, such as their attention alone.

Whatever its class is called, an attention layer reads what its projection of the queries reads, and
gives what its last projection gives. So those two are watched, by the names of their tensors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from mha_core.checks.errors import FileError, OptionError
from mha_core.checks.shapes import FloatArray
from mha_core.checks.values import is_whole
from mha_core.io.tensors.torch_file import TorchTensors
from mha_core.language import say
from mha_core.models.capturing.masks_seen import of_model
from mha_core.models.capturing.run import (
    THE_MODULE,
    Array,
    Given,
    RanLayer,
    Run,
    as_array,
    bound_of,
    wanted,
)
from mha_core.models.families.registry import BY_TYPE, FAMILIES, recognised
from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.plan import Attention, ModelPlan
from mha_core.models.weights import read_weights

if TYPE_CHECKING:
    import torch


class FamilyLayers:
    """The layers that one run of a module has, as the plan of its family says them."""

    def __init__(
        self,
        run: Run,
        module: torch.nn.Module,
        layers: Sequence[int] | None,
        config: Mapping[str, Any],
    ) -> None:
        holder = _holder_of_config(module)
        self._found = _found(module, {**_said_by(holder), **config})
        self._wanted = wanted(layers, self._found.layers)
        self._are_named = layers is not None
        self._row = run.row
        self._masks: list[Array | None] = []
        self._read: dict[str, list[FloatArray]] = {}  # by the name of W_Q: tied layers share it
        self._gave: dict[str, list[tuple[FloatArray, float]]] = {}  # by the name of W_O
        run.watch(holder, _mask_given, self._masks)

        def read(given: Given, _: Any) -> FloatArray:
            return run.text_in(next(iter(given.values())))

        def gave(_: Given, made: Any) -> tuple[FloatArray, float]:
            output = made[0] if isinstance(made, tuple) else made
            return run.text_in(output), bound_of(output)

        for number in self._wanted:
            q, o = self._found.projections(number)
            if q not in self._read:
                run.watch(self._found.owner(module, q), read, self._read.setdefault(q, []))
            if o not in self._gave:
                run.watch(self._found.owner(module, o), gave, self._gave.setdefault(o, []))

    def ran(self) -> Iterator[RanLayer]:
        for number in self._that_ran():
            q, o = self._found.projections(number)
            turn = self._found.tied_before(number)
            attention = self._found.attention(number)
            weights = read_weights(self._found.file, attention, self._found.plan.width)
            scenario = weights.scenario(self._read[q][turn])
            if (given := self._masks[0]) is not None:
                mask = of_model(given, self._row, attention.rules, scenario.n_q)
                scenario = replace(scenario, mask=mask)
            yield RanLayer(number, scenario, *self._gave[o][turn])

    def _that_ran(self) -> list[int]:
        """All that are asked for. If none is named: those that ran, of tied layers perhaps one."""
        ran = [number for number in self._wanted if self._did_run(number)]
        missing = [number for number in self._wanted if number not in ran]
        if missing and (self._are_named or not ran):
            raise OptionError(
                THE_MODULE,
                say("must run layer {layer}").format(layer=missing[0]),
                say("a run in which its projections are not called"),
                say("Give inputs for all layers, and a module that calls its parts."),
            )
        return ran

    def _did_run(self, number: int) -> bool:
        q, o = self._found.projections(number)
        return self._found.tied_before(number) < min(len(self._read[q]), len(self._gave[o]))


class _Found(NamedTuple):
    """The tensors of a module under the names of a whole model's file, and what its family says.

    `own` has the module's own names of them.
    """

    file: TorchTensors
    plan: ModelPlan
    own: Mapping[str, str]

    @property
    def layers(self) -> list[int]:
        """Those whose projections are there."""
        numbers = range(len(self.plan.blocks))
        return [number for number in numbers if self.projections(number)[0] in self.file.shapes]

    def attention(self, number: int) -> Attention:
        return self.plan.blocks[number].attention

    def projections(self, number: int) -> tuple[str, str]:
        """The names of W_Q and W_O."""
        names = self.attention(number).names
        return names.w_q.name, names.w_o.name

    def tied_before(self, number: int) -> int:
        """How many earlier layers have the same weights."""
        first = self.projections(number)[0]
        return sum(self.projections(earlier)[0] == first for earlier in range(number))

    def owner(self, module: torch.nn.Module, name: str) -> torch.nn.Module:
        """The module that has the tensor. What no part has is made by the module itself."""
        if name not in self.own:
            return module
        return module.get_submodule(self.own[name].rpartition(".")[0])


def _found(module: torch.nn.Module, config: Mapping[str, Any]) -> _Found:
    tensors = dict(module.named_parameters(remove_duplicate=False))
    family = BY_TYPE.get(str(config.get("model_type")))
    own = {family.as_in_files(name) if family else name: name for name in tensors}
    whole = _file({name: tensors[there] for name, there in own.items()}, config)
    if family is not None and family.prefix_in(whole.shapes) is None:
        return _found_part(module, tensors, own, config, family)
    try:
        family, prefix = recognised(whole)
    except FileError as error:
        raise _not_known(error.got) from error
    return _Found(whole, family.plan(Fields(config), Tensors(whole.shapes, prefix)), own)


def _found_part(
    module: torch.nn.Module,
    tensors: Mapping[str, torch.Tensor],
    own: Mapping[str, str],
    config: Mapping[str, Any],
    family: Family,
) -> _Found:
    import torch

    place = _place(module, own, family.plan(Fields(config), Tensors({})), family)
    own = {place + name: there for name, there in own.items()}
    named = {name: tensors[there] for name, there in own.items()}
    plan = family.plan(Fields(config), Tensors(_file(named, config).shapes))
    for attention in {block.attention for block in plan.blocks}:
        if attention.names.w_q.name in named and attention.names.w_o.name not in named:
            # Without its last projection, as BertSelfAttention, it gives its heads side by side.
            named[attention.names.w_o.name] = torch.eye(attention.n_heads * attention.d_v)
    return _Found(_file(named, config), plan, own)


def _place(module: torch.nn.Module, names: Iterable[str], plan: ModelPlan, family: Family) -> str:
    """What stands before the names of a part in the names of a whole model."""
    numbers = (getattr(part, "layer_idx", None) for part in module.modules())
    number = next(filter(is_whole, numbers), 0)  # as parts of transformers say it
    for block in plan.blocks[number : number + 1]:
        of_queries = block.attention.names.w_q.name
        ends = [name for name in names if of_queries.endswith(f".{name}")]
        if ends:
            return of_queries.removesuffix(max(ends, key=len))
    raise _not_known(say("a part of {family} with other names").format(family=family.name))


def _file(tensors: Mapping[str, torch.Tensor], config: Mapping[str, Any]) -> TorchTensors:
    return TorchTensors(THE_MODULE, tensors, config, None)


def _holder_of_config(module: torch.nn.Module) -> torch.nn.Module:
    """The outermost part that has a config: it is the one that is given `attention_mask`."""
    return next((part for part in module.modules() if _said_by(part)), module)


def _said_by(part: torch.nn.Module) -> Mapping[str, Any]:
    config: Any = getattr(part, "config", None)
    said = config.to_dict() if hasattr(config, "to_dict") else config
    return said if isinstance(said, Mapping) else {}


def _mask_given(given: Given, _: Any) -> Array | None:
    import torch

    mask = given.get("attention_mask")
    return as_array(mask) if isinstance(mask, torch.Tensor) else None


def _not_known(got: str) -> OptionError:
    return OptionError(
        THE_MODULE,
        say("must have torch.nn.MultiheadAttention in it, or be of a known family: {names}").format(
            names=", ".join(FAMILIES)
        ),
        got,
        say("Give the part of it that is one of these, or say what it is: {config}.").format(
            config='config={"model_type": "llama", ...}'
        ),
    )
