"""A layer that a person has mapped: all that its file does not say, as a small file of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mha_core.checks.errors import FormatError, HeadsError, OptionError, ShapeError
from mha_core.checks.limits import LIMITS
from mha_core.checks.values import check_head_groups, check_whole, short_repr
from mha_core.io.scenario.fields import Reader, read_bool, read_fields, read_text, read_whole
from mha_core.io.scenario.settings import read_rules, read_scores, written_rules, written_scores
from mha_core.io.tensors.beside import content_of
from mha_core.io.tensors.json_object import json_object
from mha_core.language import say
from mha_core.models.plan import Attention, Distances
from mha_core.models.sizes import width_a_head
from mha_core.models.stored import LayerNames, Stored
from mha_core.options.concat_norm import OPTION as CONCAT_NORM
from mha_core.options.qk_norm import OPTION as QK_NORM
from mha_core.options.v_norm import OPTION as V_NORM
from mha_core.scenario.masks import Rule
from mha_core.scenario.norms import norm_of, norms_of
from mha_core.scenario.rotation import rotation_of
from mha_core.scenario.score_options import ScoreOptions

THE_MAPPING: Final = say("The mapping")
N_HEADS: Final = say("The number of heads")
N_KV_HEADS: Final = say("The number of key heads")
HEAD_WIDTH: Final = say("The width of a head")
FURTHEST: Final = say("The farthest distance")
SAY_HEADS: Final = say("Say it: the config of the model has it, or its description.")
BARE_NAMES: Final = "w_q"  # a field of LayerNames: such a file is a mapping that says no heads
OLDER: Final = ("rotary", "rope_base", "is_causal")  # said before scores and rules were


@dataclass(frozen=True, kw_only=True)
class SaidByHand:
    """All that a person says of a layer beside its tensors: the page has a field for each of it.

    `n_heads` is 0 where nobody has said it; the width of a head says it too. `n_kv_heads` and `d_k`
    are 0 where they follow from the shapes. `gains_add_one`: 1 is added to the gains of norms, as
    in Gemma. `embedding` names the table whose rows the first layer may read. `table` names that
    of what each head adds for each kind of distance, as in T5: from `furthest` on, all are of one
    kind.
    """

    n_heads: int = 0
    n_kv_heads: int = 0
    d_k: int = 0
    scores: ScoreOptions = field(default_factory=ScoreOptions)
    rules: tuple[Rule, ...] = ()
    gains_add_one: bool = False
    embedding: str = ""
    table: str = ""
    furthest: int = 128

    @property
    def said(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in FIELDS}

    def check(self) -> None:
        """Refuse sizes that no layer can have."""
        check_whole(N_HEADS, self.n_heads, 0, LIMITS.heads)
        check_whole(N_KV_HEADS, self.n_kv_heads, 0, LIMITS.heads)
        check_whole(HEAD_WIDTH, self.d_k, 0, LIMITS.width)
        check_whole(FURTHEST, self.furthest, 1, LIMITS.tokens)


OF_TABLE: Final[Mapping[str, Reader]] = {"table": read_text, "furthest": read_whole}
FIELDS: Final[Mapping[str, Reader]] = {
    **dict.fromkeys(("n_heads", "n_kv_heads", "d_k"), read_whole),
    "scores": read_scores,
    "rules": read_rules,
    "gains_add_one": read_bool,
    "embedding": read_text,
    **OF_TABLE,
}


@dataclass(frozen=True)
class LayerByHand(SaidByHand):
    """Where the matrices of a layer stand, and all that was said of it."""

    names: LayerNames

    def plan(self, shapes: Mapping[str, tuple[int, ...]], layer: int = 0) -> tuple[Attention, int]:
        """The layer as a family would plan it, and the model's width, as the shapes say it."""
        names = self.names.of_layer(layer)
        width, q = names.w_q.shape_in(shapes, 2)
        _, k = names.w_k.shape_in(shapes, 2)
        _, v = names.w_v.shape_in(shapes, 2)
        n_heads = self._heads_of(q)
        d_k = q // n_heads
        n_kv_heads = self.n_kv_heads or _key_heads(k, d_k)
        check_head_groups(n_heads, n_kv_heads)
        attention = Attention(
            names,
            n_heads,
            n_kv_heads,
            d_k,
            width_a_head(v, n_kv_heads),
            self.scores,
            self.rules,
            self.gains_add_one,
            distances=self._distances(shapes, n_heads),
            d_g=self._width_of_gate(shapes, layer, n_heads),
        )
        _check_scores(attention)
        if names.w_f and attention.distances is None:
            raise FormatError(
                THE_MAPPING,
                say("must say what a gate of b_S multiplies"),
                say("no table of distances"),
                say("Choose that table too, or no tensor for W_F."),
            )
        return attention, width

    def _distances(self, shapes: Mapping[str, tuple[int, ...]], n_heads: int) -> Distances | None:
        """What each head adds for each kind of distance. A decoder has no kinds ahead."""
        if not self.table:
            return None
        check_whole(FURTHEST, self.furthest, 1, LIMITS.tokens)
        table = Stored(self.table)
        kinds, columns = table.shape_in(shapes, 2)
        sees_ahead = Rule("causal") not in self.rules
        exact = kinds // 4 if sees_ahead else kinds // 2
        if columns != n_heads or not 1 <= exact < self.furthest:
            raise ShapeError(
                self.table,
                say(
                    "must have a column for each of the {heads} heads, and fewer exact distances "
                    "than {furthest}"
                ).format(heads=n_heads, furthest=self.furthest),
                say("{kinds} × {columns}").format(kinds=kinds, columns=columns),
                say("Look at the number of heads, and at the farthest distance."),
            )
        return Distances(table, kinds, self.furthest, sees_ahead)

    def _width_of_gate(
        self, shapes: Mapping[str, tuple[int, ...]], layer: int, n_heads: int
    ) -> int:
        """How many numbers the gate of a head has; 0 without one."""
        w_g = self.names.of_layer(layer).w_g
        return width_a_head(w_g.shape_in(shapes, 2)[1], n_heads) if w_g else 0

    def _heads_of(self, columns: int) -> int:
        """How many heads share these columns of queries: as it was said, or as wide as it was."""
        n_heads = self.n_heads or (columns // self.d_k if self.d_k else 0)
        if self.d_k and n_heads * self.d_k != columns:
            raise HeadsError(
                HEAD_WIDTH,
                say("must share out the {columns} columns of queries").format(columns=columns),
                say("{heads} heads of width {d_k}").format(heads=n_heads, d_k=self.d_k),
                say("Say the width or the number of heads alone: the other follows."),
            )
        check_whole(N_HEADS, n_heads, 1, LIMITS.heads, SAY_HEADS)
        width_a_head(columns, n_heads)  # which refuses what does not fit
        return n_heads

    # As a file.

    def to_json(self) -> str:
        """As text that can be kept, and given again with a file of the same kind."""
        unsaid = () if self.table else OF_TABLE
        said = {
            "names": json.loads(self.names.to_json()),
            **{name: value for name, value in self.said.items() if name not in unsaid},
            "scores": written_scores(self.scores),
            "rules": written_rules(self.rules),
        }
        return json.dumps(said, indent=1)

    @classmethod
    def from_json(cls, data: bytes) -> LayerByHand:
        """What `to_json` wrote; also the names alone, as `LayerNames.to_json` writes them."""
        given = json_object(THE_MAPPING, data)
        if BARE_NAMES in given:
            given = {"names": given}
        if not given.keys().isdisjoint(OLDER):
            given = _as_now(given)
        if "names" not in given or not given.keys() <= {"names", *FIELDS}:
            raise _no_mapping(short_repr(given))
        names = LayerNames.from_given(given.pop("names"))
        mapped = cls(names, **read_fields("", given, FIELDS))
        mapped.check()
        return mapped

    @classmethod
    def from_file(cls, path: Path | str) -> LayerByHand:
        """The mapping in a file that was kept."""
        return cls.from_json(content_of(THE_MAPPING, Path(path)))


def _as_now(older: Mapping[str, Any]) -> dict[str, Any]:
    """A file that was kept before, as it is written now."""
    given = {name: value for name, value in older.items() if name not in OLDER}
    if "is_causal" in older and read_bool("is_causal", older["is_causal"]):
        given["rules"] = [{"name": "causal"}]
    if (pairs := older.get("rotary", "none")) != "none":
        given["scores"] = {"positions": "rope", "rope_pairs": pairs}
        given["scores"] |= {each: older[each] for each in ("rope_base",) if each in older}
    return given


def _check_scores(attention: Attention) -> None:
    """Refuse a rotation or a norm that does not fit the heads."""
    scores, names = attention.scores, attention.names
    if scores.positions == "rope":
        rotation_of(scores, attention.d_k)
    normed = {*norms_of(scores)}
    for of in normed:
        norm_of(attention, of)
    if ("q" not in normed) and (names.q_gain or names.k_gain or names.q_shift or names.k_shift):
        raise OptionError(
            QK_NORM.thing,
            say("must be that of each head or of all heads, where it has gains"),
            short_repr(scores.qk_norm),
            say("Say which, or take the gains away."),
        )
    for of, has_gains, option in (
        ("v", names.v_gain, V_NORM),
        ("concat", names.concat_gain or names.concat_shift, CONCAT_NORM),
    ):
        if has_gains and of not in normed:
            raise OptionError(
                option.thing,
                say("must be there, where it has gains"),
                short_repr(getattr(scores, option.name)),
                say("Say which, or take the gains away."),
            )


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
