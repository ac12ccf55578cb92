"""Character classes against the two regex engines that tokenizers use, asked directly."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest
import tiktoken
from prefixlint.tokens import charsets
from tokenizers import Regex, pre_tokenizers

if TYPE_CHECKING:
    from prefixlint.tokens.charsets import CharTest

# Without the insides of large uniform blocks (Han, Hangul, Tangut, ancient scripts, private use).
BLOCKS = ((0x2, 0x3402), (0x4DB0, 0x4E02), (0x9FF0, 0xAC02), (0xD7A0, 0xD800), (0xF8F0, 0x12402), (0x1AFF0, 0x20000))
CHARACTERS = [chr(code) for start, end in BLOCKS for code in range(start, end)]
CLASSES: dict[str, CharTest] = {
    r"\s": charsets.white_space,
    r"\S": charsets.negated(charsets.white_space),
    r"[^\r\n\p{L}\p{N}]": charsets.negated(
        charsets.any_of(
            [charsets.literal("\r"), charsets.literal("\n"), charsets.category("L"), charsets.category("N")]
        )
    ),
    r"(?i:[stdm])": charsets.ignoring_case(charsets.any_of([charsets.literal(char) for char in "stdm"])),
    **{rf"\p{{{name}}}": charsets.category(name) for name in ("L", "N", "M", "P", "S", "Lu", "Ll", "Lt", "Lm", "Lo")},
}


def matched_by_rust(pattern: str) -> set[str]:
    """tiktoken drops what no match covers, and here each byte is a token."""
    bytes_only = {bytes([byte]): byte for byte in range(256)}
    encoding = tiktoken.Encoding("bytes", pat_str=pattern, mergeable_ranks=bytes_only, special_tokens={})
    return set(bytes(encoding.encode_ordinary("".join(CHARACTERS))).decode())


def matched_by_oniguruma(pattern: str) -> set[str]:
    """What stands alone between two U+0001 that the class does not take."""
    inverted = rf"(?:(?!{pattern}).)" if pattern != r"\S" else r"\s"
    pieces = pre_tokenizers.Split(Regex(inverted), "removed").pre_tokenize_str("".join(CHARACTERS).replace("\n", ""))
    return {char for piece, _ in pieces for char in piece} | ({"\n"} if pattern == r"\s" else set())


@pytest.mark.parametrize("pattern", CLASSES)
def test_each_answer_is_the_engines_or_open(pattern: str) -> None:
    test = CLASSES[pattern]
    rust, oniguruma = matched_by_rust(pattern), matched_by_oniguruma(pattern)
    answers = {char: test(char) for char in CHARACTERS}
    assert [char for char in CHARACTERS if answers[char] not in (None, char in rust)] == []
    assert [char for char in CHARACTERS if answers[char] not in (None, char in oniguruma)] == []
    left_open = [char for char, answer in answers.items() if answer is None and unicodedata.category(char) != "Cn"]
    assert set(left_open) <= {"\u0295", "\u017f"}
