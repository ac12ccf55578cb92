"""Finds what names, attributes and imports mean: module variables, classes, inheritance, instances."""

from __future__ import annotations

import ast
import sys
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Generic

from prefixlint.frontends.python import strings
from prefixlint.frontends.python.additions import Kept
from prefixlint.frontends.python.aging import Aging, by_evidence
from prefixlint.frontends.python.enclosing import Enclosing
from prefixlint.frontends.python.frames import Frame, OutOfSteps
from prefixlint.frontends.python.heap import Heap
from prefixlint.frontends.python.naming import held, named
from prefixlint.frontends.python.own_library import is_used_from_outside
from prefixlint.frontends.python.set_up import SetUp
from prefixlint.frontends.python.state import State
from prefixlint.frontends.python.syntax import last_name
from prefixlint.frontends.python.trace import Found
from prefixlint.frontends.python.turns import UNDER_KEY
from prefixlint.frontends.python.values import (
    NONE,
    Choose,
    Class,
    Const,
    DictThing,
    Func,
    Import,
    Lib,
    ListThing,
    Module,
    ObjectThing,
    Opaque,
    PathText,
    Ref,
    Splat,
    Str,
    Super,
    is_run,
)
from prefixlint.knowledge.libraries import ModuleClass, libraries
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.keeping import Evidence
    from prefixlint.frontends.python.modules import ClassInfo, FunctionInfo, ModuleInfo
    from prefixlint.frontends.python.trace import Question, Trace
    from prefixlint.frontends.python.values import Val
    from prefixlint.model.segments import Drift


