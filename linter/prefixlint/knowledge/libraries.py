"""What the tool knows of libraries: sources, sinks, message and prompt classes (data: ``libraries/*.toml``).

Each file names its ``packages`` (a trailing ``*`` matches a beginning), its ``reference`` and its date. An entry's
``paths`` are ends of dotted paths inside these packages; ``methods`` match the called attributes on any object.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from prefixlint import package_data
from prefixlint.model.lifetimes import Lifetime, SourceKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Set


@dataclass(frozen=True, slots=True)
class Source:
    """A call or attribute whose value has this kind and lifetime.

    ``format_argument`` is the place of a strftime pattern among its arguments, ``moment_argument`` that of the moment
    that is asked for where it is not the present one (``time.gmtime(sent_at)``). ``live`` is true for what is asked
    anew whenever the code runs, at import too (``st.chat_input()``), ``in_loops`` for what is so in a loop alone: a
    script that asks once has one answer (``input()``). ``below`` is true for an object all of whose attributes, items
    and methods give what it holds (``flask.request``).
    """

    kind: SourceKind
    lifetime: Lifetime
    shape: str = "text"
    type: str = ""
    format_argument: int | None = None
    moment_argument: int | None = None
    live: bool = False
    below: bool = False
    in_loops: bool = False


@dataclass(frozen=True, slots=True)
class Sink:
    """A call that sends a prompt or makes an agent of one. The fields name the keyword arguments of each part.

    ``history`` is true where a conversation follows the prompt; ``messages_only`` where a plain string is no evidence
    of a prompt. ``placeholders`` is how long what the library fills into open placeholders itself lives at least.
    ``flags`` are keyword arguments that inject a value: name to (kind, lifetime). ``windows`` are keyword arguments
    that say how many of the last messages or runs are sent, ``processors`` those that give functions which are called
    with the conversation, for what is sent of it: the messages, or a state with them under one of ``processed``.
    ``callbacks`` are those that give functions which are called on each turn and may put what fills open placeholders
    into what they know as ``state``. ``fillings`` names the argument with what fills placeholders.
    """

    form: str
    engine: str | None = None
    system: str | None = None
    system_aliases: tuple[str, ...] = ()
    messages: str | None = None
    prompt: str | None = None
    tools: str | None = None
    model: str | None = None
    positional: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    ordered: tuple[str, ...] = ()
    history: bool = False
    messages_only: bool = False
    syntax: str | None = None
    placeholders: str | None = None
    flags: Mapping[str, tuple[SourceKind, Lifetime]] = field(default_factory=dict)
    windows: tuple[str, ...] = ()
    processors: tuple[str, ...] = ()
    processed: tuple[str, ...] = ()
    callbacks: tuple[str, ...] = ()
    state: str = ""
    fillings: str | None = None

    @property
    def arguments(self) -> frozenset[str]:
        """Names of the arguments that hold what is sent."""
        plain = (self.system, self.messages, self.prompt, self.tools, self.model)
        return frozenset((*filter(None, plain), *self.system_aliases, *self.ordered, *self.flags, *self.windows))


@dataclass(frozen=True, slots=True)
class MessageClass:
    """A class whose instances are messages; ``role_argument`` is the argument with the role where ``role`` is None."""

    role: str | None = None
    role_argument: str | None = None
    content: str = "content"


@dataclass(frozen=True, slots=True)
class PromptClass:
    """A class of prompt templates with placeholders of ``syntax`` (``format`` or ``jinja``).

    ``examples`` names the argument with examples that stand between ``prefix_text`` and ``text``, each through the
    template ``example_text``, with the ``separator`` between them; ``selector`` the one that chooses them instead.
    ``wraps`` names an argument with a prompt template that this one is made of.
    """

    form: str
    text: str | None = None
    prefix_text: str | None = None
    examples: str | None = None
    example_text: str | None = None
    separator: str | None = None
    selector: str | None = None
    messages: str | None = None
    role: str | None = None
    syntax: str = "format"
    wraps: str | None = None

    @property
    def arguments(self) -> frozenset[str]:
        """Names of the arguments that hold what the prompt says."""
        plain = (self.text, self.prefix_text, self.examples, self.example_text, self.separator, self.messages)
        return frozenset(filter(None, plain))


@dataclass(frozen=True, slots=True)
class FillingClass:
    """A class whose keyword arguments fill the placeholders of prompts."""


@dataclass(frozen=True, slots=True)
class PlaceholderClass:
    """A class that stands for a list of messages filled in later."""


@dataclass(frozen=True, slots=True)
class Window:
    """A call that gives the end of a conversation, or a class whose objects keep no more than that.

    ``messages`` names the argument that holds the conversation, "" for a class. ``limit`` says what is bounded:
    "messages", or "tokens", which a conversation may never reach.
    """

    messages: str = ""
    limit: str = "messages"


@dataclass(frozen=True, slots=True)
class FieldClass:
    """A call that declares a field of a signature, of what goes in or comes out (``side``).

    ``description`` are the arguments that say what the field holds, the first one that is given.
    """

    side: Literal["input", "output"]
    description: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SignatureClass:
    """A class whose bodies are signatures: instructions as the docstring, fields as attributes. Called, it makes one of
    ``signature``, in the text or the dictionary that this argument is, and of ``instructions``."""

    signature: str
    instructions: str


@dataclass(frozen=True, slots=True)
class PredictorClass:
    """A class whose objects send a prompt made of the ``signature`` they are given, filled with what they are called
    with.

    ``outputs_before`` are output fields that it puts in front of those of the signature, ``outputs_instead`` those that
    take their place; ``steps`` are input fields behind the others that the steps of a run fill.
    """

    form: str
    signature: str
    outputs_before: tuple[str, ...] = ()
    outputs_instead: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PassingClass:
    """A call that gives back one of its arguments, or what does the same."""

    argument: str


@dataclass(frozen=True, slots=True)
class ModuleClass:
    """A class whose objects call a method of another name than they are called by."""

    calls: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SignatureForm:
    """How a signature is written into messages: ``marker`` stands in front of each field, with its name for ``{name}``,
    ``closing`` behind the last one. Fields with a type called one of ``conversations`` are messages."""

    marker: str = "{name}"
    closing: str = ""
    conversations: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class DecoratorSink:
    """A method used as a decorator (``@agent.instructions``, ``@mcp.prompt()``): what the function returns is a prompt.

    With ``history`` it is a system prompt, and a conversation follows. ``packages`` are those of which the module
    imports one, none for any module. ``docstring`` says what the function's docstring is: "" for what it usually is,
    "system" for the system prompt in front of what the function returns, "jinja" for the prompt itself.
    """

    form: str
    history: bool = True
    packages: tuple[str, ...] = ()
    docstring: str = ""


@dataclass(frozen=True, slots=True)
class TextDecorator:
    """A decorator whose arguments are a prompt, a text or messages, that the function's parameters fill."""

    form: str
    packages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Handler:
    """Functions that a framework calls: parameters whose names say nothing hold values of this kind and lifetime.

    ``packages`` are those of which the module imports one, none for any module. ``routes`` is true where a decorator
    whose first argument is a path (``"/ask/{topic}"``) is telling by itself. ``tool`` is true where a model calls them:
    what they give stands at the end of a conversation.
    """

    kind: SourceKind
    lifetime: Lifetime
    packages: tuple[str, ...] = ()
    routes: bool = False
    tool: bool = False


