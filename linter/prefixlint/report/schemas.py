"""The published JSON Schemas of the JSON formats."""

from __future__ import annotations

import json
from typing import Any, Literal

from prefixlint import package_data


def schema(command: Literal["check", "report"], version: int = 1) -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of what ``command`` prints with ``--output-format json``.

    It names every key of that version; later releases may add keys, and take none away. Raises ``FileNotFoundError``
    for a version that there is none of.
    """
    document = json.loads(package_data.text(__file__, f"jsonschemas/{command}-{version}.json"))
    assert isinstance(document, dict)
    return document
