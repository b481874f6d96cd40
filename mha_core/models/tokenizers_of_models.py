"""The tokenizer of a model, from the files beside it. Nothing is asked of a network."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from mha_core.checks.errors import FileError, OptionError
from mha_core.checks.limits import LIMITS
from mha_core.checks.sizes import check_size
from mha_core.checks.text_source import short_quote
from mha_core.checks.values import is_whole
from mha_core.io.tensors.packages import check_installed
from mha_core.io.tensors.tensor_file import TensorFile
from mha_core.language import say
from mha_core.models.fields import Fields
from mha_core.models.text import UNKNOWN, Ids, Text, Tokenizer, Words, is_special, readable, text_of
from mha_core.models.unigram import OF_GGUF, unigram

ANOTHER: Final = say("Take another tokenizer.")
PIECES: Final = "pieces"  # in a config: the alphabet and the merges of the package glassllm


def tokenizer_of(file: TensorFile) -> Tokenizer:
    """The first that is there: the model's own words, tokenizer.json, vocab.txt, GGUF's list.

    Without any of them, ids are typed.
    """
    config = Fields(file.config)
    if "words" in config:
        places = {word: place for place, word in enumerate(config.words("words"))}
        return Words(places, unknown=config.word("unknown", default=""))
    if OF_GGUF + "tokens" in config:
        return _of_gguf(config)
    if PIECES in config:
        return _of_pieces(config.inside(PIECES))
    for name, make in MAKERS.items():
        if file.folder is not None and (path := file.folder / name).is_file():
            return make(path)
    return Ids()


class FromLibrary:
    """A tokenizer of the `tokenizers` library."""

    def __init__(self, made: Any) -> None:
        made.no_padding()
        made.no_truncation()
        self._made = made
        self._gave_up = ""  # what the library said when it did

    def read(self, text: str) -> Text:
        encoding = self._encoded(text)
        if not encoding.ids:
            return Words({}).read("")
        return text_of(encoding.tokens, encoding.ids, encoding.word_ids)

    def label(self, token: int) -> str:
        piece = self._made.id_to_token(token)
        return str(token) if piece is None else readable(piece)

    def writes(self, text: str) -> bool:
        ids = self._encoded(text, add_special_tokens=False).ids
        return bool(ids) and not {self._made.id_to_token(each) for each in ids} & {*UNKNOWN}

    def listed(self) -> Sequence[str]:
        places = self._made.get_vocab(with_added_tokens=False)
        words = dict.fromkeys(readable(piece) for piece in sorted(places, key=places.__getitem__))
        return [word for word in words if word.isalnum()]

    def _encoded(self, text: str, **options: Any) -> Any:
        """What the library makes of a text. It is not asked again once it gave up on one.

        A pattern of the file may make it search for long, and then give up.
        """
        says = self._gave_up
        if not says:
            try:
                return self._made.encode(text, **options)
            except BaseException as error:
                if not _is_of_library(error):
                    raise
                says = str(error)[:200]
                if not isinstance(error, Exception):
                    self._gave_up = says
        raise OptionError(
            say("The text"),
            say("must be one that the model's tokenizer can read"),
            f"{short_quote(text)} ({says})",
            say("Type another text, or take the file that came with the model."),
        )


def _is_of_library(error: BaseException | None) -> bool:
    """Whether it is a mistake that the library tells. Where it gives up, that is no Exception."""
    return isinstance(error, Exception) or type(error).__name__ == "PanicException"


def library() -> Any:
    """The `tokenizers` library. The package works without it."""
    check_installed(say("The text"), "tokenizers")
    import tokenizers

    return tokenizers


def _from_json(path: Path) -> Tokenizer:
    return tokenizer_in(path.name, _read(path).encode())


def tokenizer_in(name: str, data: bytes) -> Tokenizer:
    """The tokenizer that a tokenizer.json describes, in UTF-8."""
    check_size(name, len(data), LIMITS.text_chars, ANOTHER)
    with _says_what_is_wrong(Path(name)):
        return FromLibrary(library().Tokenizer.from_buffer(data))


def _from_vocab_txt(path: Path) -> Tokenizer:
    """WordPiece, as BERT cuts words: the file has a piece a line."""
    pieces = _read(path).splitlines()
    says = path.with_name("tokenizer_config.json")
    with _says_what_is_wrong(path):
        said = json.loads(_read(says)) if says.is_file() else {}
        lower = said.get("do_lower_case", True) is not False
        made = library().implementations.BertWordPieceTokenizer(
            {piece: place for place, piece in enumerate(pieces)}, lowercase=lower
        )
        return FromLibrary(made)


def _from_vocab_json(path: Path) -> Tokenizer:
    """With merges.txt beside it: GPT-2's pieces. Alone: a list of words or of characters."""
    merges = path.with_name("merges.txt")
    with _says_what_is_wrong(path):
        places = json.loads(_read(path))
        if not all(is_whole(place) for place in places.values()):
            raise ValueError("a place that is no whole number")
    if not merges.is_file():
        are_characters = all(len(word) == 1 for word in places if not is_special(word))
        return Words(places, are_characters=are_characters)
    lines = [line for line in _read(merges).splitlines() if not line.startswith("#version")]
    return _byte_pairs(path, places, lines)


