"""BAML: the prompts of ``function … { prompt #"…"# }``, Jinja-like with ``{{ _.role("user") }}``.

Source: BAML documentation (ref/prompt-syntax), read 2026-11.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.formats.known import known
from prefixlint.frontends.promptfiles.jinja_source import jinja_parts
from prefixlint.frontends.promptfiles.mapping import dedented, verbatim
from prefixlint.frontends.promptfiles.roles import messages

if TYPE_CHECKING:
    from prefixlint.frontends.promptfiles.formats.common import Found

_FUNCTION = re.compile(r"^\s*function\s+(\w+)\s*\(", re.MULTILINE)
_PROMPT = re.compile(r"^\s*prompt\s+(#+)\"", re.MULTILINE)
_CLIENT = re.compile(r"^\s*client\s+\"?([\w./:\-]+)", re.MULTILINE)


def read(found: Found) -> None:
    file = found.file
    starts = list(_FUNCTION.finditer(file.text))
    for at, function in enumerate(starts):
        stop = starts[at + 1].start() if at + 1 < len(starts) else len(file.text)
        opening = _PROMPT.search(file.text, function.end(), stop)
        if opening is None:
            continue
        closing = file.text.find(f'"{opening.group(1)}', opening.end(), stop)
        if closing == -1:
            message = f"BAML: the prompt of {function.group(1)} is never closed"
            raise PromptFileError(file.path, file.position(opening.start(1)), message)
        client = _CLIENT.search(file.text, function.end(), opening.start())
        try:
            parts = jinja_parts(dedented(verbatim(file, opening.end(), closing)), names=known("baml"))
        except PromptFileError as error:
            found.problems.append(error.problem)
            continue
        model = client.group(1) if client and "/" in client.group(1) else None
        engine, _, name = (model or "").partition("/")
        found.add(
            "baml",
            function.group(1),
            messages(parts),
            file.span(opening.start(1), closing + 1 + len(opening.group(1))),
            engine=engine or None,
            model=name or None,
        )
