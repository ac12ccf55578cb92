"""Builtins and standard library functions that build strings and collections, and files read at run time."""

from __future__ import annotations

import posixpath
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.conversations import holds_conversation, ranked, shortened_item
from prefixlint.frontends.python.jinja_calls import JinjaCalls
from prefixlint.frontends.python.loops import is_item
from prefixlint.frontends.python.package_files import PackageFiles
from prefixlint.frontends.python.patterns import Patterns
from prefixlint.frontends.python.rewriting import first_message
from prefixlint.frontends.python.values import (
    DATA,
    EMPTY,
    NONE,
    BufferThing,
    Const,
    DictThing,
    FileData,
    Lib,
    ListThing,
    ObjectThing,
    Opaque,
    Partial,
    PathText,
    PromptThing,
    Ref,
    Str,
    in_order,
    ordered,
)
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Drift, Text
from prefixlint.model.sources import SourceMap
from prefixlint.model.templates import Block

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Mapping

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Val

_FILE = Lib("builtins.__file__")
_NAMES = {
    "builtins.str": "text",
    "builtins.repr": "text",
    "builtins.format": "text",
    "builtins.ascii": "text",
    "builtins.list": "items",
    "builtins.tuple": "items",
    "builtins.reversed": "reversed",
    "builtins.sorted": "sorted",
    "builtins.set": "set",
    "builtins.frozenset": "set",
    "builtins.dict": "dict",
    "builtins.enumerate": "enumerate",
    "builtins.zip": "derived",
    "builtins.map": "map",
    "builtins.filter": "filter",
    "builtins.print": "nothing",
    "builtins.len": "count",
    "builtins.int": "number",
    "builtins.float": "number",
    "builtins.round": "number",
    "builtins.min": "derived",
    "builtins.max": "derived",
    "builtins.sum": "derived",
    "builtins.abs": "derived",
    "builtins.any": "derived",
    "builtins.all": "derived",
    "builtins.bool": "derived",
    "builtins.isinstance": "condition",
    "builtins.hasattr": "condition",
    "builtins.getattr": "getattr",
    "builtins.open": "open",
    "builtins.super": "super",
    "builtins.iter": "same",
    "builtins.next": "next",
    "builtins.range": "range",
    "json.dumps": "json",
    "orjson.dumps": "json",
    "ujson.dumps": "json",
    "pprint.pformat": "text",
    "yaml.dump": "json",
    "yaml.safe_dump": "json",
    "textwrap.dedent": "dedent",
    "inspect.cleandoc": "cleandoc",
    "textwrap.indent": "indent",
    "string.Template": "template",
    "io.StringIO": "buffer",
    "functools.partial": "partial",
    "copy.copy": "same",
    "copy.deepcopy": "same",
    "typing.cast": "cast",
    "os.path.join": "join_path",
    "os.path.dirname": "dirname",
    "os.path.abspath": "same_path",
    "os.path.realpath": "same_path",
    "pathlib.Path": "path",
    "importlib.resources.files": "files.folder",
    "importlib.resources.path": "files.path",
    "importlib.resources.open_text": "files.path",
    "importlib.resources.open_binary": "files.path",
    "importlib.resources.read_text": "files.text",
    "importlib.resources.read_binary": "files.text",
    "importlib.resources.as_file": "same_path",
    "importlib_resources.files": "files.folder",
    "importlib_resources.path": "files.path",
    "importlib_resources.read_text": "files.text",
    "importlib_resources.as_file": "same_path",
    "pkg_resources.resource_filename": "files.path",
    "pkg_resources.resource_stream": "files.path",
    "pkg_resources.resource_string": "files.text",
    "pkgutil.get_data": "files.text",
    "asyncio.run": "same",
    "asyncio.to_thread": "to_thread",
    "collections.deque": "deque",
    "collections.OrderedDict": "dict",
    "collections.defaultdict": "empty_dict",
    "random.shuffle": "shuffle",
    "logging.getLogger": "nothing",
    "logging.info": "nothing",
    "logging.debug": "nothing",
    "logging.warning": "nothing",
    "logging.error": "nothing",
    "yaml.safe_load": "data",
    "yaml.load": "data",
    "yaml.full_load": "data",
    "json.load": "data",
    "json.loads": "data",
    "tomllib.load": "data",
    "tomllib.loads": "data",
    "toml.load": "data",
    "toml.loads": "data",
    "tomli.load": "data",
    "tomli.loads": "data",
    "json5.load": "data",
    "ruamel.yaml.YAML.load": "data",
    "ruamel.yaml.safe_load": "data",
    "omegaconf.OmegaConf.load": "data",
    "re.sub": "patterns.sub",
    "re.escape": "patterns.escape",
    "inspect.getdoc": "documentation",
    "dataclasses.asdict": "fields",
    "attrs.asdict": "fields",
    "attr.asdict": "fields",
    "builtins.vars": "fields",
    "dict.fromkeys": "items",
    "builtins.chr": "chr",
    "builtins.locals": "locals",
    "datetime.datetime.fromtimestamp": "from_timestamp",
    "datetime.date.fromtimestamp": "from_timestamp",
    "uuid.uuid3": "derived",
    "uuid.uuid5": "derived",
    "random.seed": "seed",
    "random.Random": "generator",
    "random.SystemRandom": "generator",
    "jinja2.FileSystemLoader": "jinja.loader",
    "jinja2.PackageLoader": "jinja.package_loader",
    "jinja2.ChoiceLoader": "jinja.loader",
    "jinja2.DictLoader": "jinja.dict_loader",
    "jinja2.loaders.FileSystemLoader": "jinja.loader",
    "jinja2.loaders.PackageLoader": "jinja.package_loader",
    "jinja2.loaders.DictLoader": "jinja.dict_loader",
    "dataclasses.field": "field",
    "pydantic.Field": "field",
    "pydantic.fields.Field": "field",
    "attr.ib": "field",
    "attrs.field": "field",
    "jinja2.Template": "jinja.template",
    "jinja2.Environment": "jinja.environment",
    "jinja2.sandbox.SandboxedEnvironment": "jinja.environment",
    "jinja2.sandbox.ImmutableSandboxedEnvironment": "jinja.environment",
    "jinja2.nativetypes.NativeEnvironment": "jinja.environment",
}


