"""Reads what a Hugging Face tokenizer does to text before it merges: normaliser, pre-tokenizer, kind of model.

``Preparation`` is what the bound of unchangeable tokens needs to know. What is not covered here is refused with
``NotAnalysed``, and the bound is then 0: nothing is claimed that was not worked out.
"""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from prefixlint.tokens.regex_syntax import UnsupportedPattern
from prefixlint.tokens.splitting import Splitter

if TYPE_CHECKING:
    import tokenizers

# What a byte-level pre-tokenizer with `use_regex` splits by: `tokenizers`, pre_tokenizers/byte_level.rs.
_BYTE_LEVEL_PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


class NotAnalysed(Exception):
    """The message says which part is not covered."""


@dataclass(frozen=True, slots=True)
class Preparation:
    """How text becomes pieces. ``replaced`` are single characters and their replacements, ``prefix`` goes before the
    text (before a space, too, or only where none is, ``prefix_once``), ``compose`` is normalisation form C."""

    splitter: Splitter
    byte_level: bool
    compose: bool = False
    replaced: tuple[tuple[str, str], ...] = ()
    prefix: str = ""
    prefix_once: bool = False
    prefix_first_only: bool = False

    def alters(self, content: str) -> bool:
        """Whether normalisation can change ``content``, alone or by what stands beside it."""
        return (
            self.compose or bool(self.prefix and not self.prefix_once) or any(c in content for c in self._characters())
        )

    def _characters(self) -> str:
        return "".join(old + new for old, new in self.replaced)

    def prepared(self, chunk: str, *, first: bool) -> str:
        """The text that is cut, for non-empty text between two added tokens. ``first``: it starts the whole text."""
        if self.compose:
            chunk = unicodedata.normalize("NFC", chunk)
        if self.prefix_once:
            for old, new in self.replaced:
                chunk = chunk.replace(old, new)
        if self.prefix and not (self.prefix_first_only and not first):
            chunk = chunk if self.prefix_once and chunk.startswith(self.prefix) else self.prefix + chunk
        for old, new in self.replaced:
            chunk = chunk.replace(old, new)
        return chunk


def read_preparation(backend: tokenizers.Tokenizer) -> Preparation:
    """Raises ``NotAnalysed``."""
    _require_plain_merges(backend.model)
    facts: dict[str, Any] = {}
    for part in parts_of(backend.normalizer, "normalizers"):
        _read_normaliser(part, facts)
    patterns: list[str] = []
    byte_level = False
    for part in parts_of(backend.pre_tokenizer, "pretokenizers"):
        byte_level |= part["type"] == "ByteLevel"
        patterns += _read_pre_tokenizer(part, facts)
    try:
        splitter = Splitter.of(patterns, dollar_is_end=False)
    except UnsupportedPattern as error:
        raise NotAnalysed(str(error)) from error
    if facts.get("compose") and not byte_level:
        raise NotAnalysed("normalisation before merging of characters")
    return Preparation(splitter, byte_level, **facts)


def _require_plain_merges(model: Any) -> None:
    if type(model).__name__ != "BPE":
        raise NotAnalysed(f"a model of kind {type(model).__name__}")
    if model.dropout or model.continuing_subword_prefix or model.end_of_word_suffix:
        raise NotAnalysed("byte-pair merging with dropout, a subword prefix or a word suffix")


def parts_of(component: Any, key: str) -> list[dict[str, Any]]:
    """The parts of a normaliser or pre-tokenizer in order, each as the library writes it to JSON."""
    return _parts(None if component is None else json.loads(component.__getstate__()), key)


def _parts(state: dict[str, Any] | None, key: str) -> list[dict[str, Any]]:
    if state is None:
        return []
    return [part for inner in state[key] for part in _parts(inner, key)] if state["type"] == "Sequence" else [state]


def _read_normaliser(part: dict[str, Any], facts: dict[str, Any]) -> None:
    kind = part["type"]
    if kind == "NFC" and not facts:
        facts["compose"] = True
    elif kind == "Prepend" and not facts:
        facts["prefix"] = part["prepend"]
    elif kind == "Replace" and len(part["pattern"].get("String", "")) == 1 and len(part["content"]) == 1:
        facts["replaced"] = (*facts.get("replaced", ()), (part["pattern"]["String"], part["content"]))
    else:
        raise NotAnalysed(f"the normaliser {json.dumps(part, ensure_ascii=False)}")


def _read_pre_tokenizer(part: dict[str, Any], facts: dict[str, Any]) -> list[str]:
    kind = part["type"]
    if kind == "ByteLevel" and not part["add_prefix_space"]:
        return [_BYTE_LEVEL_PATTERN] if part["use_regex"] else []
    if kind == "Digits":
        return [r"\p{N}" if part["individual_digits"] else r"\p{N}+"]
    if kind == "Split":
        pattern, behaviour = part["pattern"], (part["behavior"], part["invert"])
        if pattern.get("String") in dict(facts.get("replaced", ())):
            return []
        if behaviour in (("Isolated", False), ("Removed", True)):
            return [pattern["Regex"] if "Regex" in pattern else re.escape(pattern["String"])]
    if kind == "Metaspace" and not facts:
        sign = part["replacement"]
        facts["replaced"] = ((" ", sign),)
        if part["prepend_scheme"] != "never":
            facts.update(prefix=sign, prefix_once=True, prefix_first_only=part["prepend_scheme"] == "first")
        return [f"{sign}[^{sign}]*|[^{sign}]+"] if part.get("split", True) else []
    raise NotAnalysed(f"the pre-tokenizer {json.dumps(part, ensure_ascii=False)}")
