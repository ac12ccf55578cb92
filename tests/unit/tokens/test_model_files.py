"""Tokenizers inside GGUF and SentencePiece files, and models found by their name."""

from __future__ import annotations

import json
import os
import struct
from typing import TYPE_CHECKING, Any

import pytest
from continuations import SAMPLES, common, trials
from prefixlint.tokens import TokenizerError, get_tokenizer
from prefixlint.tokens.chat_files import chat_template, has_chat_template
from prefixlint.tokens.gguf import gguf_begin, gguf_chat_template
from prefixlint.tokens.gguf_file import read_metadata
from prefixlint.tokens.huggingface import HuggingFaceTokenizer
from test_huggingface import make

if TYPE_CHECKING:
    from pathlib import Path


def gguf(path: Path, metadata: dict[str, Any], *, version: int = 3, order: str = "<") -> Path:
    """Writes the metadata of a GGUF file, by the format's own description."""

    def text(value: str) -> bytes:
        data = value.encode()
        return struct.pack(order + "Q", len(data)) + data

    def value(item: Any) -> tuple[int, bytes]:
        match item:
            case bool():
                return 7, struct.pack(order + "?", item)
            case int():
                return 4, struct.pack(order + "I", item)
            case float():
                return 6, struct.pack(order + "f", item)
            case str():
                return 8, text(item)
            case list():
                made = [value(each) for each in item]
                return 9, struct.pack(order + "IQ", made[0][0], len(made)) + b"".join(data for _, data in made)
        raise AssertionError(item)

    out = b"GGUF" + struct.pack(order + "IQQ", version, 0, len(metadata))
    for key, item in metadata.items():
        kind, data = value(item)
        out += text(key) + struct.pack(order + "I", kind) + data
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(out)
    return path


def byte_pairs(**more: Any) -> dict[str, Any]:
    """The metadata of a GGUF file with the tokenizer that ``make("llama3")`` trains."""
    state = json.loads(make("llama3").to_str())["model"]
    words = sorted(state["vocab"], key=state["vocab"].get)
    return {
        "general.architecture": "llama",
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "llama-bpe",
        "tokenizer.ggml.tokens": [*words, "<|begin|>", "<|end|>", "<think>"],
        "tokenizer.ggml.token_type": [1] * len(words) + [3, 3, 4],
        "tokenizer.ggml.merges": [" ".join(pair) for pair in state["merges"]],
        "tokenizer.ggml.bos_token_id": len(words),
        "tokenizer.ggml.eos_token_id": len(words) + 1,
        "general.some_number": 0.5,
        **more,
    }


# Characters, and pieces by falling score: "ab" before "bc" before "abc" before "▁a".
PIECES = [
    ("<unk>", 0.0, 2),
    ("<s>", 0.0, 3),
    ("</s>", 0.0, 3),
    *((f"<0x{byte:02X}>", 0.0, 6) for byte in range(256)),
    *((text, -float(at), 1) for at, text in enumerate(("ab", "bc", "abc", "▁a", "▁abc", "▁", "a", "b", "c"))),
]


def characters(**more: Any) -> dict[str, Any]:
    texts, scores, kinds = zip(*PIECES, strict=True)
    return {
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": list(texts),
        "tokenizer.ggml.scores": list(scores),
        "tokenizer.ggml.token_type": list(kinds),
        **more,
    }


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def field(number: int, content: int | float | bytes) -> bytes:
    if isinstance(content, bytes):
        return varint(number << 3 | 2) + varint(len(content)) + content
    if isinstance(content, float):
        return varint(number << 3 | 5) + struct.pack("<f", content)
    return varint(number << 3) + varint(content)


def sentencepiece(path: Path, *, kind: int = 2, prefix: int = 1, extra: int = 0, charsmap: bytes = b"") -> Path:
    """Writes a SentencePiece model, by the definition of its protocol buffer."""
    out = b"".join(
        field(1, field(1, text.encode()) + field(2, score) + field(3, number)) for text, score, number in PIECES
    )
    out += field(2, field(3, kind) + field(4, 300))
    out += field(3, field(1, b"identity") + field(2, charsmap) + field(3, prefix) + field(4, extra))
    path.write_bytes(out)
    return path


