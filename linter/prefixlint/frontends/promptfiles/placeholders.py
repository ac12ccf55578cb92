"""One parser for each placeholder syntax but Jinja: segments that tile the text, positions exact.

Sources: Python documentation, "Format String Syntax", "Template strings", "printf-style String Formatting";
mustache(5); Semantic Kernel prompt template syntax; Dify prompt variables. Read 2026-11.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.errors import MAX_PLACEHOLDERS, TOO_MANY, PromptFileError
from prefixlint.frontends.promptfiles.facts import Facts, Names, choice, dotted, named, repeat
from prefixlint.frontends.promptfiles.mapping import cut, span_of, unit
from prefixlint.frontends.promptfiles.marks import Part, RoleMark, merged, without_marks
from prefixlint.knowledge.wording import wording
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Segment, Text, Value, merge_text, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Sized

    from prefixlint.frontends.promptfiles.jinja_tree import JinjaSyntax
    from prefixlint.model.sources import Span

Parser = Callable[[Text, Names], "tuple[Segment, ...]"]
"""Segments of a text in one placeholder syntax; the second argument judges names."""

_ROOT = re.compile(r"[^.\[!:]*")
_SHAPES = {"d": "integer", "f": "float", "e": "float", "g": "float", "%": "float", "x": "integer"}


def format_segments(text: Text, names: Names = named) -> tuple[Segment, ...]:
    """``str.format``: ``{x}``, ``{x.y[0]!r:>8}``; ``{{`` and ``}}`` are literal braces.

    A brace that opens no field stays text.
    """
    out: list[Segment] = []
    source = text.text
    at = start = 0
    automatic = 0
    while at < len(source):
        char = source[at]
        if char not in "{}":
            at += 1
        elif source.startswith(char, at + 1):
            out += (cut(text, start, at), unit(text, at, at + 2, char))
            at = start = at + 2
        elif char == "{" and (end := _field_end(source, at)) is not None:
            inner = source[at + 1 : end - 1]
            found = _ROOT.match(inner)
            root = found.group().strip() if found else ""
            if not root:
                root = str(automatic)
                automatic += 1
            if _is_field(inner):
                _bounded(out, text, at)
                out.append(cut(text, start, at))
                out.append(_field(inner, root, names).value(inner, span_of(text, at, end)))
                start = end
            at = end if start == end else at + 1
        else:
            at += 1
    out.append(cut(text, start, len(source)))
    return merge_text(out)


def _bounded(out: Sized, text: Text, at: int) -> None:
    """Raises ``PromptFileError`` where a template has grown too large; each placeholder makes two segments at most."""
    if len(out) > 2 * MAX_PLACEHOLDERS:
        raise PromptFileError.at(span_of(text, at, at), TOO_MANY)


_FIELD = re.compile(r"(?:[A-Za-z_]\w*|\d+|)(?:\.\w+|\[[^\]{}\n]+\])*(?:![rsa])?(?::([^\n]*))?\Z")
_SPECIFICATION = re.compile(r"(?:.?[<>=^])?[-+ ]?z?#?\d*[,_]?(?:\.\d+)?[bcdeEfFgGnosxX%]?\Z")


def _is_field(inner: str) -> bool:
    match = _FIELD.match(inner)
    return match is not None and is_specification(match.group(1) or "")


def is_specification(text: str) -> bool:
    """Whether ``text`` may stand behind the colon of a field: one of numbers and texts, of a clock (``%H:%M``), or one
    that is filled in itself (``{width}``).

    ``{text: $t, mrkdwn: true}`` is no field: what is behind its colon formats nothing.
    """
    return "\n" not in text and ("%" in text or "{" in text or _SPECIFICATION.match(text) is not None)


def _field_end(source: str, at: int) -> int | None:
    """Offset behind the brace that closes the field opened at ``at``; a field does not span lines."""
    depth = 0
    for place in range(at, min(len(source), at + 300)):
        char = source[place]
        if char == "\n":
            return None
        if char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0:
                return place + 1
    return None


def _field(inner: str, root: str, names: Names) -> Facts:
    path = re.split(r"[!:]", inner, maxsplit=1)[0].replace("[", ".").replace("]", "")
    facts = dotted(path or root, names)
    spec = inner.partition(":")[2]
    if spec and spec[-1] in _SHAPES:
        facts = replace(facts, shape=_SHAPES[spec[-1]])
    return replace(facts, name="" if root.isdigit() and not path else root)


_DOLLAR = re.compile(r"\$(?:(\$)|([_a-zA-Z][_a-zA-Z0-9]*)|\{([_a-zA-Z][_a-zA-Z0-9]*)\})")


def template_segments(text: Text, names: Names = named) -> tuple[Segment, ...]:
    """``string.Template``: ``$x`` and ``${x}``; ``$$`` is a literal dollar."""
    return _matched(text, names, _DOLLAR, lambda m: m.group(2) or m.group(3), escape=1)


_PERCENT = re.compile(r"%(?:(%)|(?:\(([^()\n]*)\))?[-#0 +]*(?:\*|\d+)?(?:\.(?:\*|\d+))?[hlL]?([diouxXeEfFgGcrsa]))")


def percent_segments(text: Text, names: Names = named) -> tuple[Segment, ...]:
    """printf style: ``%(x)s`` and ``%s``; ``%%`` is a literal percent sign."""
    return _matched(text, names, _PERCENT, lambda m: m.group(2) or "", escape=1)


_MUSTACHE = re.compile(
    r"\{\{(?:(?P<comment>!--.*?--)|\{\s*(?P<raw>[^{}]+?)\s*\}|(?P<sign>[#^/!>&~]?)\s*(?P<body>[^{}]*?)\s*~?)\}\}",
    re.DOTALL,
)
_HELPERS = {"if", "unless", "each", "with"}


def mustache_segments(text: Text, names: Names = named) -> tuple[Segment, ...]:
    """Mustache and Handlebars: ``{{x}}``, ``{{{x}}}``, sections (``{{#x}}…{{/x}}``, ``{{#if x}}``), comments.

    Raises ``PromptFileError`` for a section that is not closed, closes nothing or is nested too deeply.
    """
    return without_marks(mustache_parts(text, names))


MAX_NESTING = 60
_ROLE = re.compile(r"role\s+[\"'](\w+)[\"']\Z")


def mustache_parts(text: Text, names: Names = named) -> tuple[Part, ...]:
    """Like ``mustache_segments``, with ``{{role "x"}}`` outside of sections as a mark."""
    root: list[Part] = []
    stack: list[_Section] = []
    into: list[Part] = root
    at = 0
    for count, match in enumerate(_MUSTACHE.finditer(text.text)):
        if count > MAX_PLACEHOLDERS:
            raise PromptFileError.at(span_of(text, match.start(), match.end()), TOO_MANY)
        sign, body = match.group("sign") or "", match.group("raw") or match.group("body") or ""
        into.append(cut(text, at, match.start()))
        at = match.end()
        span = span_of(text, match.start(), match.end())
        if sign in ("#", "^"):
            if len(stack) == MAX_NESTING:
                raise PromptFileError.at(span, f"sections nested deeper than {MAX_NESTING} levels; not read")
            word, _, rest = body.partition(" ")
            helper, subject = (word, rest.strip()) if word in _HELPERS else ("", body)
            stack.append(_Section(helper or sign, subject, match.start()))
            into = stack[-1].parts
        elif sign == "/":
            if not stack:
                raise PromptFileError.at(span, f"{{{{/{body}}}}} closes no section")
            section = stack.pop()
            opened = section.kind if section.kind in _HELPERS else section.subject.lstrip("*> ")
            if body.split()[:1] != opened.split()[:1]:
                raise PromptFileError.at(span, f"{{{{/{body}}}}} closes another section than the one that is open")
            into = stack[-1].parts if stack else root
            into.append(_section(section, span_of(text, section.start, match.end()), names))
        elif sign == "!" or match.group("comment"):
            continue
        elif body == "else" and stack:
            stack[-1].first, stack[-1].parts = stack[-1].parts, []
            into = stack[-1].parts
        elif role := _ROLE.match(body):
            into.append(RoleMark(role.group(1), span))
        elif sign == ">":
            into.append(Facts().value(f"> {body}", span))
        elif body:
            into.append(_mustache_value(body, names).value(body, span))
    if stack:
        place = span_of(text, stack[-1].start, stack[-1].start + 2)
        raise PromptFileError.at(place, f"section {stack[-1].kind}{stack[-1].subject} is never closed")
    into.append(cut(text, at, len(text.text)))
    return merged(root)


@dataclass(slots=True)
class _Section:
    """An open section; ``parts`` are those of the arm being read, ``first`` those before an ``else``."""

    kind: str
    subject: str
    start: int
    parts: list[Part] = field(default_factory=list)
    first: list[Part] | None = None


def _mustache_value(body: str, names: Names) -> Facts:
    words = body.split()
    path = (words[-1] if len(words) > 1 else words[0]).lstrip("@$").removeprefix("this.")
    return dotted(path, names)


def _section(section: _Section, span: Span, names: Names) -> Segment:
    kind, subject = section.kind, section.subject
    if subject.startswith((">", "*")):
        return Facts().value(subject, span)
    body = without_marks(section.parts if section.first is None else section.first)
    otherwise = without_marks(section.parts) if section.first is not None else ()
    facts = _mustache_value(subject, names) if subject.split() else Facts()
    # ``{{#rules}}Keep to: {{rules}}{{/rules}}`` asks whether there are any: of a list each round would write the whole.
    itself = any(isinstance(inner, Value) and inner.expression == subject for inner in walk(body))
    many = facts.grows or facts.shape in ("list", "json", "catalogue")
    if kind == "each" or (kind == "#" and many and not itself):
        return repeat(body, subject, span, facts)
    presence = replace(facts, confidence=Confidence.LOW)
    arms = (otherwise, body) if kind in ("^", "unless") else (body, otherwise)
    return choice(arms, subject, span, presence)


_SIMPLE = re.compile(r"\{\{\s*([A-Za-z_][\w.\-]*)\s*\}\}")


def double_brace_segments(text: Text, names: Names = named) -> tuple[Segment, ...]:
    """``{{x}}`` alone, without any logic; everything else is text."""
    return _matched(text, names, _SIMPLE, lambda m: m.group(1))


_DIFY = re.compile(r"\{\{#([^#{}\n]+)#\}\}|\{\{([A-Za-z_]\w*)\}\}")


def dify_segments(text: Text, names: Names = named) -> tuple[Segment, ...]:
    """Dify: ``{{#node.variable#}}``, ``{{#sys.query#}}``, ``{{#context#}}``, and ``{{x}}`` of older apps.

    ``names`` is given the whole path: what a variable holds depends on its node.
    """
    return _matched(text, names, _DIFY, lambda m: m.group(1) or m.group(2), whole=True)


_KERNEL = re.compile(r"\{\{\s*(\$)?([A-Za-z_][\w.]*)((?:\s+[^{}\n]+?)?)\s*\}\}")


def kernel_segments(text: Text, names: Names = named) -> tuple[Segment, ...]:
    """Semantic Kernel: ``{{$x}}`` and function calls (``{{time.now}}``, ``{{plugin.fn $x}}``)."""
    return _matched(text, names, _KERNEL, lambda m: m.group(2))


_DOLLAR_BRACE = re.compile(r"\$\{\s*([A-Za-z_][\w.]*)\s*\}")


def dollar_brace_segments(text: Text, names: Names = named) -> tuple[Segment, ...]:
    """``${x}`` alone."""
    return _matched(text, names, _DOLLAR_BRACE, lambda m: m.group(1))


_EDITOR = re.compile(
    r"\$\{(input:[A-Za-z_][\w-]*|selection|selectedText|file|fileBasename|fileDirname|fileBasenameNoExtension"
    r"|workspaceFolder|workspaceFolderBasename)(?::[^{}\n]*)?\}"
)


def editor_segments(text: Text, _: Names = named) -> tuple[Segment, ...]:
    """Prompt files of VS Code and GitHub Copilot: ``${input:name}``, ``${input:name:hint}``, ``${selection}``; braces
    without a dollar sign are text.

    Source: VS Code documentation, "Use prompt files in VS Code", variables; read 2026-11.
    """
    return _matched(text, _of_editor, _EDITOR, lambda m: m.group(1), whole=True)


def _of_editor(name: str) -> Facts:
    """The folder that is open stays; all else is what the editor shows, or the user gives, this time."""
    if name.startswith("workspace"):
        return Facts(Lifetime.PROCESS, Origin(SourceKind.ENVIRONMENT), Confidence.HIGH)
    return Facts(Lifetime.REQUEST, Origin(SourceKind.USER_INPUT), Confidence.HIGH)


_ANGLE = re.compile(r"<<\s*([A-Za-z_][\w.]*)\s*>>")


def angle_segments(text: Text, names: Names = named) -> tuple[Segment, ...]:
    """``<<x>>`` alone."""
    return _matched(text, names, _ANGLE, lambda m: m.group(1))


_INPUT = re.compile(r"!<INPUT\s+(\d+)>!")


def input_segments(text: Text, _: Names = named) -> tuple[Segment, ...]:
    """``!<INPUT 0>!``; text up to ``<commentblockmarker>###</commentblockmarker>`` is a comment that is cut off."""
    marker = "<commentblockmarker>###</commentblockmarker>"
    found = text.text.find(marker)
    body = cut(text, found + len(marker), len(text.text)) if found != -1 else text
    return _matched(body, _numbered, _INPUT, lambda m: m.group(0))


def _numbered(name: str) -> Facts:
    """Of a placeholder that is a number, its name says nothing."""
    return Facts(name=name)


def plain_segments(text: Text, _: Names = named) -> tuple[Segment, ...]:
    """Text in which nothing is live."""
    return (text,) if text.text else ()


def _matched(
    text: Text,
    names: Names,
    pattern: re.Pattern[str],
    name: Callable[[re.Match[str]], str],
    escape: int | None = None,
    *,
    whole: bool = False,
) -> tuple[Segment, ...]:
    out: list[Segment] = []
    at = 0
    for match in pattern.finditer(text.text):
        out.append(cut(text, at, match.start()))
        at = match.end()
        if escape is not None and match.group(escape):
            out.append(unit(text, match.start(), match.end(), match.group(escape)))
            continue
        _bounded(out, text, match.start())
        path = name(match)
        facts = replace(names(path), name=path) if whole else dotted(path, names)
        out.append(facts.value(path or match.group(0), span_of(text, match.start(), match.end())))
    out.append(cut(text, at, len(text.text)))
    return merge_text(out)


def live_syntax(texts: Iterable[str]) -> str:
    """The placeholder syntax that texts of unstated format use: "jinja", "mustache", "format", … or "".

    Jinja's tags win over ``{{x}}``, that over ``{x}``: a lone ``{x}`` in a Jinja text is text.
    """
    whole = "\n".join(texts)
    for syntax, pattern in _LIVE:
        if pattern.search(whole) and not (pattern is _DOUBLE and _is_escaped(whole)):
            return "" if pattern is _SINGLE and says_in_braces(whole) else syntax
    return ""


def says_in_braces(text: str) -> bool:
    """Whether a text says in braces what its reader is to put there (``{reason for the score}``): no field of
    ``str.format`` is called so, and single words in braces beside are no fields either. Or that they only show its
    reader the form of what is said."""
    if wording().shown_form.search(text):
        return True
    said = len(_SAID.findall(text))
    return said > 1 and said * 2 >= len(_SINGLE.findall(text))


def speaks_of_braces(text: str) -> bool:
    """Whether a text speaks of names in doubled braces as such: it is sent with them as they are."""
    return wording().spoken_of.search(text) is not None


_DOUBLE = re.compile(r"\{\{-?\s*[A-Za-z_][\w.]*(?:\[[^\]\n]+\])*\s*(?:\|[^{}\n]+|\([^{}\n]*\)\s*)?-?\}\}")
_SINGLE = re.compile(r"(?<![{$%\w}\\^])\{[A-Za-z_][\w.]*(?:\[[\w'\"]+\])?(?:![rsa])?(?::[<>^]?[\d.,]*[dfs%]?)?\}(?!\})")
_SAID = re.compile(r"(?<![{$%\w}\\^])\{[A-Za-z][\w'-]*(?: [\w'/-]+)+\}(?!\})")
_BARE = re.compile(r"\{\{\w+\}\}")


def _is_escaped(text: str) -> bool:
    """True where ``{{x}}`` is an escaped ``{x}``: every one is bare, and ``{x}`` outnumbers them."""
    bare = len(_BARE.findall(text))
    return bare == len(_DOUBLE.findall(text)) and len(_SINGLE.findall(text)) > bare


_LIVE = (
    ("editor", re.compile(r"\$\{input:[A-Za-z_]")),
    ("input", re.compile(r"!<INPUT \d+>!")),
    ("dify", re.compile(r"\{\{#[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*#\}\}")),
    ("kernel", re.compile(r"\{\{\s*\$[A-Za-z_]")),
    ("jinja", re.compile(r"\{%-?\s*(?:if|for|set|include|extends|block|macro|raw|chat|message)\b")),
    ("mustache", re.compile(r"\{\{[#^/][A-Za-z_]|\{\{\{\s*[A-Za-z_]|\{\{>")),
    ("jinja", _DOUBLE),
    ("format", _SINGLE),
    ("dollar-brace", re.compile(r"\$\{[A-Za-z_]\w*\}")),
    ("angle", re.compile(r"<<[A-Za-z_]\w*>>")),
    ("percent", re.compile(r"%\([A-Za-z_]\w*\)[sdfr]")),
    ("dollar", re.compile(r"(?<![\w$\\])\$[a-z_][a-z0-9_]{2,}\b")),
)

PARSERS: dict[str, Parser] = {
    "": plain_segments,
    "format": format_segments,
    "dollar": template_segments,
    "dollar-brace": dollar_brace_segments,
    "percent": percent_segments,
    "mustache": mustache_segments,
    "double-brace": double_brace_segments,
    "dify": dify_segments,
    "kernel": kernel_segments,
    "angle": angle_segments,
    "editor": editor_segments,
    "input": input_segments,
}
"""Parser of each syntax name but "jinja"."""


def segments_in(
    text: Text, syntax: str, names: Names = named, options: JinjaSyntax | None = None
) -> tuple[Segment, ...]:
    """Segments of ``text`` in the named syntax ("jinja" with ``options`` and "nunjucks" included).

    Raises ``PromptFileError``.
    """
    if syntax == "nunjucks":
        from prefixlint.frontends.promptfiles import nunjucks

        return segments_in(nunjucks.as_jinja(text), "jinja", names, nunjucks.SYNTAX)
    if syntax == "jinja":
        from prefixlint.frontends.promptfiles.jinja_source import jinja_segments
        from prefixlint.frontends.promptfiles.jinja_tree import DEFAULT

        return jinja_segments(text, names=names, syntax=options or DEFAULT)
    return PARSERS[syntax](text, names)