@dataclass(frozen=True, slots=True)
class Handlers:
    """What marks a handler: names of its ``decorators``, calls that are given it (``registrars``, by their last name),
    a list that is given to any call under one of these names (``lists``), or its own name with its parameters
    (``signatures``).

    ``injected`` are names in a parameter's annotation or default, or of a parameter, that say that the framework fills
    it with a thing of its own; ``runs`` are those in an annotation that hold the state of a run, under the names
    ``run_state``. ``identifying`` are last words of the names of path parameters that say what a request
    is about.
    """

    decorators: Mapping[str, tuple[Handler, ...]]
    registrars: Mapping[str, tuple[Handler, ...]]
    lists: Mapping[str, tuple[Handler, ...]]
    signatures: Mapping[tuple[str, ...], Handler]
    injected: frozenset[str]
    runs: frozenset[str]
    run_state: frozenset[str]
    identifying: frozenset[str]


Entry = (
    Source
    | Sink
    | MessageClass
    | PromptClass
    | FillingClass
    | PlaceholderClass
    | Window
    | FieldClass
    | SignatureClass
    | PredictorClass
    | PassingClass
    | ModuleClass
)


@dataclass(frozen=True, slots=True)
class Libraries:
    """All entries. ``by_path`` is keyed by package pattern, then by the end of the dotted path.

    ``own`` are those that the project gave, by dotted path or bare name. ``namespaces`` are packages of which only
    these parts talk to a model. ``entering`` are the methods that a library calls (``ModuleClass``), by the names that
    they are called by.
    """

    by_path: Mapping[str, Mapping[str, Entry]]
    by_method: Mapping[str, Entry]
    prefixes: tuple[str, ...]
    by_decorator: Mapping[str, tuple[DecoratorSink, ...]]
    by_text_decorator: Mapping[str, tuple[TextDecorator, ...]]
    handlers: Handlers
    namespaces: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    own: Mapping[str, Source | Sink] = field(default_factory=dict)
    signatures: SignatureForm = field(default_factory=SignatureForm)
    entering: Mapping[str, frozenset[str]] = field(default_factory=dict)
    _found: dict[str, Entry | None] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def prompt_forms(self) -> frozenset[str]:
        """The forms of what is no request, but a prompt that one is made of later."""
        entries = (entry for known in self.by_path.values() for entry in known.values())
        return frozenset(entry.form for entry in entries if isinstance(entry, PromptClass))

    def below(self, path: str) -> tuple[Source, str] | None:
        """The source that this dotted path lies below, and the path of that source; None for most paths."""
        while "." in path:
            path = path.rpartition(".")[0]
            entry = self.at_path(path)
            if isinstance(entry, Source):
                return (entry, path) if entry.below else None
        return None

    def decorator(self, name: str, packages: Set[str]) -> DecoratorSink | None:
        """What a decorator of this name is in a module that imports these packages."""
        return _of_packages(self.by_decorator.get(name, ()), packages)

    def decorators(self, attributes: Iterable[str], names: Iterable[str], packages: Set[str]) -> list[DecoratorSink]:
        """What the decorators of a function are, in a module that imports these packages: ``attributes`` are names of
        methods, ``names`` of all. One that is no method tells only where the table says of which package it is."""
        methods = [self.decorator(name, packages) for name in attributes]
        plain = [self.decorator(name, packages) for name in sorted(set(names).difference(attributes))]
        return [sink for sink in methods if sink is not None] + [sink for sink in plain if sink and sink.packages]

    def text_decorator(self, name: str, packages: Set[str]) -> TextDecorator | None:
        """The same for a decorator that is given the prompt."""
        return _of_packages(self.by_text_decorator.get(name, ()), packages)

    def at_path(self, path: str) -> Entry | None:
        """Entry for a dotted library path: the project's own for an end of it with a dot, else the longest end of the
        path that its package's table knows."""
        if path not in self._found:
            self._found[path] = self._own(path, bare=False) or self._built_in(path)
        return self._found[path]

    def _built_in(self, path: str) -> Entry | None:
        package = path.partition(".")[0]
        tables = [self.by_path[package]] if package in self.by_path else []
        tables += [self.by_path[p] for p in self.prefixes if package.startswith(p[:-1])]
        for table in tables:
            end = path
            while True:
                if end in table:
                    return table[end]
                if "." not in end:
                    break
                end = end.partition(".")[2]
        return None

    def at_project(self, path: str) -> Source | Sink | None:
        """The project's own entry for a function or method of the project: ``pkg.module.function``,
        ``pkg.module.Class.method``, or any end of that."""
        return self._own(path, bare=True)

    def _own(self, path: str, *, bare: bool) -> Source | Sink | None:
        if not self.own:
            return None
        end = path
        while bare or "." in end:
            if end in self.own:
                return self.own[end]
            if "." not in end:
                break
            end = end.partition(".")[2]
        return None

    @property
    def own_sinks(self) -> frozenset[str]:
        """Last names of the project's own sinks: who calls one of these sends a prompt."""
        return frozenset(name.rpartition(".")[2] for name, entry in self.own.items() if isinstance(entry, Sink))

    @property
    def asking_in_loops(self) -> frozenset[str]:
        """Last names of what a loop asks anew in each pass (``Source.in_loops``)."""
        found = ((path, entry) for table in self.by_path.values() for path, entry in table.items())
        return frozenset(
            path.rpartition(".")[2] for path, entry in found if isinstance(entry, Source) and entry.in_loops
        )

    def sends(self, module: str) -> bool:
        """Whether the table of a module's package has sinks: who imports it talks to a model."""
        package, _, rest = module.partition(".")
        parts = self.namespaces.get(package)
        if parts is not None and not any(f"{rest}.".startswith(f"{part}.") for part in parts):
            return False
        tables = [self.by_path[package]] if package in self.by_path else []
        tables += [self.by_path[p] for p in self.prefixes if package.startswith(p[:-1])]
        return any(isinstance(entry, Sink | PredictorClass) for table in tables for entry in table.values())

    def at_method(self, chain: str) -> Entry | None:
        """Entry for called attributes ``a.b.c`` on an object of unknown type: the longest end that is known."""
        end = chain
        while True:
            if end in self.by_method:
                return self.by_method[end]
            if "." not in end:
                return None
            end = end.partition(".")[2]


