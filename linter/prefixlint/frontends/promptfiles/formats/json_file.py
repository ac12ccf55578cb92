"""JSON files: LangChain prompts, message lists, and files of named prompt texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.formats import json_source, yaml_file
from prefixlint.frontends.promptfiles.recognise import named_prompt

if TYPE_CHECKING:
    from prefixlint.frontends.promptfiles.formats.common import Found


def read(found: Found) -> None:
    try:
        roots = json_source.documents(found.file)
    except PromptFileError:
        # JSON is data far more often than prompts: only a file that calls itself a prompt is worth a word.
        if named_prompt(found.file.path):
            raise
        return
    # Recorded conversations look like prompts; only the place tells them apart.
    yaml_file.read_documents(found, roots, generic=named_prompt(found.file.path))
