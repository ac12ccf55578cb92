"""The files that ``init`` adds to, as texts: a table for pyproject.toml, an entry for .pre-commit-config.yaml.

Both are insertions: what was there stays as it was, to the byte.
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HOOK_ID: Final = "prefixlint"
HOOK_FILES: Final = r"\.(py|ipynb|j2|jinja2?|ya?ml|json|toml|txt|md|markdown|tmpl|tpl|prompty|prompt|poml|baml)$"
"""The files that the hook is given, as in .pre-commit-hooks.yaml."""

_SETTINGS: Final = """\
{target}
# Left out besides tests, build folders and what git ignores:
# extend-exclude = ["notebooks/"]
"""


class CannotAdd(ValueError):
    """A file that nothing can be added to; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a hook comes from: a repository at a revision, or, with ``url`` "", the prefixlint on the path."""

    url: str = ""
    revision: str = ""


def settings(targets: Sequence[str]) -> str:
    """The settings that a project begins with, without the table's head."""
    if targets:
        return _SETTINGS.format(target=f"target = {json.dumps(list(targets))}")
    about = '# What predictions are made for; without it, what the code calls:\n# target = ["vllm", "openai:gpt-4o"]'
    return _SETTINGS.format(target=about)


def with_table(text: str, targets: Sequence[str]) -> str:
    """pyproject.toml with a ``[tool.prefixlint]`` table at its end. Raises ``CannotAdd``."""
    before = text if not text or text.endswith("\n") else text + "\n"
    gap = "\n" if before.strip() and not before.endswith("\n\n") else ""
    table = f"[tool.prefixlint]\n{settings(targets)}"
    new = f"{before}{gap}{table}"
    try:
        old_data, data = tomllib.loads(text), tomllib.loads(new)
    except tomllib.TOMLDecodeError as error:
        raise CannotAdd(f"no table can be added ({error}); add by hand:\n{table}") from None
    data["tool"].pop("prefixlint")
    assert data == old_data | ({} if "tool" in old_data else {"tool": {}})
    return new


def has_hook(text: str) -> bool:
    """True where .pre-commit-config.yaml names the hook already. Raises ``CannotAdd`` for what is no such file."""
    return any(hook.get("id") == HOOK_ID for repo in _repos(_parsed(text)) for hook in repo.get("hooks") or ())


def with_hook(text: str, source: Source) -> str:
    """.pre-commit-config.yaml with the hook behind the others. Raises ``CannotAdd``."""
    if not text.strip():
        return "# What runs before each commit: https://pre-commit.com\nrepos:\n" + _entry(source, 2, 2, 2)
    old = _parsed(text)
    new = _inserted(text, source)
    by_hand = f"no entry can be added; add under repos:\n{_entry(source, 2, 2, 2)}"
    try:
        data = _parsed(new)
    except CannotAdd:
        raise CannotAdd(by_hand) from None
    repos = _repos(data)
    if {**old, "repos": repos} != data or repos[:-1] != _repos(old) or repos[-1]["hooks"][0]["id"] != HOOK_ID:
        raise CannotAdd(by_hand)
    return new


def _parsed(text: str) -> dict[str, Any]:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        data = YAML(typ="safe", pure=True).load(text)
    except YAMLError as error:
        raise CannotAdd(f"not valid YAML: {' '.join(str(error).split())}") from None
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise CannotAdd("not a pre-commit configuration: no mapping with the key repos")
    return data


def _repos(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    repos = data.get("repos") or []
    if not isinstance(repos, list) or not all(isinstance(repo, dict) for repo in repos):
        raise CannotAdd("not a pre-commit configuration: repos is no list of repositories")
    return repos


def _inserted(text: str, source: Source) -> str:
    from ruamel.yaml import YAML
    from ruamel.yaml.nodes import ScalarNode, SequenceNode

    root = YAML(typ="rt", pure=True).compose(text)
    found = next((value for key, value in root.value if key.value == "repos"), None) if root is not None else None
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    if found is None:
        return "".join(lines) + "repos:\n" + _entry(source, 2, 2, 2)
    if isinstance(found, ScalarNode) and not found.value:  # repos: without anything
        at = found.start_mark.line + 1
        return "".join(lines[:at]) + _entry(source, 2, 2, 2) + "".join(lines[at:])
    if not isinstance(found, SequenceNode) or found.flow_style or not found.value:
        if isinstance(found, SequenceNode) and not found.value:  # repos: []
            at = found.start_mark.line
            head = lines[at][: found.start_mark.column].rstrip() + "\n"
            return "".join([*lines[:at], head, _entry(source, 2, 2, 2), *lines[found.end_mark.line + 1 :]])
        return text
    item = found.value[-1]
    column = item.start_mark.column
    dash = len(lines[item.start_mark.line]) - len(lines[item.start_mark.line].lstrip(" "))
    at = min(found.end_mark.line, len(lines))
    while _belongs_to_what_follows(lines[at - 1], dash):
        at -= 1
    return "".join(lines[:at]) + _entry(source, dash, column - dash, dash) + "".join(lines[at:])


def _belongs_to_what_follows(line: str, dash: int) -> bool:
    """An empty line, or a comment that is not indented as the entries are."""
    stripped = line.strip()
    return not stripped or (stripped.startswith("#") and len(line) - len(line.lstrip(" ")) < max(dash, 1))


def _entry(source: Source, dash: int, gap: int, inner: int) -> str:
    """An item of ``repos``: its dash in column ``dash``, its keys ``gap`` further, lists in it ``inner`` further."""
    if source.url:
        head = [("repo", source.url), ("rev", source.revision)]
        hook = [("id", HOOK_ID)]
    else:
        head = [("repo", "local")]
        hook = [
            ("id", HOOK_ID),
            ("name", "prefixlint"),
            ("entry", "prefixlint check --force-exclude"),
            ("language", "system"),
            ("types", "[text]"),
            ("files", HOOK_FILES),
            ("require_serial", "true"),
        ]
    keys = " " * (dash + gap)
    out = [f"{keys}{key}: {_scalar(value)}" for key, value in head] + [f"{keys}hooks:"]
    within = dash + gap + inner
    out += [f"{' ' * (within + gap)}{key}: {_scalar(value)}" for key, value in hook]
    for number, column in ((0, dash), (len(head) + 1, within)):
        out[number] = f"{' ' * column}-{out[number][column + 1 :]}"
    return "\n".join(out) + "\n"


def _scalar(value: str) -> str:
    """``value`` as YAML: plain where that means the same."""
    plain = re.fullmatch(r"[\w./\\(][^#'\"]*|\[text\]", value) and ": " not in value
    return value if plain else f"'{value}'"
