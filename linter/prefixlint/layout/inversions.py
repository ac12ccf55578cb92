"""Inversions: values that stand before something with a longer lifetime, and what they strand."""

from __future__ import annotations

import re
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from prefixlint.knowledge.names import expression_words, split_words
from prefixlint.layout.chats import HISTORY
from prefixlint.layout.flatten import undecided
from prefixlint.model.layouts import Inversion, Placed
from prefixlint.model.lifetimes import Lifetime, SourceKind
from prefixlint.model.segments import Choice, Repeat, Text, Value, literal_length
from prefixlint.model.templates import SYSTEM_ROLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from prefixlint.layout.flatten import Piece
    from prefixlint.layout.placing import Located
    from prefixlint.model.sources import Span


_OPTIONAL = 0.25
"""How often an optional part of a prompt is switched on: for most prompts, fewer of its options are than are not."""
_LEAST_WRITTEN = 60
"""Characters of fixed text that a prompt has at least."""
_SHORT = frozenset({Lifetime.TURN, Lifetime.REQUEST})
_ASKED = frozenset({SourceKind.USER_INPUT, SourceKind.RETRIEVAL, SourceKind.HISTORY})


# Choices around a piece, of two kinds.
_Where = tuple[frozenset[int], frozenset[int]]


class _Behind:
    """What stands behind the place that a walk from the end has reached.

    ``filled`` are blocks with a value that is another one on each turn, ``conversations`` those with a conversation,
    ``messages`` those of them that are its messages, ``results`` those of what tools gave.

    A conversation is noted and not counted: its sample has some length, the real one grows without bound. ``shares``
    says of choices that may go one way for good how much of their text is to be expected. A ``form`` is nothing but
    labels and what is filled in: documents, and catalogues that the code does not hold, count for nothing there.
    """

    def __init__(self, shares: Mapping[int, float], form: bool) -> None:
        self._shares = shares
        self._form = form
        self._under: dict[frozenset[int], dict[Lifetime, int]] = {}
        # What stands in arms of choices that vary: by those choices and the optional ones around it, and by its
        # lifetime among all requests and among those that take the arms.
        self._in_arms: dict[tuple[_Where, Lifetime, Lifetime], int] = {}
        self.tokens = dict.fromkeys(Lifetime, 0)
        self.own = dict.fromkeys(Lifetime, 0)
        self.late_system: dict[int, dict[Lifetime, int]] = {}
        self.filled: set[int] = set()
        self.conversations: set[int] = set()
        self.messages: set[int] = set()
        self.results: set[int] = set()
        self.changing: set[Span] = set()
        self._longest: dict[_Where, int] = {}
        self._run: tuple[_Where, int] = ((frozenset(), frozenset()), 0)

    def add(self, item: Located) -> None:
        lifetime, piece = item.placed.lifetime, item.piece
        if piece is not None and (piece.drifting or (piece.growing is not None and lifetime.outlives(Lifetime.TURN))):
            self.conversations.add(item.placed.block)
            if item.placed.role == HISTORY:
                self.messages.add(item.placed.block)
            talk = piece.growing or piece.segment
            if isinstance(talk, Value | Repeat) and _of_tools(talk.expression):
                self.results.add(item.placed.block)
        if piece is not None:
            self._lengthen(piece, item.placed.tokens)
            if isinstance(piece.segment, Value) and piece.segment.drift is not None:
                self.changing.update(piece.segment.drift.changing)
            if lifetime in _SHORT:
                self.filled.add(item.placed.block)
        if piece is not None and (piece.conversation or _is_sampled(piece)):
            return
        if piece is not None and self._form and (_is_assumed(piece) or _is_document(piece)):
            return
        self.tokens[lifetime] += item.placed.tokens
        under = frozenset(() if piece is None else (each for each in piece.optional if each in self._shares))
        self._under.setdefault(under, dict.fromkeys(Lifetime, 0))[lifetime] += item.placed.tokens
        if piece is not None:
            if piece.decided and not piece.appended:
                key = ((piece.decided, under), lifetime, piece.own)
                self._in_arms[key] = self._in_arms.get(key, 0) + item.placed.tokens
            self.own[lifetime] += item.placed.tokens
            if item.placed.component == "messages" and item.placed.role in SYSTEM_ROLES:
                late = self.late_system.setdefault(item.placed.block, dict.fromkeys(Lifetime, 0))
                late[lifetime] += item.placed.tokens

    def _lengthen(self, piece: Piece, tokens: int) -> None:
        around, length = self._run
        where = (piece.within, piece.decided)
        stable = piece.stable or (bool(piece.decided) and not piece.appended and not piece.own.varies)
        fixed = stable and (_is_text(piece) or _is_prompt(piece) or _is_catalogue(piece))
        fixed = fixed or _is_document(piece)
        if not fixed or around != where:
            length = 0
        self._run = (where, length + tokens if fixed else 0)
        self._longest[where] = max(self._longest.get(where, 0), self._run[1])

    def longest_text(self, piece: Piece) -> int:
        """Tokens of the longest fixed text behind a piece that no value and no end of a decision interrupts. A whole
        prompt that is filled in counts as such text, and so do a list of tools or rules and a document.

        Text under a condition of which nothing is known, or in an arm of a choice that varies, counts for what stands
        there too.
        """
        return max(
            (
                run
                for (within, decided), run in self._longest.items()
                if within <= piece.within and decided <= piece.decided
            ),
            default=0,
        )

    def in_same_arms(self, lifetime: Lifetime, piece: Piece) -> tuple[int, float]:
        """Tokens behind a piece of this ``lifetime`` that stand in arms of varying choices in which it stands too, and
        live longer than it among the requests that take those arms alone; and how many of them are to be expected."""
        found, expected = 0, 0.0
        longer, among = self.longer_lived(lifetime), self.longer_lived(piece.own)
        for ((decided, under), general, own), tokens in self._in_arms.items():
            if decided <= piece.decided and own in among and general not in longer:
                found += tokens
                expected += tokens * prod(self._shares[decision] for decision in under - piece.optional)
        return found, expected

    def expected_tokens(self, lifetime: Lifetime, piece: Piece) -> int:
        """So many of the longer-lived tokens behind a piece are to be expected there: of what is optional, and not with
        the piece, a part."""
        longer = self.longer_lived(lifetime)
        found = 0.0
        for under, tokens in self._under.items():
            share = prod(self._shares[decision] for decision in under - piece.optional)
            found += share * sum(tokens[other] for other in longer)
        return round(found)

    def longer_lived(self, lifetime: Lifetime) -> list[Lifetime]:
        """What a value of this ``lifetime`` strands; an unknown one may strand all that lives as long as a user."""
        if lifetime.known:
            return [other for other in Lifetime if other.outlives(lifetime)]
        return [other for other in Lifetime if other.known and not Lifetime.USER.outlives(other)]

    def strands(self, lifetime: Lifetime, segment: Value | Choice | Repeat, placed: Placed) -> tuple[int, int, bool]:
        """Tokens that a value of this ``lifetime`` strands, those of them in fixed system messages among the messages,
        and whether a conversation is stranded.

        A conversation printed into the same text as the question or the documents asked about is material for one
        answer (a judge, a query rewriter), not a chat that goes on: only a value of another kind strands it there.
        Two conversations that are printed are such material as well.
        What the user asks in a message of its own begins the conversation behind it, as an agent's task its steps; so
        does all that was asked or looked up where nothing follows but what tools gave for it.
        Framing alone counts for nothing: no order of the prompt could move it.
        """
        longer = self.longer_lived(lifetime)
        kind = segment.origin.kind
        apart = self.conversations if kind not in _ASKED else self.conversations - self.results - {placed.block}
        if kind is SourceKind.HISTORY:
            apart &= self.messages
        if kind is SourceKind.USER_INPUT and placed.role == "user" and _asks(segment.expression):
            apart = set()
        conversation = (bool(apart) or segment.span in self.changing) and lifetime in _SHORT
        if not any(self.own[other] for other in longer):
            return 0, 0, conversation
        # What a message tells of this turn cannot be sent once, in front.
        late = (tokens for block, tokens in self.late_system.items() if block not in self.filled)
        return (
            sum(self.tokens[other] for other in longer),
            sum(tokens[other] for tokens in late for other in longer),
            conversation,
        )


