"""``tokenizer.json`` files made here: every way to split, merge and add tokens that real ones use."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import tokenizers
from continuations import CHARACTERS, CONTRACTIONS, SAMPLES, common, completions, least_common, trials, vocabulary
from prefixlint import tokens
from prefixlint.tokens import TokenizerError, get_tokenizer
from prefixlint.tokens.huggingface import HuggingFaceTokenizer
from tokenizers import AddedToken, Regex, decoders, models, normalizers, pre_tokenizers, trainers

if TYPE_CHECKING:
    from tokenizers.normalizers import Normalizer
    from tokenizers.pre_tokenizers import PreTokenizer

LLAMA_3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
DEEPSEEK = (
    r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
KANA_AND_HAN = "[一-龥぀-ゟ゠-ヿ]+"
ADDED = [
    AddedToken("<think>", special=False, normalized=False),
    AddedToken("</think>", special=False, normalized=False),
    AddedToken("\n\n\n", special=False, normalized=False),
    AddedToken("[[x]]", special=False, normalized=False, lstrip=True, rstrip=True),
    AddedToken("<|end|>", special=True),
    AddedToken("<|end|>[[", special=True),
]
PREFIX_SPACE = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
TEXTS = [*SAMPLES.values(), "<think>I don't know</think> [[x]] <|end|> "]


def split(pattern: str) -> PreTokenizer:
    return pre_tokenizers.Split(Regex(pattern), "isolated")


def byte_level(*before: PreTokenizer, use_regex: bool = False) -> PreTokenizer:
    last = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=use_regex)
    return pre_tokenizers.Sequence([*before, last]) if before else last


def trained(
    normalizer: Normalizer | None,
    pre_tokenizer: PreTokenizer | None,
    *,
    characters: bool = False,
    size: int = 900,
    longest: int | None = None,
) -> tokenizers.Tokenizer:
    """A byte-pair tokenizer trained on the samples; ``characters``: of characters with a token for each byte."""
    tokenizer = tokenizers.Tokenizer(models.BPE())
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    if pre_tokenizer is not None:
        tokenizer.pre_tokenizer = pre_tokenizer
    alphabet = [] if characters else pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=size, initial_alphabet=alphabet, show_progress=False, max_token_length=longest
    )
    tokenizer.train_from_iterator([text * 3 for text in TEXTS], trainer)
    tokenizer.decoder = decoders.ByteLevel()
    if characters:
        state = json.loads(tokenizer.to_str())["model"]
        words = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256)), *state["vocab"]]
        merges = [tuple(pair) for pair in state["merges"]]
        tokenizer.model = models.BPE(
            {word: at for at, word in enumerate(words)}, merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True
        )
        tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    return tokenizer


def make(kind: str) -> tokenizers.Tokenizer:
    prepend = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    match kind:
        case "llama3":
            tokenizer = trained(None, byte_level(split(LLAMA_3)))
            state = json.loads(tokenizer.to_str())
            state["model"]["ignore_merges"] = True
            # A word that merging does not make, to be looked up whole.
            state["model"]["vocab"]["Ġanswered"] = len(state["model"]["vocab"])
            return tokenizers.Tokenizer.from_str(json.dumps(state))
        case "qwen":
            return trained(normalizers.NFC(), byte_level(split(LLAMA_3.replace("{1,3}", ""))))
        case "deepseek":
            return trained(None, byte_level(split(r"\p{N}{1,3}"), split(KANA_AND_HAN), split(DEEPSEEK)))
        case "gpt2":
            return trained(None, byte_level(use_regex=True))
        case "digits":
            return trained(None, byte_level(pre_tokenizers.Digits(individual_digits=True), use_regex=True))
        case "no split":
            return trained(None, byte_level())
        case "llama2":
            return trained(prepend, None, characters=True)
        case "gemma":
            gemma = pre_tokenizers.Split(" ", "merged_with_previous")
            return trained(normalizers.Replace(" ", "▁"), gemma, characters=True)
        case "metaspace":
            return trained(None, pre_tokenizers.Metaspace(prepend_scheme="first", split=True), characters=True)
        case "metaspace whole":
            return trained(None, pre_tokenizers.Metaspace(prepend_scheme="always", split=False), characters=True)
        case "added":
            tokenizer = trained(None, byte_level(split(LLAMA_3)))
            tokenizer.add_tokens(ADDED)
            return tokenizer
        case "added and composed":
            tokenizer = trained(normalizers.NFC(), byte_level(split(LLAMA_3)))
            tokenizer.add_tokens(ADDED)
            return tokenizer
    raise AssertionError(kind)


KINDS = ["llama3", "qwen", "deepseek", "gpt2", "digits", "no split", "llama2", "gemma", "metaspace", "metaspace whole"]
KINDS += ["added", "added and composed"]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("tokenizers")
    paths = {}
    for kind in KINDS:
        path = folder / kind / "tokenizer.json"
        path.parent.mkdir()
        make(kind).save(str(path))
        paths[kind] = str(path)
    return paths


@pytest.mark.parametrize("kind", KINDS)
def test_no_continuation_takes_anything_away(kind: str, files: dict[str, str]) -> None:
    tokenizer = get_tokenizer(files[kind])
    assert isinstance(tokenizer, HuggingFaceTokenizer)
    assert tokenizer.not_analysed == ""
    words = vocabulary(get_tokenizer(files[kind]))
    rng = random.Random(kind)
    marks = [
        "<think>",
        "think>",
        "<th",
        "k>",
        "[[x]]",
        "  [[x]]",
        "x]]",
        "]]",
        "<|end|>",
        "|end|>[[x]]",
        "\n\n",
        "<tool>",
        "\u0338",
    ]
    sure_of = total = gap = 0
    made = trials(seed=5, texts=60, continuations=30)
    for at, trial in enumerate(made):
        text = trial.text + (rng.choice(["", " <", "<thi", "\n", " [[x", "<|end|>[[x]", "<tool>"]) if at % 2 else "")
        following = (*trial.continuations, *marks, *CHARACTERS, *CONTRACTIONS, *completions(rng, words, text, 4))
        least, more = least_common(tokenizer, text, following)
        sure = tokenizer.guaranteed(text)
        assert sure <= least, (text, more)
        sure_of += sure
        total += len(tokenizer.encode(text))
        gap += least - sure
    assert sure_of > total / 2
    assert gap / len(made) < 0.6


@pytest.mark.parametrize("kind", KINDS)
def test_token_starts_are_places_of_characters(kind: str, files: dict[str, str]) -> None:
    tokenizer = get_tokenizer(files[kind])
    for text in ("Hello world, it's 2026.\n", "今天天气 👩 x", *SAMPLES.values()):
        starts = tokenizer.token_starts(text)
        assert len(starts) == len(tokenizer.encode(text))
        assert starts == sorted(starts)
        assert starts[0] == 0
        assert all(0 <= start < len(text) for start in starts)
        # What stands before a token's start decides the tokens before it, if the text is cut there.
        half = len(starts) // 2
        assert common(tokenizer.encode(text[: starts[half]]), tokenizer.encode(text)) >= half - 4


def test_token_starts_by_hand(files: dict[str, str]) -> None:
    """Byte tokens of one character all stand at it."""
    tokenizer = get_tokenizer(files["llama2"])
    assert tokenizer.token_starts("丐a")[-4:] == [0, 0, 0, 1]
    starts = get_tokenizer(files["gpt2"]).token_starts("丐a")
    assert (set(starts[:-1]), starts[-1], len(starts) > 2) == ({0}, 1, True)


def test_special_tokens_are_text_and_added_ones_are_found(files: dict[str, str]) -> None:
    tokenizer = get_tokenizer(files["added"])
    assert len(tokenizer.encode("<|end|>")) > 1
    assert len(tokenizer.encode("<think>")) == 1
    assert tokenizer.guaranteed("x <think>") == len(tokenizer.encode("x <think>"))
    before_it = len(tokenizer.encode("x"))
    assert tokenizer.guaranteed("x <think") <= before_it + 1


def test_a_composed_last_character_is_not_counted_on(files: dict[str, str]) -> None:
    tokenizer = get_tokenizer(files["qwen"])
    for text in ("caf e", "e", "x \u1100", "x \uac00", "\u030c", "a <", "<tool>"):
        for more in ("\u0301", "\u0323", "\u030c", "\u1161", "\u11a8", "\u0338"):
            assert tokenizer.guaranteed(text) <= common(tokenizer.encode(text), tokenizer.encode(text + more))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"normalizer": {"type": "NFKC"}}, "NFKC"),
        ({"pre_tokenizer": {"type": "Whitespace"}}, "Whitespace"),
        ({"pre_tokenizer": PREFIX_SPACE}, '"add_prefix_space": true'),
        ({"model": {"type": "WordLevel", "vocab": {"a": 0, "[UNK]": 1}, "unk_token": "[UNK]"}}, "WordLevel"),
        ({"pre_tokenizer": None}, "without a token for each byte"),
    ],
)
def test_nothing_is_claimed_for_what_is_not_analysed(
    change: dict[str, Any], said: str, files: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(json.loads(Path(files["gpt2"]).read_text(encoding="utf-8")) | change), encoding="utf-8")
    tokenizer = get_tokenizer(str(path))
    assert isinstance(tokenizer, HuggingFaceTokenizer)
    assert said in tokenizer.not_analysed
    assert tokenizer.guaranteed("Hello world, this is") == 0


def test_an_added_token_that_normalisation_can_break_is_not_analysed(tmp_path: Path) -> None:
    for normalizer, content, analysed in [
        (normalizers.NFC(), "<tool>", False),
        (normalizers.Lowercase(), "<tool>", False),
        (None, "<tool>", True),
    ]:
        backend = trained(normalizer, byte_level(split(LLAMA_3)), size=300)
        backend.add_tokens([AddedToken(content, special=False, normalized=True)])
        path = tmp_path / f"{type(normalizer).__name__}.json"
        backend.save(str(path))
        tokenizer = get_tokenizer(str(path))
        assert isinstance(tokenizer, HuggingFaceTokenizer)
        assert (tokenizer.not_analysed == "") is analysed
        assert tokenizer.guaranteed("a b <tool>") <= common(
            tokenizer.encode("a b <tool>"), tokenizer.encode("a b <tool>\u0338")
        )


def test_a_folder_and_a_cache_entry_are_found(files: dict[str, str], tmp_path: Path) -> None:
    folder = Path(files["gpt2"]).parent
    ids = get_tokenizer(files["gpt2"]).encode("Hello world")
    assert get_tokenizer(str(folder)).encode("Hello world") == ids
    assert get_tokenizer(str(folder)).name == str(folder)
    snapshot = tmp_path / "models--a--b" / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    (snapshot / "tokenizer.json").write_bytes(Path(files["gpt2"]).read_bytes())
    assert get_tokenizer(str(tmp_path / "models--a--b")).encode("Hello world") == ids
    (tmp_path / "models--a--b" / "snapshots" / "other").mkdir()
    with pytest.raises(TokenizerError, match="holds 2 snapshots and no refs/main"):
        tokens._loaded.__wrapped__(str(tmp_path / "models--a--b"), False)
    (tmp_path / "models--a--b" / "refs").mkdir()
    (tmp_path / "models--a--b" / "refs" / "main").write_text("abc")
    assert tokens._loaded.__wrapped__(str(tmp_path / "models--a--b"), False).encode("Hello world") == ids


def test_faults_name_the_file_and_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(TokenizerError, match=r"broken\.json is not a tokenizer\.json that can be read"):
        get_tokenizer(str(tmp_path / "broken.json"))
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "vocab.json").write_text("{}")
    with pytest.raises(TokenizerError, match=r"holds no tokenizer \(tokenizer\.json, .*, only vocab\.json, .*; save"):
        get_tokenizer(str(folder))
    for name in ("tekken.json", "tekken_2.json"):
        (folder / name).write_text("{}")
    with pytest.raises(TokenizerError, match=r"several tokenizers \(tekken\.json, tekken_2\.json\); name one"):
        get_tokenizer(str(folder))


@pytest.mark.parametrize("kind", ["llama2", "gemma"])
def test_many_unknown_characters(kind: str, files: dict[str, str]) -> None:
    """Each is four tokens of single bytes, between which nothing is cut."""
    tokenizer = get_tokenizer(files[kind])
    unknown = next(char for char in "🫠𓀀𐎀" if len(tokenizer.encode(char * 2)) >= 8)
    for count in (1, 50, 51, 400):
        for end in ("", "a", "\n"):
            text = unknown * count + end
            sure = tokenizer.guaranteed(text)
            for more in ("", "b", unknown, "\n"):
                assert sure <= common(tokenizer.encode(text), tokenizer.encode(text + more))
