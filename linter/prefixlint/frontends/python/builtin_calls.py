"""Builtins and library functions whose results are known: which they are, and those that are told in a line or two."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.chosen_names import for_each_name
from prefixlint.frontends.python.collection_calls import ATTRIBUTE, ITEM, RECORD, Collections
from prefixlint.frontends.python.conversations import holds_conversation
from prefixlint.frontends.python.file_calls import FileCalls
from prefixlint.frontends.python.jinja_calls import JinjaCalls
from prefixlint.frontends.python.json_calls import JsonCalls
from prefixlint.frontends.python.package_files import PackageFiles
from prefixlint.frontends.python.patterns import Patterns
from prefixlint.frontends.python.rewriting import changed_message, looks_for_system
from prefixlint.frontends.python.values import (
    EMPTY,
    NONE,
    BufferThing,
    Choose,
    Class,
    Const,
    DictThing,
    Func,
    Lambda,
    Lib,
    ListThing,
    Method,
    Module,
    ObjectThing,
    Opaque,
    Partial,
    PathText,
    Ref,
    Str,
    in_order,
)
from prefixlint.frontends.python.written_data import Printed, written_data
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Drift, Text

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Mapping

    from prefixlint.frontends.python.frames import Frame
    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.values import Val
    from prefixlint.model.segments import Segment
    from prefixlint.model.sources import Span

_NAMES = {
    "builtins.str": "text",
    "builtins.repr": "represented",
    "builtins.format": "text",
    "builtins.ascii": "text",
    "builtins.list": "collections.items",
    "builtins.tuple": "collections.tuple_",
    "builtins.reversed": "collections.reversed",
    "builtins.sorted": "collections.sorted",
    "builtins.set": "collections.set",
    "builtins.frozenset": "collections.frozenset",
    "builtins.dict": "collections.dict",
    "builtins.enumerate": "collections.enumerate",
    "builtins.zip": "collections.zip",
    "builtins.map": "collections.map",
    "builtins.filter": "collections.filter",
    "builtins.print": "print",
    "builtins.len": "count",
    "builtins.int": "number",
    "builtins.float": "number",
    "builtins.round": "number",
    "builtins.min": "derived",
    "builtins.max": "derived",
    "builtins.sum": "collections.sum",
    "builtins.abs": "derived",
    "builtins.any": "collections.any",
    "builtins.all": "collections.all",
    "builtins.bool": "derived",
    "builtins.isinstance": "isinstance",
    "builtins.callable": "callable",
    "builtins.hasattr": "condition",
    "builtins.getattr": "getattr",
    "builtins.setattr": "setattr",
    "importlib.import_module": "module",
    "builtins.open": "files.open",
    "builtins.super": "super",
    "builtins.iter": "same",
    "builtins.next": "next",
    "builtins.globals": "globals",
    "contextlib.redirect_stdout": "redirect",
    "string.Formatter.format": "formatter",
    "string.Formatter.vformat": "formatter_of",
    "builtins.range": "collections.range",
    "json.dumps": "json.dumps",
    "orjson.dumps": "json.dumps",
    "ujson.dumps": "json.dumps",
    "pprint.pformat": "text",
    "yaml.dump": "json.dumps",
    "yaml.safe_dump": "json.dumps",
    "textwrap.dedent": "dedent",
    "inspect.cleandoc": "cleandoc",
    "textwrap.indent": "indent",
    "string.Template": "template",
    "chevron.render": "mustache",
    "chevron.renderer.render": "mustache",
    "pystache.render": "mustache",
    "io.StringIO": "buffer",
    "functools.partial": "partial",
    "copy.copy": "same",
    "copy.deepcopy": "same",
    "typing.cast": "cast",
    "os.path.join": "files.path",
    "os.path.dirname": "files.dirname",
    "os.path.exists": "files.exists",
    "os.path.isfile": "files.exists",
    "os.path.abspath": "files.same_path",
    "os.path.realpath": "files.same_path",
    "os.path.normpath": "files.same_path",
    "os.path.expanduser": "files.same_path",
    "os.path.expandvars": "files.same_path",
    "os.fspath": "files.same_path",
    "pathlib.Path": "files.path",
    "importlib.resources.files": "package.folder",
    "importlib.resources.path": "package.path",
    "importlib.resources.open_text": "package.path",
    "importlib.resources.open_binary": "package.path",
    "importlib.resources.read_text": "package.text",
    "importlib.resources.read_binary": "package.text",
    "importlib.resources.as_file": "files.same_path",
    "importlib_resources.files": "package.folder",
    "importlib_resources.path": "package.path",
    "importlib_resources.read_text": "package.text",
    "importlib_resources.as_file": "files.same_path",
    "pkg_resources.resource_filename": "package.path",
    "pkg_resources.resource_stream": "package.path",
    "pkg_resources.resource_string": "package.text",
    "pkgutil.get_data": "package.text",
    "asyncio.run": "same",
    "asyncio.to_thread": "to_thread",
    "itertools.zip_longest": "collections.zip_longest",
    "collections.ChainMap": "collections.chain_map",
    "asyncio.gather": "collections.gather",
    "dataclasses.replace": "changed",
    "copy.replace": "changed",
    "attrs.evolve": "changed",
    "attr.evolve": "changed",
    "itertools.chain": "collections.chain",
    "itertools.islice": "collections.islice",
    "itertools.chain.from_iterable": "collections.chained",
    "operator.itemgetter": "collections.getter",
    "operator.attrgetter": "collections.getter",
    ITEM: "collections.got_item",
    ATTRIBUTE: "collections.got_attribute",
    "functools.reduce": "collections.reduce",
    "types.SimpleNamespace": "collections.namespace",
    "collections.namedtuple": "collections.record_type",
    RECORD: "collections.record",
    "collections.deque": "collections.deque",
    "collections.OrderedDict": "collections.dict",
    "collections.defaultdict": "collections.default_dict",
    "random.shuffle": "shuffle",
    "logging.getLogger": "nothing",
    "logging.info": "nothing",
    "logging.debug": "nothing",
    "logging.warning": "nothing",
    "logging.error": "nothing",
    "yaml.safe_load": "files.data",
    "yaml.load": "files.data",
    "yaml.full_load": "files.data",
    "json.load": "files.data",
    "json.loads": "files.data",
    "tomllib.load": "files.data",
    "tomllib.loads": "files.data",
    "toml.load": "files.data",
    "toml.loads": "files.data",
    "tomli.load": "files.data",
    "tomli.loads": "files.data",
    "json5.load": "files.data",
    "ruamel.yaml.YAML.load": "files.data",
    "ruamel.yaml.safe_load": "files.data",
    "omegaconf.OmegaConf.load": "files.data_file",
    "re.sub": "patterns.sub",
    "re.escape": "patterns.escape",
    "inspect.getdoc": "documentation",
    "dataclasses.asdict": "fields",
    "attrs.asdict": "fields",
    "attr.asdict": "fields",
    "builtins.vars": "fields",
    "dict.fromkeys": "collections.keyed",
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
# Owners of what is called with paths or names of files.
_OF_NAMES = frozenset({"files", "package"})


class BuiltinCalls:
    """Calls by dotted path. ``call`` returns None for a path that is not modelled here."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self.jinja = JinjaCalls(interpreter)
        self.files = FileCalls(interpreter)
        self.json = JsonCalls(interpreter)
        self.collections = Collections(interpreter)
        self._owners = {
            "": self,
            "jinja": self.jinja,
            "files": self.files,
            "package": PackageFiles(interpreter),
            "patterns": Patterns(interpreter),
            "collections": self.collections,
            "json": self.json,
        }

    def call(self, path: str, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """Value of a modelled call, else None."""
        name = _NAMES.get(path)
        if name is None or frame.state is None:
            return None
        owner, _, part = name.rpartition(".")
        if part == "same":
            return self.same(args, keywords, node, frame)
        method: Callable[[list[Val], Mapping[str, Val], ast.Call, Frame], Val | None]
        method = getattr(self._owners[owner], part if owner else f"_{part}")
        # What is parsed is a file's text, and no name, unless it may be one of several files.
        if owner in _OF_NAMES and (part != "data" or (args and isinstance(args[0], Choose))):
            return for_each_name(args, lambda each: method(each, keywords, node, frame))
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
        if isinstance(value, PathText):
            return value
        address = expressions.address(value, node, frame)
        if address is not None:
            return address
        at = node.args[0] if node.args else node
        written = written_data(self._interpreter, value, Printed(), at, frame)
        return Str(written if written is not None else expressions.segments(value, at, frame))

    def _represented(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        at = node.args[0] if node.args else node
        shown = self._interpreter.expressions.represented(args[0], at, frame) if args else EMPTY
        return shown if args and shown is not args[0] else self._text(args, keywords, node, frame)

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
        return self._interpreter.calls.prompts.template(args[0], "$", node, frame) if args else None

    def _mustache(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """``chevron.render(text, {"name": value})``."""
        text = args[0] if args else keywords.get("template", NONE)
        data = args[1] if len(args) > 1 else keywords.get("data", NONE)
        thing = self._interpreter.thing(data, frame)
        values = thing.entries if isinstance(thing, DictThing) else ()
        named_ = {name: value for name, value in (*values, *keywords.items()) if isinstance(name, str)}
        rendered = self._interpreter.calls.prompts.mustache(text, named_, node, frame)
        if rendered is None and data != NONE:
            # Where partials lie and what ends their names stands in no text.
            return self._interpreter.expressions.derived(node, [text, data], frame)
        return rendered

    def _buffer(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        start = args[0] if args and isinstance(args[0], Str) else EMPTY
        return NONE if frame.state is None else frame.state.new(BufferThing(start))

    # Randomness

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

    def same(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
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
        found = changed_message(self._interpreter, node, frame)
        if found is None:
            found = self.collections.next(args, keywords, node, frame)
        kept = isinstance(found, Opaque) and found.origin.kind is SourceKind.HISTORY and looks_for_system(node.args[0])
        if kept and isinstance(found, Opaque):
            return replace(found, lifetime=Lifetime.SESSION, grows=False, drift=None)
        return found

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

    def _print(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """``print(…, file=buffer)`` writes to the buffer."""
        buffer = keywords.get("file", frame.printed_to)
        thing = self._interpreter.thing(buffer, frame)
        if isinstance(buffer, Ref) and isinstance(thing, BufferThing) and frame.state is not None:
            span = frame.module.places.span(node)
            separator = self._printed(keywords.get("sep"), " ", span)
            parts: list[tuple[Segment, ...]] = []
            for index, value in enumerate(args):
                at = node.args[index] if index < len(node.args) else node
                parts += [separator, self._interpreter.expressions.segments(value, at, frame)]
            line = strings.concat(thing.text.segments, *parts[1:], self._printed(keywords.get("end"), "\n", span))
            frame.state.heap[buffer.id] = BufferThing(Str(line))
        return NONE

    @staticmethod
    def _printed(value: Val | None, usual: str, span: Span) -> tuple[Segment, ...]:
        return value.segments if isinstance(value, Str) else (Text(usual, span),)

    def _redirect(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """``with redirect_stdout(buffer):``: what is printed there goes to the buffer."""
        if args:
            frame.printed_to = args[0]
        return args[0] if args else None

    def _formatter(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        text = args[0] if args else None
        return (
            self._interpreter.calls.methods.format(text, args[1:], keywords, node, frame)
            if isinstance(text, Str)
            else None
        )

    def _formatter_of(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        if len(args) != 3 or not isinstance(args[0], Str):
            return None
        given = self._interpreter.expressions.known_items(args[1], frame) or []
        named_ = self._interpreter.thing(args[2], frame)
        values = dict(named_.entries) if isinstance(named_, DictThing) else {}
        return self._interpreter.calls.methods.format(args[0], given, values, node, frame, rest=[args[2]])

    def _changed(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """``dataclasses.replace(record, field=value)``."""
        thing = self._interpreter.thing(args[0], frame) if args else None
        if not isinstance(thing, ObjectThing) or frame.state is None:
            return None
        changes = {name: value for name, value in keywords.items() if name != "**"}
        return frame.state.new(replace(thing, attributes={**thing.attributes, **changes}))

    def _globals(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        if frame.state is None:
            return None
        return frame.state.new(DictThing(tuple(self._interpreter.lookup.environment(frame.module).items())))

    def _setattr(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        owner, thing = args[0] if args else NONE, self._interpreter.thing(args[0], frame) if args else None
        name = strings.constant_text(args[1].segments) if len(args) > 2 and isinstance(args[1], Str) else None
        if name and isinstance(owner, Ref) and isinstance(thing, ObjectThing) and frame.state is not None:
            frame.state.heap[owner.id] = replace(thing, attributes={**thing.attributes, name: args[2]})
        return NONE

    def _module(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        """``importlib.import_module("app.prompts")``."""
        name = strings.constant_text(args[0].segments) if args and isinstance(args[0], Str) else None
        if not name:
            return None
        dotted = name.lstrip(".")
        found = self._interpreter.project.import_module(dotted, len(name) - len(dotted), frame.module)
        return None if found is None else Module(found)

    def _isinstance(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        known = self._interpreter.lookup.is_instance(args[0], args[1], frame) if len(args) == 2 else None
        return self._interpreter.expressions.opaque(node, frame) if known is None else Const(known)

    def _callable(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        if args and isinstance(args[0], Const | Str | Func | Lambda | Class | Partial):
            return Const(not isinstance(args[0], Const | Str))
        return self._interpreter.expressions.opaque(node, frame)

    def _nothing(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        return NONE

    def _getattr(self, args: list[Val], keywords: Mapping[str, Val], node: ast.Call, frame: Frame) -> Val | None:
        name = strings.constant_text(args[1].segments) if len(args) > 1 and isinstance(args[1], Str) else None
        if not name:
            return None
        expressions = self._interpreter.expressions
        found = expressions.attribute(args[0], name, node, frame)
        if isinstance(found, Method) and len(args) > 2 and isinstance(args[2], Str):
            found = expressions.attribute_value(found, node, frame)
        return expressions.or_default(found, args[1:], {}, node, frame)

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
        return frame.state.new(self._interpreter.lookup.fields(thing))

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