def _of_gguf(config: Fields) -> Tokenizer:
    kind = config.word(OF_GGUF + "model", default="")
    if kind == "t5":
        with _says_what_is_wrong(Path("GGUF")):
            made = unigram(library(), config)
            return Ids() if made is None else FromLibrary(made)
    if kind != "gpt2":
        return Ids()
    places = {word: place for place, word in enumerate(config.words(OF_GGUF + "tokens"))}
    return _byte_pairs(Path("GGUF"), places, config.words(OF_GGUF + "merges"))


def _of_pieces(pieces: Fields) -> Tokenizer:
    """Pairs of characters are joined, within words that carry the blank before them."""
    merges = [tuple(pair) for pair in pieces.given("merges")]
    words = ["<pad>", "<unk>", "<bos>", "<eos>", *pieces.words("alphabet"), *map("".join, merges)]
    lib = library()
    places = {word: place for place, word in enumerate(words)}
    made = lib.Tokenizer(lib.models.BPE(places, merges, unk_token="<unk>"))
    blanks = lib.normalizers.Replace(" ", "▁")
    made.normalizer = lib.normalizers.Sequence([lib.normalizers.NFC(), blanks])
    apart = lib.Regex("\\n|▁*[^▁\\n]+|▁+")
    made.pre_tokenizer = lib.pre_tokenizers.Split(apart, "isolated")
    return FromLibrary(made)


def _byte_pairs(path: Path, places: Mapping[str, int], merges: Any) -> Tokenizer:
    lib = library()
    with _says_what_is_wrong(path):
        pairs = [tuple(line.split(" ")) for line in merges if line.count(" ") == 1]
        made = lib.Tokenizer(lib.models.BPE(dict(places), pairs))
        made.pre_tokenizer = lib.pre_tokenizers.ByteLevel(add_prefix_space=False)
        made.decoder = lib.decoders.ByteLevel()
        return FromLibrary(made)


class _says_what_is_wrong:  # noqa: N801 (it is used as a word)
    """What the library says of a file becomes our error."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if _is_of_library(error) and not isinstance(error, FileError):
            raise FileError(
                self._path.name,
                say("must be a tokenizer"),
                str(error)[:200],
                say("Take the file that came with the model."),
            ) from error


def _read(path: Path) -> str:
    check_size(path.name, path.stat().st_size, LIMITS.text_chars, ANOTHER)
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise FileError(
            path.name, say("must be text in UTF-8"), say("other bytes"), say("Check the file.")
        ) from error


MAKERS: Final = {
    "tokenizer.json": _from_json,
    "vocab.txt": _from_vocab_txt,
    "vocab.json": _from_vocab_json,
}
