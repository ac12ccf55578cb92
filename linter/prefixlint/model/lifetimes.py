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


class HopKind(Enum):
    """What happens at a hop, in the words that people read."""

    CREATED = "created here"
    PASSED = "passed here"
    ADDED = "added to here"
    FILTERED = "filtered here"
    SUMMED_UP = "summed up here"
    PUT_INTO_STATE = "put into the state here"
    ADDRESS = "printed with its address in memory"
    UNORDERED = "order is lost here"
    EACH = "each pass of the loop has another item"
    IN_TEXT = "part of this text"
    """It stood in a text of its own, of which no more is known where it stands now."""
    PART = "part of the prompt"
    """Put into a prompt under another name."""
    CALLED = "called here"
    """A call on the way to where a prompt is sent."""
    SENT = "sent here"
    NAMED = "the prompt that is named here"
    NODE = "the prompt that this node sends"
    DIFFERS = "differs from request to request"


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of a value's way to the prompt.

    ``expression`` is the source of what was created, passed or called there, or of that through which it is put into
    the prompt; "" where the place says it.
    """

    kind: HopKind
    span: Span
    expression: str = ""

    @property
    def note(self) -> str:
        """The step in words: "`now` created here", "part of the prompt through `rules`"."""
        if not self.expression:
            return self.kind.value
        if self.kind is HopKind.PART:
            return f"{self.kind.value} through `{self.expression}`"
        return f"`{self.expression}` {self.kind.value}"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value comes from and how it got here.

    ``hops`` go from the place of creation to the last place before the template.
    """

    kind: SourceKind
    hops: tuple[Hop, ...] = ()

    def passed(self, kind: HopKind, span: Span, expression: str = "") -> Origin:
        """The same origin with one more hop."""
        return Origin(self.kind, (*self.hops, Hop(kind, span, expression)))
