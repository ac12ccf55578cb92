"""``match`` statements: which case holds, and what its names stand for."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.values import Const, Opaque, Str
from prefixlint.model.segments import Text

if TYPE_CHECKING:
    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Val


def run_match(interpreter: Interpreter, node: ast.Match, subject: Val, frame: Frame, at: int = 0) -> None:
    """Runs the cases from that one on: those that may hold, up to the first that does for sure."""
    if at == len(node.cases) or frame.state is None:
        return
    case = node.cases[at]
    holds = _bind(interpreter, case.pattern, subject, node.subject, frame)
    if holds is False:
        run_match(interpreter, node, subject, frame, at + 1)
        return
    if holds and case.guard is None:
        interpreter.statements.run_block(case.body, frame)
        return
    interpreter.branches.branch(
        node.subject,
        subject,
        lambda: interpreter.statements.run_block(case.body, frame),
        lambda: run_match(interpreter, node, subject, frame, at + 1),
        frame,
    )


def _bind(interpreter: Interpreter, pattern: ast.pattern, value: Val, node: ast.expr, frame: Frame) -> bool | None:
    """Binds the names of a pattern; says whether it holds, None where nobody can tell."""
    expressions = interpreter.expressions
    assert frame.state is not None
    if isinstance(pattern, ast.MatchAs):
        holds = True if pattern.pattern is None else _bind(interpreter, pattern.pattern, value, node, frame)
        if pattern.name is not None:
            frame.state.variables[pattern.name] = expressions.here(value, node, frame)
        return holds
    if isinstance(pattern, ast.MatchValue | ast.MatchSingleton):
        wanted = pattern.value
        other = interpreter.evaluate(wanted, frame) if isinstance(wanted, ast.expr) else Const(wanted)
        return same(value, other)
    if isinstance(pattern, ast.MatchOr):
        found = [_bind(interpreter, part, value, node, frame) for part in pattern.patterns]
        return True if True in found else None if None in found else False
    if isinstance(pattern, ast.MatchClass):
        parts = zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True)
        inner = [
            _bind(interpreter, part, expressions.attribute(value, name, node, frame), node, frame)
            for name, part in parts
        ]
        _bind_rest(interpreter, pattern.patterns, value, node, frame)
        kind = interpreter.lookup.is_instance(value, interpreter.evaluate(pattern.cls, frame), frame)
        return _both([kind, *inner, *[None for _ in pattern.patterns]])
    if isinstance(pattern, ast.MatchMapping):
        for key, part in zip(pattern.keys, pattern.patterns, strict=True):
            item = expressions.item(value, interpreter.evaluate(key, frame), node, frame)
            _bind(interpreter, part, item, node, frame)
        if pattern.rest is not None:
            frame.state.variables[pattern.rest] = expressions.as_opaque(value, node, frame)
        return None
    if isinstance(pattern, ast.MatchSequence):
        known = expressions.known_items(value, frame)
        starred = any(isinstance(part, ast.MatchStar) for part in pattern.patterns)
        if known is not None and not starred:
            if len(known) != len(pattern.patterns):
                return False
            pairs = zip(pattern.patterns, known, strict=True)
            return _both([_bind(interpreter, part, item, node, frame) for part, item in pairs])
        _bind_rest(interpreter, pattern.patterns, value, node, frame)
        return None
    _bind_rest(interpreter, [pattern], value, node, frame)
    return None


def _bind_rest(interpreter: Interpreter, patterns: list[ast.pattern], value: Val, node: ast.expr, frame: Frame) -> None:
    """Names for parts of a value that is not known part by part: each is what is known of the whole."""
    assert frame.state is not None
    for pattern in patterns:
        for part in ast.walk(pattern):
            if isinstance(part, ast.MatchAs | ast.MatchStar) and part.name:
                whole: Opaque = interpreter.expressions.as_opaque(value, node, frame)
                frame.state.variables[part.name] = whole


def _both(found: list[bool | None]) -> bool | None:
    return False if False in found else None if None in found else True


def same(left: Val, right: Val) -> bool | None:
    """Whether two values are equal, where both are known constants; else None."""
    if isinstance(left, Const) and isinstance(right, Const):
        return left.value == right.value
    a, b = (strings.constant_text(v.segments) if isinstance(v, Str) else None for v in (left, right))
    if a is not None and b is not None:
        return a == b
    for text, other in ((left, right), (right, left)):
        # Fixed text in it, so it is no None and no number, and not empty.
        fixed = isinstance(text, Str) and any(isinstance(s, Text) for s in text.segments)
        if fixed and (isinstance(other, Const) or other == Str()):
            return False
    return None
