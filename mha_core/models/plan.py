"""What a model is made of, as frozen data that a family's file makes and the runner reads."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from mha_core.models.longer_texts import LongerTexts
from mha_core.models.stored import LayerNames, Stored
from mha_core.scenario.masks import Rule
from mha_core.scenario.score_options import ScoreOptions

Activation = Literal["gelu", "gelu_tanh", "gelu_quick", "relu", "silu"]
Rating = Literal["softmax", "sigmoid"]


@dataclass(frozen=True)
class Norm:
    """LayerNorm, or RMSNorm, which subtracts no mean. Without a gain nothing is multiplied."""

    eps: float
    gain: str = ""
    bias: str = ""
    is_rms: bool = False
    adds_one: bool = False  # to the gain, as in Gemma


@dataclass(frozen=True)
class Norms:
    """Where the norms of a block stand. Which of them it has tells pre-norm from post-norm blocks.

    `_in`: of what is read from the stream. `_out`: of what is made, before it is added.
    `after_`: of the stream, once it is added.
    """

    attention_in: Norm | None = None
    attention_out: Norm | None = None
    after_attention: Norm | None = None
    mlp_in: Norm | None = None
    mlp_out: Norm | None = None
    after_mlp: Norm | None = None


@dataclass(frozen=True)
class Linear:
    """A matrix with its bias, if it has one."""

    weight: Stored
    bias: Stored | None = None


@dataclass(frozen=True)
class Mlp:
    """down(act(up(x))), or with a gate down(act(gate(x)) * up(x))."""

    up: Linear
    down: Linear
    width: int
    activation: Activation
    gate: Linear | None = None


@dataclass(frozen=True)
class Router:
    """It rates all experts for each token, and the best are chosen. A rating is an expert's share.

    `is_parted`: the shares of a token are divided by their sum. `factor` multiplies each.
    `correction` is added to the ratings for the choice alone: a number for each expert.
    Experts stand in `groups` of equal size, and only those of the best groups may be chosen. A
    group is as good as the best of it, or as its `told_by` best together.
    """

    linear: Linear
    count: int
    chosen: int
    rating: Rating = "softmax"  # over all experts, or a sigmoid of each
    is_parted: bool = True
    factor: float = 1.0
    correction: Stored | None = None
    groups: int = 1
    groups_chosen: int = 1
    told_by: int = 1


@dataclass(frozen=True)
class Clipped:
    """What gpt-oss has for an activation: gate * sigmoid(steepness * gate) * (up + 1).

    Neither gate nor up gets above the limit, nor up below minus it.
    """

    steepness: float
    limit: float


@dataclass(frozen=True)
class Experts:
    """MLPs side by side, of which a router chooses some for each token.

    Each is down(act(gate(x)) * up(x)). All experts stand in one tensor, with a place for each; or
    each in one of its own, with `{expert}` in the name for its number. Every token passes `shared`
    too; with `shared_gate`, a sigmoid says how much of it.
    """

    router: Router
    gate: Linear
    up: Linear
    down: Linear
    width: int
    activation: Activation | Clipped = "silu"
    shared: Mlp | None = None
    shared_gate: Linear | None = None


@dataclass(frozen=True)
class Latents:
    """Small rows that a layer makes of what it reads; queries, keys and values are made of these.

    One is for keys and values, and one for queries, where there is one: else these are made of what
    the layer reads. Each passes a norm. All heads share a part of the key, made without a norm, and
    its columns alone turn, with as many of each query. `growth` multiplies what turns.
    """

    of_keys: Linear
    norm_of_keys: Norm
    width_of_keys: int
    turning: Linear
    n_turning: int
    growth: float = 1.0
    of_queries: Linear | None = None
    norm_of_queries: Norm | None = None
    width_of_queries: int = 0


@dataclass(frozen=True)
class Distances:
    """What each head adds to its scores: a number for each kind of distance, as in T5.

    The table has a row for each kind, a column for each head. Half of the kinds are for keys
    behind the query; all of them, where no key ahead is seen. From the distance `furthest` on, all
    are of one kind.
    """

    table: Stored
    kinds: int
    furthest: int
    sees_ahead: bool = True


@dataclass(frozen=True)
class Attention:
    """One attention layer: where its matrices stand, its sizes, and what happens to the scores.

    With latents the matrices are for these. Those of the keys have no columns for what turns, and
    the queries have these last in each head.
    """

    names: LayerNames
    n_heads: int
    n_kv_heads: int
    d_k: int
    d_v: int
    scores: ScoreOptions = field(default_factory=ScoreOptions)
    rules: tuple[Rule, ...] = ()
    gains_add_one: bool = False  # those of Q and K, as in Gemma
    distances: Distances | None = None
    is_cross: bool = False  # its keys and values come from what the encoder made
    d_g: int = 0  # how many numbers the gate of a head has, where there is one
    latents: Latents | None = None
    turning_growth: float = 1.0  # of the columns of Q and K that turn, as YaRN has it
    longer_texts: LongerTexts | None = None

    @property
    def readers(self) -> tuple[str, str]:
        """The tensors that multiply what the layer reads first: on the way to queries, to keys."""
        if self.latents is None:
            return self.names.w_q.name, self.names.w_k.name
        return self.latents.turning.weight.name, self.latents.turning.weight.name


@dataclass(frozen=True)
class Block:
    """One attention layer with the MLP behind it, and the norms around them.

    In a parallel block the MLP reads what attention reads, not what it wrote. A layer of a decoder
    that reads an encoder too is two blocks: its own words without an MLP, then the encoder's.
    """

    attention: Attention
    mlp: Mlp | Experts | None = None
    norms: Norms = Norms()
    is_parallel: bool = False
    factor: float = 1.0  # of what is added to the stream


@dataclass(frozen=True)
class Embedding:
    """How a token becomes a row of the stream."""

    words: str  # a table with a row for each token of the vocabulary
    width: int  # of its rows
    factor: float = 1.0
    positions: str = ""  # a table with a row for each position
    first_position: int = 0  # the row of the first token
    kinds: str = ""  # a table whose row 0 is added to each token: BERT's token types
    norm: Norm | None = None
    into_width: Linear | None = None  # from its width to that of the model


@dataclass(frozen=True)
class Decoder:
    """What writes a text of its own, and reads what the encoder made. It has two blocks a layer."""

    blocks: tuple[Block, ...]
    embedding: Embedding
    begins_with: int  # the token before its text
    ends_with: int  # the token behind a text, which it has not read yet
    last_norm: Norm | None = None


@dataclass(frozen=True)
class ModelPlan:
    """A whole model. Without an embedding X comes from outside, as the pixels of an image do.

    Where it has a decoder, all else is its encoder.
    """

    width: int
    blocks: tuple[Block, ...]
    embedding: Embedding | None
    last_norm: Norm | None = None
    decoder: Decoder | None = None

    @property
    def all_blocks(self) -> tuple[Block, ...]:
        """Those of the decoder follow those of the encoder."""
        return self.blocks if self.decoder is None else self.blocks + self.decoder.blocks
