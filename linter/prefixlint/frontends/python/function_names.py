"""What the name of a function says of its result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.frontends.python.naming import named
from prefixlint.knowledge.call_names import call_names
from prefixlint.model.lifetimes import Origin, SourceKind

if TYPE_CHECKING:
    import ast

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.values import Opaque


def by_function_name(name: str, node: ast.expr, frame: Frame) -> Opaque | None:
    """What ``get_chat_history`` or ``retrieve_documents`` gives, by its name; None for a neutral name.

    How it is found, or for what, is not what is given: ``get_lines_by_size`` gives lines.
    """
    words = _given(name.rpartition(".")[2].strip("_").split("_"))
    verbs = call_names().verbs
    subject = "_".join(word for word in words if word.lower() not in verbs)
    if not subject:
        return None
    places = frame.module.places
    value = named(subject, places.source(node), places.span(node), loose=False)
    return value if value.lifetime.known and value.origin.kind is not SourceKind.USER_INPUT else None


def _given(words: list[str]) -> list[str]:
    """The words of a function's name in front of the first that says how, whence or what for."""
    ends = call_names().relations
    return words[: next((at for at, word in enumerate(words) if at and word.lower() in ends), len(words))]


def by_arguments(name: str, suggested: Opaque | None, given: Opaque) -> Opaque | None:
    """What a function that looks things up, or writes out what it is ``given``, gives where that is shorter-lived than
    its name says: ``retrieve_memories(question)`` are those of the question. None for other functions."""
    first = name.rpartition(".")[2].lstrip("_").partition("_")[0]
    if not given.lifetime.varies or (suggested is not None and given.lifetime.rank >= suggested.lifetime.rank):
        return None
    if first in call_names().retrieving:
        return given.but(origin=Origin(SourceKind.RETRIEVAL, given.origin.hops), grows=False)
    longer = suggested is not None and suggested.lifetime.varies
    return given if longer and first in call_names().writing_out else None