_Decorator = TypeVar("_Decorator", DecoratorSink, TextDecorator)


def _of_packages(entries: Iterable[_Decorator], packages: Set[str]) -> _Decorator | None:
    fitting = (entry for entry in entries if not entry.packages or not packages.isdisjoint(entry.packages))
    return max(fitting, key=lambda entry: bool(entry.packages), default=None)


_Row = dict[str, Any]


def _source(row: _Row) -> Source:
    return Source(
        SourceKind(row["kind"]),
        Lifetime(row["lifetime"]),
        row.get("shape", "text"),
        row.get("type", ""),
        row.get("format_argument"),
        row.get("moment_argument"),
        row.get("live", False),
        row.get("below", False),
        row.get("in_loops", False),
    )


def _sink(row: _Row) -> Sink:
    flags = {}
    for name, value in row.get("flags", {}).items():
        kind, _, lifetime = value.partition(":")
        flags[name] = (SourceKind(kind), Lifetime(lifetime))
    plain: _Row = {
        k: tuple(v) if isinstance(v, list) else v for k, v in row.items() if k not in ("paths", "methods", "flags")
    }
    return Sink(flags=flags, **plain)


def _plain(cls: type[Entry], row: _Row) -> Entry:
    plain: _Row = {k: tuple(v) if isinstance(v, list) else v for k, v in row.items() if k not in ("paths", "methods")}
    return cls(**plain)


