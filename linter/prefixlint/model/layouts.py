"""Layouts: a template's segments in the order the engine sees them, each with its place in tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.model.frozen import dataclass

if TYPE_CHECKING:
    from prefixlint.model.lifetimes import Confidence, Lifetime, Origin
    from prefixlint.model.segments import Choice, Repeat, Text, Value
    from prefixlint.model.sources import Span
    from prefixlint.model.targets import Prediction, Target
    from prefixlint.model.templates import Component, Template


@dataclass(frozen=True, slots=True)
class Placed:
    """A segment in its place. ``start`` and ``end`` count tokens of the whole rendered request from 0.

    ``lifetime`` is the effective one: text inside a choice or a repeat lives no longer than what decides over it. A
    value's tokens are those of a sample of its shape. ``text`` is what stands there in the rendered sample. A choice or
    a repeat is placed as its representative content, preceded by a ``Placed`` of zero width for the decision itself.
    ``inserted`` is where the source inserts the message in front of others, or None.
    """

    segment: Text | Value | Choice | Repeat
    role: str
    component: Component
    lifetime: Lifetime
    start: int
    end: int
    text: str
    block: int
    inserted: Span | None = None

    @property
    def tokens(self) -> int:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Breakpoint:
    """Where two requests of a template first differ.

    ``token`` is expected for this kind of value (two timestamps share their first digits); ``token_guaranteed`` is what
    no value can take away; ``token_guaranteed <= token``.
    """

    token: int
    token_guaranteed: int
    span: Span
    expression: str
    lifetime: Lifetime


@dataclass(frozen=True, slots=True)
class Inversion:
    """A value that stands before something with a longer lifetime.

    ``stranded_tokens`` are all longer-lived tokens behind it; ``history_stranded`` is true when a conversation history
    stands behind a turn or request value. ``stable_tokens_before`` is the length in tokens of what precedes it.
    ``late_system_tokens`` are those of the stranded tokens that a system message holds which stands among the messages.
    ``in_history`` is true for a value in the form that is given to each message of a conversation.
    ``longest_text`` is the length in tokens of the longest piece of fixed text behind it that no value interrupts.
    ``expected_tokens`` is the number of stranded tokens where a part of a prompt that is optional, and is there or not
    for good, counts in part.
    """

    placed: Placed
    expression: str
    span: Span
    lifetime: Lifetime
    origin: Origin
    confidence: Confidence
    stable_tokens_before: int
    stranded_tokens: int
    history_stranded: bool
    late_system_tokens: int = 0
    in_history: bool = False
    longest_text: int = 0
    expected_tokens: int = 0


@dataclass(frozen=True, slots=True)
class SharedPrefix:
    """Tokens that all requests within one ``lifetime`` scope share (``user``: all requests of one user), and those
    that they share ``after_fix``."""

    lifetime: Lifetime
    tokens: int
    after_fix: int = 0


@dataclass(frozen=True, slots=True)
class TemplateEffect:
    """What a chat template does to the request that no line of the source shows.

    ``kind``: "date" (it writes the clock into the prompt), "moved" (``parts``, tools or system text, stand behind the
    conversation), "rewritten" (it removes the reasoning of earlier answers; ``kept_by`` are arguments of the template
    that keep it, ``name=value``). From ``token`` on the request changes each time ``lifetime`` ends, which strands
    ``stranded_tokens``. ``source`` is the template's file.
    """

    kind: str
    lifetime: Lifetime
    token: int
    stranded_tokens: int
    history_stranded: bool
    source: str
    parts: tuple[str, ...] = ()
    kept_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """A template laid out for one target.

    ``stable_prefix_tokens`` are shared by two requests one after another: stable text, a conversation that goes on, and
    what values of one kind have in common. ``stable_tokens`` are these and the stable text stranded behind them.
    ``predictions`` has one entry for each target asked for, the first for this one. ``effects`` are those of this
    target's chat template. ``trouble`` says what of the target's tokenizer or chat template could not be had, and what
    counts instead. ``others`` are layouts for the same target with another arm of a choice, as far as that arm has
    inversions of its own: they hold these alone, and no predictions.
    """

    template: Template
    target: Target
    placed: tuple[Placed, ...]
    total_tokens: int
    breakpoint: Breakpoint | None
    stable_prefix_tokens: int
    stable_tokens: int
    stranded_tokens: int
    history_stranded: bool
    shared_prefix: tuple[SharedPrefix, ...]
    inversions: tuple[Inversion, ...]
    predictions: tuple[Prediction, ...] = ()
    effects: tuple[TemplateEffect, ...] = ()
    trouble: str = ""
    others: tuple[Layout, ...] = ()
