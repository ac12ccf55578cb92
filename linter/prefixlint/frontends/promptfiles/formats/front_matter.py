"""Files with YAML front matter between ``---`` lines, and a body behind it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.mapping import verbatim
from prefixlint.frontends.promptfiles.yaml_source import Mapping_, Scalar, Sequence_, documents
from prefixlint.model.sources import Position, SourceFile

if TYPE_CHECKING:
    from prefixlint.frontends.promptfiles.yaml_source import Node
    from prefixlint.model.segments import Text

_OPEN = re.compile(r"\s*---[ \t]*(?:\r\n|\r|\n)")
_OPEN_COMMENTED = re.compile(r"(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))*---[ \t]*(?:\r\n|\r|\n)")
_BLANKED = re.compile(r"[^\r\n]")
_CLOSE = re.compile(r"^---[ \t]*(?:\r\n|\r|\n|\Z)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Parted:
    """``settings`` is the front matter's mapping or None; ``body`` what follows, with its place."""

    settings: Mapping_ | None
    body: Text


def parted(file: SourceFile, *, commented: bool = False) -> Parted:
    """Front matter and body of ``file``; with ``commented``, comments may stand in front of it.

    Raises ``PromptFileError`` for front matter that is not YAML.
    """
    opening = (_OPEN_COMMENTED if commented else _OPEN).match(file.text)
    closing = _CLOSE.search(file.text, opening.end()) if opening else None
    if opening is None or closing is None:
        return Parted(None, verbatim(file))
    # The front matter keeps its lines, so that the places in its nodes are those in the file.
    start = file.text.rindex("---", 0, opening.end()) + 3
    head = SourceFile(file.path, _BLANKED.sub(" ", file.text[:start]) + file.text[start : closing.start()])
    try:
        roots = documents(head)
    except PromptFileError as error:
        problem = error.problem
        raise PromptFileError(
            file.path, Position(problem.position.line, problem.position.column), problem.message
        ) from None
    settings = roots[0] if roots else None
    return Parted(settings if isinstance(settings, Mapping_) else None, verbatim(file, closing.end()))


def model_in(settings: Node | None, depth: int = 0) -> str | None:
    """The model that settings name: ``model: x``, ``model: {configuration: {azure_deployment: x}}``."""
    if not isinstance(settings, Mapping_) or depth > 3:
        return None
    for key in ("model", "model_name", "azure_deployment", "deployment_name", "deployment"):
        node = settings.get(key)
        if isinstance(node, Scalar) and node.value and "$" not in node.value and "{" not in node.value:
            return node.value
    for key in ("model", "configuration", "parameters", "provider", "llm", "completion_params"):
        node = settings.get(key)
        if isinstance(node, Sequence_):
            continue
        inner = model_in(node, depth + 1)
        if inner is not None:
            return inner
        if key == "model" and isinstance(node, Mapping_) and node.string("name", "id"):
            return node.string("name", "id")
    return None
