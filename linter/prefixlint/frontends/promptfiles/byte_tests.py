"""Cheap tests on a file's bytes whether it could hold a prompt. Nothing is parsed."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.file_kinds import (
    Kind,
    is_agent,
    is_included,
    is_pattern,
    kind,
    named_prompt,
)
from prefixlint.frontends.promptfiles.wording import spells_chat
from prefixlint.knowledge.prompt_files import current

if TYPE_CHECKING:
    from collections.abc import Callable

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
