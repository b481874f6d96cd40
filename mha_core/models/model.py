"""A trained model out of a file: what it is made of, its text, its layers, its run."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from mha_core.checks.errors import OptionError, ShapeError
from mha_core.checks.shapes import FloatArray, as_float_array
from mha_core.checks.values import check_kind, check_places, check_whole, short_repr
from mha_core.io.tensors.mxfp4 import with_mxfp4
from mha_core.io.tensors.opening import tensors_in
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.language import say
from mha_core.models.block import BlockWeights, check_block, read_block
from mha_core.models.embedding import Embedded, embedded
from mha_core.models.families.registry import recognised
from mha_core.models.family import Family, Tensors
from mha_core.models.fields import Fields
from mha_core.models.memory import run_bytes
from mha_core.models.mlp_and_norm import NormWeights, check_linear, check_norm, read_norm, with_norm
from mha_core.models.plan import Block, Embedding, ModelPlan
from mha_core.models.renamed import as_hub_names, check_config, with_config
from mha_core.models.run import ModelRun
from mha_core.models.saying import layer_name, sentences
from mha_core.models.stored import Stored
from mha_core.models.text import Text, Tokenizer, cut_label
from mha_core.models.tokenizers_of_models import tokenizer_of
from mha_core.models.weights import LayerWeights, read_weights
from mha_core.models.windows import sees_ahead
from mha_core.scenario.scenario import Scenario

# In files whose words at the end are not those of the embedding; the second is GPT-NeoX's.
LAST_TABLES: Final = ("lm_head.weight", "embed_out.weight")
LAST_BIAS: Final = "lm_head.bias"
KEPT_BYTES: Final = 2**29  # of blocks that have been read, at most; the oldest go first


def open_model(
    source: TensorFile | Path | str,
    config: Mapping[str, Any] | None = None,
    *,
    own_machine: bool = False,
) -> Model:
    """The model in a file, a folder, or tensors that are open.

    `config` has fields that no file says, such as the number of heads. Nothing but the names, the
    shapes and the config is read before somebody asks for a layer. On one's own machine PyTorch's
    files are read too, if PyTorch is installed.
    """
    opened = tensors_in(source, own_machine=own_machine)
    file = with_config(as_hub_names(with_mxfp4(opened)), check_config(config))
    family, prefix = recognised(file)
    plan = family.plan(Fields(file.config), Tensors(file.shapes, prefix))
    _check(file, plan)
    return Model(file, family, plan, says=_unsaid(file, family) or family.says)


class Model:
    """A model of a family that is recognised. Layers are numbered from 0."""

    def __init__(self, file: TensorFile, family: Family, plan: ModelPlan, *, says: str) -> None:
        self.file = file
        self.plan = plan
        self.family = family.name
        self.kept_bytes = KEPT_BYTES  # fewer where memory is short
        self._says = says
        self._blocks: dict[Block, BlockWeights] = {}

    def __repr__(self) -> str:
        return f"<{self.says}>"

    @property
    def n_layers(self) -> int:
        """All attention layers: those of the encoder, then two for each layer of the decoder."""
        return len(self.plan.all_blocks)

    @property
    def n_of_encoder(self) -> int:
        return len(self.plan.blocks)

    def layer_name(self, layer: int, *, is_of_mlp: bool = False) -> str:
        return layer_name(self.plan, layer, is_of_mlp=is_of_mlp)

    def is_cross(self, layer: int) -> bool:
        """Whether its keys come from what the encoder made."""
        return self._plan_of(layer).attention.is_cross

    def widths(self, layer: int) -> tuple[int, int | None]:
        """The columns of X of a layer, and those of its second sequence, where it has one."""
        attention = self._plan_of(layer).attention
        if (latents := attention.latents) is not None:
            of_keys = latents.width_of_keys + latents.n_turning
            return latents.width_of_queries or self.width, of_keys
        return self.width, self.width if attention.is_cross else None

    @property
    def has_decoder(self) -> bool:
        """Whether it has an encoder and, behind it, a decoder that reads a text of its own."""
        return self.plan.decoder is not None

    @property
    def n_heads(self) -> int:
        """Of the first layer; nearly always all have as many."""
        return self.plan.blocks[0].attention.n_heads

    @property
    def width(self) -> int:
        return self.plan.width

    @property
    def is_causal(self) -> bool:
        """Whether no token sees a later one."""
        return not sees_ahead(self.plan.blocks[0].attention.rules)

    def bytes_for(self, n_tokens: int) -> int:
        """About how much memory a run on so many tokens takes. Nothing is read for it."""
        return run_bytes(self.plan, n_tokens, self.kept_bytes)

    @cached_property
    def says(self) -> str:
        """What the config said, in a few sentences."""
        return sentences(self.family, self.plan, self._says)

    @cached_property
    def tokenizer(self) -> Tokenizer:
        return tokenizer_of(self.file)

    def read_text(self, text: str, of_decoder: str = "") -> Text:
        """The text as the model reads it; with a decoder, what that reads too.

        Where nothing is said, the decoder reads the same text, as a model does that learns to
        repeat. What it reads stands behind the token that it begins with.
        """
        for each in (text, of_decoder):
            check_kind(say("The text"), each, str, say("Type a sentence."))
        read = self.tokenizer.read(text)
        return self._with_decoder(
            read, self.tokenizer.read(of_decoder) if of_decoder.strip() else read
        )

    def text_of(self, ids: Sequence[int]) -> Text:
        """These ids as a text, each a word of its own."""
        labels = tuple(cut_label(self.tokenizer.label(token)) for token in ids)
        read = Text(tuple(ids), labels, tuple(range(len(labels))))
        return self._with_decoder(read, read)

    def _with_decoder(self, read: Text, own: Text) -> Text:
        """The text, and what the decoder reads of its own, if there is one."""
        if self.plan.decoder is None:
            return read
        begin = self.plan.decoder.begins_with
        label = cut_label(self.tokenizer.label(begin))
        return replace(read, of_decoder=own.behind(begin, label, self.plan.decoder.ends_with))

    def run_on(self, text: Text, heads_off: Collection[tuple[int, int]] = ()) -> ModelRun:
        """The model on a text that it has read, without some heads: layer and number of each."""
        return self.run(text.ids, text.of_decoder.ids if text.of_decoder else (), heads_off)

    def run(
        self,
        ids: Sequence[int],
        ids_of_decoder: Sequence[int] = (),
        heads_off: Collection[tuple[int, int]] = (),
    ) -> ModelRun:
        """The model on these tokens. Layers are run when they are asked for.

        A decoder reads its own; without any, the token alone that it begins with.
        """
        self._check_heads(heads_off)
        return ModelRun(self, self.embedded(ids), self._begun(ids_of_decoder), heads_off)

    def _check_heads(self, heads_off: Collection[tuple[int, int]]) -> None:
        at: Any
        for at in heads_off:
            if not isinstance(at, tuple | list) or len(at) != 2:
                raise OptionError(
                    "heads_off",
                    say("must have a layer and the number of a head each"),
                    short_repr(at),
                    say("Write heads_off=[(0, 3)]."),
                )
            layer, head = at
            n_heads = self._plan_of(layer).attention.n_heads
            check_places("heads_off", [head], n_heads, say("head"), say("heads"))

    def next_token(self, text: Text, heads_off: Collection[tuple[int, int]] = ()) -> str:
        """What the model expects to follow a text, of a model that writes on."""
        words = self.plan.embedding.words if self.plan.embedding else ""
        table = next((name for name in LAST_TABLES if name in self.file.shapes), words)
        scores = self.run_on(text, heads_off).result[-1] @ self.file.read(table).T
        if LAST_BIAS in self.file.shapes:
            scores = scores + self.file.read(LAST_BIAS)
        return self.tokenizer.label(int(scores.argmax()))

    def run_from(self, x: FloatArray, ids_of_decoder: Sequence[int] = ()) -> ModelRun:
        """The model on rows that somebody else has embedded, as the patches of an image."""
        given = Embedded({"x": self._rows_given(x)}, None, None)
        return ModelRun(self, given, self._begun(ids_of_decoder))

    def _rows_given(self, x: FloatArray) -> FloatArray:
        rows = as_float_array("X", x).astype(np.float32)
        if rows.ndim != 2 or rows.shape[1] != self.width:
            raise ShapeError(
                "X",
                say("must have {width} columns, as the model is wide").format(width=self.width),
                say("shape {shape}").format(shape=rows.shape),
                say("Give what the first layer reads."),
            )
        return rows

    def on(self, text: str, of_decoder: str = "") -> ModelOnText:
        """Its layers when it has read a text, and its decoder another, if it has one."""
        read = self.read_text(text, of_decoder)
        return ModelOnText(self, read, self.run_on(read))

    def weights(self, layer: int) -> LayerWeights:
        """The attention weights of a layer. If only these are wanted, only these are read."""
        block = self._plan_of(layer)
        if block in self._blocks:
            return self._blocks[block].attention
        return read_weights(self.file, block.attention, self.width)

    def scenario(self, layer: int, text: Text, run: ModelRun | None = None) -> Scenario:
        """A layer's attention with what it reads of this text: all heads, exact options."""
        run = run or self.run_on(text)
        own, keys = self._texts(layer, text)
        return run.scenario(layer, own.tokens, () if keys is own else keys.tokens)

    def words(self, layer: int, text: Text) -> tuple[Sequence[int], Sequence[int]]:
        """The number of each token's word: of the queries of a layer, and of its keys."""
        own, keys = self._texts(layer, text)
        return own.words, keys.words

    def _texts(self, layer: int, text: Text) -> tuple[Text, Text]:
        """What the queries of a layer read, and what its keys."""
        own = text.of_decoder if text.of_decoder and layer >= self.n_of_encoder else text
        return own, text if self.is_cross(layer) else own

    def embedded(self, ids: Sequence[int]) -> Embedded:
        """What the stream begins with, and what that is the sum of."""
        table = self.plan.embedding
        if table is None:
            raise OptionError(
                say("The input of this model"),
                say("must come from its pixels or sounds, which are not read here"),
                say("a text"),
                say("Give what a layer reads: X from a file on the page, or model.run_from(x)."),
            )
        return embedded(self.file, table, ids, self.width)

    def scenario_on(self, layer: int, rows: FloatArray, *, is_normed: bool = False) -> Scenario:
        """A layer's attention on rows of the stream before it, which somebody has recorded.

        The norm before attention, if there is one, is done here, unless the rows are normed.
        """
        if self.is_cross(layer):
            raise OptionError(
                say("The layer"),
                say("must take its keys from the rows that are given"),
                say("one whose keys come from the encoder"),
                say("Take a layer of self-attention."),
            )
        x = self._rows_given(rows)
        norm = self._plan_of(layer).norms.attention_in
        if not is_normed:
            x = with_norm(x, read_norm(self.file, norm, self.width))
        return self.weights(layer).scenario(x)

    # What a run asks for.

    def block(self, layer: int) -> BlockWeights:
        """The weights of a block. The last that were read stay in memory."""
        plan = self._plan_of(layer)
        if plan not in self._blocks:
            self._blocks[plan] = read_block(self.file, plan, self.width)
            while len(self._blocks) > 1 and _n_bytes(list(self._blocks.values())) > self.kept_bytes:
                del self._blocks[next(iter(self._blocks))]
        return self._blocks[plan]

    @cached_property
    def norm_of_encoder(self) -> NormWeights | None:
        return read_norm(self.file, self.plan.last_norm, self.width)

    @cached_property
    def last_norm(self) -> NormWeights | None:
        if self.plan.decoder is None:
            return self.norm_of_encoder
        return read_norm(self.file, self.plan.decoder.last_norm, self.width)

    def _plan_of(self, layer: int) -> Block:
        check_whole(say("The layer"), layer, 0, self.n_layers - 1)
        return self.plan.all_blocks[layer]

    def _begun(self, ids: Sequence[int]) -> Embedded | None:
        """What the first layer of the decoder reads, if there is one."""
        decoder = self.plan.decoder
        if decoder is None:
            return None
        own = ids or (decoder.begins_with,)
        return embedded(self.file, decoder.embedding, own, self.width)


