"""Targets and predictions: what an engine or provider makes of a layout."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Literal

from prefixlint.model.frozen import dataclass

if TYPE_CHECKING:
    from prefixlint.model.layouts import SharedPrefix

CacheModelName = Literal["token", "block", "breakpoint", "unit", "checkpoint", "undocumented"]

COMPONENTS = ("tools", "system", "messages")


@dataclass(frozen=True, slots=True)
class CacheModel:
    """How an engine turns a common token prefix into reused tokens.

    ``granularity`` is in tokens; ``minimum`` is the shortest prefix that is cached at all; ``recompute`` is how many of
    the prompt's last tokens are always computed again; ``order`` is the order in which the engine sees the components.
    ``implicit_write`` is true where an engine with breakpoints stores the end of the latest message without a marker.
    ``keep`` are the seconds that an unused prefix is kept, None where only memory limits it or nothing is documented.

    A checkpoint is a place at which an engine that cannot roll its state back resumes: ``tails`` are the distances from
    a request's end at which it leaves one (rounded down to ``granularity``, and to ``block`` where that is coarser),
    ``user_starts`` says that it leaves one where a user's message starts, ``step`` is the distance that these but the
    first and the last must have from the one in front, and ``junctions`` says that it leaves one where a request was
    seen to part from an earlier one. ``window`` are the tokens in front of a checkpoint that are kept with it, 0 for a
    recurrent state.
    ``chunk`` is the least length of later pieces that are shifted into place, 0 for none.
    """

    model: CacheModelName
    granularity: int = 1
    minimum: int = 0
    recompute: int = 1
    order: tuple[str, ...] = ("tools", "system", "messages")
    lookback: int | None = None
    max_breakpoints: int | None = None
    implicit_write: bool = False
    keep: int | None = None
    tails: tuple[int, ...] = ()
    user_starts: bool = False
    step: int = 0
    block: int = 0
    junctions: bool = False
    window: int = 0
    chunk: int = 0


@dataclass(frozen=True, slots=True)
class Invalidator:
    """What else keeps a cached prefix from being used: ``what`` for people, ``settings`` the fields of a request body.

    A change of one of them loses the cached tokens of ``drops``, components, and of what comes behind them.
    """

    what: str
    settings: tuple[str, ...] = ()
    drops: tuple[str, ...] = COMPONENTS


@dataclass(frozen=True, slots=True)
class Target:
    """Engine and model. ``name`` is how the user writes it (``openai:gpt-4o``).

    ``chat_template`` is the file or folder of the chat template that the engine renders; without one, ``chat_format``
    names counts of framing. ``configured`` is true where the user chose this target; a provider's minimum lowers a
    finding to info only then.
    """

    name: str
    engine: str
    cache: CacheModel
    model: str | None = None
    tokenizer: str = "o200k_base"
    chat_format: str = "chatml"
    chat_template: str | None = None
    exact: bool = False
    configured: bool = False
    source: str = ""
    source_date: str = ""
    confidence: str = ""
    notes: tuple[str, ...] = field(default=())
    invalidators: tuple[Invalidator, ...] = field(default=())

    @property
    def counting(self) -> tuple[str | None, ...]:
        """All that a request's tokens depend on: targets that are alike in it count alike."""
        engine = self.engine if self.chat_template else None
        return (self.tokenizer, self.chat_template, self.chat_format, engine, *self.cache.order)


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a target will reuse of a second request that differs from the first in the volatile values only.

    Token counts are of the whole request as the engine sees it. ``note`` says what a reader must know (an upper bound,
    a minimum not reached). ``keep`` are the seconds that an unused prefix is kept, None for no such limit known.
    ``within`` are the tokens reused of another request of one process, day, user, session or turn. ``total_tokens`` is
    the length of the second request; ``invalidated_by`` is what else loses a cached prefix.
    """

    engine: str
    cached_tokens: int
    cached_tokens_after_fix: int
    granularity: int
    minimum: int
    note: str = ""
    keep: int | None = None
    within: tuple[SharedPrefix, ...] = ()
    model: str | None = None
    total_tokens: int = 0
    invalidated_by: tuple[str, ...] = ()
