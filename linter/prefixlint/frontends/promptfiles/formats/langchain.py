"""Prompts saved by LangChain: ``_type: prompt`` and ``few_shot``, and its serialised objects (``lc: 1``).

Source: langchain_core.prompts.loading and langchain_core.load, read 2026-11.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.binding import bind
from prefixlint.frontends.promptfiles.facts import named
from prefixlint.frontends.promptfiles.mapping import verbatim
from prefixlint.frontends.promptfiles.roles import block
from prefixlint.frontends.promptfiles.yaml_source import Mapping_, Node, Scalar, Sequence_
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Segment, Text, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.frontends.promptfiles.formats.common import Found
    from prefixlint.model.sources import Span
    from prefixlint.model.templates import Block

_SYNTAX = {"jinja2": "jinja", "mustache": "mustache", "f-string": "format", "": "format"}
_AGENT = re.compile(r"react|conversational")
_MAX_DEPTH = 8
_PARTS = ("document_prompt", "example_prompt")
"""Templates of a part that goes into a prompt."""
_ROLES = {
    "SystemMessagePromptTemplate": "system",
    "SystemMessage": "system",
    "HumanMessagePromptTemplate": "user",
    "HumanMessage": "user",
    "AIMessagePromptTemplate": "assistant",
    "AIMessage": "assistant",
    "ChatMessagePromptTemplate": "user",
}


def read(found: Found, root: Mapping_) -> bool:
    name = root.string("name") or PurePosixPath(found.file.path).name.partition(".")[0]
    if _read(found, root, name):
        return True
    if root.string("prefix") and root.string("suffix") and _AGENT.search(root.string("_type")):
        _agent(found, root, name)
        return True
    if not root.string("_type") and not any(key.endswith("_chain") for key, _ in root.items()):
        return False
    # A chain holds others, and they hold prompts.
    claimed = [_read(found, node, path) for path, node in _inner(root, name, 0)]
    return any(claimed)


def _read(found: Found, node: Mapping_, name: str) -> bool:
    """Reads one prompt, if ``node`` is one."""
    kind = node.string("_type")
    if kind in ("prompt", "prompt_template") or (not kind and _lists_names(node.get("input_variables"), node)):
        held = _prompt(found, node)
        blocks = [block("", held)] if held else []
    elif kind == "few_shot":
        held = _few_shot(found, node)
        blocks = [block("", held)] if held else []
    elif node.get("lc") is not None and isinstance(node.get("kwargs"), Mapping_):
        blocks = list(_serialised(found, node))
    else:
        return False
    found.add("langchain-prompt", name, blocks, node.span, constant_too=True)
    return True


def _inner(node: Mapping_, name: str, depth: int) -> Iterator[tuple[str, Mapping_]]:
    """The mappings inside ``node``, outer ones first, each with its path."""
    for key, inner in node.items():
        if isinstance(inner, Mapping_) and depth < _MAX_DEPTH and key not in _PARTS:
            yield f"{name}.{key}", inner
            yield from _inner(inner, f"{name}.{key}", depth + 1)


def _agent(found: Found, root: Mapping_, name: str) -> None:
    """As ``ZeroShotAgent.create_prompt`` joins them: prefix, tools, format instructions, suffix."""
    syntax = "format"
    tools = Value("tools", root.span, Lifetime.DEPLOYMENT, Origin(SourceKind.CONFIGURATION), Confidence.HIGH)
    held: list[Segment] = []
    for key in ("prefix", "tools", "format_instructions", "suffix"):
        node = root.get(key)
        part: tuple[Segment, ...] = (tools,) if key == "tools" else ()
        if key != "tools" and isinstance(node, Scalar):
            part = found.segments(node.text(), syntax)
        if part and held:
            held.append(Text("\n\n", _end(held[-1])))
        held += part
    found.add("langchain-prompt", name, [block("", held)], root.span)


def _lists_names(node: Node | None, root: Mapping_) -> bool:
    """True for ``input_variables: [x, y]`` beside a template; other formats list mappings there."""
    return (
        isinstance(node, Sequence_)
        and all(isinstance(item, Scalar) for item in node.items)
        and bool(root.string("template"))
    )


def _syntax(node: Mapping_) -> str:
    return _SYNTAX.get(node.string("template_format"), "format")


def _prompt(found: Found, node: Mapping_) -> tuple[Segment, ...]:
    template = node.get("template")
    if isinstance(template, Scalar):
        return found.segments(template.text(), _syntax(node))
    path = node.string("template_path")
    if not path:
        return ()
    folder = PurePosixPath(found.file.path).parent
    source = (found.read(str(folder / path)) or found.read(path)) if found.read else None
    if source is not None:
        return found.segments(verbatim(source), _syntax(node))
    key = node.get("template_path")
    return (Value(f"template_path {path}", key.span),) if key else ()


def _few_shot(found: Found, node: Mapping_) -> tuple[Segment, ...]:
    """Prefix, examples and suffix, joined by the separator, as FewShotPromptTemplate formats them."""
    syntax = _syntax(node)
    separator = node.string("example_separator") if node.get("example_separator") else "\n\n"
    pieces: list[tuple[Segment, ...]] = []
    prefix, suffix, examples = node.get("prefix"), node.get("suffix"), node.get("examples")
    if isinstance(prefix, Scalar) and prefix.value:
        pieces.append(found.segments(prefix.text(), syntax))
    inner = node.get("example_prompt")
    if isinstance(examples, Sequence_) and isinstance(inner, Mapping_):
        shape = _prompt(found, inner)
        for example in examples.items:
            if isinstance(example, Mapping_):
                values: dict[str, tuple[Segment, ...]] = {
                    key: (value.text(),) for key, value in example.items() if isinstance(value, Scalar)
                }
                pieces.append(bind(shape, values))
    elif isinstance(examples, Scalar):
        pieces.append((Value(f"examples {examples.value}", examples.span),))
    if isinstance(suffix, Scalar) and suffix.value:
        pieces.append(found.segments(suffix.text(), syntax))
    out: list[Segment] = []
    for at, piece in enumerate(piece for piece in pieces if piece):
        if at:
            out.append(Text(separator, _end(out[-1])))
        out += piece
    return tuple(out)


def _end(segment: Segment) -> Span:
    from prefixlint.model.sources import Span

    span = segment.span() if isinstance(segment, Text) else segment.span
    return Span(span.path, span.end, span.end)


def _serialised(found: Found, node: Node, depth: int = 0) -> Iterator[Block | None]:
    """Blocks of a serialised ChatPromptTemplate or PromptTemplate."""
    if not isinstance(node, Mapping_) or depth > 6:
        return
    arguments = node.get("kwargs")
    if not isinstance(arguments, Mapping_):
        return
    identity = node.get("id")
    last = identity.items[-1] if isinstance(identity, Sequence_) and identity.items else None
    kind = last.value if isinstance(last, Scalar) else ""
    messages = arguments.get("messages")
    if isinstance(messages, Sequence_):
        for message in messages.items:
            yield from _serialised(found, message, depth + 1)
    elif kind == "MessagesPlaceholder":
        name = arguments.string("variable_name")
        yield block("user", (named(name).value(name, node.span),))
    elif kind in _ROLES:
        inner = arguments.get("prompt")
        content = arguments.get("content")
        if isinstance(inner, Mapping_):
            held = inner.get("kwargs")
            yield block(_ROLES[kind], _prompt(found, held) if isinstance(held, Mapping_) else ())
        else:
            yield found.block(content, _ROLES[kind], "")
    elif kind.endswith("PromptTemplate"):
        yield block("", _prompt(found, arguments))
