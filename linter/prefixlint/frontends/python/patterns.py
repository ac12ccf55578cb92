"""``re.sub`` as templating: patterns that stand for a placeholder, found in fixed text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.by_name import judged
from prefixlint.frontends.python.naming import named
from prefixlint.frontends.python.values import Func, Lambda, Str
from prefixlint.model.segments import Text, Value

if TYPE_CHECKING:
    import ast
    from collections.abc import Mapping

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Val
    from prefixlint.model.segments import Segment
    from prefixlint.model.sources import Span

# What a placeholder's pattern may be made of. Nothing here can make a search slow: one run of white space, one name.
_PIECE = re.compile(
    r"(?P<name>\((?:\?P<\w+>)?(?:\\w|\[\w\\-]*\]|\.)[+*]\??\))"
    r"|(?P<space>\\s[*+]| \*)"
    r"|(?P<escaped>\\[^\w\s])"
    r"|(?P<plain>[^\\^$.|?*+()\[\]])"
)

_SPACE = r"\s{0,20}"
_REPEATED = re.compile(r"\{\d*,?\d*\}")
_ONLY_SPACE = re.compile(r"(?:\\s|\\n|\\t|\n|\[(?:\\[snt]| )+\]| |\(\?:|\)|[+*?|^$]|\{\d*,?\d*\})+")


def placeholder(pattern: str) -> re.Pattern[str] | None:
    """The pattern of a placeholder, compiled; its group ``name`` is the name where it stands for any. Else None."""
    if _REPEATED.search(pattern):
        return None
    out: list[str] = []
    at = 0
    named_ = False
    letters = 0
    while at < len(pattern):
        match = _PIECE.match(pattern, at)
        if match is None or (match["name"] and named_):
            return None
        if match["name"]:
            named_ = True
            out.append(r"(?P<name>\w{1,80})")
        elif match["space"]:
            out.extend([] if out[-1:] == [_SPACE] else [_SPACE])
        else:
            letters += 1
            out.append(re.escape(match.group()[-1]))
        at = match.end()
    return re.compile("".join(out)) if letters > 1 else None


_MARKS = re.compile(r"[^\w\s]{1,4}")


def around_name(written: Val) -> re.Pattern[str] | None:
    """The placeholder that a text with a name in its midst stands for, whatever the name: ``"{{" + key + "}}"``.

    The group ``name`` is the name. None where a name alone, or more than marks around one, is written.
    """
    if not isinstance(written, Str) or len(written.segments) != 3:
        return None
    left, name, right = written.segments
    if not isinstance(left, Text) or not isinstance(name, Value) or not isinstance(right, Text):
        return None
    if not _MARKS.fullmatch(left.text) or not _MARKS.fullmatch(right.text):
        return None
    return re.compile(rf"{re.escape(left.text)}(?P<name>[A-Za-z_]\w{{0,79}}){re.escape(right.text)}")


_ESCAPES = re.compile(r"\\s[*+]|\\(?=[^\w\s])")
_MARKED = re.compile(r"[^\w\s]{1,4} ?([A-Za-z]\w{1,79}) ?[^\w\s]{0,4}|_*([A-Z][A-Z0-9_]{3,79}?)_*")


def marked_name(mark: str) -> str:
    """The name of the placeholder that a text to be replaced is: ``task`` of ``{{task}}``, ``<TASK>``, ``$task``, and
    one in capitals without marks; "" for any other text."""
    found = _MARKED.fullmatch(mark)
    return "" if found is None else next(filter(None, found.groups()), "")


class Patterns:
    """Calls of ``re`` that fill placeholders."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter

    def sub(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """``re.sub(r"\\{x\\}", value, text)``; None where the pattern is more than a placeholder."""
        given = dict(zip(("pattern", "repl", "string"), args, strict=False)) | dict(keywords)
        text, value = given.get("string"), given.get("repl")
        pattern = given.get("pattern")
        written = strings.constant_text(pattern.segments) if isinstance(pattern, Str) else None
        if len(args) > 3 or not given.keys() <= {"pattern", "repl", "string"}:
            return None  # a count, or flags that say what else the pattern stands for
        if isinstance(text, Str) and written and _ONLY_SPACE.fullmatch(written) and _is_space(value):
            return text
        found = None if written is None else placeholder(written)
        if not isinstance(text, Str) or value is None or found is None:
            return None
        expressions = self._interpreter.expressions
        at = node.args[1] if len(node.args) > 1 else node
        if "name" not in found.groupindex:
            if isinstance(value, Lambda | Func):
                value = self._interpreter.calls.apply(value, [expressions.opaque(at, frame)], {}, node, frame)
            value = judged(value, marked_name(_ESCAPES.sub("", written or "")).lower())
            filling = expressions.placed(value, frame.module.places.source(at), frame.module.places.span(at), at, frame)
            return Str(strings.replace_pattern(text.segments, found, lambda name, span: filling))

        def open_(name: str, span: Span) -> tuple[Segment, ...]:
            return (expressions.value(named(name, name, span, open_name=name), name, span),)

        return Str(strings.replace_pattern(text.segments, found, open_)) if isinstance(value, Lambda | Func) else None

    def escape(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """``re.escape(text)`` of fixed text."""
        text = strings.constant_text(args[0].segments) if args and isinstance(args[0], Str) else None
        if not text:
            return None
        return Str((Text(re.escape(text), frame.module.places.span(node)),))


def _is_space(value: Val | None) -> bool:
    """Whether a value is fixed text without a letter: white space that takes the place of other white space."""
    if not isinstance(value, Str):
        return False
    text = strings.constant_text(value.segments)
    return not value.segments or (text is not None and not text.strip())