_SECTIONS: Mapping[str, Callable[[_Row], Entry]] = {
    "source": _source,
    "sink": _sink,
    "message": partial(_plain, MessageClass),
    "prompt": partial(_plain, PromptClass),
    "filling": partial(_plain, FillingClass),
    "placeholder": partial(_plain, PlaceholderClass),
    "window": partial(_plain, Window),
    "field": partial(_plain, FieldClass),
    "signature": partial(_plain, SignatureClass),
    "predictor": partial(_plain, PredictorClass),
    "passing": partial(_plain, PassingClass),
    "module": partial(_plain, ModuleClass),
}


_extended: ContextVar[Libraries | None] = ContextVar("libraries", default=None)


@contextmanager
def added(entries: Mapping[str, Source | Sink], handlers: Mapping[str, Handler] | None = None) -> Iterator[None]:
    """Until it is left, ``libraries()`` knows these too, in this context alone.

    Keys are dotted paths of functions and methods, or bare names of methods; a path also stands for called attributes.
    Those of ``handlers`` are names of decorators, and of calls that register a handler.
    """
    known = _built_in()
    marks = {name: (entry,) for name, entry in (handlers or {}).items()}
    marked = replace(
        known.handlers,
        decorators={**known.handlers.decorators, **marks},
        registrars={**known.handlers.registrars, **marks},
    )
    token = _extended.set(replace(known, by_method={**known.by_method, **entries}, handlers=marked, own=entries))
    try:
        yield
    finally:
        _extended.reset(token)


