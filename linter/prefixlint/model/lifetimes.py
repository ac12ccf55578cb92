"""How long a value stays the same, how it came about, and how sure of it we are."""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import TYPE_CHECKING

from prefixlint.model.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prefixlint.model.sources import Span


class Lifetime(Enum):
    """How long a value stays the same. Known lifetimes are ordered; ``UNKNOWN`` stands apart from the order.

    ``rank`` is the place in the order, 8 (constant) down to 0 (request); -1 for unknown, which never takes part in it.
    ``varies`` is true when two requests of one running program can differ in it (user, session, turn, request).
    """

    CONSTANT = "constant"
    DEPLOYMENT = "deployment"
    PROCESS = "process"
    DAY = "day"
    HOUR = "hour"
    USER = "user"
    SESSION = "session"
    TURN = "turn"
    REQUEST = "request"
    UNKNOWN = "unknown"

    # Plain attributes: these are read a hundred times as often as anything else is done.
    rank: int
    known: bool
    varies: bool

    def __init__(self, value: str) -> None:
        self.known = value != "unknown"
        self.rank = 8 - len(type(self).__members__) if self.known else -1
        self.varies = value in ("user", "session", "turn", "request")

    __hash__ = object.__hash__

    def outlives(self, other: Lifetime) -> bool:
        """True when both are known and this one lasts longer."""
        return self.known and other.known and self.rank > other.rank


def shortest(lifetimes: Iterable[Lifetime]) -> Lifetime:
    """Lifetime of something made of parts with these lifetimes; constant for none.

    An unknown part makes the whole unknown, unless another part is already known to vary between requests: then the
    whole lives no longer than that part, and saying so is more useful and still true.
    """
    known = Lifetime.CONSTANT
    unknown = False
    for lifetime in lifetimes:
        if not lifetime.known:
            unknown = True
        elif lifetime.rank < known.rank:
            known = lifetime
    return Lifetime.UNKNOWN if unknown and not known.varies else known


class SourceKind(StrEnum):
    """What kind of thing a value comes from.

    ``unordered`` is a collection without an order (a set), ``listing`` what a file system lists, ``shuffled`` items
    shuffled or drawn at random, ``identity`` an address or a seeded hash (``id()``, ``hash()``, a default ``repr``),
    ``attachment`` an image, a sound or a file, ``summary`` a conversation retold.
    """

    CLOCK = "clock"
    ID = "id"
    RANDOM = "random"
    RETRIEVAL = "retrieval"
    USER_INPUT = "user-input"
    HISTORY = "history"
    SESSION = "session"
    ENVIRONMENT = "environment"
    UNORDERED = "unordered"
    LISTING = "listing"
    SHUFFLED = "shuffled"
    IDENTITY = "identity"
    ATTACHMENT = "attachment"
    SUMMARY = "summary"
    CONDITIONAL = "conditional"
    PARAMETER = "parameter"
    CONFIGURATION = "configuration"


class Confidence(Enum):
    """How sure a statement is. ``LOW`` findings are shown as info only."""

    CERTAIN = "certain"
    HIGH = "high"
    LOW = "low"

    rank: int

    def __init__(self, value: str) -> None:
        self.rank = ("low", "high", "certain").index(value)

    __hash__ = object.__hash__

    def at_most(self, other: Confidence) -> Confidence:
        """The weaker of the two."""
        return self if self.rank <= other.rank else other


CALLED = "called here"
"""How the note of a hop ends that is a call on the way to where a prompt is sent."""
SENT = "sent here"
"""The note of the hop where it is sent."""
PART = "part of the prompt"
"""How the note of a hop begins where a value is put into a prompt under another name."""


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of a value's way to the prompt, for people: "created here", "passed here"."""

    note: str
    span: Span


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value comes from and how it got here.

    ``hops`` go from the place of creation to the last place before the template.
    """

    kind: SourceKind
    hops: tuple[Hop, ...] = ()

    def passed(self, note: str, span: Span) -> Origin:
        """The same origin with one more hop."""
        return Origin(self.kind, (*self.hops, Hop(note, span)))
