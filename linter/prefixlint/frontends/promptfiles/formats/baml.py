"""BAML: the prompts of ``function … { prompt #"…"# }``, Jinja-like with ``{{ _.role("user") }}``.

Source: BAML documentation (ref/prompt-syntax), and BoundaryML/baml: engine/baml-lib/jinja-runtime/src/lib.rs (the text
loses its indentation and the white space at its ends) and baml-core/src/ir/jinja_helpers.rs (blocks are trimmed); read
2026-11.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.facts import Facts, Names
from prefixlint.frontends.promptfiles.formats.known import known
from prefixlint.frontends.promptfiles.jinja_source import jinja_parts, macro
from prefixlint.frontends.promptfiles.jinja_tree import JinjaSyntax
from prefixlint.frontends.promptfiles.mapping import dedented, verbatim
from prefixlint.frontends.promptfiles.roles import messages
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.frontends.promptfiles.formats.common import Found
    from prefixlint.frontends.promptfiles.jinja_expressions import Macro

_FUNCTION = re.compile(r"^\s*function\s+(\w+)\s*\(([^)]*)\)", re.MULTILINE)
_TEMPLATE = re.compile(r"^\s*template_string\s+(\w+)\s*\(([^)]*)\)\s*(#+)\"", re.MULTILINE)
_PARAMETER = re.compile(r"(?:^|,)\s*(\w+)\s*:")
_PROMPT = re.compile(r"^\s*prompt\s+(#+)\"", re.MULTILINE)
_SYNTAX = JinjaSyntax(trim_blocks=True, lstrip_blocks=True)
_PASSED = Facts(Lifetime.REQUEST, Origin(SourceKind.USER_INPUT), Confidence.LOW)
_CLIENT = re.compile(r"^\s*client\s+\"?([\w./:\-]+)", re.MULTILINE)


def read(found: Found) -> None:
    file = found.file
    starts = list(_FUNCTION.finditer(file.text))
    templates = dict(_templates(found))
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
            names = _names(function.group(2))
            text = dedented(verbatim(file, opening.end(), closing))
            parts = jinja_parts(text, syntax=_SYNTAX, names=names, given=templates)
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


def _names(parameters: str) -> Names:
    """Judges a function's parameters: what a call passes is new with each call, unless its name says otherwise."""
    passed = frozenset(_PARAMETER.findall(parameters))
    documented = known("baml")

    def judge(name: str) -> Facts:
        facts = documented(name)
        return facts if facts.lifetime.known or name not in passed else replace(_PASSED, name=name)

    return judge


def _templates(found: Found) -> Iterator[tuple[str, Macro]]:
    """The ``template_string`` s of a file, which its prompts call like macros."""
    file = found.file
    for match in _TEMPLATE.finditer(file.text):
        closing = file.text.find(f'"{match.group(3)}', match.end())
        if closing == -1:
            continue
        text = dedented(verbatim(file, match.end(), closing))
        try:
            yield match.group(1), macro(text, _PARAMETER.findall(match.group(2)), known("baml"), _SYNTAX)
        except PromptFileError as error:
            found.problems.append(error.problem)
