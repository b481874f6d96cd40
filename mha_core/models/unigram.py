"""The tokenizer of T5's GGUF files: of all ways to cut a text, that with the likeliest pieces."""

from __future__ import annotations

from typing import Any, Final

from mha_core.checks.errors import NumberError
from mha_core.checks.values import short_repr
from mha_core.language import say
from mha_core.models.fields import Fields

OF_GGUF: Final = "tokenizer.ggml."
NORMAL, UNKNOWN, CONTROL, OF_USERS, _UNUSED, BYTE = range(1, 7)  # kinds of pieces
NO_TEXT: Final = "\uffff{place}"  # in the place of a piece that no text has


def unigram(lib: Any, config: Fields) -> Any | None:
    """The tokenizer of the `tokenizers` library; None where the file asks for what it has not.

    As SentencePiece does it: characters are replaced by the file's table, blanks beside each other
    are one, and each word carries the blank before it.
    """
    pieces = config.words(OF_GGUF + "tokens")
    kinds = config.numbers(OF_GGUF + "token_type", len(pieces))
    scores = config.scores(OF_GGUF + "scores", len(pieces))
    keeps_blanks = not config.flag(OF_GGUF + "remove_extra_whitespaces", default=True)
    if kinds.count(UNKNOWN) != 1 or BYTE in kinds or keeps_blanks:
        return None
    end = config.whole(OF_GGUF + "eos_token_id", default=1, least=0, most=len(pieces) - 1)
    made = lib.Tokenizer(lib.models.Unigram(_scored(pieces, scores, kinds), kinds.index(UNKNOWN)))
    if table := _table(config):
        made.normalizer = lib.normalizers.Precompiled(table)
    scheme = "always" if config.flag(OF_GGUF + "add_space_prefix", default=True) else "never"
    made.pre_tokenizer = lib.pre_tokenizers.Sequence(
        [
            lib.pre_tokenizers.Split(lib.Regex(" +"), "removed"),
            lib.pre_tokenizers.Metaspace(prepend_scheme=scheme),
        ]
    )
    made.add_special_tokens(
        [piece for piece, kind in zip(pieces, kinds, strict=True) if kind in (CONTROL, OF_USERS)]
    )
    if config.flag(OF_GGUF + "add_eos_token", default=True):
        named = (pieces[end], end)
        made.post_processor = lib.processors.TemplateProcessing(f"$A {pieces[end]}", None, [named])
    return made


def _scored(
    pieces: tuple[str, ...], scores: tuple[float, ...], kinds: tuple[float, ...]
) -> list[tuple[str, float]]:
    """Each piece with its score. What is unknown scores a little less than the least of these.

    So those that stand for no text get a score that is not the least, and a name that no text has:
    files that are made longer have some with -10,000.
    """
    least = min((s for s, kind in zip(scores, kinds, strict=True) if kind == NORMAL), default=0.0)
    return [
        (NO_TEXT.format(place=place) if kind not in NAMED else piece, max(score, least))
        for place, (piece, score, kind) in enumerate(zip(pieces, scores, kinds, strict=True))
    ]


NAMED: Final = (NORMAL, UNKNOWN, CONTROL, OF_USERS)


def _table(config: Fields) -> bytes:
    """What replaces characters, as SentencePiece has it; nothing where the file has none."""
    name = OF_GGUF + "precompiled_charsmap"
    given = config.given(name, default=())
    try:
        return bytes(given)
    except (TypeError, ValueError) as error:
        raise NumberError(
            name, say("must be a list of bytes"), short_repr(given), say("Check the file.")
        ) from error
