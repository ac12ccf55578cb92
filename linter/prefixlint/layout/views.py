"""A template as one tokenizer and one component order see it: everything measured in tokens, before any cache model."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from prefixlint.layout.breaks import breakpoint_of, first_break
from prefixlint.layout.messages import render
from prefixlint.layout.order import engine_order
from prefixlint.layout.placing import Located, locate
from prefixlint.layout.reorder import reordered, sorted_already, stable_end
from prefixlint.layout.sequence import cuts, tokens_of
from prefixlint.layout.tokenized import Request, common_prefix, tokenize
from prefixlint.layout.variations import NEXT, SAME, Variation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from prefixlint.engines.earlier import Sent
    from prefixlint.layout.chats import ThroughTemplate
    from prefixlint.layout.messages import Message
    from prefixlint.layout.remembering import Remembering
    from prefixlint.model.layouts import Breakpoint
    from prefixlint.model.templates import Block, Template
    from prefixlint.tokens.chat import ChatFormat


Tokens = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Fixed:
    """The layout after the fix: the prefix that two requests share, the second one's length, the stable part's end.

    ``shared`` gives the tokens shared within a scope, ``cuts`` where the request is cut, with its marker at the stable
    part's end where the template has one, and ``tokens`` those of two requests that follow one another.
    """

    total: int
    prefix: int
    stable_end: int
    shared: Callable[[Variation], int] = field(compare=False)
    cuts: Callable[[], Sent] = field(compare=False)
    tokens: Callable[[], Tokens] = field(compare=False)


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
        as_is = Fixed(
            self.next_total,
            self.prefix,
            guaranteed,
            self.shared,
            lambda: self._marked_at(self.cuts(), guaranteed),
            self.tokens,
        )
        if self.breakpoint is None or sorted_already(self._composed):
            return as_is
        messages = self._seen(reordered(self._composed))
        request = tokenize(messages, self._tokenizer, self._chat)

        def other(variation: Variation) -> tuple[tuple[Message, ...], Request]:
            varied = self._seen(reordered(render(self._blocks, variation)))
            return varied, tokenize(varied, self._tokenizer, self._chat)

        after, following = other(NEXT)
        prefix = common_prefix(request, following)
        if prefix <= self.prefix:
            return as_is
        at, character = stable_end(messages)
        end = request.units[at].content + bisect_left(self._tokenizer.starts(messages[at].text), character)
        stable = min(end, prefix)

        def cut() -> Sent:
            located = locate(messages, request, self._tokenizer)
            return self._marked_at(cuts(located, self.marked, request.total), stable)

        return Fixed(
            following.total,
            prefix,
            stable,
            lambda variation: common_prefix(request, other(variation)[1]),
            cut,
            lambda: (tokens_of(messages, request), tokens_of(after, following)),
        )

    def cuts(self) -> Sent:
        """Where the request is cut into blocks and messages, and what is marked."""
        return cuts(self.located, self.marked, self.total)

    def tokens(self) -> Tokens:
        """The tokens of the request and of the one after it, framing with ids of its own."""
        if self.breakpoint is None:
            return tokens_of(self.messages, self.request), tokens_of(self.messages, self.request)
        self.shared(NEXT)
        after = self._seen(render(self._blocks, NEXT))
        return tokens_of(self.messages, self.request), tokens_of(after, self._requests[NEXT])

    def _marked_at(self, sent: Sent, end: int) -> Sent:
        """The same with its marker at ``end`` instead, which counts as the end of a block."""
        if not self.marked or not end:
            return sent
        return replace(sent, markers=(end,), blocks=tuple(sorted({*sent.blocks, end})))

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
