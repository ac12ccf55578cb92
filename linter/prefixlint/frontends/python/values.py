"""Abstract values of the interpreter: immutable, with mutable things kept in a heap and named by ``Ref``."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, Literal

from prefixlint.model.frozen import dataclass
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind

if TYPE_CHECKING:
    import ast
    from collections.abc import Mapping

    from typing_extensions import TypeIs

    from prefixlint.frontends.promptfiles import JinjaSyntax
    from prefixlint.frontends.python.modules import ClassInfo, FunctionInfo, ModuleInfo
    from prefixlint.model.segments import Drift, Segment
    from prefixlint.model.sources import Span
    from prefixlint.model.templates import Block


DATA = "data"
"""Type of what is read from a data file or a data set: other records hold other things in a field of any name."""
RUN = "run"
"""Type of what agents give their functions of a run (``ctx: RunContextWrapper[Shop]``), and of the state it holds."""
PROMPT_FILE = "prompt file"
"""Type of a path, or a file, in which a prompt lies as its name says."""
UNEXPLAINED = Origin(SourceKind.PARAMETER)
CONDITION = Origin(SourceKind.CONDITIONAL)
CONFIGURED = Origin(SourceKind.CONFIGURATION)


@dataclass(frozen=True, slots=True)
class Str:
    """A string made of segments. No segments: the empty string."""

    segments: tuple[Segment, ...] = ()


@dataclass(frozen=True, slots=True)
class Const:
    """A number, boolean, None, bytes or Ellipsis."""

    value: object


@dataclass(frozen=True, slots=True)
class Opaque:
    """A value of which only its lifetime and origin are known.

    ``type`` is a dotted library type where one is known (``datetime.datetime``), else "". ``name`` is the open
    parameter that a caller can still fill, else "".
    """

    expression: str
    span: Span
    lifetime: Lifetime = Lifetime.UNKNOWN
    origin: Origin = UNEXPLAINED
    confidence: Confidence = Confidence.LOW
    shape: str = "text"
    type: str = ""
    name: str = ""
    grows: bool = False
    drift: Drift | None = None

    def but(
        self,
        *,
        expression: str | None = None,
        span: Span | None = None,
        lifetime: Lifetime | None = None,
        origin: Origin | None = None,
        confidence: Confidence | None = None,
        shape: str | None = None,
        type: str | None = None,
        name: str | None = None,
        grows: bool | None = None,
        drift: Drift | None = None,
    ) -> Opaque:
        """The same value with these fields changed (three times as fast as ``dataclasses.replace``)."""
        return Opaque(
            self.expression if expression is None else expression,
            self.span if span is None else span,
            self.lifetime if lifetime is None else lifetime,
            self.origin if origin is None else origin,
            self.confidence if confidence is None else confidence,
            self.shape if shape is None else shape,
            self.type if type is None else type,
            self.name if name is None else name,
            self.grows if grows is None else grows,
            self.drift if drift is None else drift,
        )


@dataclass(frozen=True, slots=True)
class Ref:
    """A mutable thing on the heap."""

    id: int


@dataclass(frozen=True, slots=True)
class Choose:
    """One of several values that could not be merged. ``expression`` is the condition's source."""

    values: tuple[Val, ...]
    expression: str
    span: Span
    lifetime: Lifetime = Lifetime.UNKNOWN
    origin: Origin = CONDITION
    confidence: Confidence = Confidence.LOW
    drift: Drift | None = None


@dataclass(frozen=True, slots=True)
class Func:
    """A project function, possibly bound to ``owner``; ``closure`` are the variables of the enclosing function."""

    info: FunctionInfo
    owner: Val | None = None
    closure: Mapping[str, Val] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Lambda:
    """A lambda expression with the variables that it sees."""

    node: ast.Lambda
    module: ModuleInfo
    closure: Mapping[str, Val] = field(hash=False)


@dataclass(frozen=True, slots=True)
class Partial:
    """``functools.partial`` of a callable."""

    function: Val
    args: tuple[Val, ...]
    keywords: Mapping[str, Val] = field(hash=False)


@dataclass(frozen=True, slots=True)
class Class:
    info: ClassInfo


