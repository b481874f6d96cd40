"""The fields of a model's config, each checked as it is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from mha_core.checks.errors import NumberError, OptionError
from mha_core.checks.limits import LIMITS
from mha_core.checks.values import is_whole, is_within, short_repr
from mha_core.language import say

MOST: Final = 10**9  # of any count in a config
MISSING: Final = object()


class Fields:
    """What config.json says. A field may have several names: the first that is there counts."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self.config = config

    def __contains__(self, name: str) -> bool:
        return self.config.get(name) is not None

    def given(self, *names: str, default: Any = MISSING) -> Any:
        """The value as it stands. A field that is null counts as not there."""
        for name in names:
            if name in self:
                return self.config[name]
        if default is MISSING:
            raise OptionError(
                "config.json",
                say("must say {name}").format(name=names[0]),
                say("nothing"),
                say(
                    "Put the model's config.json beside its file, or give config={{...}}."
                ).format(),
            )
        return default

    def whole(self, *names: str, default: Any = MISSING, least: int = 1, most: int = MOST) -> int:
        value = self.given(*names, default=default)
        if not is_whole(value) or not least <= value <= most:
            raise _wrong(
                names[0],
                say("must be a whole number from {least} to {most:,}").format(
                    least=least, most=most
                ),
                value,
            )
        return int(value)

    def number(self, *names: str, default: Any = MISSING) -> float:
        """A number from 0 up."""
        value = self.given(*names, default=default)
        if not is_within(value, 0, LIMITS.magnitude):
            raise _wrong(names[0], say("must be a number of at least 0"), value)
        return float(value)

    def flag(self, *names: str, default: Any = MISSING) -> bool:
        value = self.given(*names, default=default)
        if not isinstance(value, bool):
            raise _wrong(names[0], say("must be true or false"), value)
        return value

    def word(self, *names: str, default: Any = MISSING) -> str:
        value = self.given(*names, default=default)
        if not isinstance(value, str):
            raise _wrong(names[0], say("must be text"), value)
        return value

    def numbers(self, name: str, count: int) -> tuple[float, ...]:
        value = self.given(name)
        if not isinstance(value, Sequence) or len(value) != count:
            raise _wrong(name, say("must be {count} numbers").format(count=count), value)
        return tuple(Fields({name: each}).number(name) for each in value)

    def scores(self, name: str, count: int) -> tuple[float, ...]:
        """So many numbers, which may be below 0."""
        value = self.given(name)
        is_list = isinstance(value, Sequence) and len(value) == count
        if not is_list or not all(
            is_within(each, -LIMITS.magnitude, LIMITS.magnitude) for each in value
        ):
            raise _wrong(name, say("must be {count} numbers").format(count=count), value)
        return tuple(map(float, value))

    def words(self, name: str, default: Any = MISSING) -> tuple[str, ...]:
        value = self.given(name, default=default)
        is_list = isinstance(value, Sequence) and not isinstance(value, str)
        if not is_list or not all(isinstance(each, str) for each in value):
            raise _wrong(name, say("must be a list of texts"), value)
        return tuple(value)

    def inside(self, *names: str) -> Fields:
        """The fields of a part; none, where the part is not there."""
        value = self.given(*names, default={})
        if not isinstance(value, Mapping):
            raise _wrong(names[0], say("must hold fields with names"), value)
        return Fields(value)

    def must_not(self, name: str, *fine: Any) -> None:
        """Refuse what this package does not compute. None and False are always fine."""
        value = self.config.get(name)
        if value not in (None, False, *fine):
            raise OptionError(
                say("{name} of config.json").format(name=name),
                say("must be one of what is known here"),
                short_repr(value),
                say("This kind of layer is not computed yet. Its weights can be mapped by hand."),
            )

    # What every family has.

    def layers(self, *names: str) -> int:
        return self.whole("num_hidden_layers", *names, most=LIMITS.model_layers)

    def heads(self, *names: str, default: Any = MISSING) -> int:
        return self.whole(*(names or ("num_attention_heads",)), default=default, most=LIMITS.heads)

    def width(self, *names: str) -> int:
        return self.whole("hidden_size", *names, most=LIMITS.width)


def _wrong(name: str, need: str, value: object) -> NumberError:
    return NumberError(
        say("{name} of config.json").format(name=name),
        need,
        short_repr(value),
        say("Check the file."),
    )
