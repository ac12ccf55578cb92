"""Which files can matter at all, by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Final

# What the front ends for prompt files can read. The rest of a tree (images, archives, lock files) is never opened.
PROMPT_SUFFIXES: Final = (
    ".dotprompt",
    ".handlebars",
    ".hbs",
    ".j2",
    ".jinja",
    ".jinja2",
    ".json",
    ".md",
    ".mdx",
    ".mustache",
    ".poml",
    ".prompt",
    ".prompty",
    ".tmpl",
    ".tpl",
    ".txt",
    ".yaml",
    ".yml",
)
_SKIPPED_NAMES: Final = frozenset({"package-lock.json", "pnpm-lock.yaml", "composer.lock", "requirements.txt"})


def wanted(path: str) -> bool:
    """True for Python files and for files with the suffix of a prompt format."""
    lower = path.lower()
    if lower.endswith(".py"):
        return True
    return lower.endswith(PROMPT_SUFFIXES) and lower.rsplit("/", 1)[-1] not in _SKIPPED_NAMES