def _is_prompt(piece: Piece) -> bool:
    """A value that is a whole prompt by itself."""
    return isinstance(piece.segment, Value) and piece.segment.shape == "prompt"


def _is_catalogue(piece: Piece) -> bool:
    """A list of tools or rules, or an entry of one."""
    return piece.listed or (isinstance(piece.segment, Value) and piece.segment.shape == "catalogue")


def _is_assumed(piece: Piece) -> bool:
    """A list of tools or rules that is known by its name alone; one that is written in the code never changes."""
    return _is_catalogue(piece) and piece.lifetime is not Lifetime.CONSTANT


def _is_document(piece: Piece) -> bool:
    """A document about which a loop asks again and again: for all of its passes the same."""
    return isinstance(piece.segment, Value) and piece.segment.shape == "document"


def _is_form(located: Sequence[Located]) -> bool:
    """Whether a request says so little by itself that it may be an example's form and no prompt."""
    written = {id(item.piece.segment): len(item.piece.text) for item in located if item.piece and _is_text(item.piece)}
    return sum(written.values()) < _LEAST_WRITTEN


def _is_text(piece: Piece) -> bool:
    return isinstance(piece.segment, Text)


_ASKING = re.compile(
    r"(?:input|query|question|task|request|message|prompt|instruction|goal|objective)s?\W*\Z", re.IGNORECASE
)