def spelled(tokenizer: HuggingFaceTokenizer, text: str) -> list[str]:
    return [PIECES[token][0] for token in tokenizer.encode(text)]


def test_byte_pairs_in_a_gguf_are_those_they_were_made_of(tmp_path: Path) -> None:
    ours = get_tokenizer(str(gguf(tmp_path / "a.gguf", byte_pairs())))
    assert isinstance(ours, HuggingFaceTokenizer)
    theirs = make("llama3")
    for text in SAMPLES.values():
        assert ours.encode(text) == theirs.encode(text).ids
    assert ours.not_analysed == ""
    for trial in trials(3, 40, 8):
        bound = ours.guaranteed(trial.text)
        tokens = ours.encode(trial.text)
        assert all(common(tokens, ours.encode(trial.text + more)) >= bound for more in trial.continuations)


def test_special_tokens_of_a_gguf(tmp_path: Path) -> None:
    path = str(gguf(tmp_path / "a.gguf", byte_pairs()))
    words = byte_pairs()["tokenizer.ggml.tokens"]
    assert get_tokenizer(path, chat=True).encode("<|begin|>") == [words.index("<|begin|>")]
    assert len(get_tokenizer(path).encode("<|begin|>")) > 1
    # A user-defined token counts in any text.
    assert get_tokenizer(path).encode("<think>") == [words.index("<think>")]


def test_a_gguf_brings_its_chat_template(tmp_path: Path) -> None:
    bare = str(gguf(tmp_path / "bare.gguf", byte_pairs()))
    full = str(gguf(tmp_path / "full.gguf", byte_pairs(**{"tokenizer.chat_template": "{{ bos_token }}hello"})))
    assert not has_chat_template(bare)
    assert has_chat_template(full)
    found = chat_template(full)
    assert (found.text, found.special) == (
        "{{ bos_token }}hello",
        {"bos_token": "<|begin|>", "eos_token": "<|end|>"},
    )
    with pytest.raises(TokenizerError, match="holds no chat template"):
        chat_template(bare)


@pytest.mark.parametrize(
    ("text", "with_prefix", "without"),
    [
        # "bc" can merge first only where "ab" cannot, and "abc" is made of "ab" and "c".
        ("abc", ["▁abc"], ["abc"]),
        ("bc", ["▁", "bc"], ["bc"]),
        ("bcab", ["▁", "bc", "ab"], ["bc", "ab"]),
        ("a b", ["▁a", "▁", "b"], ["a", "▁", "b"]),
        ("é", ["▁", "<0xC3>", "<0xA9>"], ["<0xC3>", "<0xA9>"]),
    ],
)
def test_characters_merge_by_score(text: str, with_prefix: list[str], without: list[str], tmp_path: Path) -> None:
    for prefix, wanted in ((True, with_prefix), (False, without)):
        more = {"tokenizer.ggml.add_space_prefix": prefix}
        for path in (
            gguf(tmp_path / f"{prefix}.gguf", characters(**more)),
            sentencepiece(tmp_path / f"{prefix}.model", prefix=int(prefix)),
        ):
            tokenizer = get_tokenizer(str(path))
            assert isinstance(tokenizer, HuggingFaceTokenizer)
            assert spelled(tokenizer, text) == wanted


