"""TOML: texts under prompt-like keys, as settings keep them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles import toml_source
from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.file_kinds import named_prompt
from prefixlint.frontends.promptfiles.formats import yaml_file, yaml_generic

if TYPE_CHECKING:
    from prefixlint.frontends.promptfiles.formats.common import Found


def read(found: Found) -> None:
    try:
        roots = toml_source.documents(found.file)
    except PromptFileError:
        # Settings of other tools are TOML as well: only a file that calls itself a prompt is worth a word.
        if named_prompt(found.file.path):
            raise
        return
    rest = yaml_file.of_formats(found, roots)
    yaml_generic.read(found, rest)