def _asks(expression: str) -> bool:
    """Whether an expression's last name says that it is what the user asks."""
    return _ASKING.search(expression) is not None


def _of_tools(expression: str) -> bool:
    """Whether an expression's last name with a word for tools says that it is what these gave, or their calls."""
    for name in reversed(_NAME.findall(expression)):
        words = split_words(name)
        at = next((at for at, word in enumerate(words) if word in ("tool", "tools")), None)
        if at is not None:
            return not expression_words().tools_gave.isdisjoint(words[at + 1 :])
    return False


_NAME = re.compile(r"[A-Za-z_]\w*")


def _is_sampled(piece: Piece) -> bool:
    """A value that varies itself: how long it is, is anybody's guess, so it counts for nothing that is stranded."""
    return isinstance(piece.segment, Value) and piece.lifetime.varies and not _is_document(piece)


def as_written(located: Sequence[Located]) -> list[Located]:
    """Tools and system text first where a chat template moves them behind a message: no order of the source could mend
    that, so it is no inversion but an effect of the template."""
    first = next((at for at, item in enumerate(located) if item.placed.component == "messages"), len(located))
    moved = [item for item in located[first:] if item.placed.component != "messages"]
    kept = [item for item in located[first:] if item.placed.component == "messages"]
    return [*located[:first], *moved, *kept]


def inversions(located: Sequence[Located]) -> tuple[Inversion, ...]:
    """All inversions in engine order. Text inside a decision that varies is stranded by the decision, not once more."""
    decisions = {id(item.placed.segment): item.placed for item in reversed(located)}
    behind, out = _Behind(_shares(located), _is_form(located)), []
    for item in reversed(located):
        piece = item.piece
        if piece is not None:
            if piece.growing is not None:
                placed = decisions[id(piece.growing)]
                out.append(_inversion(placed, piece, piece.growing, Lifetime.TURN, item.placed.end, behind))
            if isinstance(piece.segment, Value | Choice | Repeat) and _speaks_for_itself(piece):
                inversion = _inversion(item.placed, piece, piece.segment, piece.lifetime, item.placed.start, behind)
                if piece.in_history:
                    # Whatever stands behind it in its message, the messages that follow do.
                    inversion = replace(inversion, in_history=True, history_stranded=True)
                out.append(inversion)
        behind.add(item)
    return tuple(inversion for inversion in reversed(out) if inversion.stranded_tokens or inversion.history_stranded)


def _shares(located: Sequence[Located]) -> dict[int, float]:
    """Of each choice that may go one way for good, how much of its longest arm's text is to be expected: what the
    shortest arm has is there in any case, and of the rest ``_OPTIONAL``."""
    out: dict[int, float] = {}
    for item in located:
        segment = item.placed.segment
        if isinstance(segment, Choice) and undecided(segment, segment.lifetime):
            lengths = [literal_length(arm) for arm in segment.arms]
            if min(lengths, default=0) < max(lengths, default=0):
                in_any_case = min(lengths) / max(lengths)
                out[id(segment)] = in_any_case + (1 - in_any_case) * _OPTIONAL
    return out


def _speaks_for_itself(piece: Piece) -> bool:
    if piece.appended:
        return False
    if piece.decision and not isinstance(piece.segment, Repeat):
        return piece.lifetime.varies and not _covered(piece, piece.governed)
    # A condition is another matter than the value or the loop behind it; a loop's items are told with the loop.
    if isinstance(piece.segment, Repeat) and not piece.segment.lifetime.varies:
        return False
    # Where it stands or not is all that changes of what is configured.
    if isinstance(piece.segment, Value) and _stays(piece.segment.lifetime) and piece.governed.varies:
        return False
    return not _covered(piece, piece.repeated)


def _stays(lifetime: Lifetime) -> bool:
    return lifetime.known and not lifetime.varies


def _covered(piece: Piece, around: Lifetime) -> bool:
    """Does what stands around it already end its life as early as it would itself?"""
    own = getattr(piece.segment, "lifetime", Lifetime.UNKNOWN)
    return around.varies and not around.outlives(own)


def _inversion(
    placed: Placed,
    piece: Piece,
    segment: Value | Choice | Repeat,
    lifetime: Lifetime,
    before: int,
    behind: _Behind,
) -> Inversion:
    tokens, late_system, conversation = behind.strands(lifetime, segment, placed)
    expected = behind.expected_tokens(lifetime, piece) if tokens else 0
    if segment is piece.segment:
        more, of_these = behind.in_same_arms(lifetime, piece)
        tokens, expected = tokens + more, expected + round(of_these)
    return Inversion(
        placed=placed,
        expression=segment.expression,
        span=segment.span,
        lifetime=lifetime,
        origin=segment.origin,
        confidence=segment.confidence,
        stable_tokens_before=before,
        stranded_tokens=tokens,
        history_stranded=conversation,
        late_system_tokens=late_system,
        longest_text=behind.longest_text(piece),
        expected_tokens=expected,
    )
