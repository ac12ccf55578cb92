"""A request body in tokens, as a target sees it, and the way back from a token to its place in the body."""

from __future__ import annotations

import json
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from prefixlint.engines.earlier import Gate, Sent
from prefixlint.layout.sequence import TALK, framing, head
from prefixlint.wire.bodies import Part

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from prefixlint.layout.remembering import Remembering
    from prefixlint.model.targets import Target
    from prefixlint.tokens.chat import ChatFormat
    from prefixlint.wire.bodies import Body, Message


class Stretch(NamedTuple):
    """The tokens ``start`` to ``end`` are of ``part``; of framing around a message of ``role`` where it is None."""

    start: int
    end: int
    part: Part | None
    role: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a body a token starts. ``line`` and ``column`` count from 1 within the text at ``path``.

    ``before`` and ``behind`` are all of the text in front of it and from it on. ``path`` is "" for a plain text, and
    says what the framing belongs to for a token of framing (then there is no text).
    """

    path: str
    line: int
    column: int
    before: str
    behind: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """A body for one target. ``opaque`` counts the images and other parts without text, one token each."""

    sent: Sent
    stretches: tuple[Stretch, ...]
    tokenizer: Remembering
    opaque: int = 0

    @property
    def total(self) -> int:
        return len(self.sent.tokens)

    def place(self, token: int) -> Place:
        """Place of the token with this index; of ``total``, the end of the request."""
        if token >= self.total:
            return Place("the end", 1, 1, "", "")
        at = bisect_right(self.stretches, token, key=lambda stretch: stretch.start) - 1
        stretch = self.stretches[at]
        part = stretch.part
        if part is None:
            return Place(f"the framing of a {stretch.role} message" if stretch.role else "the framing", 1, 1, "", "")
        if not part.text:
            return Place(part.place, 1, 1 + token - stretch.start, "", "")
        offset = self.tokenizer.starts(part.text)[token - stretch.start]
        before = part.text[:offset]
        line = before.count("\n")
        return Place(part.place, line + 1, offset - before.rfind("\n"), before, part.text[offset:])


def render(body: Body, target: Target) -> Rendered:
    """``body`` in the tokens and the component order of ``target``.

    A chat goes through the target's chat template if it has one. Otherwise framing of messages is counted as its chat
    format says, each framing token with an id of its own below 0. Raises ``TokenizerError`` where a tokenizer cannot be
    had or a chat template refuses the chat.
    """
    from prefixlint.layout.remembering import remembering
    from prefixlint.tokens.chat import chat_format

    if target.chat_template is not None and body.chat:
        return _through_template(body, target)
    rank = {component: place for place, component in enumerate(target.cache.order)}
    messages = sorted(body.messages, key=lambda message: rank[message.component])
    builder = _Builder(remembering(target.tokenizer), chat_format(target.chat_format))
    return builder.build(messages, lambda starts: gates(body, target, starts))


def _through_template(body: Body, target: Target) -> Rendered:
    """The chat as the engine's chat template writes it, in one piece."""
    from prefixlint.layout.measure import NOW
    from prefixlint.layout.remembering import remembering
    from prefixlint.tokens.chat_arguments import chat_arguments
    from prefixlint.tokens.chat_files import chat_template

    template = chat_template(target.chat_template or "", target.tokenizer)
    arguments = chat_arguments(target.engine, NOW)
    text = template.render(body.chat["messages"], tools=body.chat["tools"], now=NOW, arguments=arguments)
    tokenizer = remembering(target.tokenizer, chat=True)
    tokens = tokenizer.encode(text)
    part = Part("the rendered chat", text)
    return Rendered(
        Sent(tokens, (len(tokens),), gates=gates(body, target, {})), (Stretch(0, len(tokens), part, ""),), tokenizer
    )


def gates(body: Body, target: Target, starts: Mapping[str, int]) -> tuple[Gate, ...]:
    """A gate for each setting of a body that makes ``target`` lose a cached prefix.

    ``starts`` are the tokens at which components begin; without them a setting counts from the start on.
    """
    out = []
    for invalidator in target.invalidators:
        if invalidator.settings:
            said = json.dumps({name: body.settings.get(name) for name in invalidator.settings}, sort_keys=True)
            out.append(Gate(min(starts.get(part, 0) for part in invalidator.drops), said, invalidator.what))
    return tuple(out)


class _Builder:
    def __init__(self, tokenizer: Remembering, chat: ChatFormat) -> None:
        self._tokenizer = tokenizer
        self._chat = chat
        self._ids: list[int] = []
        self._stretches: list[Stretch] = []
        self._blocks: list[int] = []
        self._markers: list[int] = []
        self._opaque = 0
        self._kind = ""

    def build(self, messages: list[Message], gates: Callable[[Mapping[str, int]], tuple[Gate, ...]]) -> Rendered:
        plain = all(not message.role for message in messages)
        ends, talk, users = [], [], []
        starts: dict[str, int] = {}
        if messages:
            self._frame("opening", "", self._chat.opening)
        for message in messages:
            starts.setdefault(message.component, len(self._ids))
            if message.role == "user":
                users.append(len(self._ids))
            self._add(head(message.role, self._chat.head(message.role)), None, message.role)
            for part in message.parts:
                self._part(part, message.role)
            self._frame("tail", message.role, self._chat.tail(message.role))
            if message.component == "messages":
                ends.append(len(self._ids))
                if message.role in TALK:
                    talk.append(len(self._ids))
        if not plain:
            self._add(head("assistant", self._chat.generation), None, "assistant")
        blocks, markers = tuple(self._blocks), tuple(self._markers)
        sent = Sent(tuple(self._ids), blocks, markers, tuple(ends), tuple(talk), tuple(users), gates(starts))
        return Rendered(sent, tuple(self._stretches), self._tokenizer, self._opaque)

    def _frame(self, kind: str, role: str, count: int) -> None:
        self._add([framing(kind, at) for at in range(count)], None, role)

    def _part(self, part: Part, role: str) -> None:
        if part.digest:
            self._opaque += 1
            self._add([framing(f"opaque {part.digest}", 0)], part, role)
        else:
            self._add(part.ids or self._tokenizer.encode(part.text), part, role)
        if self._blocks and part.kind and part.kind == self._kind and self._blocks[-1] not in self._markers[-1:]:
            self._blocks.pop()
        self._kind = part.kind
        if not self._blocks or self._blocks[-1] != len(self._ids):
            self._blocks.append(len(self._ids))
        if part.marker and (not self._markers or self._markers[-1] != len(self._ids)):
            self._markers.append(len(self._ids))

    def _add(self, ids: tuple[int, ...] | list[int], part: Part | None, role: str) -> None:
        if ids:
            self._stretches.append(Stretch(len(self._ids), len(self._ids) + len(ids), part, role))
            self._ids.extend(ids)