def libraries() -> Libraries:
    """The built-in tables with what the project gave (``added``); raises ``ValueError`` or ``TypeError`` on a malformed
    data file."""
    return _extended.get() or _built_in()


class _HandlerTables:
    """Collects the rows of ``[[handler]]`` and the words of ``[handlers]``."""

    def __init__(self) -> None:
        self.decorators: dict[str, tuple[Handler, ...]] = {}
        self.registrars: dict[str, tuple[Handler, ...]] = {}
        self.lists: dict[str, tuple[Handler, ...]] = {}
        self.signatures: dict[tuple[str, ...], Handler] = {}
        self.injected: set[str] = set()
        self.runs: set[str] = set()
        self.run_state: set[str] = set()
        self.identifying: set[str] = set()

    def add(self, raw: _Row) -> None:
        words = raw.get("handlers", {})
        self.injected.update(words.get("injected", ()))
        self.runs.update(words.get("runs", ()))
        self.run_state.update(words.get("run_state", ()))
        self.identifying.update(words.get("identifying", ()))
        for row in raw.get("handler", ()):
            packages = tuple(row.get("packages", raw["packages"]))
            routes, tool = row.get("routes", False), row.get("tool", False)
            entry = Handler(SourceKind(row["kind"]), Lifetime(row["lifetime"]), packages, routes, tool)
            marks = (("decorators", self.decorators), ("registrars", self.registrars), ("lists", self.lists))
            for key, table in marks:
                for name in row.get(key, ()):
                    table[name] = (*table.get(name, ()), entry)
            for signature in row.get("signatures", ()):
                self.signatures[tuple(signature)] = entry

    def made(self) -> Handlers:
        return Handlers(
            self.decorators,
            self.registrars,
            self.lists,
            self.signatures,
            frozenset(self.injected),
            frozenset(self.runs),
            frozenset(self.run_state),
            frozenset(self.identifying),
        )


@cache
def _built_in() -> Libraries:
    by_path: dict[str, dict[str, Entry]] = {}
    by_method: dict[str, Entry] = {}
    by_decorator: dict[str, tuple[DecoratorSink, ...]] = {}
    by_text_decorator: dict[str, tuple[TextDecorator, ...]] = {}
    handlers = _HandlerTables()
    namespaces: dict[str, tuple[str, ...]] = {}
    signatures = SignatureForm()
    for name in package_data.names(__file__, "libraries"):
        raw = package_data.table(__file__, f"libraries/{name}.toml")
        handlers.add(raw)
        table: dict[str, Entry] = {}
        for section, build in _SECTIONS.items():
            for row in raw.get(section, ()):
                entry = build(row)
                for path in row.get("paths", ()):
                    table[path] = entry
                for method in row.get("methods", ()):
                    by_method.setdefault(method, entry)
        for row in raw.get("decorator", ()):
            sink = DecoratorSink(
                row["form"], row.get("history", True), tuple(row.get("packages", ())), row.get("docstring", "")
            )
            for name in row["names"]:
                by_decorator[name] = (*by_decorator.get(name, ()), sink)
        for row in raw.get("text_decorator", ()):
            given = TextDecorator(row["form"], tuple(row.get("packages", ())))
            for name in row["names"]:
                by_text_decorator[name] = (*by_text_decorator.get(name, ()), given)
        if "signatures" in raw:
            words = raw["signatures"]
            signatures = SignatureForm(words["marker"], words["closing"], frozenset(words["conversations"]))
        namespaces.update((package, tuple(parts)) for package, parts in raw.get("namespaces", {}).items())
        for package in raw["packages"]:
            by_path.setdefault(package, {}).update(table)
    prefixes = tuple(p for p in by_path if p.endswith("*"))
    made = handlers.made()
    calls = [entry.calls for table in by_path.values() for entry in table.values() if isinstance(entry, ModuleClass)]
    names = {name for each in calls for name in each}
    return Libraries(
        by_path,
        by_method,
        prefixes,
        by_decorator,
        by_text_decorator,
        made,
        namespaces,
        signatures=signatures,
        entering={name: frozenset(each[name] for each in calls if name in each) for name in names},
    )