def test_extra_spaces_are_taken_out_where_the_model_says_so(tmp_path: Path) -> None:
    plain = get_tokenizer(str(sentencepiece(tmp_path / "plain.model")))
    single = get_tokenizer(str(sentencepiece(tmp_path / "single.model", extra=1)))
    assert single.encode("  a   b ") == plain.encode("a b")
    assert plain.encode("  a   b ") != plain.encode("a b")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        # By hand from the scores: "▁a" and "abc" together are -5; byte pairs would begin with "ab".
        ("aabc", ["▁a", "abc"]),
        ("bcab", ["▁", "bc", "ab"]),
        ("ab", ["▁", "ab"]),
        ("a b", ["▁a", "▁", "b"]),
        ("é", ["▁", "<0xC3>", "<0xA9>"]),
    ],
)
def test_the_best_scores_win_in_a_unigram_model(text: str, wanted: list[str], tmp_path: Path) -> None:
    more = {"tokenizer.ggml.model": "t5", "tokenizer.ggml.add_space_prefix": True}
    for path in (gguf(tmp_path / "a.gguf", characters(**more)), sentencepiece(tmp_path / "a.model", kind=1)):
        tokenizer = get_tokenizer(str(path))
        assert isinstance(tokenizer, HuggingFaceTokenizer)
        assert spelled(tokenizer, text) == wanted
        assert tokenizer.not_analysed == ""


@pytest.mark.parametrize(("version", "order"), [(2, "<"), (3, ">")])
def test_versions_and_byte_orders(version: int, order: str, tmp_path: Path) -> None:
    wanted = characters(**{"a.flag": True})
    assert read_metadata(gguf(tmp_path / "a.gguf", wanted, version=version, order=order)) == wanted


def claiming(value: bytes) -> bytes:
    """A GGUF file with one key, ``a``, and these bytes as type and value."""
    return b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 1) + b"a" + value


def test_an_array_that_would_fill_the_memory_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "long.gguf"
    file.write_bytes(claiming(struct.pack("<IIQ", 9, 0, 2_000_000_000)))
    os.truncate(file, 2_100_000_000)  # a hole, which takes no room
    with pytest.raises(TokenizerError, match="an array of 2,000,000,000 items"):
        get_tokenizer(str(file))


def test_a_special_token_that_is_none_of_the_vocabulary(tmp_path: Path) -> None:
    """Ids are unsigned in the format; a signed one is damage."""
    number = 0xFFFF_FFF0
    path = gguf(tmp_path / "a.gguf", byte_pairs(**{"tokenizer.ggml.bos_token_id": number}))
    data = path.read_bytes()
    signed = data.replace(struct.pack("<II", 4, number), struct.pack("<Ii", 5, -16))
    assert signed != data
    path.write_bytes(signed)
    assert "bos_token" not in gguf_chat_template(path)[1]
    assert gguf_begin(path) == ""


def test_what_is_wrong_with_a_gguf_is_said(tmp_path: Path) -> None:
    whole = gguf(tmp_path / "whole.gguf", byte_pairs()).read_bytes()
    cases = {
        "cut.gguf": (whole[: len(whole) // 2], "is not a GGUF file that can be read"),
        "other.gguf": (b"PK\x03\x04" + whole, "is not a GGUF file"),
        "old.gguf": (whole[:4] + struct.pack("<I", 1) + whole[8:], "is a GGUF file of version 1; versions 2 and 3"),
        "empty.gguf": (b"", "is not a GGUF file that can be read"),
        "kind.gguf": (claiming(struct.pack("<I", 77)), "77 is no type of a value"),
        "nested.gguf": (claiming(struct.pack("<I", 9) + struct.pack("<IQ", 9, 1) * 5000), "an array of arrays"),
    }
    for name, (data, message) in cases.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(TokenizerError, match=message):
            get_tokenizer(str(tmp_path / name))
    unread = {
        "pre.gguf": (byte_pairs(**{"tokenizer.ggml.pre": "own"}), "text is cut as 'own' there"),
        "bert.gguf": ({"tokenizer.ggml.model": "bert"}, "a tokenizer of kind 'bert' is not read"),
        "none.gguf": ({"general.architecture": "clip"}, "holds no tokenizer: tokenizer.ggml.model is missing"),
        "bytes.gguf": (
            characters(**{"tokenizer.ggml.token_type": [1] * len(PIECES)}),
            "has no token for each byte",
        ),
    }
    for name, (metadata, message) in unread.items():
        with pytest.raises(TokenizerError, match=message):
            get_tokenizer(str(gguf(tmp_path / name, metadata)))


def test_what_is_wrong_with_a_sentencepiece_model_is_said(tmp_path: Path) -> None:
    cases = [
        (
            sentencepiece(tmp_path / "words.model", kind=3),
            "is neither a byte-pair nor a Unigram model; name the model's",
        ),
        (sentencepiece(tmp_path / "folds.model", charsmap=b"abc"), r"the tokenizer in .*folds\.model cannot be used"),
        (sentencepiece(tmp_path / "claims.model", charsmap=b"\xff" * 40), "table of characters goes on behind its end"),
    ]
    (tmp_path / "text.model").write_text("hello, this is no model", encoding="utf-8")
    (tmp_path / "empty.model").write_bytes(b"")
    cases += [
        (tmp_path / "text.model", "is not a SentencePiece model"),
        (tmp_path / "empty.model", "is not a SentencePiece model: it holds no pieces"),
    ]
    for path, message in cases:
        with pytest.raises(TokenizerError, match=message):
            get_tokenizer(str(path))


def manifest(folder: Path, place: str, layers: object) -> None:
    file = folder / "manifests" / place
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"layers": layers}), encoding="utf-8")