@dataclass(frozen=True)
class ModelOnText:
    """The layers of a model on one text: each runs when it is asked for."""

    model: Model
    text: Text
    run: ModelRun

    @property
    def n_layers(self) -> int:
        return self.model.n_layers

    def layer_name(self, layer: int) -> str:
        return self.model.layer_name(layer)

    def layer(self, layer: int) -> Scenario:
        return self.model.scenario(layer, self.text, self.run)

    def words(self, layer: int) -> tuple[Sequence[int], Sequence[int]]:
        return self.model.words(layer, self.text)


def _unsaid(file: TensorFile, family: Family) -> str:
    """What a reader should know where only the names told the family: some share their names."""
    if "model_type" in file.config or not family.has_names_of_others:
        return ""
    return say(
        "No config says the type of this model. Its tensors have the names of {family}, but some "
        "other models have them too, and compute something else."
    ).format(family=family.name)


def _check(file: TensorFile, plan: ModelPlan) -> None:
    """Refuse a file that has not what its config promises. Only shapes are looked at."""
    for block in plan.all_blocks:
        check_block(file, block, plan.width)
    for part in (plan, plan.decoder):
        if part is not None:
            check_norm(file, part.last_norm, plan.width)
        if part is not None and part.embedding is not None:
            _check_embedding(file, part.embedding, plan.width)


def _check_embedding(file: TensorFile, table: Embedding, width: int) -> None:
    for name in filter(None, (table.words, table.positions, table.kinds)):
        rows = file.shapes.get(name, (0,))[0]
        Stored(name).check(file.shapes, (rows, table.width))
    check_norm(file, table.norm, table.width)
    if table.into_width is not None:
        check_linear(file, table.into_width, table.width, width)


def _n_bytes(thing: object) -> int:
    """How much memory the arrays in it take."""
    if isinstance(thing, np.ndarray):
        return thing.nbytes
    if isinstance(thing, Mapping):
        return _n_bytes(list(thing.values()))
    if isinstance(thing, list):
        return sum(map(_n_bytes, thing))
    if is_dataclass(thing):
        return sum(_n_bytes(getattr(thing, field.name)) for field in fields(thing))
    return 0