SEEDED = "random.seed"


class BuiltinCalls:
    """Calls by dotted path. ``call`` returns None for a path that is not modelled here."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self.jinja = JinjaCalls(interpreter, self._as_path)
        self._owners = {
            "": self,
            "jinja": self.jinja,
            "files": PackageFiles(interpreter, self._as_path),
            "patterns": Patterns(interpreter),
        }

    def call(self, path: str, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """Value of a modelled call, else None."""
        name = _NAMES.get(path)
        if name is None or frame.state is None:
            return None
        owner, _, part = name.rpartition(".")
        method: Callable[[list[Val], Mapping[str, Val], ast.Call, Frame], Val | None]
        method = getattr(self._owners[owner], part if owner else f"_{part}")
        return method(args, keywords, node, frame)

    # Strings

    def _text(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        if not args:
            return EMPTY
        expressions = self._interpreter.expressions
        value = args[0]
        if isinstance(value, Opaque):
            return replace(
                value, expression=frame.module.places.source(node), span=frame.module.places.span(node), type=""
            )
        address = expressions.address(value, node, frame)
        if address is not None:
            return address
        return Str(expressions.segments(value, node.args[0] if node.args else node, frame))

    def _json(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        if not args:
            return None
        thing = self._interpreter.thing(args[0], frame)
        value = self._interpreter.expressions.as_opaque(args[0], node, frame)
        if isinstance(thing, ListThing) and thing.unordered is not None:
            value = thing.unordered
        if keywords.get("sort_keys") == Const(True) and self._only_keys_unordered(thing, node, frame):
            value = in_order(value)
        return replace(
            value,
            expression=frame.module.places.source(node),
            span=frame.module.places.span(node),
            shape="json",
            type="",
        )

    def _only_keys_unordered(self, thing: object, node: ast.Call, frame: Frame) -> bool:
        """Whether sorted keys are all that a value needs to have an order: a list in it keeps its own."""
        if isinstance(thing, ListThing):
            return False
        known = thing.entries if isinstance(thing, DictThing) else ()
        found = (self._interpreter.expressions.as_opaque(value, node, frame) for _, value in known)
        return all(value.origin.kind not in (SourceKind.UNORDERED, SourceKind.LISTING) for value in found)

    def _dedent(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        return (
            Str(strings.dedent(args[0].segments)) if args and isinstance(args[0], Str) else (args[0] if args else None)
        )

    def _cleandoc(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        return (
            Str(strings.cleandoc(args[0].segments))
            if args and isinstance(args[0], Str)
            else (args[0] if args else None)
        )

    def _indent(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        if len(args) < 2 or not isinstance(args[0], Str) or not isinstance(args[1], Str):
            return args[0] if args else None
        prefix = strings.constant_text(args[1].segments)
        if not prefix:
            return args[0]
        return Str(strings.indent(args[0].segments, Text(prefix, frame.module.places.span(node))))

    def _template(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        if not args or not isinstance(args[0], Str) or frame.state is None:
            return None
        span = frame.module.places.span(node)
        block = Block("", "messages", self._interpreter.calls.prompts.dollar(args[0].segments), span)
        return frame.state.new(PromptThing("string-template", (block,), span))

    def _buffer(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        start = args[0] if args and isinstance(args[0], Str) else EMPTY
        return NONE if frame.state is None else frame.state.new(BufferThing(start))

    # Collections

    def _items(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        if frame.state is None:
            return NONE
        if not args:
            return frame.state.new(ListThing())
        thing = self._interpreter.thing(args[0], frame)
        if isinstance(thing, ListThing):
            return frame.state.new(replace(thing, kind="list"))
        if isinstance(thing, DictThing):
            return frame.state.new(ListThing(self._interpreter.expressions.items_of(args[0], frame)))
        value = self._interpreter.expressions.as_opaque(args[0], node, frame)
        return replace(value, expression=frame.module.places.source(node), span=frame.module.places.span(node))

    def _deque(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """A deque; with a greatest length, what is added at its end pushes out its front."""
        made = self._items(args[:1], keywords, node, frame)
        most = keywords.get("maxlen") or (args[1] if len(args) > 1 else NONE)
        thing = self._interpreter.thing(made, frame) if made is not None else None
        if most == NONE or frame.state is None:
            return made
        places = frame.module.places
        size = most.value if isinstance(most, Const) and isinstance(most.value, int) else None
        drift = Drift("window", places.source(node), places.span(node), size, "maxlen")
        if isinstance(thing, ListThing):
            items = (shortened_item(item, drift) for item in thing.items)
            return frame.state.new(replace(thing, items=tuple(items), window=drift))
        return replace(made, grows=False, drift=drift) if isinstance(made, Opaque) and made.grows else made

    def _reversed(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        thing = self._interpreter.thing(args[0], frame) if args else None
        if isinstance(thing, ListThing) and frame.state is not None:
            return frame.state.new(replace(thing, items=tuple(reversed(thing.items))))
        return self._items(args, keywords, node, frame)

    def _sorted(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        if not args or frame.state is None:
            return None
        thing = self._interpreter.thing(args[0], frame)
        if isinstance(thing, ListThing):
            texts = [strings.constant_text(i.segments) if isinstance(i, Str) else None for i in thing.items]
            items = thing.items
            if not keywords and None not in texts:
                order = sorted(range(len(texts)), key=lambda i: texts[i] or "")
                items = tuple(items[i] for i in order)
            return frame.state.new(ordered(replace(thing, items=items, kind="list")))
        value = self._interpreter.expressions.as_opaque(args[0], node, frame)
        here = replace(value, expression=frame.module.places.source(node), span=frame.module.places.span(node))
        return ranked(here, node) or in_order(here)

    def _set(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        if frame.state is None:
            return NONE
        thing = self._interpreter.thing(args[0], frame) if args else ListThing()
        if not isinstance(thing, ListThing):
            thing = ListThing(self._interpreter.expressions.items_of(args[0], frame))
        return frame.state.new(self._interpreter.expressions.as_set(thing, node, frame))

    def _dict(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        if frame.state is None:
            return NONE
        base = self._interpreter.thing(args[0], frame) if args else None
        out = base if isinstance(base, DictThing) else DictThing((), tuple(args))
        for key, value in keywords.items():
            out = replace(out, rest=(*out.rest, value)) if key == "**" else out.set(key, value)
        return frame.state.new(out)

    def _empty_dict(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        return NONE if frame.state is None else frame.state.new(DictThing())

    def _enumerate(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        if not args or frame.state is None:
            return None
        known = self._interpreter.expressions.known_items(args[0], frame)
        if known is None or len(known) > self._interpreter.bounds.unroll:
            return self._interpreter.expressions.as_opaque(args[0], node.args[0] if node.args else node, frame)
        start = keywords.get("start", args[1] if len(args) > 1 else Const(0))
        first = start.value if isinstance(start, Const) and isinstance(start.value, int) else 0
        pairs = [frame.state.new(ListThing((Const(first + i), v), kind="tuple")) for i, v in enumerate(known)]
        return frame.state.new(ListThing(tuple(pairs)))

    def _range(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        numbers = [a.value for a in args if isinstance(a, Const) and isinstance(a.value, int)]
        if len(numbers) == len(args) and args and frame.state is not None:
            try:
                steps = range(*numbers)
            except (ValueError, TypeError):
                return None
            if len(steps) <= self._interpreter.bounds.unroll:
                return frame.state.new(ListThing(tuple(Const(i) for i in steps)))
            return replace(
                self._interpreter.expressions.opaque(node, frame),
                lifetime=Lifetime.CONSTANT,
                confidence=Confidence.HIGH,
            )
        return self._interpreter.expressions.derived(node, args, frame)

    def _map(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        if len(args) < 2 or frame.state is None:
            return None
        known = self._interpreter.expressions.known_items(args[1], frame)
        if known is not None and len(known) <= self._interpreter.bounds.unroll:
            return frame.state.new(
                ListThing(tuple(self._interpreter.calls.apply(args[0], [v], {}, node, frame) for v in known))
            )
        return self._same(args[1:], keywords, node, frame)

    def _filter(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        return args[1] if len(args) > 1 else None

    def _shuffle(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        thing = self._interpreter.thing(args[0], frame) if args else None
        if args and isinstance(args[0], Ref) and isinstance(thing, ListThing) and frame.state is not None:
            span = frame.module.places.span(node)
            seeded = SEEDED in frame.state.variables
            mark = Opaque(
                frame.module.places.source(node),
                span,
                Lifetime.CONSTANT if seeded else Lifetime.REQUEST,
                Origin(SourceKind.SHUFFLED),
                Confidence.HIGH,
                "list",
            )
            frame.state.heap[args[0].id] = replace(thing, unordered=mark)
        return NONE

    def _generator(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """A generator of its own: without a seed it gives what the module's functions give."""
        seeded = bool(args or keywords) and args != [NONE]
        return self._interpreter.expressions.fixed(node, frame) if seeded else Lib("random")

    def _seed(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """A constant seed makes what ``random`` gives afterwards the same each time."""
        if frame.state is not None and args and isinstance(args[0], Const) and args[0].value is not None:
            frame.state.variables[SEEDED] = args[0]
        return NONE

    # Others

    def _chr(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        code = args[0].value if args and isinstance(args[0], Const) else None
        if isinstance(code, int) and 0 <= code < 0x110000:
            return Str((Text(chr(code), frame.module.places.span(node)),))
        return None

    def _locals(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        return None if frame.state is None else frame.state.new(DictThing(tuple(frame.state.variables.items())))

    def _from_timestamp(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        value = self._interpreter.expressions.derived(node, args[:1], frame)
        return replace(value, type="datetime.datetime", shape="timestamp")

    def _same(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        if not args:
            return None
        thing = self._interpreter.thing(args[0], frame)
        if isinstance(thing, ListThing | DictThing) and frame.state is not None:
            return frame.state.new(thing)
        return args[0]

    def _cast(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        return args[1] if len(args) > 1 else None

    def _to_thread(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        return self._interpreter.calls.apply(args[0], args[1:], dict(keywords), node, frame) if args else None

    def _derived(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        return self._interpreter.expressions.derived(node, args, frame)

    def _next(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        found = first_message(self._interpreter, node, frame)
        return found if found is not None else self._derived(args, keywords, node, frame)

    def _number(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        if args and isinstance(args[0], Const):
            return args[0]
        return replace(self._interpreter.expressions.derived(node, args, frame), shape="integer")

    def _count(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        value = self._interpreter.expressions.derived(node, args, frame)
        drift = None
        if args and holds_conversation(args[0], self._interpreter.thing(args[0], frame)):
            drift = Drift("counted", value.expression, value.span)
        # How many there are does not depend on their order.
        return replace(in_order(value), shape="integer", grows=False, drift=drift)

    def _condition(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        return self._interpreter.expressions.opaque(node, frame)

    def _nothing(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        return NONE

    def _getattr(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        name = strings.constant_text(args[1].segments) if len(args) > 1 and isinstance(args[1], Str) else None
        return self._interpreter.expressions.attribute(args[0], name, node, frame) if name else None

    def _super(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        return self._interpreter.lookup.super_of(frame)

    def _partial(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        return Partial(args[0], tuple(args[1:]), dict(keywords)) if args else None

    def _documentation(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """``inspect.getdoc``: the docstring, its indentation taken away."""
        text = self._interpreter.lookup.docstring(args[0]) if args else None
        return Str(strings.cleandoc(text.segments)) if text is not None else None

    def _fields(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """``asdict(record)``: its fields as a dictionary."""
        thing = self._interpreter.thing(args[0], frame) if args else None
        if not isinstance(thing, ObjectThing) or frame.state is None:
            return None
        return frame.state.new(DictThing(tuple(thing.attributes.items())))

    def _field(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """The default of a dataclass or pydantic field; a factory runs once for each object."""
        factory = keywords.get("default_factory") or keywords.get("factory")
        if factory is not None:
            moment, frame.moment = frame.moment, Lifetime.SESSION
            try:
                return self._interpreter.calls.apply(factory, [], {}, node, frame)
            finally:
                frame.moment = moment
        return keywords.get("default") or (args[0] if args else NONE)

    # Files

    def _data(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """Data parsed from a file of the project, or from text of one."""
        source = args[0] if args else None
        if isinstance(source, PathText):
            return FileData(source.path)
        if isinstance(source, Str) and len(source.segments) == 1 and isinstance(source.segments[0], Text):
            text = source.segments[0]
            if isinstance(text.source, SourceMap) and text.text == text.source.file.text:
                return FileData(text.source.file.path)
        if source is None:
            return None
        value = self._interpreter.expressions.derived(node, [source], frame)
        asked = value.origin.kind is SourceKind.USER_INPUT and not is_item(value.origin)
        self._interpreter.reads_given |= not value.lifetime.known and frame.function is not None
        return value if asked else value.but(type=DATA)

    def data_text(self, data: FileData) -> Str | None:
        """The text at a place of a data file; None where there is no text."""
        from prefixlint.frontends.promptfiles import PromptFileError, load_toml_value, load_yaml_value

        file = self._interpreter.project.file(data.path)
        if file is None:
            return None
        load = load_toml_value if data.path.endswith(".toml") else load_yaml_value
        try:
            text = load(file, data.keys)
        except PromptFileError:
            return None
        return None if text is None else Str((replace(text, lifetime=Lifetime.DEPLOYMENT),))

    def _path(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        parts = [self._as_path(arg, frame) for arg in args]
        if not parts or None in parts:
            return self._interpreter.expressions.derived(node, args, frame)
        return PathText(posixpath.join(*[part for part in parts if part is not None]))

    _join_path = _path

    def _as_path(self, value: Val, frame: Frame) -> str | None:
        if value == _FILE:
            return frame.module.path
        if isinstance(value, PathText):
            return value.path
        return strings.constant_text(value.segments) if isinstance(value, Str) else None

    def _same_path(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        path = self._as_path(args[0], frame) if args else None
        return None if path is None else PathText(path)

    def _dirname(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        path = self._as_path(args[0], frame) if args else None
        return None if path is None else PathText(posixpath.dirname(path))

    def _open(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        path = self._as_path(args[0], frame) if args else None
        if path is not None:
            return PathText(path)
        return self._interpreter.expressions.derived(node, args[:1], frame)

    def on_path(self, owner: PathText, name: str, args: list[Val], node: ast.Call, frame: Frame) -> Val | None:
        """Methods of paths and of files opened there."""
        if name in ("read_text", "read"):
            return self.read(owner.path, node, frame)
        if name in ("open", "resolve", "absolute", "expanduser", "__enter__"):
            return owner
        if name in ("joinpath", "with_name", "with_suffix"):
            parts = [strings.constant_text(a.segments) if isinstance(a, Str) else None for a in args]
            if None in parts or not parts:
                return self._interpreter.expressions.derived(node, args, frame)
            if name == "joinpath":
                return PathText(posixpath.join(owner.path, *[p for p in parts if p is not None]))
            if name == "with_name":
                return PathText(posixpath.join(posixpath.dirname(owner.path), parts[0] or ""))
            return PathText(posixpath.splitext(owner.path)[0] + (parts[0] or ""))
        return None

    def read(self, path: str, node: ast.expr, frame: Frame) -> Val:
        """Text of a project file that the program reads at run time, or an unknown deployment value."""
        project = self._interpreter.project
        for candidate in (path, posixpath.join(frame.module.package, path)):
            file = project.file(candidate)
            if file is not None and file.text:
                return Str((Text(file.text, SourceMap.verbatim(file, 0, len(file.text)), Lifetime.DEPLOYMENT),))
        value = self._interpreter.expressions.opaque(node, frame)
        return replace(
            value, lifetime=Lifetime.DEPLOYMENT, origin=Origin(SourceKind.ENVIRONMENT), confidence=Confidence.HIGH
        )
