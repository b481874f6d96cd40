"""How much memory a run of a model takes, as its plan and the length of a text say it.

Nothing is read or computed for it. It counts what stays (the blocks that are kept, the stream
before each layer), and the most that one layer takes while it is read and computed.
"""

from __future__ import annotations

from typing import Final

from mha_core.checks.limits import LIMITS
from mha_core.models.plan import Attention, Block, Embedding, Experts, Mlp, ModelPlan

AnyMlp = Mlp | Experts | None

FLOAT: Final = 4  # bytes: all is computed in float32
COPIES_OF_READ: Final = 2  # of the largest tensor, while it is converted and turned
COPIES_OF_EXPERT: Final = 3  # of the one that is read and computed: packed, unpacked, in parts
COPIES_OF_ATTENTION: Final = 1  # of a layer's matrices, while they are checked
ROWS_OF_MLP: Final = 4  # as many arrays as wide as its inside are there at once
ROWS_OF_GATE: Final = 4  # its scores, itself, and what is made of both
ROWS_OF_HEADS: Final = 8  # Q, K and V, turned, normed, and the heads side by side
MEASURED: Final = 4  # arrays of the weights of those heads that are measured at once


def run_bytes(plan: ModelPlan, n_tokens: int, kept_bytes: int) -> int:
    """The most that a run over all layers takes, where so many bytes of blocks are kept.

    The weights of all heads of one layer are there at once; what is made of them is of one head,
    or of few, at a time.
    """
    blocks = {block: block_bytes(block, plan.width) for block in plan.all_blocks}
    largest = max(blocks.values())
    weights = min(sum(blocks.values()), max(kept_bytes, largest) + largest)
    reading = max(_largest_tensor(block, plan.width) for block in blocks) * COPIES_OF_READ
    checked = max(_matrices(block.attention, plan.width) for block in blocks) * COPIES_OF_ATTENTION
    streams = (2 * len(plan.all_blocks) + 4) * n_tokens * plan.width
    layer = max(_of_layer(block, plan.width, n_tokens) for block in blocks)
    embedded = 3 * n_tokens * _table_width(plan.embedding)
    return weights + FLOAT * (max(reading + checked, layer) + streams + embedded)


def layer_bytes(attention: Attention, width: int, n_tokens: int) -> int:
    """The most that one attention layer takes, read and computed alone."""
    matrices = _matrices(attention, width)
    return FLOAT * (4 * matrices + 4 * n_tokens * width + _of_heads(attention, n_tokens))


def block_bytes(block: Block, width: int) -> int:
    """The numbers of a block, in float32."""
    return FLOAT * (_matrices(block.attention, width) + _of_mlp(block.mlp, width) + 8 * width)


def _of_mlp(mlp: AnyMlp, width: int) -> int:
    """The numbers of an MLP that stay in memory. Of experts, only what all tokens pass does."""
    match mlp:
        case Mlp():
            return (3 if mlp.gate else 2) * mlp.width * width
        case Experts():
            return mlp.router.count * (width + 1) + _of_mlp(mlp.shared, width)
    return 0


def _inside(mlp: AnyMlp) -> int:
    """How wide it is inside. Experts have gate and up side by side."""
    match mlp:
        case Mlp():
            return mlp.width
        case Experts():
            return max(2 * mlp.width, _inside(mlp.shared))
    return 0


def _matrices(attention: Attention, width: int) -> int:
    of_queries, of_keys, made = width, width, 0
    if (latents := attention.latents) is not None:
        of_queries = latents.width_of_queries or width
        of_keys = latents.width_of_keys + latents.n_turning
        made = width * (latents.width_of_queries + of_keys)
    heads, d_k, d_v = attention.n_heads, attention.d_k, attention.d_v
    keys_and_values = of_keys * attention.n_kv_heads * (d_k + d_v)
    of_gate = of_queries * heads * attention.d_g
    return made + of_queries * heads * d_k + keys_and_values + heads * d_v * width + of_gate


def _largest_tensor(block: Block, width: int) -> int:
    """Of a fused matrix, all of it is read for each part."""
    of_mlp = block.mlp.width * width if isinstance(block.mlp, Mlp) else 0
    return max(_matrices(block.attention, width), of_mlp)


def _of_layer(block: Block, width: int, n_tokens: int) -> int:
    of_mlp = ROWS_OF_MLP * n_tokens * _inside(block.mlp)
    if isinstance(block.mlp, Experts):
        of_mlp += COPIES_OF_EXPERT * 3 * block.mlp.width * width
    return max(_of_heads(block.attention, n_tokens), of_mlp)


def _of_heads(attention: Attention, n_tokens: int) -> int:
    rows = n_tokens * attention.n_heads * max(attention.d_k, attention.d_v) * ROWS_OF_HEADS
    rows += n_tokens * attention.n_heads * attention.d_g * ROWS_OF_GATE
    scores = attention.n_heads * n_tokens**2
    at_once = min(scores, max(n_tokens**2, LIMITS.measured_cells))
    return rows + scores + MEASURED * at_once


def _table_width(embedding: Embedding | None) -> int:
    return embedding.width if embedding else 0