@dataclass(frozen=True, slots=True)
class Super:
    """``super()`` of an instance: methods are looked up from ``base`` on, None for a class of a library."""

    instance: Ref
    base: ClassInfo | None


@dataclass(frozen=True, slots=True)
class Module:
    info: ModuleInfo


@dataclass(frozen=True, slots=True)
class Lib:
    """Something in a library, by its dotted path: ``datetime.datetime.now``."""

    path: str


@dataclass(frozen=True, slots=True)
class Method:
    """A method looked up on a value that is no project object: ``value.name`` before its call.

    ``span`` is where a list, a dictionary or a call took it in.
    """

    owner: Val
    name: str
    expression: str
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Import:
    """An imported name, resolved when it is first looked up. ``name`` is "" for ``import dotted``."""

    dotted: str
    level: int
    name: str
    importer: ModuleInfo


@dataclass(frozen=True, slots=True)
class PathText:
    """A path in the project, relative to the root with forward slashes, or a file opened there."""

    path: str


@dataclass(frozen=True, slots=True)
class FileData:
    """Data read from a YAML or JSON file of the project, at ``keys``."""

    path: str
    keys: tuple[str | int, ...] = ()


Val = (
    Str
    | Const
    | Opaque
    | Ref
    | Choose
    | Func
    | Lambda
    | Partial
    | Class
    | Super
    | Module
    | Lib
    | Method
    | Import
    | PathText
    | FileData
)


# Items of a list.


@dataclass(frozen=True, slots=True)
class Splat:
    """``*value``: all items of something that is not known item by item."""

    value: Val


@dataclass(frozen=True, slots=True)
class Many:
    """``items`` repeated, once for each item of ``over``."""

    items: tuple[Item, ...]
    over: Opaque


@dataclass(frozen=True, slots=True)
class Maybe:
    """One of several runs of items."""

    arms: tuple[tuple[Item, ...], ...]
    choice: Choose


Item = Val | Splat | Many | Maybe


def is_run(item: Item) -> TypeIs[Splat | Many | Maybe]:
    """Whether an item of a list stands for any number of items."""
    return isinstance(item, _RUNS)


_RUNS = (Splat, Many, Maybe)


# Things on the heap.


