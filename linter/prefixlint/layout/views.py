"""A template as one tokenizer and one component order see it: everything measured in tokens, before any cache model."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from prefixlint.engines.earlier import Gate, Sent
from prefixlint.layout.breaks import breakpoint_of, first_break
from prefixlint.layout.messages import render
from prefixlint.layout.order import engine_order
from prefixlint.layout.placing import Located, locate
from prefixlint.layout.reorder import reordered, sorted_already, stable_end
from prefixlint.layout.sequence import sent
from prefixlint.layout.tokenized import Request, common_prefix, tokenize
from prefixlint.layout.variations import NEXT, SAME, Variation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from prefixlint.layout.chats import ThroughTemplate
    from prefixlint.layout.messages import Message
    from prefixlint.layout.remembering import Remembering
    from prefixlint.model.layouts import Breakpoint
    from prefixlint.model.templates import Block, Template
    from prefixlint.tokens.chat import ChatFormat


Pair = tuple[Sent, Sent]


@dataclass(frozen=True, slots=True)
class Fixed:
    """The layout after the fix: the prefix that two requests share, the second one's length, the stable part's end.

    ``pair`` gives both requests to a cache model that asks for more than the prefix, the stable part's end marked where
    the template has a marker.
    """

    total: int
    prefix: int
    stable_end: int
    pair: Callable[[], Pair] = field(compare=False)


class View:
    """Measures one template. All counts are tokens of the whole request.

    ``marked`` are the indices of the blocks that carry a cache marker.
    """

    def __init__(
        self,
        template: Template,
        order: Sequence[str],
        tokenizer: Remembering,
        chat: ChatFormat,
        through: ThroughTemplate | None = None,
    ) -> None:
        """With ``through``, the request is what that chat template makes of it, ``tokenizer`` is one for chats, and
        ``chat`` has no framing to add. Raises ``NotPlaced`` and ``ChatTemplateError``."""
        self._tokenizer = tokenizer
        self._chat = chat
        self._through = through
        self._blocks: tuple[tuple[int, Block], ...] = engine_order(template.blocks, order)
        self._requests: dict[Variation, Request] = {}
        self._composed = render(self._blocks)
        self.messages: tuple[Message, ...] = self._seen(self._composed)
        self.request = tokenize(self.messages, tokenizer, chat)
        self._requests[SAME] = self.request
        self.located: tuple[Located, ...] = locate(self.messages, self.request, tokenizer)
        self.breakpoint = self._breakpoint()
        self.prefix = self.breakpoint.token if self.breakpoint else self.request.total
        self.marked = frozenset(index for index, block in enumerate(template.blocks) if block.cache_marker)

    @property
    def total(self) -> int:
        return self.request.total

    @property
    def next_total(self) -> int:
        """Length of the second request, whose values differ and whose conversation went on."""
        return self._requests.get(NEXT, self.request).total

    def shared(self, variation: Variation) -> int:
        """Tokens that the request shares with the one that ``variation`` describes."""
        if variation not in self._requests:
            messages = self._seen(render(self._blocks, variation))
            self._requests[variation] = tokenize(messages, self._tokenizer, self._chat)
        return common_prefix(self.request, self._requests[variation])

    def fixed(self) -> Fixed:
        """The layout with what varies at its end, tokenized anew; this one where that gains nothing."""
        guaranteed = self.breakpoint.token_guaranteed if self.breakpoint else self.total
        as_is = Fixed(self.next_total, self.prefix, guaranteed, lambda: self._marked_at(self.pair(), guaranteed))
        if self.breakpoint is None or sorted_already(self._composed):
            return as_is
        messages = self._seen(reordered(self._composed))
        after = self._seen(reordered(render(self._blocks, NEXT)))
        request, following = (tokenize(each, self._tokenizer, self._chat) for each in (messages, after))
        prefix = common_prefix(request, following)
        if prefix <= self.prefix:
            return as_is
        at, character = stable_end(messages)
        end = request.units[at].content + bisect_left(self._tokenizer.starts(messages[at].text), character)
        stable = min(end, prefix)
        return Fixed(
            following.total,
            prefix,
            stable,
            lambda: self._marked_at((self._sent(messages, request), self._sent(after, following)), stable),
        )

    def pair(self) -> Pair:
        """The request and the one after it, as an engine sees them. They part at the breakpoint and not behind it."""
        if self.breakpoint is None:
            same = self._sent(self.messages, self.request)
            return same, same
        self.shared(NEXT)
        after = self._seen(render(self._blocks, NEXT))
        one, other = self._sent(self.messages, self.request), self._sent(after, self._requests[NEXT])
        # Text that is known to vary has no second sample that would differ.
        return replace(one, gates=(Gate(self.prefix, "one"),)), replace(other, gates=(Gate(self.prefix, "other"),))

    def _sent(self, messages: Sequence[Message], request: Request) -> Sent:
        located = self.located if request is self.request else locate(messages, request, self._tokenizer)
        return sent(messages, request, located, self.marked)

    def _marked_at(self, pair: Pair, end: int) -> Pair:
        """The two with their markers at ``end`` instead, which counts as the end of a block."""
        if not self.marked or not end:
            return pair
        one, other = (replace(each, markers=(end,), blocks=tuple(sorted({*each.blocks, end}))) for each in pair)
        return one, other

    def _seen(self, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        """What the tokenizer is given: the messages, or the text that the chat template makes of them."""
        if self._through is None or all(not message.role for message in messages):
            return messages
        return (self._through.lay(messages),)

    @property
    def rendered(self) -> bool:
        """Whether a chat template made the text."""
        return self._through is not None and self.messages != self._composed

    def parts_from(self, through: ThroughTemplate) -> int | None:
        """The first token that is another one when ``through`` renders the same messages; None where nothing is.

        Raises as the constructor does.
        """
        other = tokenize((through.lay(self._composed),), self._tokenizer, self._chat)
        same = common_prefix(self.request, other)
        return None if same == self.total == other.total else same

    def _breakpoint(self) -> Breakpoint | None:
        found = first_break(self.located)
        if found is None:
            return None
        self.shared(NEXT)
        return breakpoint_of(found, self.messages, self.request, self._requests[NEXT], self._tokenizer)