class Lookup:
    """Name resolution over one project. Module bodies are run once, on demand, each at its ``process`` moment."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._environments: dict[str, dict[str, Val]] = {}
        self._instances: dict[int, dict[str, Val]] = {}
        self._bases: dict[int, tuple[Class | Lib, ...]] = {}
        self._finding_bases = 0
        self._ancestries: dict[int, _Remembered[tuple[ClassInfo, ...]]] = {}
        self._imported: dict[Import, _Remembered[Val]] = {}
        self._trace = interpreter.project.trace
        self._running: list[str] = []
        self.base_heap = Heap()
        self.aging = Aging(interpreter)
        self.set_up = SetUp(interpreter)
        self.enclosing = Enclosing(interpreter)

    def learn(self, other: Lookup) -> None:
        """Takes over what another one has made of modules and classes."""
        self._environments = dict(other._environments)
        self._instances = dict(other._instances)
        self._bases = dict(other._bases)
        self.base_heap = other.base_heap.fork()
        self.aging.turns.learn(other.aging.turns)
        self.set_up.learn(other.set_up)
        self.enclosing.learn(other.enclosing)

    # Modules

    def environment(self, module: ModuleInfo) -> dict[str, Val]:
        """Variables of a module after its body ran; while it runs, those set so far."""
        known = self._environments.get(module.path)
        question = ("variables", module.path)
        if known is not None:
            self._trace.note(question)
            if self._running and module.path in self._running:
                self._trace.partial.setdefault(self._running[-1], set()).add(module.path)
            return known
        state = State({})
        self._environments[module.path] = state.variables
        self._running.append(module.path)
        with self._trace.making(question):
            self._trace.note(("outline", module.path))
            self._trace.note(("partial", module.path))
            try:
                last = self._run_body(module, state)
            finally:
                self._running.pop()
            self._environments[module.path] = last.variables
            self._age(module, last)
        return last.variables

    def _run_body(self, module: ModuleInfo, state: State) -> State:
        frame = Frame(module, None, state, moment=Lifetime.PROCESS)
        with self._interpreter.silence(), self._interpreter.apart(len(module.file.text)):
            with suppress(OutOfSteps):
                self._interpreter.statements.run_block(module.outline.body, frame)
            if self._interpreter.steps > self._interpreter.bounds.steps:
                module.looked_into()  # its length has given it steps
        last = frame.state or state
        self.base_heap.update(last.heap)
        return last

    def _age(self, module: ModuleInfo, state: State) -> None:
        """Lists and objects that a module keeps, as later requests find them: with what earlier ones have put in."""
        if not any(isinstance(value, Ref) for value in state.variables.values()):
            return
        grown = module.names_added_to
        if grown:
            module.looked_into()
        kept = self.aging.turns.keeping.of_module(module)
        for name, value in state.variables.items():
            if not isinstance(value, Ref):
                continue
            thing = self.base_heap.get(value.id)
            if isinstance(thing, ListThing) and name in grown and not any(isinstance(i, Splat) for i in thing.items):
                earlier = named(name, name, module.file.span(grown[name], grown[name]))
                earlier = by_evidence(earlier, kept.get(Kept(False, (name,))))
                self.base_heap[value.id] = replace(thing, items=(*thing.items, Splat(earlier)))
                drift = thing.window or self.aging.turns.of_module(module).get((name,))
                if drift is not None:
                    earlier = earlier.but(grows=False, drift=drift)
                    self.base_heap[value.id] = replace(thing, items=(*thing.items, Splat(earlier)))
            elif isinstance(thing, ObjectThing):
                attributes = self.aging.aged(thing.info, dict(thing.attributes), self.base_heap)
                self.base_heap[value.id] = replace(thing, attributes=attributes)
            elif isinstance(thing, DictThing):
                under = kept.get(Kept(False, (name,), True))
                if under is not None and (under.messages or under.named):
                    self._age_by_key(value, name, under, module)

    def _age_by_key(self, value: Ref, name: str, evidence: Evidence, module: ModuleInfo) -> None:
        """The same for a dictionary whose keys are users, sessions or chats."""
        before = self.base_heap.get(value.id)
        if before is None or not self._aged_by_key(value, name, evidence, None):
            return
        drift = self.aging.turns.of_module(module).get((name, UNDER_KEY))
        if drift is not None:
            self.base_heap[value.id] = before
            self._aged_by_key(value, name, evidence, drift)

    def _aged_by_key(self, value: Ref, name: str, evidence: Evidence, drift: Drift | None) -> bool:
        aged = self.aging.by_key(value, name, evidence, drift, self.base_heap)
        thing = self.base_heap.get(aged.id) if isinstance(aged, Ref) and aged != value else None
        if thing is not None:
            self.base_heap[value.id] = thing
        return thing is not None

    def module_name(self, module: ModuleInfo, name: str) -> Val | None:
        """A name looked up in a module from outside, re-exports included."""
        value = self.environment(module).get(name)
        if isinstance(value, Import):
            return self.resolve(value)
        if value is None:
            value = self._star(module, name, 0)
        if value is None and module.path.endswith("__init__.py"):
            inner = self._interpreter.project.import_module(name, 1, module)
            return None if inner is None else Module(inner)
        return value

    def resolve(self, item: Import) -> Val:
        """What an import means: a project module or something in it, else a library path."""
        known = self._imported.get(item)
        if known is not None:
            return known.again(self._trace)
        if self._running:
            return self._resolved(item, 0)  # what is being run may have another name yet
        value, questions = self._trace.found(lambda: self._resolved(item, 0))
        self._imported[item] = _Remembered(value, questions)
        return value

    def _resolved(self, item: Import, _depth: int) -> Val:
        project = self._interpreter.project
        full = f"{item.dotted}.{item.name}" if item.name and item.dotted else item.name or item.dotted
        if not item.name:
            module = project.import_module(item.dotted, item.level, item.importer)
            return Module(module) if module is not None else Lib(item.dotted)
        module = project.import_module(item.dotted, item.level, item.importer)
        if module is not None and not item.level and is_used_from_outside(item, module, project):
            return Lib(full)
        if module is not None and _depth < 12:
            value = self.environment(module).get(item.name)
            if isinstance(value, Import):
                if value.importer is item.importer and value.name == item.name:
                    return Lib(full)
                return self._resolved(value, _depth + 1)
            if value is not None:
                return value
            inner = project.import_module(full, item.level, item.importer)
            if inner is not None:
                return Module(inner)
            star = self._star(module, item.name, _depth)
            if star is not None:
                return star
        elif module is None:
            inner = project.import_module(full, item.level, item.importer)
            if inner is not None:
                return Module(inner)
        return Lib(full)

    def _star(self, module: ModuleInfo, name: str, depth: int) -> Val | None:
        for node in module.star_imports:
            if depth < 6:
                source = self._interpreter.project.import_module(node.module or "", node.level, module)
                if source is not None and source is not module:
                    value = self.environment(source).get(name)
                    if isinstance(value, Import):
                        value = self._resolved(value, depth + 1)
                    if value is None:
                        value = self._star(source, name, depth + 1)
                    if value is not None:
                        return value
        return None

    def name(self, name: str, frame: Frame) -> Val:
        """A variable as seen in a frame: local, closure, module, star import, builtin."""
        state = frame.state
        if state is not None and name in state.variables:
            value = state.variables[name]
            if type(value) in _SIMPLE and frame.function is not None and name in frame.function.changed_inside:
                value = _changed(name, value, frame.function)
        elif name in frame.closure:
            value = frame.closure[name]
        else:
            found = self.environment(frame.module).get(name)
            if found is not None and type(found) in _SIMPLE and frame.function is not None:
                here = name in frame.function.global_names or name not in frame.module.set_by_functions
                found = found if here else _changed(name, found, frame.function)
            value = found if found is not None else (self._star(frame.module, name, 0) or Lib(f"builtins.{name}"))
        return self.resolve(value) if isinstance(value, Import) else value

    # Classes

    def bases(self, info: ClassInfo) -> tuple[ClassInfo, ...]:
        """Project classes that a class inherits from directly."""
        return tuple(base.info for base in self._extended(info) if isinstance(base, Class))

    def library_bases(self, info: ClassInfo) -> tuple[Lib, ...]:
        """Classes of libraries that a class inherits from directly."""
        return tuple(base for base in self._extended(info) if isinstance(base, Lib))

    def _extended(self, info: ClassInfo) -> tuple[Class | Lib, ...]:
        if id(info) not in self._bases:
            self._bases[id(info)] = ()
            self._finding_bases += 1
            try:
                with self._trace.making(("bases", *info.place)):
                    self._bases[id(info)] = tuple(self._found_bases(info))
            finally:
                self._finding_bases -= 1
        self._trace.note(("bases", *info.place))
        return self._bases[id(info)]

    def _found_bases(self, info: ClassInfo) -> Iterator[Class | Lib]:
        frame = Frame(info.module, None, State({}), moment=Lifetime.PROCESS)
        for node in info.bases:
            target = node.value if isinstance(node, ast.Subscript) else node
            value = self._interpreter.evaluate_quietly(target, frame)
            if isinstance(value, Lib) or (isinstance(value, Class) and value.info is not info):
                yield value

    def ancestry(self, info: ClassInfo) -> Iterable[ClassInfo]:
        """The class and its project ancestors, nearest first."""
        known = self._ancestries.get(id(info))
        return self._found_ancestry(info) if known is None else known.again(self._trace)

    def _found_ancestry(self, info: ClassInfo) -> Iterator[ClassInfo]:
        """Remembered where all of it was asked for: what is not is not looked up."""
        seen: dict[ClassInfo, None] = {}
        queue = [info]
        while queue:
            current = queue.pop(0)
            if current in seen:
                continue
            seen[current] = None
            yield current
            queue.extend(self.bases(current))
        if not self._finding_bases:
            questions = frozenset(("bases", *current.place) for current in seen)
            self._ancestries[id(info)] = _Remembered(tuple(seen), questions)

    def prints_address(self, info: ClassInfo) -> bool:
        """Whether ``str()`` of an instance gives the default ``<… object at 0x…>``.

        Only where the whole class is known: no base outside of the project, no decorator or metaclass that could write
        another one.
        """
        for current in self.ancestry(info):
            node = current.outline
            if node.decorator_list or node.keywords or len(self.bases(current)) < len(current.bases):
                return False
            if {*current.methods, *current.attribute_names} & {"__str__", "__repr__", "__format__", "__getattr__"}:
                return False
        return True

    def method(self, info: ClassInfo, name: str) -> FunctionInfo | None:
        for current in self.ancestry(info):
            if name in current.methods:
                return current.methods[name]
        return None

    def entered(self, info: ClassInfo, name: str) -> FunctionInfo | None:
        """The method that a library calls where one of this name of an object is called, or the object itself."""
        if name not in libraries().entering:
            return None
        base = self.of_library(info)
        entry = None if base is None else libraries().at_path(base.path)
        inner = entry.calls.get(name) if isinstance(entry, ModuleClass) else None
        return None if inner is None else self.method(info, inner)

    def is_mapping(self, info: ClassInfo) -> bool:
        """Whether the objects of a class are dictionaries: what it extends says so."""
        return any(last_name(base) in _MAPPINGS for current in self.ancestry(info) for base in current.bases)

    def method_of(self, owner: Val, name: str, frame: Frame) -> Func | None:
        """The method of this name that the class of a project object gives it; None for other values."""
        thing = self._interpreter.thing(owner, frame)
        method = self.method(thing.info, name) if isinstance(thing, ObjectThing) else None
        return None if method is None else Func(method, owner)

    def is_instance(self, value: Val, of: Val, frame: Frame) -> bool | None:
        """``isinstance(value, of)``, where both are known well enough; else None."""
        thing = self._interpreter.thing(of, frame)
        if isinstance(thing, ListThing):
            found = [None if is_run(item) else self.is_instance(value, item, frame) for item in thing.items]
            return True if True in found else None if None in found else False
        if isinstance(value, Choose) and value.values:
            answers = {self.is_instance(arm, of, frame) for arm in value.values}
            return answers.pop() if len(answers) == 1 else None
        own = self._interpreter.thing(value, frame)
        if isinstance(of, Class):
            if isinstance(own, ObjectThing):
                known = list(self.ancestry(own.info))
                whole = all(len(self.bases(info)) == len(info.bases) for info in known)
                return True if of.info in known else False if whole and not self._is_protocol(of.info) else None
            return False if self._is_none_of(of.info, value, own) else None
        name = of.path.removeprefix("builtins.") if isinstance(of, Lib) else ""
        if isinstance(value, Str | PathText) and name.rpartition(".")[2] == "Sequence":
            return True
        if name not in _PLAIN:
            return None
        if isinstance(value, PathText):
            return name == "str"
        if isinstance(value, Str):
            return name == "str"
        if isinstance(value, Const):
            return isinstance(value.value, _PLAIN[name])
        if isinstance(own, ListThing):
            return True if name == own.kind else False if name not in ("list", "tuple", "set") else None
        if isinstance(own, ObjectThing) and name == "dict" and self.is_mapping(own.info):
            return True
        if not isinstance(own, DictThing):
            return None
        # A dictionary also stands for a message of a library.
        return False if name != "dict" else None if own.get("role") is not None else True

    def _is_none_of(self, info: ClassInfo, value: Val, own: object) -> bool:
        """Whether a text, a number, a list or a dictionary is surely no object of a class of the project."""
        kind = "str" if isinstance(value, Str) else "dict" if isinstance(own, DictThing) else "list"
        if not isinstance(value, Str | Const) and not isinstance(own, ListThing | DictThing):
            return False
        known = list(self.ancestry(info))
        bases = {last_name(base) for current in known for base in current.bases}
        return bases - {current.name for current in known} <= _NO_PROTOCOLS - {kind, kind.title()}

    @staticmethod
    def _is_protocol(info: ClassInfo) -> bool:
        return any(last_name(base) in ("Protocol", "ABC") for base in info.bases) or bool(info.outline.keywords)

    def members(self, info: ClassInfo) -> list[Val] | None:
        """The values of an ``Enum``'s members, in their order; None for other classes."""
        if not any(last_name(base) in ENUMS for current in self.ancestry(info) for base in current.bases):
            return None
        names = [name for name, node in info.attributes.items() if node is not None and not name.startswith("_")]
        return [value for name in names if (value := self.class_attribute(info, name)) is not None]

    def fields(self, thing: ObjectThing) -> DictThing:
        """An object's attributes as a dictionary: annotated fields first, in their order, with their defaults."""
        out = DictThing()
        for current in reversed(list(self.ancestry(thing.info))):
            for node in current.outline.body:
                if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                    name = node.target.id
                    value = thing.attributes.get(name)
                    if value is None and node.value is not None:
                        value = self.class_attribute(thing.info, name)
                    if value is not None:
                        out = out.set(name, value)
        for name, value in thing.attributes.items():
            out = out.set(name, value)
        return out

    def class_attribute(self, info: ClassInfo, name: str) -> Val | None:
        """A class attribute of the nearest class that sets it."""
        for current in self.ancestry(info):
            node = current.attributes[name] if current.attribute_names.get(name) is not None else None
            if node is not None:
                constant = self._interpreter.node_facts.constants.get(node)
                if constant is not None:
                    self._interpreter.step()
                    return constant
                member = self._numbered_member(info, name, node)
                if member is not None:
                    return member
                frame = Frame(current.module, None, State({}), moment=Lifetime.PROCESS)
                self._class_scope(current, name, frame)
                value = self._interpreter.evaluate_quietly(node, frame)
                if frame.state is not None:
                    self.base_heap.update(frame.state.heap)
                return value
        return None

    def _numbered_member(self, info: ClassInfo, name: str, node: ast.expr) -> Str | None:
        """A member that ``enum.auto()`` numbers, as it is printed."""
        if not isinstance(node, ast.Call) or last_name(node.func) != "auto":
            return None
        bases = {last_name(base) for current in self.ancestry(info) for base in current.bases}
        if not bases & {"Enum", "StrEnum"}:
            return None
        return Str(
            (Text(name.lower() if "StrEnum" in bases else f"{info.name}.{name}", info.module.places.span(node)),)
        )

    def _class_scope(self, info: ClassInfo, name: str, frame: Frame) -> None:
        """Earlier attributes of the class body that the attribute's expression names."""
        assert frame.state is not None
        expression = info.attributes.get(name)
        if expression is None or isinstance(expression, ast.Constant):
            return
        named_ = {node.id for node in ast.walk(expression) if isinstance(node, ast.Name)}
        for key, node in info.attributes.items():
            if key == name:
                return
            if node is not None and key in named_:
                frame.state.variables[key] = self._interpreter.evaluate(node, frame)

    def instance(self, info: ClassInfo, frame: Frame) -> Ref:
        """An instance made somewhere else: its attributes as ``__init__`` sets them for unknown arguments."""
        assert frame.state is not None
        question = ("attributes", *info.place)
        if id(info) not in self._instances:
            self._instances[id(info)] = {}
            with self._trace.making(question):
                self._instances[id(info)].update(self._as_made(info))
        self._trace.note(question)
        attributes = self.aging.aged(info, dict(self._instances[id(info)]), frame.state.heap)
        return frame.state.new(ObjectThing(info, attributes))

    def _as_made(self, info: ClassInfo) -> Mapping[str, Val]:
        """Attributes as ``__init__`` sets them."""
        init = self.method(info, "__init__")
        if init is None:
            return {}
        inner = Frame(init.module, init, State({}), moment=Lifetime.SESSION, stack=(init,))
        assert inner.state is not None
        # While it is made, a field that the class leaves at None is that; later anyone may have set it.
        unset = self.unset(info)
        ref = inner.state.new(ObjectThing(info, unset))
        with self._interpreter.silence(), self._interpreter.loops.apart():
            self._interpreter.run_root(init, inner, ref)
        last = inner.state or State({})
        thing = last.heap.get(ref.id)
        for _, state, _ in inner.returns:
            thing = thing or state.heap.get(ref.id)
            self.base_heap.update(state.heap)
        self.base_heap.update(last.heap)
        attributes = thing.attributes if isinstance(thing, ObjectThing) else {}
        return {name: value for name, value in attributes.items() if name not in unset or value != NONE}

    def unset(self, info: ClassInfo) -> dict[str, Val]:
        """Attributes of a new object that its class leaves at None."""
        left: dict[str, bool | None] = {}
        for current in reversed(list(self.ancestry(info))):
            left.update(current.attribute_names)
        return {name: NONE for name, more in left.items() if more is False}

    def fields_of(self, info: ClassInfo) -> frozenset[str]:
        """Names that the bodies of a class, and of those that it extends, annotate."""
        return frozenset(name for current in self.ancestry(info) for name in current.annotated)

    def record(self, info: ClassInfo, whole: Opaque, frame: Frame) -> Ref | None:
        """An object of data that a caller gives: each field is what its name suggests, seen as part of ``whole``.

        None for classes without fields of their own, and for those whose instances are something else.
        """
        assert frame.state is not None
        attributes: dict[str, Val] = {}
        for current in self.ancestry(info):
            if any(last_name(base) in _NO_RECORDS for base in current.bases):
                return None
            for name in current.annotated:
                member = self._interpreter.expressions.member
                part = member(whole, name, f"{whole.expression}.{name}", whole.span)
                attributes.setdefault(name, part.but(name=whole.name))
        return frame.state.new(ObjectThing(info, attributes, whole)) if attributes else None

    def super_of(self, frame: Frame) -> Val | None:
        """``super()``: the instance, seen as its nearest project base class, else the class of a library that it is."""
        function = frame.function
        if function is None or function.owner is None or frame.state is None or not function.definition.args.args:
            return None
        owner = frame.state.variables.get(function.definition.args.args[0].arg)
        bases = self.bases(function.owner)
        thing = None if owner is None else self._interpreter.thing(owner, frame)
        if not isinstance(owner, Ref) or not isinstance(thing, ObjectThing):
            return None
        if not bases:
            if self.is_mapping(thing.info):
                return Super(owner, None)
            known = self.of_library(function.owner)
            return Super(owner, None) if known is None and self.fields_of(thing.info) else known
        return Super(owner, bases[0])

    def of_library(self, info: ClassInfo, name: str = "") -> Lib | None:
        """What the tables know of the nearest library class that a class extends, or of an attribute of that."""
        for current in self.ancestry(info):
            for base in self.library_bases(current):
                found = Lib(f"{base.path}.{name}") if name else base
                if libraries().at_path(found.path) is not None:
                    return found
        return None

    def docstring(self, value: Val) -> Str | None:
        """The docstring of a function or class of the project, as the Python that runs now would give it."""
        if not isinstance(value, Func | Class):
            return None
        first = value.info.node.body[0]
        if not isinstance(first, ast.Expr) or not isinstance(first.value, ast.Constant):
            return None
        frame = Frame(value.info.module, None, State({}), moment=Lifetime.PROCESS)
        text = self._interpreter.evaluate_quietly(first.value, frame)
        if not isinstance(text, Str):
            return None
        return Str(strings.compiled_docstring(text.segments)) if sys.version_info >= (3, 13) else text

    def attribute(self, ref: Ref, thing: ObjectThing, name: str, node: ast.expr, frame: Frame) -> Val:
        """``instance.name``: set so far, a method, a property, a class attribute, else what its name suggests."""
        if name in thing.attributes:
            return thing.attributes[name]
        method = self.method(thing.info, name)
        if method is not None:
            if method.decorators & {"property", "cached_property"}:
                return self._interpreter.calls.functions.call(Func(method, ref), [], {}, node, frame)
            if "staticmethod" in method.decorators:
                return Func(method)
            return Func(method, ref)
        if name == "__class__":
            return Class(thing.info)
        entered = self.entered(thing.info, name)
        if entered is not None:
            return Func(entered, ref)
        value = self.class_attribute(thing.info, name)
        if isinstance(value, Ref) and frame.state is not None:
            # A list or an object that a default made: what is added to it must be found again.
            frame.state.heap[ref.id] = replace(thing, attributes={**thing.attributes, name: value})
        if value is not None and value != NONE and (not isinstance(value, Opaque) or value.lifetime.known):
            return value
        given = self.set_up.value(thing.info, name) or (value if isinstance(value, Opaque) else None)
        if given is not None:
            return given
        span = frame.module.places.span(node)
        asked = None if name.startswith("_") else self.method(thing.info, "__getattr__")
        if asked is not None:
            text = Str((Text(name, span),))
            return self._interpreter.calls.functions.call(Func(asked, ref), [text], {}, node, frame)
        if thing.whole is not None:
            return self._interpreter.expressions.member(thing.whole, name, frame.module.places.source(node), span)
        return held(named(name, frame.module.places.source(node), span))


