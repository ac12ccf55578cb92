"""How a file is read, and whether its name or place says that it holds a prompt."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from pathlib import PurePosixPath

from prefixlint.knowledge.file_names import file_names
from prefixlint.knowledge.names import split_words
from prefixlint.knowledge.prompt_files import current


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
    prose = inner in names.prose_suffixes or (inner in names.tagged_suffixes and _named_prompt(path))
    if found is Kind.JINJA and not prose and 1 < len(inner) <= 6 and inner[1:].isalnum():
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


def is_of_editor(path: str) -> bool:
    """True for the place of prompts that VS Code and GitHub Copilot read: ``.github/prompts/x.prompt.md``."""
    parts = PurePosixPath(place(path)).parts
    return parts[-3:-1] == (".github", "prompts") and parts[-1].endswith(".prompt.md")


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
