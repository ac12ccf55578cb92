"""SentencePiece's own ``.model`` files: a protocol buffer, of which only what a tokenizer needs is read."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from prefixlint.tokens.assemble import Normalisation, Pieces, sentencepiece, unigram
from prefixlint.tokens.files import checked
from prefixlint.tokens.huggingface import HuggingFaceTokenizer, made_of
from prefixlint.tokens.protocol import TokenizerError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Field = tuple[int, "int | bytes"]

# Field numbers of google/sentencepiece src/sentencepiece_model.proto (0.2.1).
_PIECES, _TRAINER, _NORMALIZER = 1, 2, 3
_TEXT, _SCORE, _TYPE = 1, 2, 3
_MODEL_TYPE = 3
_UNIGRAM, _BPE = 1, 2
_CHARSMAP, _PREFIX, _EXTRA_SPACE = 2, 3, 4


def load_sentencepiece(name: str, path: Path, *, chat: bool = False) -> HuggingFaceTokenizer:
    """The byte-pair or Unigram model in ``path``. Raises ``TokenizerError``, also for one of another kind."""
    try:
        fields = list(_fields(checked(path).read_bytes()))
        pieces = [dict(_fields(_bytes(value))) for number, value in fields if number == _PIECES]
        trainer, normalizer = (_inner(fields, number) for number in (_TRAINER, _NORMALIZER))
        texts = [_bytes(piece[_TEXT]).decode() for piece in pieces]
        scores = [struct.unpack("<f", _bytes(piece.get(_SCORE, bytes(4))))[0] for piece in pieces]
        kinds = [_number(piece.get(_TYPE, 1)) for piece in pieces]
    except OSError as error:
        raise TokenizerError(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, KeyError, IndexError, struct.error) as error:
        raise TokenizerError(f"{path} is not a SentencePiece model that can be read: {error}") from error
    if not texts:
        raise TokenizerError(f"{path} is not a SentencePiece model: it holds no pieces")
    kind = trainer.get(_MODEL_TYPE, _UNIGRAM)
    if kind not in (_BPE, _UNIGRAM):
        raise TokenizerError(
            f"{path} is neither a byte-pair nor a Unigram model; name the model's tokenizer.json instead"
        )
    normalisation = Normalisation(
        prefix=bool(normalizer.get(_PREFIX, 1)),
        spaces=bool(normalizer.get(_EXTRA_SPACE, 1)),
        charsmap=_bytes(normalizer.get(_CHARSMAP, b"")),
    )
    try:
        whole = Pieces(texts, kinds, scores)
        backend = sentencepiece(whole, normalisation) if kind == _BPE else unigram(whole, normalisation, chat=chat)
    except TokenizerError as error:
        raise TokenizerError(f"{path}: {error}") from error
    except Exception as error:  # the library raises plain Exception for what it refuses
        raise TokenizerError(f"the tokenizer in {path} cannot be used: {error}") from error
    return made_of(name, backend, chat=chat)


def _inner(fields: list[Field], number: int) -> dict[int, int | bytes]:
    return dict(_fields(next((_bytes(value) for at, value in fields if at == number), b"")))


def _fields(data: bytes) -> Iterator[Field]:
    """The fields of one message: numbers, or the bytes of a text, a message or a number of fixed size."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = _varint(data, at)
            yield tag >> 3, value
            continue
        if kind not in (1, 2, 5):
            raise ValueError(f"a field of kind {kind}")
        length = {1: 8, 5: 4}.get(kind, 0)
        if kind == 2:
            length, at = _varint(data, at)
        if at + length > len(data):
            raise ValueError("a field goes on behind the end")
        yield tag >> 3, data[at : at + length]
        at += length


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def _bytes(value: int | bytes) -> bytes:
    if isinstance(value, bytes):
        return value
    raise ValueError("a number where a text should be")


def _number(value: int | bytes) -> int:
    if isinstance(value, int):
        return value
    raise ValueError("a text where a number should be")
