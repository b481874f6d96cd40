"""A scenario without its arrays as plain data, and back.

Every kind of file holds these settings; only the arrays are stored in different ways. The fields
have the names of the fields of Scenario, Mask, ScoreOptions and Origin. An unknown field or version
is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any, Final

from mha_core.checks.limits import LIMITS
from mha_core.checks.values import check_limit
from mha_core.io.scenario.fields import (
    VERSION,
    Reader,
    format_error,
    list_of,
    or_null,
    read_fields,
    read_number,
    read_text,
    read_whole,
    refused,
    short_json,
    text_or,
)
from mha_core.language import say
from mha_core.options.kinds import Kind, Numbers, Real, Rows, Whole, Word
from mha_core.options.registry import OPTIONS
from mha_core.scenario.masks import Rule
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions

FORMAT: Final = "attention-scenario"
OF_A_MODEL: Final = "model"  # the names of fields of an Origin begin so
OF_DECODER: Final = "model_text_of_decoder"
FEWER_RULES: Final = say("Remove some; two equal rules hide no more than one.")


def settings_of(s: Scenario) -> dict[str, Any]:
    """Everything that a file holds of a scenario, without the arrays."""
    check_limit(say("The number of mask rules"), len(s.mask.rules), LIMITS.mask_rules, FEWER_RULES)
    context_tokens = {"context_tokens": list(s.context_tokens)} if s.context_tokens else {}
    return {
        **{"format": FORMAT, "version": VERSION},
        "tokens": list(s.tokens),
        **context_tokens,
        **{name: getattr(s, name) for name in ("n_heads", "n_kv_heads", "d_k", "d_v")},
        "mask": {"rules": written_rules(s.mask.rules)},
        "scores": _written_scores(s),
        "heads_off": sorted(int(head) for head in s.heads_off),
        "origin": written_origin(s.origin),
    }


def _written_scores(s: Scenario) -> dict[str, Any]:
    """Older versions know no first position that follows the keys.

    So it is null only where there are keys to follow.
    """
    written = written_scores(s.scores)
    return written if s.context is not None else {**written, "query_start": s.query_start}


def written_scores(scores: ScoreOptions) -> dict[str, Any]:
    """The options as plain data. Younger ones are left out where they change nothing.

    So versions of this app that do not know them read the file too.
    """
    return {
        name: _written(value)
        for name, option in OPTIONS.items()
        if (value := getattr(scores, name)) != option.default or option.is_in_every_file
    }


def _written(value: Any) -> Any:
    """Tuples as lists, those within them too."""
    return [_written(each) for each in value] if isinstance(value, tuple) else value


def written_origin(origin: Origin) -> dict[str, Any]:
    """A model is named only where there is one: older versions of this app know of none.

    They know of no text of a decoder either.
    """
    return {
        name: value
        for name, value in asdict(origin).items()
        if (origin.model and (value or name != OF_DECODER)) or not name.startswith(OF_A_MODEL)
    }


def written_rules(rules: Sequence[Rule]) -> list[dict[str, Any]]:
    """The rules of a mask as plain data."""
    return [{"name": rule.name, "options": dict(rule.options)} for rule in rules]


def check_version(data: object) -> None:
    """Refuse data that is not a scenario, or a scenario of another version."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        got = short_json(data.get("format") if isinstance(data, dict) else data)
        need = say('must say "format": "{format}"').format(format=FORMAT)
        raise format_error(say("The file"), need, got, say("Open a saved scenario."))
    version = data.get("version")
    if type(version) is not int or version != VERSION:
        raise format_error(
            say("The field 'version'"),
            say("must be {version}").format(version=VERSION),
            short_json(version),
            say("Open the file with the version of this app that wrote it."),
        )


def read_rules(path: str, value: object) -> tuple[Rule, ...]:
    """The rules of a mask."""
    if isinstance(value, list):
        check_limit(say("The number of mask rules"), len(value), LIMITS.mask_rules, FEWER_RULES)
    return tuple(list_of(_rule)(path, value))


def _rule(path: str, value: object) -> Rule:
    readers = {"name": read_text, "options": _options}
    return Rule(**read_fields(f"{path}.", value, readers, required=("name",)))


def _options(path: str, value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise refused(path, say("must be an object with named fields"), value)
    return {name: _option(f"{path}.{name}", option) for name, option in value.items()}


def _option(path: str, value: object) -> Any:
    if isinstance(value, list):
        return list_of(read_whole)(path, value)
    return value if isinstance(value, str) else read_whole(path, value)


def _read_numbers(path: str, value: object) -> tuple[float, ...]:
    return tuple(list_of(read_number)(path, value))


def _read_wholes(path: str, value: object) -> tuple[int, ...]:
    return tuple(list_of(read_whole)(path, value))


def _read_rows(path: str, value: object) -> tuple[tuple[float, ...], ...]:
    return tuple(list_of(_read_numbers)(path, value))


def _read_rows_of_wholes(path: str, value: object) -> tuple[tuple[int, ...], ...]:
    return tuple(list_of(_read_wholes)(path, value))


_READERS: Final[Mapping[type[Kind], Reader]] = {
    Real: read_number,
    Whole: read_whole,
    Numbers: _read_numbers,
    Rows: _read_rows,
}
_READERS_OF_WHOLES: Final[Mapping[type[Kind], Reader]] = {
    Numbers: _read_wholes,
    Rows: _read_rows_of_wholes,
}


def _reader(kind: Kind) -> Reader:
    """How a value of an option is read from a file; the option checks it then."""
    if isinstance(kind, Word):
        return read_text
    values = [each.value for each in kind.specials]
    of_wholes = isinstance(kind, Numbers | Rows) and isinstance(kind.each, Whole)
    number = (_READERS_OF_WHOLES if of_wholes else _READERS)[type(kind)]
    read = or_null(number) if None in values else number
    return text_or(read) if any(isinstance(value, str) for value in values) else read


def read_scores(path: str, value: object, **usual: Any) -> ScoreOptions:
    """The options of the scores; `usual` are those that are meant where nothing is said."""
    readers = {name: _reader(option.kind) for name, option in OPTIONS.items()}
    return ScoreOptions(**{**usual, **read_fields(f"{path}.", value, readers)})


def _scores(path: str, value: object) -> ScoreOptions:
    return read_scores(path, value, query_start=0)  # as when a file had to say all else


def _origin(path: str, value: object) -> Origin:
    readers = {
        field.name: read_whole if field.type == "int" else read_text for field in fields(Origin)
    }
    return Origin(**read_fields(f"{path}.", value, readers))


HEADER: Final[Mapping[str, Reader]] = {"format": read_text, "version": read_whole}  # both checked
SETTINGS: Final[Mapping[str, Reader]] = {
    **dict.fromkeys(("tokens", "context_tokens"), list_of(read_text)),
    **dict.fromkeys(("n_heads", "n_kv_heads", "d_k", "d_v"), read_whole),
    **{"scores": _scores, "heads_off": list_of(read_whole), "origin": _origin},
}
