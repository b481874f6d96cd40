"""What a model is made of, as frozen data that a family's file makes and the runner reads."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from mha_core.models.stored import LayerNames, Stored
from mha_core.scenario.masks import Rule
from mha_core.scenario.score_options import ScoreOptions

Activation = Literal["gelu", "gelu_tanh", "gelu_quick", "relu", "silu"]


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
class Experts:
    """MLPs side by side, of which a router chooses some for each token, as gpt-oss has them.

    Each is down(gate * sigmoid(steepness * gate) * (up + 1)). Neither gate nor up gets above the
    limit, nor up below minus it. All tensors but the router's have a place for each expert.
    """

    router: Linear
    gate: Linear
    up: Linear
    down: Linear
    count: int
    chosen: int
    width: int
    steepness: float
    limit: float


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
    """One attention layer: where its matrices stand, its sizes, and what happens to the scores."""

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
