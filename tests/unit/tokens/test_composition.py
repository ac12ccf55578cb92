"""What normalisation form C makes of a text's end, against Python's own normalisation of many continuations."""

from __future__ import annotations

import random
import unicodedata

import pytest
from prefixlint.tokens.composition import joined_forms, open_end

MARKS = [*map(chr, range(0x300, 0x370)), *"\u0338\u0345\u093c\u09be\u0653\u1161\u11a8\u3099\u309a\u20d2"]
ENDS = [*"aeEosSzı<=>éǖếǎçÅḍ，：。、　', x1.\n", *"\uac00\uac01\u1100\u09c7\u304b\u304cſﬁ½\u030c"]
TEXTS = [before + end for before in ("", "x", "té") for end in ENDS]
TEXTS += ["e\u0316", "q\u0301\u0316", "\u0301\u0327"]


@pytest.mark.parametrize("text", TEXTS)
def test_what_stands_before_the_open_end_stays(text: str) -> None:
    text = unicodedata.normalize("NFC", text)
    end = open_end(text)
    forms = joined_forms(text[end]) if end + 1 == len(text) else None
    rng = random.Random(text)
    changed = False
    for _ in range(1500):
        more = "".join(rng.choice(MARKS) for _ in range(rng.randint(1, 3))) + rng.choice(["", "a", " "])
        composed = unicodedata.normalize("NFC", text + more)
        assert composed.startswith(text[:end])
        changed |= not composed.startswith(text)
        if forms is not None:
            assert composed[end] in (text[end], *forms)
    if not changed:
        # What was tried changes nothing; then at most the last character counts as open.
        assert end >= len(text) - 1


def test_an_unassigned_character_may_combine() -> None:
    assert open_end("xa\u0378") == 1


@pytest.mark.parametrize("text", ["你好，", "问题：", "x\u3000", "a.", "x'", "1", "\n"])
def test_common_ends_are_closed(text: str) -> None:
    assert open_end(text) == len(text)


def test_forms_by_hand() -> None:
    assert joined_forms("<") == ("≮",)
    forms = joined_forms("e")
    assert forms is not None
    assert {"é", "ẹ", "ế", "ệ"} <= set(forms)
    assert joined_forms("\uac00") is None
    assert joined_forms("\u0301") is None
