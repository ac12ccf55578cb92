"""Templates: what a front end hands over, before any target or tokenizer is known."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Literal

from prefixlint.model.frozen import dataclass
from prefixlint.model.lifetimes import Confidence, Hop

if TYPE_CHECKING:
    from prefixlint.model.segments import Segment
    from prefixlint.model.sources import Position, Span

Component = Literal["tools", "system", "messages"]

SYSTEM_ROLES = frozenset({"system", "developer"})
"""Roles of instructions: one stands for the other (OpenAI API reference, chat completions)."""


@dataclass(frozen=True, slots=True)
class Block:
    """One message, one system text, one content block or the tool list, as the source builds it.

    ``role`` is "system", "developer", "user", "assistant", "tool", or "" for a plain prompt. ``cache_marker`` is true
    where the source sets a provider breakpoint at the end of the block. ``inserted`` is the place where the source
    inserts the message into a list that is there already, in front of others, or None. ``appended`` is true for what
    continues a conversation: the same list was sent before without it, and has got a reply since.
    """

    role: str
    component: Component
    segments: tuple[Segment, ...]
    span: Span
    cache_marker: bool = False
    inserted: Span | None = None
    appended: bool = False


@dataclass(frozen=True, slots=True)
class Template:
    """One prompt as the source builds it: one call site with its messages and tools, or one prompt file.

    ``blocks`` are in source order; an engine may see them in another one. ``engine`` and ``model`` are what the source
    says of the target, or None. ``confidence`` says how sure it is that this is a prompt at all. ``related`` are the
    call site and the wrappers between it and the text. ``bounds`` names analysis bounds that cut something off.
    """

    form: str
    name: str
    span: Span
    blocks: tuple[Block, ...]
    engine: str | None = None
    model: str | None = None
    confidence: Confidence = Confidence.HIGH
    related: tuple[Hop, ...] = ()
    bounds: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """``path:line:name``, as in the JSON output."""
        return f"{self.span.path}:{self.span.start.line}:{self.name}"


@dataclass(frozen=True, slots=True)
class Problem:
    """A file, or a part of one, that could not be analysed, and the way out. Reported as PFX901.

    ``minor`` is true for code that was cut off by a bound of the analysis, and for plain texts that neither their names
    nor their folders call prompts: both may hold no prompt at all. An info, no warning.
    """

    path: str
    position: Position
    message: str
    minor: bool = False


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of the linter's own that ended the analysis of a part of a file; ``where`` names the part."""

    where: str
    error: str
    traceback: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a front end found in one file."""

    templates: tuple[Template, ...] = ()
    problems: tuple[Problem, ...] = field(default=())
    faults: tuple[Fault, ...] = field(default=())
