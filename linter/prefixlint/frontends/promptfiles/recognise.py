"""Which files hold prompts: by name, place and content, cheapest test first."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prefixlint.knowledge.file_names import file_names
from prefixlint.knowledge.names import split_words
from prefixlint.knowledge.prompt_files import current

if TYPE_CHECKING:
    from collections.abc import Callable


class Kind(Enum):
    """How a file is read."""

    JINJA = "jinja"
    YAML = "yaml"
    JSON = "json"
    TOML = "toml"
    TEXT = "text"
    PROMPTY = "prompty"
    DOTPROMPT = "prompt"
    POML = "poml"
    BAML = "baml"


MUSTACHE_SUFFIXES = (".mustache", ".hbs", ".handlebars")
_KINDS = {
    ".j2": Kind.JINJA,
    ".jinja": Kind.JINJA,
    ".jinja2": Kind.JINJA,
    ".yaml": Kind.YAML,
    ".yml": Kind.YAML,
    ".json": Kind.JSON,
    ".toml": Kind.TOML,
    ".txt": Kind.TEXT,
    ".md": Kind.TEXT,
    ".markdown": Kind.TEXT,
    ".tmpl": Kind.TEXT,
    ".tpl": Kind.TEXT,
    **dict.fromkeys(MUSTACHE_SUFFIXES, Kind.TEXT),
    ".prompty": Kind.PROMPTY,
    ".prompt": Kind.DOTPROMPT,
    ".poml": Kind.POML,
    ".baml": Kind.BAML,
}
SUFFIXES = tuple(_KINDS)
"""Those of files that may hold prompts. Whether one does, its name, place and content say."""


def is_included(path: str) -> bool:
    """True when the project says that this file is a prompt."""
    files = current()
    return files is not None and files.included(path) and not files.excluded(path)


def is_prompt_key(key: str) -> bool:
    """True when the project says that the texts under this YAML key are prompts."""
    files = current()
    return files is not None and key.lower() in files.keys


def kind(path: str) -> Kind | None:
    """How the file at ``path`` would be read; None when it is of no kind that holds prompts.

    What the project says decides first, then the file's name.
    """
    files = current()
    if files is not None:
        if files.excluded(path):
            return None
        if files.included(path):
            return _KINDS.get(PurePosixPath(path).suffix.lower(), Kind.TEXT)
    return _kind_by_name(place(path))


@lru_cache(maxsize=4096)
def _kind_by_name(path: str) -> Kind | None:
    pure = PurePosixPath(path)
    found = _KINDS.get(pure.suffix.lower())
    if found is None:
        return None
    names = file_names()
    if any(part in names.other_folders for part in pure.parts[:-1]):
        return None
    if found is Kind.TEXT and any(_holds_documents(part) for part in pure.parts[:-1]):
        return None
    inner = PurePosixPath(pure.stem).suffix.lower()
    if (
        found is Kind.JINJA
        and inner
        and inner not in names.prose_suffixes
        and 1 < len(inner) <= 6
        and inner[1:].isalnum()
    ):
        return None
    if "_".join(split_words(pure.name.partition(".")[0])) in names.other_names and found in (
        Kind.TEXT,
        Kind.JSON,
        Kind.YAML,
        Kind.TOML,
    ):
        return None
    return found


def _holds_documents(folder: str) -> bool:
    words, names = set(split_words(folder)), file_names()
    return bool(words & names.document_folders) and words <= names.document_folders | names.of_documents


def place(path: str) -> str:
    """Where the file lies in its project, as far as that is known here."""
    files = current()
    return path if files is None else files.place(path)


def is_pattern(path: str) -> bool:
    """True for a pattern of fabric: ``…patterns/<name>/system.md``."""
    parts = PurePosixPath(place(path)).parts
    return len(parts) >= 3 and parts[-1] == "system.md" and parts[-3].endswith("patterns")


def is_agent(path: str) -> bool:
    """True for the place of an agent or a skill in Markdown: ``agents/x.md``, ``SKILL.md``."""
    parts = PurePosixPath(place(path)).parts
    return parts[-1] == "SKILL.md" or (len(parts) > 1 and parts[-2] == "agents" and parts[-1].endswith(".md"))


def named_prompt(path: str) -> bool:
    """True when the project, the file's name or a folder it lies in says that it is a prompt."""
    return is_included(path) or _named_prompt(place(path))


