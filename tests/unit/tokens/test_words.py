"""Unigram and WordPiece: no continuation takes a guaranteed token away, whatever the normaliser makes of it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
import tokenizers
from continuations import CHARACTERS, CONTRACTIONS, SAMPLES, completions, least_common, trials, vocabulary
from prefixlint.tokens import get_tokenizer
from prefixlint.tokens.huggingface import HuggingFaceTokenizer
from tokenizers import AddedToken, Regex, models, normalizers, pre_tokenizers, trainers

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizers.normalizers import Normalizer
    from tokenizers.pre_tokenizers import PreTokenizer

SPACES = normalizers.Replace(Regex(" {2,}"), " ")


def unigram(normalizer: Normalizer | None, pre_tokenizer: PreTokenizer | None, size: int = 500) -> tokenizers.Tokenizer:
    tokenizer = tokenizers.Tokenizer(models.Unigram())
    return trained(
        tokenizer,
        normalizer,
        pre_tokenizer,
        trainers.UnigramTrainer(vocab_size=size, unk_token="<unk>", special_tokens=["<unk>"], show_progress=False),
    )


def trained(
    tokenizer: tokenizers.Tokenizer,
    normalizer: Normalizer | None,
    pre_tokenizer: PreTokenizer | None,
    trainer: trainers.Trainer,
) -> tokenizers.Tokenizer:
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    if pre_tokenizer is not None:
        tokenizer.pre_tokenizer = pre_tokenizer
    tokenizer.train_from_iterator([text * 3 for text in SAMPLES.values()], trainer)
    return tokenizer


def make(kind: str) -> tokenizers.Tokenizer:
    metaspace = pre_tokenizers.Metaspace("▁", "always")
    match kind:
        case "xlm-r":
            return unigram(normalizers.Sequence([normalizers.NFKC(), SPACES]), metaspace)
        case "albert":
            quotes = [normalizers.Replace("``", '"'), normalizers.Replace("''", '"')]
            steps = [*quotes, normalizers.NFKD(), normalizers.StripAccents(), normalizers.Lowercase(), SPACES]
            return unigram(normalizers.Sequence(steps), metaspace)
        case "camembert":
            return unigram(normalizers.NFC(), pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), metaspace]))
        case "nfd":
            return unigram(normalizers.NFD(), pre_tokenizers.Metaspace("▁", "first"))
        case "sentencepiece":
            marks = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
            return unigram(marks, None)
        case "bare":
            return unigram(None, None)
        case "bert" | "bert-cased":
            trainer = trainers.WordPieceTrainer(vocab_size=700, special_tokens=["[UNK]"], show_progress=False)
            model = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
            normalizer = normalizers.BertNormalizer(lowercase=kind == "bert")
            return trained(model, normalizer, pre_tokenizers.BertPreTokenizer(), trainer)
    raise AssertionError(kind)


KINDS = ["xlm-r", "albert", "camembert", "nfd", "sentencepiece", "bare", "bert", "bert-cased"]


@pytest.mark.parametrize("kind", KINDS)
def test_no_continuation_takes_anything_away(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    backend = make(kind)
    backend.add_tokens([AddedToken("<think>", special=False, normalized=False)])
    backend.save(str(path))
    tokenizer = get_tokenizer(str(path))
    assert isinstance(tokenizer, HuggingFaceTokenizer)
    assert tokenizer.not_analysed == ""
    words, rng = vocabulary(tokenizer), random.Random(kind)
    sure_of = gap = 0
    made = trials(seed=9, texts=50, continuations=20)
    for at, trial in enumerate(made):
        text = trial.text + (
            rng.choice(["`", "'", "  ", "<thi", "e", "a\u0323", "か", "\u1112", "ﬁ"]) if at % 3 == 0 else ""
        )
        more = ("\u0301\u0323", "`", "\u3099", "\u1161", "\u11a8", "\u200d🙂", "nk>", *CHARACTERS, *CONTRACTIONS)
        following = (*trial.continuations, *more, *completions(rng, words, text, 4))
        least, taken_by = least_common(tokenizer, text, following)
        sure = tokenizer.guaranteed(text)
        assert sure <= least, (text, taken_by)
        sure_of += sure
        gap += least - sure
    assert sure_of > 200
    # WordPiece and text behind an added token say little; the others stay far below.
    assert gap / len(made) < 4


@pytest.mark.parametrize(
    ("kind", "text", "lost"),
    [
        # The last word can go on; with a space behind it WordPiece has nothing more to say about it.
        ("bert", "Answer the user", 1),
        ("bert", "Answer the user ", 0),
        ("bert", "Answer the user.", 0),
        ("bert", "今天", 0),
    ],
)
def test_words_of_wordpiece(kind: str, text: str, lost: int, tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    make(kind).save(str(path))
    tokenizer = get_tokenizer(str(path))
    words = tokenizer.encode("user")
    assert len(tokenizer.encode(text)) - tokenizer.guaranteed(text) == lost * len(words)


def test_the_best_way_to_each_offset_decides(tmp_path: Path) -> None:
    """By hand: "ab" is best as one word, and "abc" as "a" and "bc"; "bd" is a word, but "ab" and "d" is better."""
    scores = [
        ("<unk>", 0.0),
        ("a", -2.0),
        ("b", -2.0),
        ("c", -2.0),
        ("d", -1.0),
        ("ab", -2.5),
        ("bc", -0.1),
        ("bd", -9.0),
    ]
    backend = tokenizers.Tokenizer(models.Unigram(scores, 0, False))
    path = tmp_path / "tokenizer.json"
    backend.save(str(path))
    tokenizer = get_tokenizer(str(path))
    assert tokenizer.encode("ab") == [5]
    assert tokenizer.encode("abc") == [1, 6]
    assert tokenizer.encode("abd") == [5, 4]
    assert tokenizer.guaranteed("ab") == 0
    assert tokenizer.guaranteed("abd") == 2
    # Without "bc" nothing is better than "ab".
    backend.model = models.Unigram([pair for pair in scores if pair[0] != "bc"], 0, False)
    other = tmp_path / "other.json"
    backend.save(str(other))
    assert get_tokenizer(str(other)).guaranteed("ab") == 1


def test_what_is_not_covered_guarantees_nothing(tmp_path: Path) -> None:
    backend = unigram(normalizers.Replace(Regex("[0-9]+"), "0"), None)
    path = tmp_path / "tokenizer.json"
    backend.save(str(path))
    tokenizer = get_tokenizer(str(path))
    assert isinstance(tokenizer, HuggingFaceTokenizer)
    assert "Replace" in tokenizer.not_analysed
    assert tokenizer.guaranteed("Answer the user.") == 0
