"""Matching with an unknown continuation against the ``regex`` library on many known ones."""

from __future__ import annotations

import random

import pytest
import regex
from continuations import CHARACTERS, CONTRACTIONS, SAMPLES
from prefixlint.tokens.encodings import encoding_specs
from prefixlint.tokens.open_match import BEYOND, Known, OpenPattern
from prefixlint.tokens.regex_syntax import UnsupportedPattern, parse
from prefixlint.tokens.splitting import Splitter

# The patterns of Llama 3, DeepSeek V3 (its last stage) and GPT-2 are those of their tokenizer.json files.
PATTERNS = {
    "o200k_base": encoding_specs()["o200k_base"].pattern,
    "cl100k_base": encoding_specs()["cl100k_base"].pattern,
    "llama3": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+",
    "deepseek": r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"""
    r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    "gpt2": r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    "lazy": r"a+?b|a{2,3}?|(?:xy){1,2}z?|[^\s]",
}


def reference(name: str) -> regex.Pattern[str]:
    return regex.compile(PATTERNS[name].replace("++$", r"++\Z"))


def random_text(rng: random.Random) -> str:
    parts = []
    for _ in range(rng.randint(0, 4)):
        sample = rng.choice([*SAMPLES.values(), CHARACTERS, "".join(CONTRACTIONS), "aabxyxyz", "   \n \n"])
        start = rng.randrange(len(sample))
        parts.append(sample[start : start + rng.randint(1, 4)])
    # Unassigned in some Unicode versions: the two libraries need not agree on it.
    return "".join(parts).replace("\u0378", "")


@pytest.mark.parametrize("name", PATTERNS)
def test_every_real_end_is_among_those_given(name: str) -> None:
    ours = OpenPattern(parse(PATTERNS[name], dollar_is_end=True))
    theirs = reference(name)
    rng = random.Random(name)
    for _ in range(300):
        text = random_text(rng)
        for start in range(len(text)):
            ends, can_fail = ours.ends(Known(text), start)
            for more in ["", *(random_text(rng) for _ in range(8))]:
                match = theirs.match(text + more, start)
                if match is None:
                    assert can_fail, (text, start, more)
                else:
                    assert (match.end() if match.end() <= len(text) else BEYOND) in ends, (text, start, more)


@pytest.mark.parametrize("name", PATTERNS)
def test_with_nothing_behind_there_is_one_end(name: str) -> None:
    ours = OpenPattern(parse(PATTERNS[name], dollar_is_end=True))
    theirs = reference(name)
    rng = random.Random(name)
    for _ in range(300):
        # Engines differ in what folds to "s" outside ASCII, so that "ſ" counts both ways.
        text = random_text(rng).replace("ſ", "")
        for start in range(len(text)):
            ends, can_fail = ours.ends(Known(text, closed=True), start)
            match = theirs.match(text, start)
            assert ends == (frozenset() if match is None else {match.end()}), (text, start)
            assert can_fail or match is not None


@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base", "llama3", "gpt2"])
def test_pieces_before_the_settled_place_stay(name: str) -> None:
    splitter = Splitter.of([PATTERNS[name]], dollar_is_end=True)
    theirs = reference(name)
    rng = random.Random(name)
    moved = 0
    for _ in range(400):
        text = random_text(rng) + random_text(rng)
        settled = splitter.settled(text)
        moved += settled > 0
        before = [match.span() for match in theirs.finditer(text) if match.end() <= settled]
        assert settled == (before[-1][1] if before else 0)
        for more in (random_text(rng) for _ in range(8)):
            spans = [match.span() for match in theirs.finditer(text + more)]
            assert spans[: len(before)] == before, (text, more)
    assert moved > 200


@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base", "deepseek"])
def test_one_of_the_ways_to_cut_is_the_real_one(name: str) -> None:
    splitter = Splitter.of([PATTERNS[name]], dollar_is_end=True)
    theirs = reference(name)
    rng = random.Random(name)
    for _ in range(150):
        text = random_text(rng)
        ways = {(cut.closed, cut.open) for cut in splitter.cuts(text)}
        for more in ["", *(random_text(rng) for _ in range(8))]:
            closed, at = [], 0
            for match in theirs.finditer(text + more):
                for start, end in ((at, match.start()), match.span()):
                    if start < end and start < len(text):
                        closed.append((start, end))
                at = match.end()
            if at < len(text):
                closed.append((at, len(text + more)))
            pieces = tuple(text[start:end] for start, end in closed if end <= len(text))
            still_open = next((text[start:] for start, end in closed if end > len(text)), "")
            assert (pieces, still_open) in ways, (text, more)


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        (r"(?<=a)b", "a group of a kind"),
        (r"\bword", r"the escape \\b"),
        (r"[a[b]]", "a class inside a class"),
        (r"(?:ab)++", "a possessive group"),
        (r"\p{Han}+", "the property 'Han'"),
        (r"a{x}", "a repetition that is not"),
        (r"(ab", "a group without its end"),
        (r"ab)", "unbalanced parenthesis"),
        (r"a**", "a repeated repetition"),
        (r"a$", "the end of a line"),
    ],
)
def test_what_is_not_analysed_is_refused(pattern: str, said: str) -> None:
    with pytest.raises(UnsupportedPattern, match=said):
        parse(pattern, dollar_is_end=False)
