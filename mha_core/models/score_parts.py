"""Why a head of a trained model looks there: a score as a sum over words, places, earlier parts.

X of a layer is the word, its place, and what each earlier head and MLP has added: a sum, but for
the norms on the way. A norm divides a row by a number that it makes of the whole row. That number
is held, as if it were given: then a norm is linear, and each part goes through it on its own.

Where a decoder looks across at what its encoder made, the query is a sum of what the decoder has
read and added, and the key one of what the encoder has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.checks.values import check_places, check_whole
from mha_core.language import say
from mha_core.layer.attending import attend
from mha_core.layer.head_matrices import added_by_b_o
from mha_core.layer.score_table import Part, ScoreTable, table_of
from mha_core.layer.trace import Trace
from mha_core.models.block import BlockWeights
from mha_core.models.embedding import Embedded
from mha_core.models.latents import LatentWeights
from mha_core.models.mlp_and_norm import LinearWeights, NormWeights, with_norm
from mha_core.models.model import Model
from mha_core.models.run import ModelRun, after_block, with_mlp
from mha_core.scenario.scenario import Scenario

EVERY: Final = Part("every")
ROUNDED: Final = 1e-4  # of the largest number in a part
TOLD_AS: Final[Mapping[str, Part]] = {
    **{"word": Part("word"), "place": Part("place"), "every": EVERY},
    "x": Part("x"),
}


class HeldNorm(NamedTuple):
    """A norm between the text and a layer, with what it has multiplied each row by."""

    is_rms: bool
    scales: FloatArray  # one for each row


class InputParts(NamedTuple):
    """Some rows of what a layer reads, as a sum; and the norms that were held, in their order."""

    parts: Mapping[Part, FloatArray]
    held: tuple[HeldNorm, ...]

    def row(self, place: int) -> InputParts:
        """One of these rows."""
        one = slice(place, place + 1)
        return InputParts(
            {part: rows[one] for part, rows in self.parts.items()},
            tuple(HeldNorm(norm.is_rms, norm.scales[one]) for norm in self.held),
        )

    def make(self, rows: FloatArray) -> bool:
        """Whether these rows are their sum, up to what float32 rounds on any machine."""
        parts: FloatArray = np.array(list(self.parts.values()))
        return bool(np.abs(parts.sum(axis=0) - rows).max() <= ROUNDED * np.abs(parts).max())


class ScoreInputs(NamedTuple):
    """What a query and a key are made from: a row each."""

    of_query: InputParts
    of_key: InputParts

    def make(self, s: Scenario, at: tuple[int, int]) -> bool:
        """Whether they are these rows of the layer."""
        keys = s.x if s.context is None else s.context
        return self.of_query.make(s.x[[at[0]]]) and self.of_key.make(keys[[at[1]]])

    def of_score(self, trace: Trace, head: int, at: tuple[int, int]) -> ScoreParts:
        """The score of this query and this key. The trace is that of the layer."""
        of_query, of_key = ({part: row[0] for part, row in each.parts.items()} for each in self)
        table = table_of(trace, head, at, of_query, of_key)
        return ScoreParts(table, self.of_query.held, self.of_key.held)


class ScoreParts(NamedTuple):
    """A score as a table, and the norms that were held on the way to its query and to its key."""

    table: ScoreTable
    held_of_query: tuple[HeldNorm, ...]
    held_of_key: tuple[HeldNorm, ...]


def score_parts(
    model: Model, run: ModelRun, layer: int, trace: Trace, head: int, at: tuple[int, int]
) -> ScoreParts:
    """A score of a layer in a run of the model; `at` is its query and its key.

    `trace` is that of the layer, or of some of its heads. The score is as in a `ScoreTable`.
    """
    return score_inputs(model, run, layer, at).of_score(trace, head, at)


def score_inputs(model: Model, run: ModelRun, layer: int, at: tuple[int, int]) -> ScoreInputs:
    """What a query and a key of a layer are made from."""
    query, key = at
    if model.is_cross(layer):
        of_query = input_parts(model, run, layer, [query])
        return ScoreInputs(of_query, encoded_parts(model, run, [key]))
    both = input_parts(model, run, layer, at)
    of_query, of_key = both.row(0), both.row(1)
    latents = model.block(layer).attention.latents
    if latents is None:
        return ScoreInputs(of_query, of_key)
    biases, read = Part("bias", layer), run.inputs[layer]
    return ScoreInputs(
        _with_latent(of_query, latents.queries, read[[query]], biases),
        _with_latent(of_key, latents.keys, read[[key]], biases),
    )


def input_parts(model: Model, run: ModelRun, layer: int, rows: Sequence[int]) -> InputParts:
    """What these rows of `run.inputs[layer]` are the sum of."""
    check_whole(say("The layer"), layer, 0, model.n_layers - 1)
    is_of_encoder = layer < model.n_of_encoder
    start = run.start if is_of_encoder else run.start_of_decoder
    assert start is not None  # layers behind the encoder's are a decoder's
    below = range(0 if is_of_encoder else model.n_of_encoder, layer)
    stream = _after(model, run, start, below, rows)
    own = model.block(layer).norms["attention_in"]
    stream.pass_norm(own, run.streams[layer][list(rows)], Part("bias", layer))
    return InputParts(stream.parts, tuple(stream.held))


def encoded_parts(model: Model, run: ModelRun, rows: Sequence[int]) -> InputParts:
    """What these rows of what the encoder made are the sum of. A decoder looks at them across."""
    stream = _after(model, run, run.start, range(model.n_of_encoder), rows)
    last, chosen = model.n_of_encoder - 1, list(rows)
    before, output = run.streams[last][chosen], run.outputs[last][chosen]
    end = after_block(model.block(last), before, output)
    stream.pass_norm(model.norm_of_encoder, end, Part("bias", last))
    return InputParts(stream.parts, tuple(stream.held))


def _with_latent(
    parts: InputParts, latent: LatentWeights | None, whole: FloatArray, of_bias: Part
) -> InputParts:
    """A row of what a layer reads, as its latent: each part goes through its matrix and norm."""
    if latent is None:
        return parts
    made, beside = _Sum(parts.parts), _Sum(parts.parts)
    made.pass_linear(latent.linear, of_bias)
    made.pass_norm(latent.norm, latent.linear(whole), of_bias)
    if latent.beside is not None:
        beside.pass_linear(latent.beside, of_bias)
        for part, rows in beside.parts.items():
            made.parts[part] = np.concatenate((made.parts[part], rows), axis=-1)
    return InputParts(made.parts, (*parts.held, *made.held))


class _Sum:
    """Some rows as a sum of parts, on their way through a model."""

    def __init__(self, parts: Mapping[Part, FloatArray]) -> None:
        self.parts: dict[Part, FloatArray] = {
            part: rows.astype(np.float64) for part, rows in parts.items()
        }
        self.held: list[HeldNorm] = []

    def add(self, part: Part, rows: FloatArray) -> None:
        """One row is added in each of them."""
        shape = next(iter(self.parts.values())).shape
        self.parts[part] = self.parts.get(part, np.zeros(shape)) + rows

    def pass_norm(self, norm: NormWeights | None, whole: FloatArray, of_bias: Part) -> None:
        """Each part through the norm, as linear as it is while the scale of `whole` is held."""
        if norm is None:
            return
        rows = whole.astype(np.float64)
        centred = rows if norm.is_rms else rows - rows.mean(axis=-1, keepdims=True)
        scales = 1 / np.sqrt(np.square(centred).mean(axis=-1, keepdims=True) + norm.eps)
        factors = scales if norm.gain is None else scales * norm.gain
        for part, each in self.parts.items():
            own = each if norm.is_rms else each - each.mean(axis=-1, keepdims=True)
            self.parts[part] = own * factors
        if norm.bias is not None:
            self.add(of_bias, norm.bias)
        self.held.append(HeldNorm(norm.is_rms, scales[:, 0]))

    def pass_linear(self, linear: LinearWeights, of_bias: Part) -> None:
        """Each part through the matrix; the bias is a part of its own."""
        for part, each in self.parts.items():
            self.parts[part] = each @ linear.weight
        if linear.bias is not None:
            self.add(of_bias, linear.bias)

    def add_all(self, other: _Sum, factor: float) -> None:
        for part, rows in other.parts.items():
            self.add(part, factor * rows)
        self.held += other.held


def _after(
    model: Model, run: ModelRun, start: Embedded, layers: Sequence[int], rows: Sequence[int]
) -> _Sum:
    """These rows of a stream behind these layers."""
    check_places(say("The rows"), rows, len(start), say("token"), say("tokens"))
    chosen = list(rows)
    stream = _begun(start, chosen)
    for layer in layers:
        _pass_block(stream, model.block(layer), run, layer, chosen)
    return stream


def _begun(begin: Embedded, rows: Sequence[int]) -> _Sum:
    parts = {TOLD_AS[name]: table[rows] for name, table in begin.tables.items()}
    stream = _Sum(parts)
    stream.pass_norm(begin.norm, begin.summed[rows], EVERY)
    into = begin.into_width
    if into is not None:
        stream.pass_linear(into, EVERY)
    return stream


def _pass_block(
    stream: _Sum, block: BlockWeights, run: ModelRun, layer: int, rows: Sequence[int]
) -> None:
    """What a block does to these rows of the stream: as `after_block`, part by part."""
    norms, factor, biases = block.norms, block.factor, Part("bias", layer)
    before, output = run.streams[layer][rows], run.outputs[layer][rows]
    made = _Sum(_of_heads(run.as_run(layer), layer, rows))
    made.pass_norm(norms["attention_out"], output, biases)
    stream.add_all(made, factor)
    added = before + factor * with_norm(output, norms["attention_out"])
    stream.pass_norm(norms["after_attention"], added, biases)
    if block.mlp is None:
        return
    before_mlp = with_norm(added, norms["after_attention"])
    read = before if block.is_parallel else before_mlp
    of_mlp = with_mlp(with_norm(read, norms["mlp_in"]), block.mlp)
    told = _Sum({Part("mlp", layer): of_mlp})
    told.pass_norm(norms["mlp_out"], of_mlp, biases)
    stream.add_all(told, factor)
    after = before_mlp + factor * with_norm(of_mlp, norms["mlp_out"])
    stream.pass_norm(norms["after_mlp"], after, biases)


def _of_heads(s: Scenario, layer: int, rows: Sequence[int]) -> dict[Part, FloatArray]:
    """What each head of a layer adds in these rows, and the bias b_O."""
    trace = attend(s)
    parts: dict[Part, FloatArray] = {
        Part("head", layer, head): trace.contributions[head, rows] for head in range(s.n_heads)
    }
    if (bias := added_by_b_o(s)) is not None:
        parts[Part("bias", layer)] = np.tile(bias, (len(rows), 1))
    return parts
