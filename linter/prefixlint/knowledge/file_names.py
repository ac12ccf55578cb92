"""What the names of files and folders say of whether a file is a prompt (data: ``file_names.toml``)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from prefixlint import package_data


@dataclass(frozen=True, slots=True)
class FileNames:
    """Words, whole names and suffixes, all in lower case; the data file says of each list what it tells.

    ``prompt_folders`` are in the order in which they are tried; the first is the empty path.
    """

    prompt_words: frozenset[str]
    other_prompts: frozenset[str]
    prompt_folders: tuple[str, ...]
    prompt_stems: frozenset[str]
    prose_suffixes: frozenset[str]
    tagged_suffixes: frozenset[str]
    other_folders: frozenset[str]
    document_folders: frozenset[str]
    of_documents: frozenset[str]
    example_folders: frozenset[str]
    other_names: frozenset[str]
    programs: frozenset[str]


@cache
def file_names() -> FileNames:
    """The built-in table; raises ``TypeError`` on a malformed data file."""
    raw = package_data.table(__file__, "file_names.toml")
    del raw["date"]
    folders = tuple(raw.pop("prompt_folders"))
    return FileNames(prompt_folders=folders, **{name: frozenset(entries) for name, entries in raw.items()})
