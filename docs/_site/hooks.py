"""What MkDocs does besides: pages out of the code, links that hold in the repository and on the site, pictures.

Rule pages, the tables of rules and targets, the JSON Schemas and the changelog are made when the site is built; the
pages in ``docs`` are written so that their links lead somewhere in the repository as well.
"""

from __future__ import annotations

import json
import posixpath
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parent))
from tables import table

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)")
_PICTURE = re.compile(r'<p><img alt="[^"]*" src="(?:\.\./)*(images/[\w-]+\.svg)"\s*/?></p>')
_COMMENT = re.compile(r"^<!--.*?-->\n\n?", re.MULTILINE | re.DOTALL)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Puts the rules' pages, and pages about editors if there are any, into the navigation."""
    nav: list[dict[str, list[Any]]] = config.nav or []
    sections = {name: pages for entry in nav if isinstance(entry, dict) for name, pages in entry.items()}
    sections["Rules"] += [{f"{rule.code} {rule.name}": f"rules/{rule.name}.md"} for rule in _rules()]
    editors = sorted(path.name for path in (ROOT / "docs/editors").glob("*.md"))
    if editors:
        first = [name for name in editors if name == "index.md"]
        pages = [f"editors/{name}" for name in first + [name for name in editors if name != "index.md"]]
        nav.insert(3, {"Editors": pages})  # type: ignore[dict-item]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages and files that are made."""
    from mkdocs.structure.files import File

    made = {
        "changelog.md": (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"),
        **{f"rules/{rule.name}.md": _rule_page(rule) for rule in _rules()},
        **{f"schemas/{name}-1.json": _schema(name) for name in ("check", "report")},
    }
    for path, text in made.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turns links to what is not on the site into names, links to rules into those of their pages."""
    here = page.file.src_uri

    def replaced(found: re.Match[str]) -> str:
        text, target = found.groups()
        path, hash_sign, anchor = target.partition("#")
        if "://" in path or not path:
            return found[0]
        there = posixpath.normpath(posixpath.join(posixpath.dirname(here), path))
        if rule := re.fullmatch(r"(?:\.\./rules/prefixlint_rules|rules)/(\w+)\.md", there):
            there = f"rules/{rule[1].replace('_', '-')}.md"
        there = there.replace("../linter/prefixlint/report/jsonschemas/", "schemas/")
        if files.get_file_from_path(there) is None:
            return text if text.startswith("`") else f"{text} (`{there.removeprefix('../')}`)"
        return f"[{text}]({posixpath.relpath(there, posixpath.dirname(here) or '.')}{hash_sign}{anchor})"

    for name, tables in (("rules", _rules_tables), ("targets", _targets_tables)):
        if f"<!-- made: {name} -->" in markdown:
            markdown = markdown.replace(f"<!-- made: {name} -->", tables())
    fences = re.split(r"(^```.*?^```$)", _COMMENT.sub("", markdown), flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.startswith("```") else _LINK.sub(replaced, part) for part in fences)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Puts pictures into the page, where they take its colours."""

    def inlined(found: re.Match[str]) -> str:
        picture = (ROOT / "docs" / found[1]).read_text(encoding="utf-8").replace(" pl-file", "", 1)
        return f'<div class="pl-scroll" tabindex="0">{re.sub(r"@media[^{]*[{].*?[}][}]", "", picture)}</div>'

    return _PICTURE.sub(inlined, html)


def _rules() -> tuple[Any, ...]:
    from prefixlint_rules import RULES

    return tuple(sorted(RULES, key=lambda rule: rule.code))


def _rule_page(rule: Any) -> str:
    from prefixlint.api import rule_page

    return rule_page(rule)


def _schema(name: str) -> str:
    from prefixlint.report.schemas import schema

    return json.dumps(schema("check" if name == "check" else "report"), indent=2) + "\n"


FAMILIES = {
    "PFX1": "Values in front of more stable content",
    "PFX2": "Order and serialisation",
    "PFX3": "Conversations",
    "PFX4": "Cache markers and keys of providers",
    "PFX5": "Chat templates and tokenizers",
    "PFX6": "Measuring",
    "PFX9": "The linter itself",
}


def _rules_tables() -> str:
    """All rules by family."""
    out = []
    for family, title in FAMILIES.items():
        rows = (
            (
                f"[{rule.code}]({rule.name}.md)",
                f"[{rule.name}]({rule.name}.md)",
                rule.summary + ("" if rule.default else " *(off by default)*"),
            )
            for rule in _rules()
            if rule.code.startswith(family)
        )
        out.append(f"## {title}\n\n{table(('code', 'name', 'what it looks for'), rows)}\n")
    return "\n".join(out)


KINDS = {"engine": "Engines", "provider": "Providers", "relay": "Relays", "store": "Stores"}
MODELS = {
    "token": "each token",
    "block": "whole blocks",
    "unit": "units",
    "breakpoint": "up to a marker",
    "undocumented": "not documented",
}


def _targets_tables() -> str:
    """What is known of each engine and provider."""
    from prefixlint.engines import target_rows

    out = []
    rows = target_rows()
    for kind in dict.fromkeys(row.kind for row in sorted(rows, key=lambda row: list(KINDS).index(row.kind))):
        found = [row for row in rows if row.kind == kind]
        cells = (
            (
                f"`{row.name}`",
                row.title,
                MODELS[row.cache.model],
                f"{row.cache.granularity:,}",
                _span(row),
                row.source_date,
            )
            for row in found
        )
        head = ("name", "", "reused", "step", "minimum", "as of")
        sources = "\n".join(f"- {row.name}: {row.source}" for row in found)
        out.append(f"## {KINDS[kind]}\n\n{table(head, cells)}\n\n### Sources of {KINDS[kind].lower()}\n\n{sources}\n")
    return "\n".join(out)


def _span(row: Any) -> str:
    minima = {row.cache.minimum, *(minimum for minimum, _ in row.minima)}
    return f"{min(minima):,}" if len(minima) == 1 else f"{min(minima):,} to {max(minima):,}"
