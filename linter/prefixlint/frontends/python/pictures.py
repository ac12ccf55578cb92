"""Pictures that are taken out of all but the newest messages of a conversation, where nothing was seen to send it.

Agents that use a screen keep their messages in stores and other agents that no source shows. Code that looks for
pictures in messages and leaves so many of the newest is enough to tell: each turn another message loses its picture.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prefixlint.frontends.python.given_back import conditions_at
from prefixlint.frontends.python.hiding import FEWEST
from prefixlint.frontends.python.loop_shapes import changed_by_number
from prefixlint.frontends.python.older_places import changed_older, left_out_or_changed, taken_out_older
from prefixlint.frontends.python.remembered import once
from prefixlint.frontends.python.rewriting import CONTENT
from prefixlint.frontends.python.syntax import last_name
from prefixlint.frontends.python.thresholds import slides
from prefixlint.knowledge.attachments import attachments
from prefixlint.knowledge.names import split_words
from prefixlint.model.segments import Drift

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from prefixlint.frontends.python.modules import FunctionInfo, ModuleInfo
    from prefixlint.frontends.python.own_nodes import OwnNodes
    from prefixlint.model.sources import Span

    Loop = ast.For | ast.AsyncFor | ast.ListComp


@once
def takes_pictures(info: FunctionInfo) -> bool:
    """Whether a function takes pictures out of messages that are no longer among the newest."""
    return _speaks_of_pictures(info.module) and next(_found(info), None) is not None


@once
def _speaks_of_pictures(module: ModuleInfo) -> bool:
    return any(word in module.file.text for word in attachments().pictures)


def pictures_taken(info: FunctionInfo, callers: Iterable[FunctionInfo], told: Iterable[Span]) -> ast.expr | None:
    """The test by which a function does so on each turn; None where it does not, its ``callers`` ask for it where an
    error is handled, or something within the loop is ``told``."""
    if not takes_pictures(info):
        return None
    named = [(one, call) for one in callers for call in one.own_nodes.of(ast.Call) if last_name(call.func) == info.name]
    if named and all(_on_error(caller, call.lineno) for caller, call in named):
        return None
    places = info.module.places
    lines = [place.start.line for place in told if info.holds(place)]
    for place, last, around in _found(info):
        if any(around.lineno <= line <= (around.end_lineno or line) for line in lines):
            continue
        span = places.span(place)
        bound = "" if last is None else places.source(last)
        size = int(bound) if bound.isdecimal() else None
        drift = Drift("rewritten", places.source(place), span, size, bound)
        if (size is None or size >= FEWEST) and slides(drift, conditions_at(info, span)):
            return place
    return None


def _found(info: FunctionInfo) -> Iterator[tuple[ast.expr, ast.expr | None, Loop]]:
    """What tells older messages with pictures from the others, how many of these there are, if that is known, and what
    runs over them."""
    nodes = info.own_nodes
    if not _asks_for_content(nodes):
        return
    definitions = nodes.definitions()
    everywhere = any(_is_picture(node.value) for node in nodes.of(ast.Constant))
    for loop in nodes.loops():
        if not _on_error(info, loop.lineno) and (everywhere or _is_about_pictures(loop)):
            older = changed_older(loop, definitions) or taken_out_older(loop, definitions)
            test = changed_by_number(loop) if older is None else None
            if older is not None:
                yield older.place, older.last, loop
            elif test is not None:
                yield test, None, loop
    for node in nodes.of(ast.ListComp):
        older = left_out_or_changed(node, definitions)
        if older is not None and (everywhere or _is_about_pictures(node)):
            yield older.place, older.last, node


def _asks_for_content(nodes: OwnNodes) -> bool:
    """Whether code looks into what it calls the content of something: messages, whatever their list is called."""
    return any(node.attr == CONTENT for node in nodes.of(ast.Attribute)) or any(
        node.value == CONTENT for node in nodes.of(ast.Constant)
    )


def _is_about_pictures(part: ast.AST) -> bool:
    """Whether names in code, or what it asks for, are those of pictures."""
    for node in ast.walk(part):
        name = last_name(node) if isinstance(node, ast.Name | ast.Attribute) else ""
        if (isinstance(node, ast.Constant) and _is_picture(node.value)) or (
            name and not attachments().pictures.isdisjoint(split_words(name))
        ):
            return True
    return False


def _is_picture(value: object) -> bool:
    """Whether a constant is the type of a part that is a picture."""
    return (
        isinstance(value, str)
        and value in attachments().types
        and not attachments().pictures.isdisjoint(split_words(value))
    )


def _on_error(info: FunctionInfo, line: int) -> bool:
    """Whether a line stands where an error is handled: what is done there is done seldom."""
    return any(node.lineno <= line <= (node.end_lineno or line) for node in info.own_nodes.of(ast.ExceptHandler))