def called_prompt(path: str) -> bool:
    """True when the file's own name says that it is a prompt, whatever its folders are called."""
    return _says_prompt(split_words(PurePosixPath(place(path)).name.partition(".")[0]))


@lru_cache(maxsize=4096)
def _named_prompt(path: str) -> bool:
    pure = PurePosixPath(path)
    stem = pure.name.partition(".")[0]
    if "_".join(split_words(stem)) in file_names().prompt_stems:
        return True
    return any(_says_prompt(split_words(part)) for part in (*pure.parts[-5:-1], *pure.name.split(".")))


def _says_prompt(words: tuple[str, ...]) -> bool:
    says, others = file_names().prompt_words, file_names().other_prompts
    return any(word in says and (*words, "")[at + 1] not in others for at, word in enumerate(words))


_STRONG = re.compile(
    r"\byou(?:'re| are) (?:an?|the|now|going|given|tasked|[A-Z]\w+,|asked|responsible|able|smart|helpful|expert)\b"
    r"|\byou will (?:be|act|receive)\b"
    r"|\byour (?:task|job|goal|role) (?:is|will)\b|\bact as (?:an?|the)\b|\bas an (?:ai|assistant|expert)\b"
    r"|你是|您是|你的任务|あなたは|당신은|du bist ein|tu es un|eres un",
    re.IGNORECASE,
)
_CUES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\byou (?:are|have|will|must|should|can|need|may)\b|\byou're\b",
        r"\byour (?:task|job|goal|role|response|answer|output|reply)\b",
        r"\b(?:respond|reply|answer)\b",
        r"\bstep[- ]by[- ]step\b|\bthink (?:carefully|through)\b",
        r"\b(?:given|based on|according to) (?:the|this|these|a)\b|\bbelow (?:is|are)\b|\bhere (?:is|are|'s)\b",
        r"\b(?:do not|don't|never|always|only|must)\b",
        r"\b(?:the|a) user(?:'s)?\b|\buser (?:query|question|input|request|message)\b",
        r"\bassistants?\b|\bchatbot\b|\blanguage model\b|\bagents?\b",
        r"\b(?:summari[sz]e|translate|classify|extract|generate|rewrite|evaluate|identify|analy[sz]e|write|create|provide|rate"
        r"|choose|decide|explain|judge|determine|return|output|use|consider|score)\b",
        r"\bfollowing\b|\bbelow\b|\babove\b",
        r"\bjson\b|\boutput format\b|\bin the format\b|\bformat:",
        r"\bquestions?\b|\bquery\b",
        r"\bcontext\b|\bdocuments?\b|\bpassages?\b|\bconversation\b",
        r"\bexamples?\b",
        r"\binstructions?\b|\bguidelines?\b|\brules?\b|\bcriteria\b",
        r"\bplease\b|请|用户|回答|任务|输出|根据",
        r"ください|下さい|しなさい|しろ。|하세요|하십시오|해줘|해주세요",
        r"以下の|次の|質問|答え|文章|다음|질문|답변|문장",
    )
)


def prose(text: str) -> int:
    """How many different marks of a prompt the first 20,000 characters of ``text`` bear (0 to 19)."""
    head = text[:20_000]
    return sum(1 for cue in _CUES if cue.search(head)) + (1 if _STRONG.search(head) else 0)


def addresses_model(text: str) -> bool:
    """True when the text tells a model who it is or what its task is."""
    return _STRONG.search(text[:20_000]) is not None


_MAIL = re.compile(
    r"^subject:|\bunsubscribe\b|^(?:dear|hi|hello)\b|\b(?:regards|sincerely)\b|\bthank you for\b"
    r"|\bclick (?:here|the link)\b|https?://",
    re.IGNORECASE | re.MULTILINE,
)
_ASKS = 6
"""Marks of a prompt that a plain text with placeholders bears where neither its name nor its place says what it is."""


