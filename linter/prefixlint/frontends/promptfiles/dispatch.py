"""From a file to the format that reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.frontends.companions import by_companions
from prefixlint.frontends.introductions import by_introductions
from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.file_kinds import Kind, kind
from prefixlint.frontends.promptfiles.formats import (
    baml,
    dotprompt,
    jinja_file,
    json_file,
    poml,
    prompty,
    text_file,
    toml_file,
    yaml_file,
)
from prefixlint.frontends.promptfiles.formats.common import Found, Read
from prefixlint.model.templates import Extraction

if TYPE_CHECKING:
    from prefixlint.model.sources import SourceFile

_READERS = {
    Kind.JINJA: jinja_file.read,
    Kind.YAML: yaml_file.read,
    Kind.TEXT: text_file.read,
    Kind.PROMPTY: prompty.read,
    Kind.JSON: json_file.read,
    Kind.TOML: toml_file.read,
    Kind.DOTPROMPT: dotprompt.read,
    Kind.BAML: baml.read,
    Kind.POML: poml.read,
}


def extract(file: SourceFile, read: Read | None = None) -> Extraction:
    """Templates in ``file``, judged on its own: open placeholders by their names.

    ``read`` opens other files that this one refers to (included templates, a prompt's settings); without it their text
    is unknown. Never raises: what cannot be read becomes a problem.
    """
    found_kind = kind(file.path)
    if found_kind is None:
        return Extraction()
    found = Found(file, read)
    try:
        _READERS[found_kind](found)
    except PromptFileError as error:
        found.problems.append(error.problem)
    templates = tuple(by_companions(by_introductions(template)) for template in found.templates)
    return Extraction(templates, tuple(found.problems))
