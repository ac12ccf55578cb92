"""What POML elements become: Markdown, as the microsoft/poml renderer writes it by default.

Source: microsoft/poml documentation (language/components, language/white-space, language/template) and its renderer
(the package poml), read 2026-11. Blocks stand apart by an empty line, white space within a text counts as one space.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.errors import MAX_PLACEHOLDERS, TOO_MANY, PromptFileError
from prefixlint.frontends.promptfiles.facts import CONSTANT, Facts, choice, combine, dotted, named, repeat
from prefixlint.frontends.promptfiles.formats.poml_tree import Attribute, Chars, Element, parse
from prefixlint.frontends.promptfiles.mapping import cut, joined, span_of, unit, verbatim
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Segment, Text, merge_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prefixlint.frontends.promptfiles.formats.common import Read
    from prefixlint.model.sources import SourceFile, Span

_SILENT = frozenset({"let", "stylesheet", "meta", "outputschema", "toolschema", "runtime", "tooldefinition", "tool"})
_ROLES = {
    "systemmessage": "system", "systemmsg": "system", "humanmessage": "user", "humanmsg": "user", "usermsg": "user",
    "aimessage": "assistant", "aimsg": "assistant", "assistantmsg": "assistant", "input": "user", "output": "assistant",
}  # fmt: skip
_CAPTIONS = {
    "role": ("Role", "header"), "task": ("Task", "header"), "outputformat": ("Output Format", "header"),
    "stepwiseinstructions": ("Stepwise Instructions", "header"), "examples": ("Examples", "header"),
    "hint": ("Hint", "bold"), "qa": ("Question", "bold"), "question": ("Question", "bold"), "cp": ("", "header"),
    "captionedparagraph": ("", "header"),
}  # fmt: skip
_INLINE = {"b": "**", "bold": "**", "i": "*", "italic": "*", "s": "~~", "strike": "~~", "u": "__", "underline": "__"}
_FILES = frozenset({"document", "doc", "table", "img", "image", "folder", "webpage", "object", "audio", "data"})
_FILE = Facts(Lifetime.DEPLOYMENT, Origin(SourceKind.CONFIGURATION), Confidence.LOW)
_BULLETS = {"dash": "- ", "star": "* ", "plus": "+ ", "": "- "}
_EXPRESSION = re.compile(r"\{\{\s*(.+?)\s*\}\}", re.DOTALL)
_ESCAPE = re.compile(r"(?:#|&)(lt|gt|amp|quot|apos|hash|lbrace|rbrace);")
_ESCAPED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'", "hash": "#", "lbrace": "{", "rbrace": "}"}
_SPACE = re.compile(r"\s+")
_NAME = re.compile(r"(?<![\w.'\"])[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*")
_WORDS = frozenset({"true", "false", "null", "undefined", "typeof", "new", "in", "of"})
_MAX_INCLUDES = 8


@dataclass(slots=True)
class Piece:
    """Something that stands between two others: ``inline`` ones stand side by side, others a line apart.

    ``role`` is that of a message, "" for text of no message. ``brings`` says on which side ("before", "after") the
    piece holds the break to its neighbour itself, for it may be missing or repeated.
    """

    parts: list[Segment]
    inline: bool = False
    role: str = ""
    brings: str = ""


@dataclass(slots=True)
class Markup:
    """Reads the elements of one file. ``scope`` is what names stand for there."""

    file: SourceFile
    read: Read | None = None
    scope: dict[str, Facts] = field(default_factory=dict)
    depth: int = 0
    count: int = 0
    other: bool = False
    """True once something was met that another syntax or style sheet renders."""

    def pieces(self, element: Element, level: int) -> list[Piece]:
        """What the children of ``element`` become."""
        out: list[Piece] = []
        for child in element.children:
            if isinstance(child, Chars):
                text = self.file.text[child.start : child.end]
                if text.strip() or (text and out and out[-1].inline):
                    parts = self._text(verbatim(self.file, child.start, child.end))
                    out.append(Piece(_stripped(parts, left=True) if _ends_blank(out) else parts, inline=True))
            else:
                self._element(child, level, out)
        return out

    def _element(self, element: Element, level: int, out: list[Piece]) -> None:
        name = element.name
        if element.get("syntax") not in ("", "markdown", "multimedia", "tsv", "csv") or name == "stylesheet":
            self.other = True
        if name == "let":
            self._let(element)
        if name in _SILENT:
            return
        loop, condition = element.get("for"), element.get("if")
        outer = self.scope
        over = Facts()
        if loop:
            item, _, listed = (part.strip("{} ") for part in loop.partition(" in "))
            over = self.judged(listed)
            loop = listed
            own = over if over.lifetime.known else named(item)
            self.scope = {**outer, item: replace(own, grows=False), "loop": CONSTANT}
        held = self._rendered(element, level)
        self.scope = outer
        if (loop or condition) and held:
            held = [self._varying(held, element, loop, over, condition.strip("{} "), first=_first(out))]
        out += held

    def _varying(
        self, held: list[Piece], element: Element, loop: str, over: Facts, condition: str, *, first: bool
    ) -> Piece:
        span = self.file.span(element.start, element.end)
        inner: list[Segment] = self.together(held)
        inline = all(piece.inline for piece in held)
        if not inline:
            line = "\n" if element.name in ("item", "listitem") else "\n\n"
            inner = [*inner, self._mark(line, element.end)] if first else [self._mark(line, element.start), *inner]
        if loop:
            inner = [repeat(merge_text(inner), loop, span, over)]
        if condition:
            facts = self.judged(condition)
            inner = [choice((merge_text(inner), ()), condition, span, replace(facts, confidence=Confidence.LOW))]
        role = next((piece.role for piece in held if piece.role), "")
        return Piece(inner, inline=inline, role=role, brings="" if inline else "after" if first else "before")

    def _rendered(self, element: Element, level: int) -> list[Piece]:
        name = element.name
        if name == "include":
            return self._included(element, level)
        if name in _FILES and (source := self._source(element)) is not None:
            return [Piece([source], inline=element.get("inline") == "true")]
        if name == "conversation":
            expression = element.get("messages").strip("{} ")
            value = self.judged(expression or "chat_history")
            return [Piece([value.value(expression, self._span(element))], role="user")]
        if name in ("poml", "text"):
            return self.pieces(element, level)
        if name in ("section", "subcontent", "example", "introducer"):
            return self._closed(self.pieces(element, level + (name in ("section", "subcontent"))))
        if name in _ROLES:
            return [Piece(self.together(self.pieces(element, level)), role=_ROLES[name])]
        if name in _INLINE or name in ("span", "inline"):
            mark = _INLINE.get(name, "")
            inner = self.together(self.pieces(element, level))
            return [Piece([self._mark(mark, element.start), *inner, self._mark(mark, element.end)], inline=True)]
        if name in ("br", "newline"):
            return [Piece([self._mark("\n", element.start)], inline=True)]
        if name == "code":
            return [self._code(element)]
        if name == "list":
            return [Piece(self._list(element, level))]
        if name in ("h", "header"):
            return [self._caption_of(element, self.together(self.pieces(element, level)), level, "header", "")]
        if name in _CAPTIONS:
            return self._captioned(element, level)
        return [Piece(self.together(self.pieces(element, level)))]

    # --- blocks -----------------------------------------------------------------------------------------------------

    def _captioned(self, element: Element, level: int) -> list[Piece]:
        default, style = _CAPTIONS[element.name]
        style = element.get("captionstyle") or style
        held = element.attributes.get("caption") or element.attributes.get("questioncaption")
        inner = self.pieces(element, level + (style == "header"))
        caption: list[Segment]
        if held is not None and held.value:
            caption = self._attribute(held)
        else:
            caption = [self._mark(default, element.start)] if default else []
        if caption and style != "hidden":
            top = self._caption_of(element, caption, level, style, ":" if style in ("bold", "plain") else "")
            if style == "header" or not inner or not inner[0].inline:
                if inner and inner[0].inline:
                    inner[0] = replace(inner[0], parts=_stripped(inner[0].parts, left=True))
                inner = [top, *inner]
            else:
                # A bold or plain caption stands in front of the text's first line.
                rest = self.together(inner)
                inner = [Piece([*top.parts, self._mark(" ", element.start), *rest])]
        out = self._closed(inner)
        if element.name in ("qa", "question"):
            answer = element.get("answercaption") or "Answer"
            out.append(Piece([self._mark(f"**{answer}:**", element.end)]))
        return out

    def _caption_of(self, element: Element, parts: list[Segment], level: int, style: str, ending: str) -> Piece:
        if element.get("captiontexttransform") == "upper":
            parts = [replace(part, text=part.text.upper()) if isinstance(part, Text) else part for part in parts]
        if style == "header":
            return Piece([self._mark("#" * (level + 1) + " ", element.start), *parts])
        mark = "**" if style == "bold" else ""
        return Piece([self._mark(mark, element.start), *parts, self._mark(ending + mark, element.start)])

    def _list(self, element: Element, level: int) -> list[Segment]:
        style = element.get("liststyle")
        items: list[tuple[Element, list[Piece]]] = []
        for child in element.children:
            if isinstance(child, Element):
                held: list[Piece] = []
                # The loop or condition of an item holds its bullet too, so it is applied below.
                bare = replace(child, attributes={k: v for k, v in child.attributes.items() if k not in ("for", "if")})
                outer = self.scope
                if child.get("for"):
                    name, _, listed = (part.strip("{} ") for part in child.get("for").partition(" in "))
                    over = self.judged(listed)
                    own = over if over.lifetime.known else named(name)
                    self.scope = {**outer, name: replace(own, grows=False), "loop": CONSTANT}
                self._item(bare, level, held)
                self.scope = outer
                items.append((child, held))
        loose = any(not piece.inline for _, held in items for piece in held)
        separator = "\n\n" if loose else "\n"
        out: list[Segment] = []
        for at, (child, held) in enumerate(items):
            bullet = self._bullet(style, at)
            inner = [self._mark(bullet, child.start), *self._indented(self.together(held), len(bullet))]
            loop, condition = child.get("for"), child.get("if").strip("{} ")
            if loop or condition:
                listed = loop.partition(" in ")[2].strip("{} ")
                piece = self._varying([Piece(inner)], child, listed, self.judged(listed), condition, first=not out)
                out += piece.parts
                continue
            if out:
                out.append(self._mark(separator, child.start))
            out += inner
        return out

    def _item(self, element: Element, level: int, out: list[Piece]) -> None:
        if element.name in ("item", "listitem"):
            out += self.pieces(element, level)
        else:
            self._element(element, level, out)

    @staticmethod
    def _bullet(style: str, at: int) -> str:
        if style == "decimal":
            return f"{at + 1}. "
        if style == "latin":
            return f"{chr(ord('a') + at % 26)}. "
        return _BULLETS.get(style, "- ")

    @staticmethod
    def _indented(parts: Sequence[Segment], width: int) -> list[Segment]:
        """``parts`` with their lines but the first indented; empty lines stay empty."""
        out: list[Segment] = []
        held = merge_text(parts)
        for place, part in enumerate(held):
            if not isinstance(part, Text):
                out.append(part)
                continue
            behind = held[place + 1] if place + 1 < len(held) else None
            goes_on = behind is not None and not (isinstance(behind, Text) and behind.text.startswith("\n"))
            at = 0
            for found in re.finditer(r"\n(?!\n)", part.text):
                if found.end() == len(part.text) and not goes_on:
                    continue
                out.append(cut(part, at, found.start()))
                out.append(unit(part, found.start(), found.end(), "\n" + " " * width))
                at = found.end()
            out.append(cut(part, at, len(part.text)))
        return out

    def _code(self, element: Element) -> Piece:
        if element.get("inline") != "false":
            inner = self.together(self.pieces(element, 0))
            return Piece([self._mark("`", element.start), *inner, self._mark("`", element.end)], inline=True)
        held = self.together(self.pieces(element, 0))
        opening = self._mark(f"```{element.get('lang')}\n", element.start)
        return Piece([opening, *held, self._mark("\n```", element.end)])

    def _included(self, element: Element, level: int) -> list[Piece]:
        path = element.get("src")
        span = self._span(element)
        source = None
        if self.read is not None and path and "{{" not in path and self.depth < _MAX_INCLUDES:
            source = self.read(str(PurePosixPath(self.file.path).parent / path))
        if source is None:
            return [Piece([_FILE.value(path, span)])]
        try:
            root = parse(source)
        except PromptFileError:
            return [Piece([_FILE.value(path, span)])]  # told where the file itself is read
        return Markup(source, self.read, self.scope, self.depth + 1).pieces(root, level)

    # --- text and values --------------------------------------------------------------------------------------------

    def together(self, pieces: Sequence[Piece]) -> list[Segment]:
        """One run of segments: blocks an empty line apart, no white space at the ends."""
        out: list[Segment] = []
        last: Piece | None = None
        held = list(pieces)
        while held and held[-1].inline and _blank(held[-1].parts):
            held.pop()
        for at, piece in enumerate(held):
            parts = piece.parts
            if piece.inline and last is None:
                parts = _stripped(parts, left=True)
            if piece.inline and at == len(held) - 1:
                parts = _stripped(parts, left=False)
            apart = last is not None and not (piece.inline and last.inline)
            if apart and piece.brings != "before" and not (last is not None and last.brings == "after"):
                out.append(self._mark("\n\n", self._place(parts)))
            out += parts
            last = piece
        return out

    def _closed(self, pieces: list[Piece]) -> list[Piece]:
        """One piece of several that are all of one message."""
        return pieces if any(piece.role for piece in pieces) else [Piece(self.together(pieces))]

    def _place(self, parts: Sequence[Segment]) -> int:
        for part in parts:
            span = part.span() if isinstance(part, Text) else part.span
            if span.path == self.file.path:
                return self.file.offset(span.start)
        return 0

    def _text(self, text: Text) -> list[Segment]:
        """A text between tags, its white space as single spaces."""
        parts: list[Text] = []
        at = 0
        for found in _SPACE.finditer(text.text):
            if found.group() != " ":
                parts += (cut(text, at, found.start()), unit(text, found.start(), found.end(), " "))
                at = found.end()
        parts.append(cut(text, at, len(text.text)))
        return self._values(self._unescaped(joined(parts)))

    def _attribute(self, attribute: Attribute) -> list[Segment]:
        return self._values(verbatim(self.file, attribute.start, attribute.start + len(attribute.value)))

    @staticmethod
    def _unescaped(text: Text) -> Text:
        if "#" not in text.text and "&" not in text.text:
            return text
        parts: list[Text] = []
        at = 0
        for found in _ESCAPE.finditer(text.text):
            parts += (cut(text, at, found.start()), unit(text, found.start(), found.end(), _ESCAPED[found.group(1)]))
            at = found.end()
        parts.append(cut(text, at, len(text.text)))
        return joined(parts)

    def _values(self, text: Text) -> list[Segment]:
        out: list[Segment] = []
        at = 0
        for found in _EXPRESSION.finditer(text.text):
            out.append(cut(text, at, found.start()))
            expression = found.group(1)
            self.count += 1
            if self.count > MAX_PLACEHOLDERS:
                raise PromptFileError.at(span_of(text, found.start(), found.end()), TOO_MANY)
            out.append(self.judged(expression).value(expression, span_of(text, found.start(), found.end())))
            at = found.end()
        out.append(cut(text, at, len(text.text)))
        return [part for part in out if not isinstance(part, Text) or part.text]

    def judged(self, expression: str) -> Facts:
        """What is known of an expression: of the names in it."""
        held: list[Facts] = []
        for found in _NAME.finditer(expression):
            path = found.group()
            root = path.partition(".")[0]
            if root in _WORDS:
                continue
            known = self.scope.get(root)
            if known is not None:
                held.append(known if known.lifetime.known else replace(dotted(path), name=root))
            elif expression[found.end() : found.end() + 1] != "(" or "." in path:
                held.append(dotted(path))
        return combine(held)

    def _let(self, element: Element) -> None:
        name = element.get("name")
        if not name:
            return
        value = element.attributes.get("value")
        if value is not None:
            self.scope[name] = self.judged(value.value.strip("{} "))
        elif element.get("src"):
            self.scope[name] = _FILE
        else:
            text = "".join(self.file.text[c.start : c.end] for c in element.children if isinstance(c, Chars))
            self.scope[name] = combine([self.judged(expression) for expression in _EXPRESSION.findall(text)])

    def _source(self, element: Element) -> Segment | None:
        """What a component shows: a file, a page, or data of an expression."""
        for key in ("src", "url", "data", "records", "buffer", "base64"):
            value = element.get(key)
            if value:
                found = _EXPRESSION.search(value)
                if found is None:
                    return _FILE.value(value, self._span(element))
                facts = self.judged(found.group(1))
                return facts.value(found.group(1), self._span(element))
        return None

    def _mark(self, text: str, at: int) -> Text:
        """Text that the renderer adds; it stands where what it belongs to does."""
        return Text(text, self.file.span(at, at))

    def _span(self, element: Element) -> Span:
        return self.file.span(element.start, element.end)


def _blank(parts: Sequence[Segment]) -> bool:
    return all(isinstance(part, Text) and part.text != "\n" and not part.text.strip() for part in parts)


def _stripped(parts: Sequence[Segment], *, left: bool) -> list[Segment]:
    held = list(parts)
    if held and left and isinstance(first := held[0], Text):
        held[0] = cut(first, len(first.text) - len(first.text.lstrip(" ")), len(first.text))
    if held and not left and isinstance(last := held[-1], Text):
        held[-1] = cut(last, 0, len(last.text.rstrip(" ")))
    return [part for part in held if not isinstance(part, Text) or part.text]


def _first(pieces: Sequence[Piece]) -> bool:
    """True where no break stands in front of what follows ``pieces``: there are none, or they all bring it."""
    return all(piece.brings == "after" for piece in pieces)


def _ends_blank(pieces: Sequence[Piece]) -> bool:
    """True where white space already stands at the end: a comment lies between two texts."""
    last = pieces[-1].parts[-1] if pieces and pieces[-1].inline and pieces[-1].parts else None
    return isinstance(last, Text) and last.text.endswith(" ")
