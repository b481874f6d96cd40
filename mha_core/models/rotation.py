"""How fast each pair of columns turns, as config.json says it: base, Llama 3.1, YaRN and others."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

from mha_core.checks.errors import MhaError, OptionError
from mha_core.checks.shapes import FloatArray
from mha_core.checks.values import check_whole, need_one_of, short_repr
from mha_core.language import say
from mha_core.models.fields import Fields
from mha_core.models.longer_texts import LongerTexts
from mha_core.options.rope_base import USUAL

SCALING: Final = ("rope_scaling", "rope_parameters")
KNOWN: Final = "original_max_position_embeddings"
PART: Final = "partial_rotary_factor"
PLAIN: Final = "default"  # of the kinds: nothing is stretched
Made = tuple[FloatArray, float]  # the frequencies, and by how much Q and K grow


def rotary(config: Fields, d_k: int, **usual: Any) -> dict[str, Any]:
    """The options of the scores that say what config.json says, `scale` only where it changes.

    What turns must not grow, where that is a part of the columns: see `rotary_with_growth`.
    """
    said, growth = rotary_with_growth(config, d_k, **usual)
    if growth != 1:
        raise OptionError(
            say("rope_type of config.json"),
            say("must not scale a part of the columns"),
            say("a growth by {factor:.4g}").format(factor=growth),
            say("The scores of such a layer are not read here. Take another model."),
        )
    return said


def rotary_with_growth(
    config: Fields,
    d_k: int,
    *,
    pairs: str = "halves",
    columns: int | None = None,
    usual_part: float | None = 1.0,
    layer_kind: str = "",
) -> tuple[dict[str, Any], float]:
    """The options of the scores, and by how much the columns that turn grow, if others do not.

    `rope_theta` stands in the config itself, or among the `rope_parameters` of newer files; these
    may have fields for each kind of layer. `usual_part` of the columns turns where nothing is said.
    None: the model's code turns all columns, whatever part the config says.
    If all columns turn and grow, all scores do: then `scale` says it.
    """
    scaling = _scaling(config, layer_kind)
    share = scaling if PART in scaling else config
    part = 1.0
    if usual_part is not None:
        part = share.number(PART, "rotary_pct", default=usual_part)
    elif kind_in(scaling) != PLAIN:
        share.must_not(PART, 1)  # such code fails: some of it counts a part, some all columns
    turning = columns or config.whole("rotary_columns", default=int(d_k * part), least=0)
    check_whole(say("The number of columns that turn"), turning, 2, d_k)
    said, growth = turned(config, scaling, turning, pairs)
    if turning != d_k:
        said["rope_columns"] = turning
    if growth != 1 and turning == d_k:
        return {**said, "scale": growth**2 / math.sqrt(d_k)}, 1.0
    return said, growth


def in_longer_texts(config: Fields, layer_kind: str = "") -> LongerTexts | None:
    """How columns turn in longer texts, where that is another way."""
    scaling = _scaling(config, layer_kind)
    kind = kind_in(scaling)
    if kind == "dynamic":
        return LongerTexts(
            config.whole("max_position_embeddings"), stretch=scaling.number("factor", default=1.0)
        )
    if kind != "longrope" or "long_factor" not in scaling:
        return None
    short = scaling.given("short_factor")
    each = [np.array(scaling.numbers(f"{name}_factor", len(short))) for name in ("short", "long")]
    with _angles_can_be_made(scaling):
        return LongerTexts(_known(scaling, config), tuple((each[0] / each[1]).tolist()))


def _scaling(config: Fields, layer_kind: str) -> Fields:
    scaling = config.inside(*SCALING)
    return scaling.inside(layer_kind) if layer_kind in scaling else scaling


def kind_in(scaling: Fields) -> str:
    """How the rotation is stretched, if it is."""
    return scaling.word("rope_type", "type", default=PLAIN)


def turned(
    config: Fields, scaling: Fields, turning: int, pairs: str
) -> tuple[dict[str, Any], float]:
    """The options that say how fast so many columns turn, and by how much they grow."""
    base = _base(scaling, config)
    said: dict[str, Any] = {"positions": "rope", "rope_pairs": pairs, "rope_base": base}
    kind = kind_in(scaling)
    if kind == PLAIN:
        return said, 1.0
    if kind not in KINDS:
        raise OptionError(
            say("rope_type of config.json"),
            need_one_of((PLAIN, *KINDS)),
            short_repr(kind),
            say("This kind of rotation is not known. The weights can be mapped by hand."),
        )
    frequencies, growth = _made(kind, np.arange(0, turning, 2) / turning, scaling, config)
    return {**said, "rope_frequencies": tuple(frequencies.tolist())}, growth


def _made(kind: str, shares: FloatArray, scaling: Fields, config: Fields) -> Made:
    """What the scaling makes of the usual frequencies."""
    with _angles_can_be_made(scaling):
        return KINDS[kind](_base(scaling, config) ** -shares, scaling, config)


@contextmanager
def _angles_can_be_made(scaling: Fields) -> Iterator[None]:
    """Hostile numbers may leave all ranges."""
    try:
        with np.errstate(all="raise"):
            yield
    except (ArithmeticError, ValueError) as error:
        if isinstance(error, MhaError):
            raise
        raise OptionError(
            say("rope_parameters of config.json"),
            say("must have numbers of which angles can be made"),
            short_repr(dict(scaling.config)),
            say("Check the file."),
        ) from error


def _base(scaling: Fields, config: Fields) -> float:
    where = scaling if "rope_theta" in scaling else config
    return where.number("rope_theta", "rotary_emb_base", default=USUAL)


def _linear(plain: FloatArray, scaling: Fields, _: Fields) -> Made:
    return plain / scaling.number("factor"), 1.0


def _dynamic(plain: FloatArray, _: Fields, __: Fields) -> Made:
    """They change only beyond the length of training: see `in_longer_texts`."""
    return plain, 1.0


def _llama3(plain: FloatArray, scaling: Fields, _: Fields) -> Made:
    """Long waves are stretched, short ones stay, those between are mixed."""
    known = scaling.number(KNOWN)
    low, high = scaling.number("low_freq_factor"), scaling.number("high_freq_factor")
    turns = known * plain / (2 * math.pi)  # within the length of training
    kept = np.clip((turns - low) / (high - low), 0, 1)
    return plain * (kept + (1 - kept) / scaling.number("factor")), 1.0


def _yarn(plain: FloatArray, scaling: Fields, config: Fields) -> Made:
    """Pairs that turn rarely are stretched, those that turn often stay, between them is a ramp."""
    factor = scaling.number("factor")
    known = scaling.number(KNOWN, default=config.given("max_position_embeddings", default=None))
    base = _base(scaling, config)
    count = len(plain)

    def pair_of(turns: float) -> float:
        """The pair that turns so often within the length of training."""
        return count * math.log(known / (turns * 2 * math.pi)) / math.log(base)

    first = pair_of(scaling.number("beta_fast", default=32.0))
    last = pair_of(scaling.number("beta_slow", default=1.0))
    if scaling.flag("truncate", default=True):
        first, last = math.floor(first), math.ceil(last)
    first, last = max(first, 0), min(last, 2 * count - 1)
    width = last - first or 0.001  # as the models' own code has it
    stretched = np.clip((np.arange(count) - first) / width, 0, 1)
    return plain * (1 - stretched + stretched / factor), _growth_of_yarn(scaling, factor)


def grown(factor: float, by: float) -> float:
    """What YaRN multiplies by, where texts are so many times as long as in training."""
    return 1.0 if factor <= 1 else 0.1 * by * math.log(factor) + 1


def _growth_of_yarn(scaling: Fields, factor: float) -> float:
    if "attention_factor" in scaling:
        return scaling.number("attention_factor")
    by, of_all = (scaling.number(name, default=0.0) for name in ("mscale", "mscale_all_dim"))
    return grown(factor, by) / grown(factor, of_all) if by and of_all else grown(factor, 1.0)


def _longrope(plain: FloatArray, scaling: Fields, config: Fields) -> Made:
    """Each pair has a factor of its own: here those of short texts."""
    longest, known = config.number("max_position_embeddings"), _known(scaling, config)
    factor = scaling.number("factor", default=longest / known)
    usual = math.sqrt(1 + math.log(factor) / math.log(known)) if factor > 1 else 1.0
    each = np.array(scaling.numbers("short_factor", len(plain)))
    return plain / each, scaling.number("attention_factor", default=usual)


def _known(scaling: Fields, config: Fields) -> float:
    """Up to how many tokens a text counts as short."""
    longest = config.given("max_position_embeddings")
    part = scaling if KNOWN in scaling else config
    return part.number(KNOWN, default=longest)


KINDS: Final[Mapping[str, Callable[[FloatArray, Fields, Fields], Made]]] = {
    "linear": _linear,
    "dynamic": _dynamic,
    "llama3": _llama3,
    "yarn": _yarn,
    "longrope": _longrope,
}
