"""Tables of the documentation that come out of the code, as Markdown.

``python docs/_site/tables.py`` writes them anew where a page has ``<!-- table: NAME -->`` … ``<!-- end -->``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from prefixlint.config import keys, own
from prefixlint.discover.walk import DEFAULT_EXCLUDE
from prefixlint.engines import overrides

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

DOCS = Path(__file__).parents[1]
_PLACE = re.compile(r"(<!-- table: ([a-z]+) -->\n).*?(\n<!-- end -->)", re.DOTALL)


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A Markdown table; cells are Markdown already."""
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line).rstrip() + " |" for line in lines)


def _keys(group: str) -> str:
    rows = ((f"`{name}`", key.about, key.default) for name, key in keys.KEYS.items() if key.group == group)
    return table(("key", "value", "default"), rows)


def _about(words: Mapping[str, str]) -> str:
    return table(("key", "value"), ((f"`{word}`", about) for word, about in words.items()))


def _facts() -> str:
    """The facts of a target; names of one thing share a row."""
    names: dict[str, list[str]] = {}
    for name, key in overrides.KEYS.items():
        names.setdefault(key.about, []).append(f"`{name}`")
    rows = ((", ".join(words), about) for about, words in names.items())
    return table(("key", "value"), rows)


def _excluded() -> str:
    return ", ".join(f"`{glob}`" for glob in DEFAULT_EXCLUDE)


TABLES: Mapping[str, Callable[[], str]] = {
    "rules": lambda: _keys("rules"),
    "files": lambda: _keys("files"),
    "targets": lambda: _keys("targets"),
    "own": lambda: _keys("own"),
    "facts": _facts,
    "excluded": _excluded,
    "values": lambda: _about(own.VALUE_KEYS),
    "sinks": lambda: _about(own.SINK_KEYS),
    "templates": lambda: _about(own.TEMPLATE_KEYS),
}


def filled(page: str) -> str:
    """The page with its tables as the code has them now. Raises ``KeyError`` for a table that there is none of."""
    return _PLACE.sub(lambda found: f"{found[1]}\n{TABLES[found[2]]()}\n{found[3]}", page)


def main() -> None:
    for path in sorted(DOCS.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        if (new := filled(text)) != text:
            path.write_text(new, encoding="utf-8")
            print(f"wrote {path.relative_to(DOCS.parent)}")


if __name__ == "__main__":
    main()
