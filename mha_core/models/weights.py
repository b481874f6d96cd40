"""The weights of one attention layer, read from a file: a Scenario without its words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from mha_core.checks.errors import OptionError
from mha_core.checks.shapes import FloatArray
from mha_core.checks.values import check_kind, check_places
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.language import say
from mha_core.models.distances import AddedByDistance
from mha_core.models.latents import LatentsWeights, check_latents, read_latents, with_shared_key
from mha_core.models.longer_texts import LongerTexts
from mha_core.models.plan import Attention
from mha_core.models.stored import HEAD, Stored
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.norms import NormOf, norms_of
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions

SHAPES: dict[str, str] = {
    **{"w_q": "d_in q", "w_k": "d_kv k", "w_v": "d_kv v", "w_o": "o d_out"},
    **{"b_q": "q", "b_k": "k", "b_v": "v", "b_o": "d_out"},
    **{"sinks": "heads", "w_g": "d_in gate", "b_g": "gate"},
    **{"w_f": "slice shares", "b_f": "shares", "c_f": "1 heads 1 1"},
}
SHARES: Final = 8  # columns of a gate of b_S: the sums of four and four make its two scores
# Gains and shifts of norms, with whose columns they are for: they are options.
GAINS: dict[str, NormOf] = {
    **{"q_gain": "q", "q_shift": "q", "k_gain": "k", "k_shift": "k"},
    **{"v_gain": "v", "concat_gain": "concat", "concat_shift": "concat"},
}
NOWHERE: Final = Origin()


@dataclass(frozen=True, eq=False)
class LayerWeights:
    """One attention layer: matrices for x @ W, heads side by side, with sizes and options."""

    w_q: FloatArray
    w_k: FloatArray
    w_v: FloatArray
    w_o: FloatArray
    n_heads: int
    n_kv_heads: int
    d_k: int
    d_v: int
    b_q: FloatArray | None = None
    b_k: FloatArray | None = None
    b_v: FloatArray | None = None
    b_o: FloatArray | None = None
    sinks: FloatArray | None = None
    w_g: FloatArray | None = None
    b_g: FloatArray | None = None
    w_f: FloatArray | None = None
    b_f: FloatArray | None = None
    c_f: FloatArray | None = None
    scores: ScoreOptions = field(default_factory=ScoreOptions)
    rules: tuple[Rule, ...] = ()
    added: AddedByDistance | None = None
    is_cross: bool = False
    latents: LatentsWeights | None = None
    longer_texts: LongerTexts | None = None

    def scenario(
        self,
        x: FloatArray,
        tokens: Sequence[str] = (),
        context: FloatArray | None = None,
        context_tokens: Sequence[str] = (),
    ) -> Scenario:
        """The layer with an input: exactly what the model computes there.

        `context` is what the encoder made, for a layer that takes its keys and values from it. A
        layer with latents makes them of the input: they are X and the second sequence.
        """
        if self.latents is None:
            return self._scenario(x, tokens, context, context_tokens)
        of_queries, of_keys = self.latents.made_of(x)
        made = self._scenario(of_queries, tokens, of_keys, (), self.latents.origin)
        return replace(made, context_tokens=made.tokens)

    def _scenario(
        self,
        x: FloatArray,
        tokens: Sequence[str],
        context: FloatArray | None,
        context_tokens: Sequence[str],
        origin: Origin = NOWHERE,
    ) -> Scenario:
        return Scenario(
            **self._arrays(),
            x=x,
            context=context,
            context_tokens=tuple(context_tokens),
            b_s=None if self.added is None else self.added.of(len(x)),
            tokens=tuple(tokens),
            n_heads=self.n_heads,
            n_kv_heads=self.n_kv_heads,
            d_k=self.d_k,
            d_v=self.d_v,
            scores=self._scores_in(len(x)),
            mask=Mask(self.rules),
            origin=origin,
        )

    def _scores_in(self, n_tokens: int) -> ScoreOptions:
        """The options in a text of so many tokens. It may be said that they stand further on."""
        if self.longer_texts is None:
            return self.scores
        places = self.scores.rope_places or ()
        last = max((int(max(place)) for place in places), default=n_tokens - 1)
        return self.longer_texts.turned(self.scores, last + 1)

    def of(self, whole: Scenario) -> Scenario:
        """This part of a layer with what the whole of it reads."""
        reads = whole.x, whole.tokens, whole.context, whole.context_tokens
        return self._scenario(*reads, whole.origin)

    def only(self, heads: Sequence[int]) -> LayerWeights:
        """The layer with these heads alone. Its output is their part, with the bias b_O.

        Query heads that shared keys and values get each their own.
        """
        check_kind("heads", heads, Iterable, SAY_A_HEAD)
        heads = [*heads]
        if not heads:
            raise OptionError("heads", say("must be one head or more"), "[]", SAY_A_HEAD)
        check_places("heads", heads, self.n_heads, say("head"), say("heads"))
        self._check_can_be_parted(heads)
        of_keys = [head * self.n_kv_heads // self.n_heads for head in heads]
        q, k = _columns(heads, self.d_k), _columns(of_keys, self.d_k)
        v, o = _columns(of_keys, self.d_v), _columns(heads, self.d_v)
        g = [] if self.w_g is None else _columns(heads, self.w_g.shape[1] // self.n_heads)
        f = _columns(heads, 2)
        return replace(
            self,
            w_q=self.w_q[:, q],
            w_k=self.w_k[:, k],
            w_v=self.w_v[:, v],
            w_o=self.w_o[o],
            b_q=None if self.b_q is None else self.b_q[q],
            b_k=None if self.b_k is None else self.b_k[k],
            b_v=None if self.b_v is None else self.b_v[v],
            sinks=None if self.sinks is None else self.sinks[list(heads)],
            scores=self._scores_of(heads, of_keys),
            w_g=None if self.w_g is None else self.w_g[:, g],
            b_g=None if self.b_g is None else self.b_g[g],
            w_f=None if self.w_f is None else self.w_f[:, f],
            b_f=None if self.b_f is None else self.b_f[f],
            c_f=None if self.c_f is None else self.c_f[list(heads)],
            added=None if self.added is None else self.added.only(heads),
            n_heads=len(heads),
            n_kv_heads=len(heads),
        )

    def _check_can_be_parted(self, heads: Sequence[int]) -> None:
        """Refuse what a head has from all: its slope, or the size of its queries."""
        if self.scores.positions == "alibi":
            need = say("must be all heads where ALiBi gives each its slope")
        elif self.scores.qk_norm == "all":
            need = say("must be all heads where their queries are normed together")
        elif self.scores.concat_norm != "none":
            need = say("must be all heads where their outputs are normed together")
        else:
            return
        way_out = say("Leave heads out, and look at some of them on the page.")
        raise OptionError("heads", need, str(list(heads)), way_out)

    def _scores_of(self, heads: Sequence[int], of_keys: Sequence[int]) -> ScoreOptions:
        """The options of these heads: gains of each head go with it."""
        changed: dict[str, Any] = {}
        for name, of in GAINS.items():
            numbers, width = getattr(self.scores, name), self.d_v if of == "v" else self.d_k
            if numbers is not None and of in norms_of(self.scores) and len(numbers) > width:
                of_heads = np.reshape(numbers, (-1, width))[list(heads if of == "q" else of_keys)]
                changed[name] = tuple(of_heads.ravel().tolist())
        return replace(self.scores, **changed)

    def _arrays(self) -> dict[str, Any]:
        arrays = {name: getattr(self, name) for name in SHAPES}
        return {name: array for name, array in arrays.items() if array is not None}


SAY_A_HEAD: Final = say("Write [0] for the first head.")


def check_layer(file: TensorFile, attention: Attention, width: int) -> None:
    """Refuse a file whose matrices have not the shapes that the plan says."""
    for name, stored in attention.names.given().items():
        for part, need in _parts(file, attention, width, name, stored):
            part.check(file.shapes, need)
    if attention.latents is not None:
        check_latents(file, attention.latents, width)
    if attention.distances is not None:
        table = attention.distances
        table.table.check(file.shapes, (table.kinds, attention.n_heads))


def read_weights(file: TensorFile, attention: Attention, width: int) -> LayerWeights:
    """The matrices of one layer out of a file. Nothing else of the file is read."""
    read = {
        name: [part.read(file, need) for part, need in _parts(file, attention, width, name, stored)]
        for name, stored in attention.names.given().items()
    }
    gains = {name: np.concatenate(read.pop(name), axis=None) for name in GAINS if name in read}
    if attention.gains_add_one:
        gains |= {name: gain + 1 for name, gain in gains.items() if name.endswith("gain")}
    arrays: dict[str, Any] = {name: array for name, (array,) in read.items()}
    arrays, gains = _grown(attention, arrays, gains)
    arrays |= _gate_of_additions(attention, arrays)
    latents = attention.latents
    if latents is not None:
        arrays = with_shared_key(arrays, attention, latents)
    weights = LayerWeights(
        **arrays,
        n_heads=attention.n_heads,
        n_kv_heads=attention.n_kv_heads,
        d_k=attention.d_k,
        d_v=attention.d_v,
        scores=_with_gains(attention.scores, gains),
        rules=attention.rules,
        added=_added(file, attention),
        is_cross=attention.is_cross,
        latents=None if latents is None else read_latents(file, latents, width),
        longer_texts=attention.longer_texts,
    )
    # A scenario checks and copies its arrays, but not those of another scenario: so these are
    # checked once, and no text copies them again.
    checked = weights.scenario(np.zeros((1, width), np.float32))
    return replace(weights, **{name: getattr(checked, name) for name in arrays})


def _gate_of_additions(attention: Attention, read: Mapping[str, FloatArray]) -> dict[str, Any]:
    """The arrays of a gate of b_S, which all heads share in a file, but for their constants.

    There it reads the columns of X that are a head's, and adds up four columns and four.
    """
    n_heads, made = attention.n_heads, dict[str, Any]()
    if "w_f" in read:
        of_head = read["w_f"].reshape(-1, 2, SHARES // 2).sum(axis=-1)
        made["w_f"] = np.kron(np.eye(n_heads, dtype=of_head.dtype), of_head)
    if "b_f" in read:
        made["b_f"] = np.tile(read["b_f"].reshape(2, -1).sum(axis=-1), n_heads)
    if "c_f" in read:
        made["c_f"] = read["c_f"].ravel()
    return made


def _grown(
    attention: Attention, read: dict[str, Any], gains: dict[str, FloatArray]
) -> tuple[dict[str, Any], dict[str, FloatArray]]:
    """The arrays and the gains of Q and K, with the columns that turn grown as YaRN has it.

    Where queries and keys are normed, only their gains and shifts can say it.
    """
    if attention.turning_growth == 1:
        return read, gains
    growth = np.ones(attention.d_k)
    growth[: attention.scores.rope_columns] = attention.turning_growth
    of_heads = {"q": np.tile(growth, attention.n_heads), "k": np.tile(growth, attention.n_kv_heads)}
    if attention.scores.qk_norm != "none":
        grown = dict(gains)
        for axis, of_all in of_heads.items():
            usual = growth if attention.scores.qk_norm == "head" else of_all
            grown[f"{axis}_gain"] = gains.get(f"{axis}_gain", np.ones(len(usual)))
            for name in {f"{axis}_gain", f"{axis}_shift"} & grown.keys():
                grown[name] = np.resize(growth, len(grown[name])) * grown[name]
        return read, grown
    names = {f"{kind}_{axis}": axis for kind in "wb" for axis in of_heads}
    return {
        name: array * of_heads[names[name]].astype(array.dtype) if name in names else array
        for name, array in read.items()
    }, gains


def _added(file: TensorFile, attention: Attention) -> AddedByDistance | None:
    said = attention.distances
    if said is None:
        return None
    table = said.table.read(file, (said.kinds, attention.n_heads))
    return AddedByDistance(table, said.furthest, said.sees_ahead)


def _with_gains(scores: ScoreOptions, gains: Mapping[str, FloatArray]) -> ScoreOptions:
    return replace(scores, **{name: tuple(gain.tolist()) for name, gain in gains.items()})


Needed = tuple[Stored, tuple[int, ...]]  # a tensor, and the shape that it must have


def _parts(
    file: TensorFile, attention: Attention, width: int, name: str, stored: Stored
) -> list[Needed]:
    """The tensors that a matrix stands in: one, unless each head has gains of its own there."""
    if name not in GAINS:
        return [(stored, _shape(name, attention, width))]
    of = GAINS[name]
    heads = attention.n_heads if of in ("q", "concat") else attention.n_kv_heads
    columns = attention.d_k if of in ("q", "k") else attention.d_v
    if HEAD in stored.name:
        each = [replace(stored, name=stored.name.replace(HEAD, str(head))) for head in range(heads)]
        return [(part, (columns,)) for part in each]
    may_be = [(columns,), (heads * columns,), (heads, columns)]
    if of == "concat" or (of != "v" and attention.scores.qk_norm == "all"):
        del may_be[0]
    has = file.shapes.get(stored.name)
    return [(stored, next((shape for shape in may_be if shape == has), may_be[0]))]


def _shape(name: str, attention: Attention, width: int) -> tuple[int, ...]:
    of_queries, of_keys, d_k = width, width, attention.d_k
    if (latents := attention.latents) is not None:
        of_queries, of_keys = latents.width_of_queries or width, latents.width_of_keys
        d_k -= latents.n_turning
    sizes = {
        "heads": attention.n_heads,
        "d_in": of_queries,
        "d_kv": of_keys,
        "d_out": width,
        "q": attention.n_heads * attention.d_k,
        "k": attention.n_kv_heads * d_k,
        "v": attention.n_kv_heads * attention.d_v,
        "o": attention.n_heads * attention.d_v,
        "gate": attention.n_heads * attention.d_g,
        **{"slice": of_queries // attention.n_heads, "shares": SHARES, "1": 1},
    }
    return tuple(sizes[axis] for axis in SHAPES[name].split())


def _columns(heads: Sequence[int], width: int) -> list[int]:
    return (np.array(heads)[:, None] * width + np.arange(width)).ravel().tolist()
