"""JSON files: LangChain prompts, message lists, settings of agents, prompt texts, slices that code puts together."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.file_kinds import named_prompt
from prefixlint.frontends.promptfiles.formats import json_source, yaml_file, yaml_generic
from prefixlint.frontends.promptfiles.yaml_source import Mapping_, at_path

if TYPE_CHECKING:
    from prefixlint.frontends.promptfiles.formats.common import Found

_AGENT_KEYS = re.compile(r"(?:sys|system|selector)_(?:prompt|message)")
_ANY = re.compile(r".*")


def read(found: Found) -> None:
    try:
        roots = json_source.documents(found.file)
    except PromptFileError:
        # JSON is data far more often than prompts: only a file that calls itself a prompt is worth a word.
        if named_prompt(found.file.path):
            raise
        return
    for root in roots:
        slices = at_path(root, ("slices",))
        if isinstance(slices, Mapping_):
            yaml_generic.read(found, [slices], _ANY)
    rest = yaml_file.of_formats(found, roots)
    if named_prompt(found.file.path):
        yaml_generic.read(found, rest)
    else:
        # Recorded conversations look like prompts, so elsewhere the keys of an agent's settings have to tell.
        yaml_generic.read(found, rest, _AGENT_KEYS)