def asks_model(path: str, text: str) -> bool:
    """True for a plain text with ``{{ }}`` in it that sets a task and tells the model who it is or that JSON is wanted.

    Letters to people are such texts too, and bear other marks.
    """
    if not path.lower().endswith(".txt") or "{{" not in text or prose(text) < _ASKS or _MAIL.search(text):
        return False
    return addresses_model(text) or _JSON.search(text[:20_000]) is not None


_JSON = re.compile(r"\bjson\b", re.IGNORECASE)


MARKUP = re.compile(
    r"<!doctype html|<html\b|<head>|<body\b|<div\b|</table\b|<tr\b|<script\b|<svg\b|<a href|<form\b"
    r"|\{%-?\s*load |csrf_token",
    re.IGNORECASE,
)
"""Marks of a page for people."""

_OTHER_JINJA = re.compile(
    r"\{\{\s*(?:cookiecutter\.|ansible_|ansible\b|inventory_hostname|hostvars|salt\[|pillar[.\[]|grains[.\[]|config\(|ref\(|source\("
    r"|dbt_utils|url_for\(|copier__|_copier_|\.Values|\.Release|this\s*\}\})|\{%-?\s*(?:materialization|snapshot|test|docs)\s"
    r"|(?im:^\s*(?:select|insert into|create table|with \w+ as \()\b)|\A#!|\{\{\s*super\(\)"
)


def other_jinja(text: str) -> bool:
    """True for Jinja of other trades: HTML pages, Ansible, dbt, Helm, Salt, cookiecutter."""
    return MARKUP.search(text) is not None or _OTHER_JINJA.search(text) is not None


_CHAT_MARK = re.compile(r"<\|im_start\|>|<\|start_header_id\|>|\[INST\]|<start_of_turn>|<\|begin_of_text\|>")
"""Tokens of chat templates, which only a text that is sent as it is spells out."""


def spells_chat(path: str, head: str) -> bool:
    """True for plain text (pages of documentation show such tokens too) with tokens of a chat template in it."""
    return path.lower().endswith((".txt", ".tmpl", ".tpl")) and _CHAT_MARK.search(head[:20_000]) is not None


_ROLE_MARK = re.compile(
    rb"(?im)^[ \t]*#?[ \t]*(?:system|user|assistant)[ \t]*:[ \t]*\r?$|\{%-?\s*(?:chat|message) +role"
)
_LIVE = re.compile(
    rb"\{[A-Za-z_][\w.]*[\[}!:]|\{\{|\{%|\$\{?[a-z_]\w+|!<INPUT|<<[A-Za-z_]|%\([a-z_]\w*\)s|!function|template_path|file://"
)
_YAML_KEY = re.compile(
    rb"(?im)^[ \t\-]*[\"']?(?:[\w.\-]*prompts?(?:[_\-]\w+)?|(?:\w+_)?(?:system|user)(?:_\w+)?|templates?|\w+_template"
    rb"|instructions?|messages|content|backstory|doc_to_text|description|expected_output|task|role)[\"']?[ \t]*:"
)
_YAML_SURE = re.compile(
    rb"(?im)^[ \t\-]*[\"']?(?:[\w\-]*prompts?(?:[_\-]\w+)?|system(?:_message|_template|_instruction)?|template|messages"
    rb"|instructions?|\w+_template|backstory|doc_to_text|expected_output)[\"']?[ \t]*:"
)
_OTHER_YAML = re.compile(
    rb"(?m)^(?:jobs|openapi|swagger|AWSTemplateFormatVersion|services|ansible|repos|stages|apiVersion|asyncapi"
    rb"|interactions)[ \t]*:"
)
_GO_TEMPLATE = re.compile(
    rb"\{\{-?\s*(?:\.(?:Values|Release|Chart|Files)\b|include\s+\"|toYaml\b|range\s+[.$]|with\s+\.|template\s+\"|end\s*-?\}\})"
)
"""Marks of a Helm chart, which is not YAML before it is rendered."""
_TAGS = re.compile(rb"\{%-?\s*(?:if|for|include)\s[^%{}]*%\}")
_FLOW = re.compile(rb"(?m)^[ \t\-]*[\"']?type[\"']?[ \t]*:[ \t]*[\"']?(?:custom_)?llm\b")
"""A node of a promptflow flow that sends a prompt."""
_SENT = re.compile(
    rb"(?m)^[ \t\-]*prompt(?:_template)?[ \t]*:[ \t]*[\"']?[\w./\-]+\.(?:jinja2?|j2)\b"
    rb"|^[ \t\-]*type[ \t]*:[ \t]*agent\b(?=(?s:.*?)^[ \t]+role[ \t]*:)"
)
"""A prompt in a file of its own (Rasa), an agent with a role (ChatDev)."""
_JSON_KEY = re.compile(
    rb"\"(?:_type|lc|input_variables|template_format|prompts|backstory|doc_to_text|phase_prompt|slices"
    rb"|(?:sys|system|selector)_(?:prompt|message))\"\s*:"
)
_TOML_KEY = re.compile(
    rb"(?im)^[ \t]*(?:[\w.\-]*(?:prompts?|template|instructions?)(?:[_\-]\w+)?|(?:\w+_)?system(?:_\w+)?)[ \t]*="
    rb"[ \t]*(?:\"\"\"|''')"
)
"""A text of several lines under such a key. What is given in one line is a name or a path far more often."""
_TEST_BYTES = 1_000_000
_LARGE_JSON = 500_000


