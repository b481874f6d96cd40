"""Plain data as JSON text that a person can read, and back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NoReturn

from mha_core.checks.errors import MhaError
from mha_core.io.scenario.fields import format_error, short_json
from mha_core.language import say


def laid_out(value: object, indent: str = "") -> str:
    """JSON with one line for each field, and for each item in a list of lists or objects."""
    deeper = indent + "  "
    if isinstance(value, dict):
        lines = [f"{_inline(name)}: {laid_out(part, deeper)}" for name, part in value.items()]
        return _in_lines("{", lines, "}", indent) if value else "{}"
    if isinstance(value, list) and value and isinstance(value[0], list | dict):
        return _in_lines("[", [_inline(part) for part in value], "]", indent)
    return _inline(value)


def _in_lines(opening: str, lines: Sequence[str], closing: str, indent: str) -> str:
    body = ",\n".join(f"{indent}  {line}" for line in lines)
    return f"{opening}\n{body}\n{indent}{closing}"


def _inline(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, default=_plain)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair: UTF-8 cannot hold it, so it is escaped
        return json.dumps(value, allow_nan=False, default=_plain)
    return text


def _plain(number: Any) -> int | float:
    """A NumPy number as a Python number."""
    plain: int | float = number.item()
    return plain


def parsed(text: str) -> Any:
    """The plain data in a JSON text. Infinite numbers and repeated fields are refused."""
    try:
        return json.loads(
            text, object_pairs_hook=_without_duplicates, parse_constant=_refuse_constant
        )
    except MhaError:
        raise
    except json.JSONDecodeError as error:
        got = say("{error} in line {line}, column {column}").format(
            error=error.msg, line=error.lineno, column=error.colno
        )
        raise format_error(
            say("The file"), say("must be JSON"), got, say("Open a saved scenario.")
        ) from error
    except ValueError as error:  # Python refuses whole numbers of thousands of digits
        need = say("must hold numbers of a usual length")
        raise format_error(say("The file"), need, say("a longer one")) from error
    except RecursionError as error:
        raise format_error(
            say("The file"), say("must be nested a few levels deep"), say("many more")
        ) from error


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for name, value in pairs:
        if name in data:
            raise format_error(
                say("The field {field}").format(field=short_json(name)),
                say("must be given once"),
                say("it twice"),
            )
        data[name] = value
    return data


def _refuse_constant(name: str) -> NoReturn:
    way_out = say('Only a mask may hold "-inf", in quotes.')
    raise format_error(say("Every number"), say("must be finite"), name, way_out)
