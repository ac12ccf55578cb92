"""The published JSON Schemas of the JSON formats."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, Literal


def schema(command: Literal["check", "report"], version: int = 1) -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of what ``command`` prints with ``--output-format json``.

    It names every key of that version; later releases may add keys, and take none away. Raises ``FileNotFoundError``
    for a version that there is none of.
    """
    text = (files("prefixlint.report") / "jsonschemas" / f"{command}-{version}.json").read_text(encoding="utf-8")
    document = json.loads(text)
    assert isinstance(document, dict)
    return document