def might_hold_prompt(path: str, data: bytes) -> bool:
    """Cheap test whether the file could hold a prompt: name and place first, then bytes. Nothing is parsed."""
    found = kind(path)
    if found is None or not data:
        return False
    if found in (Kind.PROMPTY, Kind.POML, Kind.BAML):
        return True
    head = data[:_TEST_BYTES]
    if found is Kind.DOTPROMPT:
        return _LIVE.search(head) is not None
    if b"\0" in head[:1000]:
        return False
    return _TESTS.get(found, _text_might_hold)(path, head)


def _jinja_might_hold(path: str, head: bytes) -> bool:
    return b"{{" in head or b"{%" in head or b"${" in head


def _yaml_might_hold(path: str, head: bytes) -> bool:
    if PurePosixPath(path).name.startswith("flow.dag."):
        return _FLOW.search(head) is not None
    if _GO_TEMPLATE.search(head):
        return False
    if _holds_prompt_key(head):
        return _LIVE.search(head) is not None
    if _OTHER_YAML.search(head) and not is_included(path):
        return b"ConfigMap" in head and b"prompt" in head
    if _SENT.search(head):
        return True
    pattern = _YAML_KEY if named_prompt(path) or b"backstory" in head or b"expected_output" in head else _YAML_SURE
    return pattern.search(head) is not None and _LIVE.search(head) is not None


def _json_might_hold(path: str, head: bytes) -> bool:
    if named_prompt(path):
        return _LIVE.search(head) is not None
    return len(head) < _LARGE_JSON and _JSON_KEY.search(head) is not None and _LIVE.search(head) is not None


def _toml_might_hold(path: str, head: bytes) -> bool:
    return (named_prompt(path) or _TOML_KEY.search(head) is not None) and _LIVE.search(head) is not None


def _text_might_hold(path: str, head: bytes) -> bool:
    if is_pattern(path):
        return True
    if is_agent(path) and head.startswith((b"---", b"\xef\xbb\xbf---")):
        return b"name:" in head and b"description:" in head
    if not named_prompt(path):
        if _TAGS.search(head) is not None and b"{{" in head:
            return True
        if b"{{" in head and (_ROLE_MARK.search(head) is not None or path.lower().endswith(".txt")):
            return True
        return _LIVE.search(head) is not None and spells_chat(path, head[:20_000].decode("utf-8", "replace"))
    return _LIVE.search(head) is not None or _ROLE_MARK.search(head) is not None


_TESTS: dict[Kind, Callable[[str, bytes], bool]] = {
    Kind.JINJA: _jinja_might_hold,
    Kind.YAML: _yaml_might_hold,
    Kind.JSON: _json_might_hold,
    Kind.TOML: _toml_might_hold,
}


def _holds_prompt_key(head: bytes) -> bool:
    files = current()
    if files is None or not files.keys:
        return False
    lowered = head.lower()
    return any(key.encode() in lowered for key in files.keys)
