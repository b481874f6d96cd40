"""Models of the families while they run, and parts of them, such as their attention alone.

Whatever its class is called, an attention layer reads what its projection of the queries reads, and
gives what its last projection gives. So those two are watched, by the names of their tensors.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from mha_core.checks.errors import FileError, OptionError
from mha_core.checks.shapes import BoolArray, FloatArray
from mha_core.checks.values import is_whole
from mha_core.io.tensors.torch_file import TorchTensors
from mha_core.language import say
from mha_core.models.capturing.masks_seen import (
    as_mask,
    hidden_pairs,
    of_model,
    rules_without_a_mask,
)
from mha_core.models.capturing.run import (
    THE_MODULE,
    Array,
    Given,
    RanLayer,
    Run,
    as_array,
    bound_of,
)
from mha_core.models.families.registry import BY_TYPE, FAMILIES, recognised
from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.plan import Attention, ModelPlan
from mha_core.models.saying import layer_name
from mha_core.models.weights import read_weights
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions

if TYPE_CHECKING:
    import torch

OWN: Final = "attention_mask"  # what a model calls the mask of its text
OF_DECODER: Final = "decoder_attention_mask"  # of a decoder's own text, where both are called
OF_ENCODER: Final = "encoder_attention_mask"  # of the encoder's text, where the decoder is called
PLACES: Final = "position_ids"  # what a model calls the places of its tokens
DECODER: Final = (
    "decoder."  # what stands before the names of a decoder in the files of all families
)


class FamilyLayers:
    """The layers that one run of a module has, as the plan of its family says them.

    Those of a part behind others are counted from `first`, and have its `name`.
    """

    def __init__(
        self,
        run: Run,
        module: torch.nn.Module,
        config: Mapping[str, Any],
        *,
        first: int = 0,
        name: str = "",
    ) -> None:
        holder = _holder_of_config(module)
        self._found = _found(module, {**said_by(holder), **config})
        self.here = [first + number for number in self._found.layers]
        named = self.here if run.layers is None else run.layers
        self._wanted = [number - first for number in named if number in self.here]
        self._first, self._name = first, name
        self._run = run
        self._takes = inspect.signature(holder.forward).parameters
        self._masks: list[Mapping[str, Array]] = []
        self._read: dict[str, list[FloatArray]] = {}  # by the name of a reader: some are tied
        self._gave: dict[str, list[tuple[FloatArray, float]]] = {}  # by the name of W_O
        self._parts: dict[str, torch.nn.Module] = {}  # those that attend, by that of a reader
        self._told: dict[str, list[_Told]] = {}
        run.watch(holder, _masks_given, self._masks)
        self.taken = [
            self._found.that_attends(module, self._found.projections(number)[0])
            for number in self._found.layers
        ]

        def read(given: Given, _: Any) -> FloatArray:
            return run.text_in(next(iter(given.values())))

        def gave(_: Given, made: Any) -> tuple[FloatArray, float]:
            output = made[0] if isinstance(made, tuple) else made
            return run.text_in(output), bound_of(output)

        pairs: dict[int, tuple[Any, BoolArray | None]] = {}  # all layers are told by one mask

        def told(given: Given, _: Any) -> _Told:
            mask = given.get(OWN)
            if id(mask) not in pairs:
                pairs[id(mask)] = mask, hidden_pairs(mask, run.row)
            return _Told(mask is not None, given.get("is_causal"), pairs[id(mask)][1])

        for number in self._wanted:
            q, k, o = self._found.projections(number)
            for name in (q, k):
                if name not in self._read:
                    taken = self._read.setdefault(name, [])
                    run.watch(self._found.owner(module, name), read, taken)
            if q not in self._parts:
                self._parts[q] = self._found.that_attends(module, q)
                run.watch(self._parts[q], told, self._told.setdefault(q, []))
            if o not in self._gave:
                run.watch(self._found.owner(module, o), gave, self._gave.setdefault(o, []))

    def ran(self) -> Iterator[RanLayer]:
        plan = self._found.plan
        for number in self._that_ran():
            _, _, o = self._found.projections(number)
            turn = self._found.tied_before(number)
            yield RanLayer(
                self._first + number,
                self._scenario(number, turn),
                *self._gave[o][turn],
                layer_name(plan, number) if plan.decoder else self._name,
                is_of_encoder=plan.decoder is not None and number < len(plan.blocks),
                has_tokens=not self._name or plan.embedding is not None,
            )

    def _scenario(self, number: int, turn: int) -> Scenario:
        """The layer with what its queries read, and its keys, where that is something else."""
        q, k, _ = self._found.projections(number)
        attention = self._found.attention(number)
        x = self._read[q][turn]
        keys = self._read[k][turn] if turn < len(self._read[k]) else x
        is_cross = not np.array_equal(x, keys, equal_nan=True)
        weights = read_weights(self._found.file, attention, self._found.plan.width)
        if not is_cross:
            weights = replace(weights, scores=_at_places(weights.scores, self._places_of(len(x))))
        rules = self._rules_that_ran(number, turn, len(x))
        weights = replace(weights, rules=rules)
        scenario = weights.scenario(x, context=keys if is_cross else None)
        name = self._name_of_mask(number, is_cross=is_cross)
        if (given := self._masks[0].get(name)) is not None:
            mask = of_model(name, given, self._run.row, rules, (len(x), len(keys)))
            return replace(scenario, mask=mask)
        return replace(scenario, mask=self._mask_made(q, turn, scenario.mask, (len(x), len(keys))))

    def _mask_made(self, q: str, turn: int, mask: Mask, shape: tuple[int, int]) -> Mask:
        """What a model made by itself for the part that attends, as for texts behind each other.

        It stands in the place of the rules, where it hides others.
        """
        told = self._told[q]
        hidden = told[turn].hidden if turn < len(told) else None
        if hidden is None or hidden.shape != shape or (mask.allowed(*shape) == ~hidden).all():
            return mask
        return as_mask(np.where(hidden, -np.inf, 0))

    def _rules_that_ran(self, number: int, turn: int, n_tokens: int) -> tuple[Rule, ...]:
        """Those of the plan, unless the part that attends was to be told by a mask and was not."""
        rules, (q, _, _) = self._found.attention(number).rules, self._found.projections(number)
        part = self._parts[q]
        takes_masks = OWN in inspect.signature(part.forward).parameters
        if not rules or not takes_masks or turn >= len(self._told[q]):
            return rules
        told = self._told[q][turn]
        if told.has_a_mask:
            return rules
        return rules_without_a_mask(part, told.is_causal, rules, n_tokens)

    def _places_of(self, n_tokens: int) -> tuple[int, ...] | None:
        """Where the tokens stand, if the module was told so and they are not 0, 1, 2 and so on."""
        given = self._masks[0].get(PLACES)
        if given is None or given.ndim > 2:  # a third axis has the axes of an image
            return None
        rows = np.atleast_2d(given)
        places = tuple(rows[self._run.row if len(rows) > 1 else 0].tolist())
        return places if len(places) == n_tokens and places != tuple(range(n_tokens)) else None

    def _name_of_mask(self, number: int, *, is_cross: bool) -> str:
        """Under which name the module is given what this layer may see; none, if it is not told."""
        plan = self._found.plan
        is_of_decoder = number >= len(plan.blocks)
        if is_of_decoder and not is_cross:
            return OF_DECODER if OF_DECODER in self._takes else OWN
        if is_of_decoder and OF_DECODER not in self._takes:
            return OF_ENCODER
        return OWN if plan.embedding else ""  # of pixels or sound, it would not be of tokens

    def _that_ran(self) -> list[int]:
        """All that are asked for. If none is named: those that ran, of tied layers perhaps one."""
        ran = [number for number in self._wanted if self._did_run(number)]
        missing = [number for number in self._wanted if number not in ran]
        if missing and (self._run.layers is not None or not (ran or self._name)):
            raise OptionError(
                THE_MODULE,
                say("must run layer {layer}").format(layer=self._first + missing[0]),
                say("a run in which its projections are not called"),
                say("Give inputs for all layers, and a module that calls its parts."),
            )
        return ran

    def _did_run(self, number: int) -> bool:
        q, k, o = self._found.projections(number)
        calls = [len(self._read[q]), len(self._gave[o])]
        if self._found.attention(number).is_cross:  # its keys may come from an earlier run
            calls.append(len(self._read[k]))
        return self._found.tied_before(number) < min(calls)


class _Told(NamedTuple):
    """What an attention was told in a call of what it may see. None: it knows it itself.

    `hidden`: the pairs that all heads must not see, if it was told of pairs.
    """

    has_a_mask: bool
    is_causal: bool | None
    hidden: BoolArray | None


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
        numbers = range(len(self.plan.all_blocks))
        return [number for number in numbers if self.projections(number)[0] in self.file.shapes]

    def attention(self, number: int) -> Attention:
        return self.plan.all_blocks[number].attention

    def projections(self, number: int) -> tuple[str, str, str]:
        """The tensors that meet what queries and keys are made of, and W_O."""
        attention = self.attention(number)
        return *attention.readers, attention.names.w_o.name

    def tied_before(self, number: int) -> int:
        """How many earlier layers have the same weights."""
        first = self.projections(number)[0]
        return sum(self.projections(earlier)[0] == first for earlier in range(number))

    def owner(self, module: torch.nn.Module, name: str) -> torch.nn.Module:
        """The module that has the tensor. What no part has is made by the module itself."""
        if name not in self.own:
            return module
        return module.get_submodule(self.own[name].rpartition(".")[0])

    def that_attends(self, module: torch.nn.Module, name: str) -> torch.nn.Module:
        """The module around that which has the tensor."""
        place = self.own.get(name, "").rpartition(".")[0].rpartition(".")[0]
        return module.get_submodule(place)


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

    place = _place(module, own, Fields(config), family)
    own = {place + name: there for name, there in own.items()}
    named = {name: tensors[there] for name, there in own.items()}
    plan = family.plan(Fields(config), Tensors(_file(named, config).shapes))
    for attention in {block.attention for block in plan.all_blocks}:
        if attention.names.w_q.name in named and attention.names.w_o.name not in named:
            # Without its last projection, as BertSelfAttention, it gives its heads side by side.
            named[attention.names.w_o.name] = torch.eye(attention.n_heads * attention.d_v)
    return _Found(_file(named, config), plan, own)


def _place(module: torch.nn.Module, names: Iterable[str], config: Fields, family: Family) -> str:
    """What stands before the names of a part in the names of a whole model."""
    placed = {DECODER + name: (0, 0) for name in names}  # no shape is looked at
    decoder = family.plan(config, Tensors(placed)).decoder
    if decoder and all(block.attention.names.w_q.name in placed for block in decoder.blocks):
        return DECODER
    plan = family.plan(config, Tensors({}))
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
    return next((part for part in module.modules() if said_by(part)), module)


def said_by(part: torch.nn.Module) -> Mapping[str, Any]:
    """The config of a part, if it has one."""
    config: Any = getattr(part, "config", None)
    said = config.to_dict() if hasattr(config, "to_dict") else config
    return said if isinstance(said, Mapping) else {}


def _masks_given(given: Given, _: Any) -> Mapping[str, Array]:
    import torch

    masks = {name: given.get(name) for name in (OWN, OF_DECODER, OF_ENCODER, PLACES)}
    return {name: as_array(mask) for name, mask in masks.items() if isinstance(mask, torch.Tensor)}


def _at_places(scores: ScoreOptions, places: tuple[int, ...] | None) -> ScoreOptions:
    if places is None or scores.positions != "rope":
        return scores
    return replace(scores, rope_places=tuple((float(place),) for place in places))


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
