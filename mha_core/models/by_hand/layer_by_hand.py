"""A layer that a person has mapped: all that its file does not say, as a small file of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from mha_core.checks.errors import FormatError, HeadsError
from mha_core.checks.limits import LIMITS
from mha_core.checks.values import check_head_groups, check_one_of, check_whole, short_repr
from mha_core.io.tensors.beside import content_of
from mha_core.io.tensors.json_object import json_object
from mha_core.language import say
from mha_core.models.plan import Attention
from mha_core.models.sizes import width_a_head
from mha_core.models.stored import LayerNames
from mha_core.options.rope_base import USUAL
from mha_core.options.rope_pairs import PAIRS
from mha_core.scenario.masks import Rule
from mha_core.scenario.rotation import rotation_of
from mha_core.scenario.score_options import ScoreOptions

THE_MAPPING: Final = say("The mapping")
N_HEADS: Final = say("The number of heads")
N_KV_HEADS: Final = say("The number of key heads")
SAY_HEADS: Final = say("Say it: the config of the model has it, or its description.")
NONE: Final = "none"
ROTARY: Final = (NONE, *PAIRS)
BARE_NAMES: Final = "w_q"  # a field of LayerNames: such a file is a mapping that says no heads


@dataclass(frozen=True)
class LayerByHand:
    """Where the matrices of a layer stand, how many heads it has, and what becomes of its scores.

    `rotary` says which columns of a head turn together; "none": no column turns. `n_heads` is 0
    where nobody has said it yet. `n_kv_heads` is 0 where it follows from the shapes. `embedding`
    names the table whose rows the first layer may read.
    """

    names: LayerNames
    n_heads: int = 0
    n_kv_heads: int = 0
    rotary: str = NONE
    rope_base: float = USUAL
    is_causal: bool = False
    embedding: str = ""

    @property
    def scores(self) -> ScoreOptions:
        if self.rotary == NONE:
            return ScoreOptions()
        return ScoreOptions(positions="rope", rope_pairs=self.rotary, rope_base=self.rope_base)

    @property
    def rules(self) -> tuple[Rule, ...]:
        return (Rule("causal"),) if self.is_causal else ()

    def plan(self, shapes: Mapping[str, tuple[int, ...]], layer: int = 0) -> tuple[Attention, int]:
        """The layer as a family would plan it, and the model's width, as the shapes say it."""
        check_whole(N_HEADS, self.n_heads, 1, LIMITS.heads, SAY_HEADS)
        names = self.names.of_layer(layer)
        width, q = names.w_q.shape_in(shapes, 2)
        _, k = names.w_k.shape_in(shapes, 2)
        _, v = names.w_v.shape_in(shapes, 2)
        d_k = width_a_head(q, self.n_heads)
        if self.rotary != NONE:
            rotation_of(self.scores, d_k)  # which refuses a width that cannot turn
        n_kv_heads = self.n_kv_heads or _key_heads(k, d_k)
        check_head_groups(self.n_heads, n_kv_heads)
        return (
            Attention(
                names,
                self.n_heads,
                n_kv_heads,
                d_k,
                width_a_head(v, n_kv_heads),
                self.scores,
                self.rules,
            ),
            width,
        )

    # As a file.

    def to_json(self) -> str:
        """As text that can be kept, and given again with a file of the same kind."""
        said = {
            "names": json.loads(self.names.to_json()),
            **{name: getattr(self, name) for name in FIELDS},
        }
        return json.dumps(said, indent=1)

    @classmethod
    def from_json(cls, data: bytes) -> LayerByHand:
        """What `to_json` wrote; also the names alone, as `LayerNames.to_json` writes them."""
        given = json_object(THE_MAPPING, data)
        if BARE_NAMES in given:
            given = {"names": given}
        if "names" not in given or not given.keys() <= {"names", *FIELDS}:
            raise _no_mapping(short_repr(given))
        mapped = cls(LayerNames.from_given(given.pop("names")))
        for name, value in given.items():
            if type(value) not in FIELDS[name]:
                raise _no_mapping(short_repr({name: value}))
        mapped = replace(mapped, **given)
        mapped.check()
        return mapped

    @classmethod
    def from_file(cls, path: Path | str) -> LayerByHand:
        """The mapping in a file that was kept."""
        return cls.from_json(content_of(THE_MAPPING, Path(path)))

    def check(self) -> None:
        """Refuse numbers and words that no layer can have."""
        check_whole(N_HEADS, self.n_heads, 0, LIMITS.heads)
        check_whole(N_KV_HEADS, self.n_kv_heads, 0, LIMITS.heads)
        check_one_of(say("The rotation"), self.rotary, ROTARY)
        _ = self.scores  # which checks the base


FIELDS: Final[Mapping[str, tuple[type, ...]]] = {
    **{"n_heads": (int,), "n_kv_heads": (int,), "rotary": (str,), "rope_base": (int, float)},
    **{"is_causal": (bool,), "embedding": (str,)},
}


def _key_heads(columns: int, d_k: int) -> int:
    """How many heads of keys there are, each as wide as one of queries."""
    if columns % d_k:
        raise HeadsError(
            N_KV_HEADS,
            say("must be such that each has the {d_k} columns of a head of queries").format(
                d_k=d_k
            ),
            say("{count} columns of keys").format(count=columns),
            say("Look at the number of heads, and at which tensor is W_K."),
        )
    return columns // d_k


def _no_mapping(got: str) -> FormatError:
    example: dict[str, Any] = {"names": {"w_q": {"name": "q.weight"}}, "n_heads": 4}
    return FormatError(
        THE_MAPPING,
        say("must have names and, if they are known, {fields}").format(fields=", ".join(FIELDS)),
        got,
        say("It looks as {example}, with w_k, w_v and w_o too.").format(
            example=json.dumps(example)
        ),
    )
