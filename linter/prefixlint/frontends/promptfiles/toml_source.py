"""Texts of TOML files, with their places."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.model.segments import Text
from prefixlint.model.sources import Position, SourceMap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.model.sources import SourceFile


def load_toml_value(file: SourceFile, keys: Sequence[str | int]) -> Text | None:
    """The string at ``keys``, where it stands in the file letter for letter and only once.

    None for anything else: the parser gives no places, and a string with escapes stands nowhere as it is. Raises
    PromptFileError for a file that is no TOML.
    """
    try:
        value: object = tomllib.loads(file.text)
    except (ValueError, RecursionError) as error:
        raise PromptFileError(file.path, Position(1, 1), f"not valid TOML: {error}") from error
    for key in keys:
        if isinstance(value, dict):
            value = value.get(str(key))
        elif isinstance(value, list) and isinstance(key, int) and -len(value) <= key < len(value):
            value = value[key]
        else:
            return None
    if not isinstance(value, str) or file.text.count(value) != 1 or not value:
        return None
    start = file.text.index(value)
    return Text(value, SourceMap.verbatim(file, start, start + len(value)))
