"""What the name of a function says of its result."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from prefixlint.frontends.python.naming import named, told_by
from prefixlint.frontends.python.syntax import last_name
from prefixlint.frontends.python.values import Choose, Opaque, Str
from prefixlint.knowledge.call_names import call_names
from prefixlint.model.lifetimes import Lifetime, Origin, SourceKind
from prefixlint.model.segments import Choice, Text

if TYPE_CHECKING:
    import ast
    from collections.abc import Sequence

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.values import Val


def by_function_name(name: str, node: ast.expr, frame: Frame) -> Opaque | None:
    """What ``get_chat_history`` or ``retrieve_documents`` gives, by its name; None for a neutral name.

    How it is found, or for what, is not what is given: ``get_lines_by_size`` gives lines.
    """
    subject = _subject(name)
    if not subject:
        return None
    places = frame.module.places
    source = places.source(node)
    told = told_by(subject, source, loose=False)
    if not told.lifetime.known or told.kind is SourceKind.USER_INPUT:
        return None
    return named(subject, source, places.span(node), loose=False)


@lru_cache(maxsize=4096)
def _subject(name: str) -> str:
    """What the name of a function says that it gives; "" for nothing."""
    words = _given(name.rpartition(".")[2].strip("_").split("_"))
    verbs = call_names().verbs
    return "_".join(word for word in words if word.lower() not in verbs)


@lru_cache(maxsize=4096)
def _verb(name: str) -> str:
    """The first word of a function's name that says what it does: "search" of ``_handle_search_memories``."""
    words = name.rpartition(".")[2].strip("_").split("_")
    return next((word for word in words[:-1] if word not in call_names().doing), words[-1])


def _given(words: list[str]) -> list[str]:
    """The words of a function's name in front of the first that says how, whence or what for."""
    ends = call_names().relations
    return words[: next((at for at, word in enumerate(words) if at and word.lower() in ends), len(words))]


def keeps_text(call: ast.Call) -> bool:
    """Whether a function gives the text that it is given, but for some of it: ``truncate_text``, ``clean_up_lines``.

    A method of strings is given something else: ``question.strip("\\n")``.
    """
    return _says_kept(last_name(call.func))


@lru_cache(maxsize=4096)
def _says_kept(name: str) -> bool:
    return not hasattr(str, name) and name.strip("_").partition("_")[0].lower() in call_names().keeping_text


def kept_text(result: Val, args: Sequence[Val]) -> Val:
    """What such a function gives of a text, its first argument, where its body tells no more than that it is made of
    that."""
    text = args[0] if args else None
    if not isinstance(text, Str) or not any(isinstance(segment, Text) for segment in text.segments):
        return result
    only = result.segments[0] if isinstance(result, Str) and len(result.segments) == 1 else None
    one_of = text in result.values if isinstance(result, Choose) else False
    if one_of or (isinstance(only, Choice) and text.segments in only.arms):
        return text
    return text if isinstance(result, Opaque) and result.drift is None else result


def by_arguments(name: str, suggested: Opaque | None, given: Opaque, args: Sequence[Opaque]) -> Opaque | None:
    """What a function that looks things up, or writes out what it is ``given``, gives where that is shorter-lived than
    its name says: ``retrieve_memories(question)`` are those of the question. None for other functions.

    ``given`` are those of the ``args`` that vary, as one.
    """
    first = _verb(name)
    if suggested is not None and suggested.lifetime is Lifetime.SESSION and first in call_names().retrieving:
        looked_for = next((arg for arg in args if not arg.lifetime.known), None)
        if looked_for is not None and not given.lifetime.varies:
            # What is looked for among memories may be anything, but is not the same each time.
            origin = Origin(SourceKind.RETRIEVAL, suggested.origin.hops)
            return suggested.but(lifetime=Lifetime.REQUEST, origin=origin, shape="list", grows=False)
    if not given.lifetime.varies or (suggested is not None and given.lifetime.rank >= suggested.lifetime.rank):
        return None
    if first in call_names().retrieving:
        return given.but(origin=Origin(SourceKind.RETRIEVAL, given.origin.hops), grows=False)
    longer = suggested is not None and suggested.lifetime.varies
    return given if longer and first in call_names().writing_out else None


def answers(name: str, given: Opaque) -> bool:
    """Whether a function that is ``given`` a conversation answers it: what it gives is none itself."""
    return given.grows and name.rpartition(".")[2].lstrip("_") in call_names().answering
