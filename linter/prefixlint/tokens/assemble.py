"""Builds a tokenizer of the ``tokenizers`` library from vocabularies that other files hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.tokens.protocol import TokenizerError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import tokenizers

# Kinds of pieces, the same numbers in GGUF's `tokenizer.ggml.token_type` and in SentencePiece's `Type`.
UNKNOWN, CONTROL, USER_DEFINED, BYTE = 2, 3, 4, 6


@dataclass(frozen=True, slots=True)
class Pieces:
    """A vocabulary in the order of its ids. ``kinds`` are numbers as above; without any, all are normal."""

    texts: Sequence[str]
    kinds: Sequence[int] = ()
    scores: Sequence[float] = ()

    def of(self, *kinds: int) -> list[str]:
        return [text for text, kind in zip(self.texts, self.kinds, strict=False) if kind in kinds]


def byte_level(
    pieces: Pieces, merges: Sequence[str], patterns: Sequence[str], *, look_up: bool
) -> tokenizers.Tokenizer:
    """Byte-pair merging of bytes written as GPT-2's characters. ``look_up``: whole pieces are looked up first."""
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers

    vocabulary = {text: at for at, text in enumerate(pieces.texts)}
    tokenizer = Tokenizer(models.BPE(vocabulary, _pairs(merges, vocabulary), ignore_merges=look_up))
    cuts = [pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in patterns]
    last = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([*cuts, last])
    _add(tokenizer, pieces)
    return tokenizer


def characters(pieces: Pieces, merges: Sequence[str], patterns: Sequence[str]) -> tokenizers.Tokenizer:
    """Byte-pair merging of characters by rank; a space is ``▁``, and an unknown character its bytes."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

    _require_bytes(pieces)
    vocabulary = {text: at for at, text in enumerate(pieces.texts)}
    tokenizer = Tokenizer(models.BPE(vocabulary, _pairs(merges, vocabulary), byte_fallback=True))
    tokenizer.normalizer = normalizers.Replace(" ", "▁")
    cuts = [pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in patterns]
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(cuts)
    _add(tokenizer, pieces)
    return tokenizer


@dataclass(frozen=True, slots=True)
class Normalisation:
    """What SentencePiece does to text first. ``prefix``: a space goes in front of the text and of each part behind a
    special token; ``spaces``: only single spaces between words are left; ``charsmap`` is its table of characters."""

    prefix: bool
    spaces: bool = False
    charsmap: bytes = b""

    def made(self) -> tokenizers.normalizers.Normalizer:
        from tokenizers import Regex, normalizers

        steps: list[normalizers.Normalizer] = []
        if self.charsmap:
            # The table begins with the size of its first part. The library trusts it, and asks for that much memory.
            if int.from_bytes(self.charsmap[:4], "little") > len(self.charsmap) - 4:
                raise ValueError("its table of characters goes on behind its end")
            steps.append(normalizers.Precompiled(self.charsmap))
        if self.spaces:
            steps += [normalizers.Strip(), normalizers.Replace(Regex(" {2,}"), " ")]
        if self.prefix:
            steps.append(normalizers.Prepend("▁"))
        return normalizers.Sequence([*steps, normalizers.Replace(" ", "▁")])


def unigram(pieces: Pieces, normalisation: Normalisation, *, chat: bool) -> tokenizers.Tokenizer:
    """The cut with the best score, as SentencePiece finds it; an unknown character is its bytes where there are any.

    ``chat``: special tokens in the text will be found before it is cut. Otherwise none of them is a word of the text.
    """
    from tokenizers import Tokenizer, models

    unknown = next((at for at, kind in enumerate(pieces.kinds) if kind == UNKNOWN), None)
    hidden = set() if chat else {at for at, kind in enumerate(pieces.kinds) if kind in (CONTROL, UNKNOWN)}
    # A character for private use in front: no text holds such a word.
    texts = [f"\ue0f0{text}" if at in hidden else text for at, text in enumerate(pieces.texts)]
    scored = list(zip(texts, map(float, pieces.scores), strict=True))
    bytes_known = len(set(pieces.of(BYTE))) == 256
    tokenizer = Tokenizer(models.Unigram(scored, unknown, bytes_known))
    tokenizer.normalizer = normalisation.made()
    _add(tokenizer, pieces, special=chat)
    return tokenizer


def sentencepiece(pieces: Pieces, normalisation: Normalisation) -> tokenizers.Tokenizer:
    """Byte-pair merging of characters by score, as SentencePiece and llama.cpp do it."""
    from tokenizers import Tokenizer, models

    _require_bytes(pieces)
    vocabulary = {text: at for at, text in enumerate(pieces.texts)}
    unknown = next(iter(pieces.of(UNKNOWN)), None)
    model = models.BPE(vocabulary, _merges(pieces), unk_token=unknown, fuse_unk=True, byte_fallback=True)
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = normalisation.made()
    _add(tokenizer, pieces)
    return tokenizer


def _require_bytes(pieces: Pieces) -> None:
    if len(set(pieces.of(BYTE))) != 256:
        raise TokenizerError("its vocabulary has no token for each byte, so unknown characters cannot be counted")


def _pairs(merges: Sequence[str], vocabulary: Mapping[str, int]) -> list[tuple[str, str]]:
    """The merges whose words are all in the vocabulary, in order."""
    # A word may start with the space that stands between the two of a pair.
    pairs = [(merge[: merge.index(" ", 1)], merge[merge.index(" ", 1) + 1 :]) for merge in merges]
    return [pair for pair in pairs if pair[0] in vocabulary and pair[1] in vocabulary and "".join(pair) in vocabulary]


def _merges(pieces: Pieces) -> list[tuple[str, str]]:
    """Each way to make a piece of two others, the highest score first."""
    special = set(pieces.of(UNKNOWN, CONTROL, USER_DEFINED, BYTE))
    scores = {
        text: score for text, score in zip(pieces.texts, pieces.scores, strict=True) if text and text not in special
    }
    ways = [
        (-score, text, at)
        for text, score in scores.items()
        for at in range(1, len(text))
        if text[:at] in scores and text[at:] in scores
    ]
    return [(text[:at], text[at:]) for _, text, at in sorted(ways)]


def _add(tokenizer: tokenizers.Tokenizer, pieces: Pieces, *, special: bool = True) -> None:
    from tokenizers import AddedToken

    controls = [text for text in pieces.of(CONTROL, UNKNOWN) if text and special]
    ordinary = [text for text in pieces.of(USER_DEFINED) if text]
    tokenizer.add_special_tokens([AddedToken(text, special=True, normalized=False) for text in controls])
    tokenizer.add_tokens([AddedToken(text, special=False, normalized=False) for text in ordinary])
