"""Whether a string reads like a prompt: by the names around it and by its words.

Used only where no known sink shows it. The default must be silence on code without prompts: help texts, HTML, SQL, code
generators and log messages.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from prefixlint.knowledge.names import meaning, split_words
from prefixlint.knowledge.phrases import phrases
from prefixlint.model.lifetimes import Confidence
from prefixlint.model.segments import Choice, Repeat, Text, Value, literal_length
from prefixlint.model.sources import SourceMap

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prefixlint.model.segments import Segment

MINIMUM_CHARACTERS = 160
_SCORED_CHARACTERS = 12_000
_CODE_CHARACTERS = 2_000
_SURE_SCORE = 3
_LONG_WORDS = 60
_FENCED = re.compile(r"^[ \t]*```.*?(?:^[ \t]*```|\Z)", re.MULTILINE | re.DOTALL)
_UNSPACED = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
_TOLD = "prompt"
"""Of the words by which a name tells a prompt, the one that is enough for a long text."""


@lru_cache(maxsize=16_384)
def is_prompt_name(name: str) -> bool:
    """Whether a name of a variable, parameter or function says that it holds or makes a prompt."""
    return phrases().prompt_name.search(name.lower()) is not None


@lru_cache(maxsize=4096)
def keeps_prompts(path: str) -> bool:
    """Whether the name of a file, or of the folder that it lies in, says that it holds prompts."""
    return any(
        word in (_TOLD, f"{_TOLD}s") for part in path.split("/")[-2:] for word in split_words(part.partition(".")[0])
    )


@lru_cache(maxsize=4096)
def _is_other_name(name: str) -> bool:
    """Whether a name says that it holds something that is no prompt, whatever else it says."""
    return phrases().other_name.search(name.lower()) is not None


@lru_cache(maxsize=4096)
def documents(name: str) -> bool:
    """Whether a name says that it holds what documents code."""
    return phrases().documentation.search(name.lower()) is not None


def fixed_text(segments: Iterable[Segment]) -> str:
    """All fixed text, choices and repeats included, values as a space."""
    out = []
    for segment in segments:
        if isinstance(segment, Text):
            out.append(segment.text)
        elif isinstance(segment, Choice):
            out.extend(fixed_text(arm) for arm in segment.arms)
        elif isinstance(segment, Repeat):
            out.append(fixed_text(segment.body))
        else:
            out.append(" ")
    return "".join(out)


@lru_cache(maxsize=4096)
def _score(text: str) -> int:
    """Number of different prompt phrases."""
    return len(set(phrases().phrase.findall(text.lower())))


@lru_cache(maxsize=4096)
def _is_code(text: str) -> bool:
    """Whether a text begins as markup, SQL, a program or a usage message: what stands between fences is an example."""
    return phrases().code.search(_FENCED.sub(" ", text)[:_CODE_CHARACTERS].lower()) is not None


def is_to_be_filled(segments: tuple[Segment, ...]) -> bool:
    """Whether a text in which values were filled has a placeholder left: then it makes a template, which is filled
    again for each request."""
    if not any(not isinstance(segment, Text) for segment in segments):
        return False
    return any(meaning(name).lifetime.varies for name in _LEFT.findall(fixed_text(segments)))


# Alone in its line, or behind a label.
_LEFT = re.compile(r"^[ \t]*(?:[\w *#-]{1,40}:)?[ \t]*\{([A-Za-z_]\w*)\}[ \t]*$", re.MULTILINE)
_KINDS = frozenset(
    {"prompt", "prompts", "message", "msg", "template", "instruction", "instructions", "text", "content"}
)
_ROLES = {"system": "system", "sys": "system", "user": "user", "human": "user"}


def role_of(name: str) -> str | None:
    """``system`` or ``user``, where a name says that it holds the text of one of them and nothing else."""
    words = split_words(name)
    roles = {_ROLES[word] for word in words if word in _ROLES}
    return roles.pop() if len(roles) == 1 and all(word in _ROLES or word in _KINDS for word in words) else None


def pairs(names: Iterable[str]) -> list[tuple[str, str]]:
    """Names of a system text and of a user text that differ in that alone: ``PLAN_SYSTEM_PROMPT``, ``PLAN_USER``."""
    found: dict[tuple[str, ...], dict[str, str]] = {}
    for name in names:
        words = split_words(name)
        roles = {_ROLES[word] for word in words if word in _ROLES}
        if len(roles) == 1:
            rest = tuple(word for word in words if word not in _ROLES and word not in _KINDS)
            found.setdefault(rest, {}).setdefault(roles.pop(), name)
    return [(both["system"], both["user"]) for both in found.values() if len(both) == 2]


def looks_like_prompt(name: str, segments: tuple[Segment, ...], *, asked: bool = False) -> Confidence | None:
    """``HIGH`` where the words, both name and words, or a name with "prompt" in it and a long text say so; ``LOW``
    where another name of a long text does. The name of the file that the text lies in counts as its own; so does that
    something which is called a model is ``asked`` with it; then a whole prompt that is filled in is text enough.

    None where it is no prompt.
    """
    if asked and any(isinstance(segment, Value) and segment.shape == "prompt" for segment in segments):
        return None if documents(name) or _is_other_name(name) else Confidence.HIGH
    if literal_length(segments) < MINIMUM_CHARACTERS or documents(name):
        return None
    text = fixed_text(segments)
    if not asked and _NOTICE.fullmatch(text.strip()):
        return None
    score = _score(text[:_SCORED_CHARACTERS])
    if (score < _SURE_SCORE + 1 or _is_other_name(name)) and _is_code(text[:_SCORED_CHARACTERS]):
        return None
    if score >= _SURE_SCORE:
        return Confidence.HIGH
    kept = _is_kept(segments)
    if not (kept or asked or is_prompt_name(name)) or _is_other_name(name):
        return None
    if score:
        return Confidence.HIGH
    if _words(text) <= _LONG_WORDS:
        return None
    return Confidence.HIGH if kept or asked or _TOLD in name.lower() else Confidence.LOW


_NOTICE = re.compile(r"\[[^\[\]]*\]")
"""What a tool says about itself beside its output: ``[The command was not run: …]``."""


def _words(text: str) -> int:
    """Number of words; of scripts without spaces two characters are one."""
    return len(text.split()) + len(_UNSPACED.findall(text)) // 2


def _is_kept(segments: tuple[Segment, ...]) -> bool:
    """Whether the longest text of all is kept where prompts are, whatever it is called there."""
    texts = [segment for segment in segments if isinstance(segment, Text)]
    if not texts:
        return False
    source = max(texts, key=lambda segment: len(segment.text)).source
    return keeps_prompts(source.file.path if isinstance(source, SourceMap) else source.path)