class _Remembered(Generic[Found]):
    """What was found once, with the questions behind it: to ask for it again is to ask these."""

    __slots__ = ("_at", "_questions", "_value")

    def __init__(self, value: Found, questions: frozenset[Question]) -> None:
        self._value = value
        self._questions = questions
        self._at = -1

    def again(self, trace: Trace) -> Found:
        if self._at != trace.at:
            trace.note_all(self._questions)
            self._at = trace.at
        return self._value


_SIMPLE = frozenset({Const, Str})
_PLAIN: Mapping[str, type] = {
    "str": str,
    "bytes": bytes,
    "int": int,
    "float": float,
    "bool": bool,
    "list": list,
    "tuple": tuple,
    "set": set,
    "dict": dict,
}
# What is known of classes outside of the project: that their objects are no texts, lists or dictionaries, or which.
_NO_PROTOCOLS = frozenset({"object", "BaseModel", "Exception", "str", "list", "List", "dict", "Dict"})
_MAPPINGS = frozenset({"dict", "Dict", "UserDict", "OrderedDict"})
ENUMS = frozenset({"Enum", "StrEnum", "IntEnum"})
# Classes whose annotated names are no attributes of their instances.
_NO_RECORDS = frozenset({"TypedDict", "Enum", "StrEnum", "IntEnum", "Flag", "Protocol"})


def _changed(name: str, value: Val, function: FunctionInfo) -> Val:
    """A variable that other functions set: a flag, a number or an empty text is no longer what it was at first."""
    if isinstance(value, Str) and value.segments:
        return value
    return named(name, name, function.module.places.span(function.node.body[0]))