def test_an_installed_ollama_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_MODELS", str(tmp_path))
    more = {"tokenizer.chat_template": "hello"}
    gguf(tmp_path / "blobs" / "sha256-abc", byte_pairs(**more))
    (tmp_path / "blobs" / "sha256-123").write_text("{{ .Prompt }}", encoding="utf-8")
    layers = [
        {"mediaType": "application/vnd.ollama.image.template", "digest": "sha256:123"},
        {"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:abc"},
    ]
    names = {
        "ollama:own:7b": "registry.ollama.ai/library/own/7b",
        "ollama:own": "registry.ollama.ai/library/own/latest",
        "ollama:me/own:7b": "registry.ollama.ai/me/own/7b",
        "ollama:hf.co/me/own:Q4": "hf.co/me/own/Q4",
    }
    for name, place in names.items():
        manifest(tmp_path, place, layers)
        assert get_tokenizer(name).encode("Answer") == make("llama3").encode("Answer").ids
        # Ollama renders the template of its manifest, not the one in the file.
        assert has_chat_template(name)
        assert chat_template(name).text == "{{ .Prompt }}"


def test_an_ollama_model_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_MODELS", str(tmp_path))
    with pytest.raises(
        TokenizerError, match=r"Ollama has no model 'gone:7b' here .* install it with `ollama pull gone:7b`"
    ):
        get_tokenizer("ollama:gone:7b")
    layer = {"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:gone"}
    manifest(tmp_path, "registry.ollama.ai/library/half/latest", [layer])
    with pytest.raises(TokenizerError, match=r"sha256-gone, which is missing: `ollama pull half` brings it back"):
        get_tokenizer("ollama:half")
    manifest(tmp_path, "registry.ollama.ai/library/odd/latest", [])
    with pytest.raises(TokenizerError, match="is not a manifest of Ollama"):
        get_tokenizer("ollama:odd")
    with pytest.raises(TokenizerError, match="is not a name of an Ollama model"):
        get_tokenizer("ollama:../../etc/passwd")


def test_a_model_in_the_hugging_face_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_HUB_CACHE", raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    snapshot = tmp_path / "hub" / "models--me--own" / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    make("llama3").save(str(snapshot / "tokenizer.json"))
    assert get_tokenizer("me/own").encode("Answer") == make("llama3").encode("Answer").ids
    (snapshot / "chat_template.jinja").write_text("hello", encoding="utf-8")
    assert has_chat_template("me/own")
    assert chat_template("me/own").text == "hello"
    with pytest.raises(
        TokenizerError, match=r"me/gone is neither a file nor in the Hugging Face cache .* with --allow-download, or"
    ):
        get_tokenizer("me/gone")