class PlainKey(str):
    """A key of a dictionary that is no text, as Python prints it: ``1``, ``None``."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class ListThing:
    """A list, tuple, set or deque.

    ``kind`` is ``list``, ``tuple``, ``set``, ``frozenset``, or ``view`` for iterators, views of dictionaries and
    deques: how they are printed is not followed.
    ``unordered`` is the place where the order was lost, or None; ``window`` the one where it was given a greatest
    length (``deque(maxlen=20)``): what is added at its end pushes out its front. ``sent`` are the items that it had
    when it was sent as messages: what is appended behind them and the reply continues a conversation. ``copied`` are
    the lists that it was put together of, with what they held: where it is sent, they are.
    """

    items: tuple[Item, ...] = ()
    unordered: Opaque | None = None
    kind: str = "list"
    window: Drift | None = None
    sent: tuple[Item, ...] = ()
    copied: tuple[tuple[Ref, tuple[Item, ...]], ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class DictThing:
    """A dictionary with its known keys, in order; ``rest`` are the values unpacked into it or set by other keys.

    ``inserted`` is the place where it was inserted into a list, not added at the end, or None. ``kept`` is true for one
    that outlives turns: all that stands under its keys is taken as one (see ``cell``).
    """

    entries: tuple[tuple[str, Val], ...] = ()
    rest: tuple[Val, ...] = ()
    inserted: Span | None = None
    kept: bool = False

    def get(self, key: str) -> Val | None:
        for name, value in self.entries:
            if name == key:
                return value
        return None

    def set(self, key: str, value: Val) -> DictThing:
        if self.get(key) is None:
            return self._with((*self.entries, (key, value)))
        return self._with(tuple([(n, value if n == key else v) for n, v in self.entries]))

    def without(self, key: str | None) -> DictThing:
        """The same without this key."""
        return self._with(tuple(entry for entry in self.entries if entry[0] != key))

    def _with(self, entries: tuple[tuple[str, Val], ...]) -> DictThing:
        return DictThing(entries, self.rest, self.inserted, self.kept)


@dataclass(frozen=True, slots=True)
class ObjectThing:
    """An instance of a project class, with the attributes set so far.

    ``whole`` is what is known of an object of data that a caller gives, taken as one value.
    """

    info: ClassInfo
    attributes: Mapping[str, Val] = field(default_factory=dict)
    whole: Opaque | None = None


@dataclass(frozen=True, slots=True)
class PromptThing:
    """A prompt template object of a library; its open placeholders are values with a name.

    ``chain`` is true for an object that fills one with what it is run with, and gives what a model answers: a prompt
    that is piped into something too. ``prints`` is true for one that prints whatever fills it, lists too.
    """

    form: str
    blocks: tuple[Block, ...]
    span: Span
    engine: str | None = None
    chain: bool = False
    prints: bool = False


@dataclass(frozen=True, slots=True)
class FieldThing:
    """A declared field of a signature, made at ``span``."""

    side: Literal["input", "output"]
    description: tuple[Segment, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class SignatureField:
    """A field of a signature: its type is written ``kind``; ``conversation`` is true for one that holds messages.
    ``choice`` says under which condition it is there, None for any."""

    name: str
    side: Literal["input", "output"]
    description: tuple[Segment, ...]
    kind: str
    span: Span
    conversation: bool = False
    choice: Choose | None = None


@dataclass(frozen=True, slots=True)
class SignatureThing:
    """What a predictor takes in and gives."""

    instructions: tuple[Segment, ...]
    fields: tuple[SignatureField, ...]


@dataclass(frozen=True, slots=True)
class BufferThing:
    """``io.StringIO``."""

    text: Str = Str()


def ordered(thing: ListThing) -> ListThing:
    """The same items in a fixed order: what a directory or a set gave unordered is so no longer."""
    return replace(thing, items=tuple(_ordered(item) for item in thing.items), unordered=None)


def _ordered(item: Item) -> Item:
    if isinstance(item, Many):
        return Many(tuple(_ordered(inner) for inner in item.items), in_order(item.over))
    return Splat(in_order(item.value)) if isinstance(item, Splat) and isinstance(item.value, Opaque) else item


def in_order(value: Opaque) -> Opaque:
    """An iterable after sorting: only its order was unstable, so it stays as long as the program or its folder."""
    if value.origin.kind not in (SourceKind.UNORDERED, SourceKind.LISTING):
        return value
    lifetime = Lifetime.CONSTANT if value.lifetime is Lifetime.PROCESS else Lifetime.DEPLOYMENT
    return value.but(lifetime=lifetime, origin=Origin(SourceKind.CONFIGURATION, value.origin.hops))


@dataclass(frozen=True, slots=True)
class LoaderThing:
    """A Jinja environment or loader, with the folders that it reads and the texts that it holds by name.

    ``syntax`` is how the environment is set up, None for jinja2's own way.
    """

    folders: tuple[str, ...] = ()
    texts: tuple[tuple[str, Val], ...] = ()
    syntax: JinjaSyntax | None = None


def cell(thing: object) -> Ref | None:
    """What stands under each key of a dictionary that outlives turns: a list or an object; None for other things."""
    return next((arm for arm in arms_of(cell_value(thing)) if isinstance(arm, Ref)), None)


def cell_value(thing: object) -> Ref | Choose | None:
    """The same, or the choice of such things that was put there last."""
    if not isinstance(thing, DictThing) or not thing.kept:
        return None
    for value in reversed(thing.rest):
        if isinstance(value, Ref) or (isinstance(value, Choose) and any(isinstance(arm, Ref) for arm in value.values)):
            return value
    return None


def arms_of(value: Val | None) -> tuple[Val, ...]:
    """What a value may be: the arms of a choice, or itself."""
    if isinstance(value, Choose):
        return value.values
    return () if value is None else (value,)


Thing = ListThing | DictThing | ObjectThing | PromptThing | BufferThing | LoaderThing | FieldThing | SignatureThing

NONE = Const(None)
EMPTY = Str()
