"""Modules, classes and functions of the analysed project: what their syntax tells, found once for each.

Syntax trees take far more memory than all that is found in them, so a module can give its tree back: it is parsed again
when somebody asks for it. Functions and classes stay the same objects meanwhile, and what they are told apart by.
"""

from __future__ import annotations

import ast
import posixpath
import sys
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from prefixlint.frontends.python.additions import additions, is_message
from prefixlint.frontends.python.definitions import FunctionNode, lines_of
from prefixlint.frontends.python.guards import is_type_checking
from prefixlint.frontends.python.nested_statements import inner_bodies, statements_in
from prefixlint.frontends.python.newest import asks_for_newest
from prefixlint.frontends.python.noted import LOOKED_AT, MARKS, of_body, told
from prefixlint.frontends.python.own_nodes import OwnNodes
from prefixlint.frontends.python.positions import Places
from prefixlint.frontends.python.remembered import same
from prefixlint.frontends.python.rewriting import rewritten
from prefixlint.frontends.python.shortening import cuts_conversation, finds_place, shortened_lists
from prefixlint.frontends.python.syntax import ADDS, adds, is_none, is_own, last_name
from prefixlint.frontends.python.written_out import is_of_arguments, is_written_out

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from prefixlint.frontends.python.additions import Addition
    from prefixlint.frontends.python.definitions import Lines
    from prefixlint.frontends.python.parsing import Parser
    from prefixlint.frontends.python.rewriting import Rewritten
    from prefixlint.frontends.python.trace import Place, Trace
    from prefixlint.model.sources import SourceFile, Span


class _Slots:
    """What each function is made with, outside of the dictionary of what is found of it: that fits into a smaller one
    then."""

    __slots__ = ("__dict__", "__weakref__", "column", "line", "module", "name", "owner")


@dataclass(frozen=True, eq=False)
class FunctionInfo(_Slots):
    """A function or method that is defined at ``line`` and ``column``, as syntax nodes count them. ``owner`` is the
    class that defines it."""

    name: str
    line: int
    column: int
    module: ModuleInfo
    owner: ClassInfo | None

    @classmethod
    def of(cls, node: FunctionNode, module: ModuleInfo, owner: ClassInfo | None = None) -> FunctionInfo:
        info = cls(node.name, node.lineno, node.col_offset, module, owner)
        info.__dict__["definition"] = node
        return info

    @cached_property
    def lines(self) -> Lines:
        return lines_of(self.definition, self.module.file)

    @cached_property
    def definition(self) -> FunctionNode:
        """Its syntax node, for what stands in front of the body: parameters, decorators."""
        node = None if self.module.has_tree else self.module.parse.function(self)
        if node is None:
            defined = self.module.defined[self.line, self.column]
            assert isinstance(defined, FunctionNode)
            node = defined
        return node

    @of_body
    def node(self) -> FunctionNode:
        """Its syntax node with the body."""
        return self.definition

    def without_tree(self) -> None:
        """Forgets what holds parts of the syntax tree. The lines stay: it can be parsed by itself then."""
        if "definition" in self.__dict__:
            _ = self.lines
        _forget(self, _OF_FUNCTIONS)

    @cached_property
    def place(self) -> Place:
        return self.module.path, self.line, self.column

    @cached_property
    def dotted(self) -> str:
        """``pkg.module.function``, ``pkg.module.Class.method``; folders above the package stand in front."""
        owner = [self.owner.name] if self.owner is not None else []
        return ".".join([self.module.dotted, *owner, self.name])

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Names of the positional parameters, without the one that a method is bound to."""
        arguments = self.definition.args
        names = tuple(a.arg for a in (*arguments.posonlyargs, *arguments.args))
        return names[1:] if self.owner is not None and "staticmethod" not in self.decorators else names

    @cached_property
    def accepted(self) -> frozenset[str]:
        """Names of the parameters that a caller may give by name, without the one that a method is bound to."""
        return frozenset((*self.parameters, *(a.arg for a in self.definition.args.kwonlyargs)))

    @cached_property
    def all_parameters(self) -> tuple[str, ...]:
        """Names of all parameters, ``*args`` and ``**kwargs`` among them."""
        arguments = self.definition.args
        stars = (star for star in (arguments.vararg, arguments.kwarg) if star is not None)
        return tuple(a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *stars))

    @of_body
    def bound_last(self) -> Mapping[str, ast.expr]:
        """What each name is bound to where it is bound last, alone or as one of several."""
        return {
            part.id: value
            for target, value in sorted(self.own_nodes.bindings(), key=lambda binding: binding[0].lineno)
            for part in ast.walk(target)
            if isinstance(part, ast.Name)
        }

    @cached_property
    def decorators(self) -> frozenset[str]:
        """Last names of the decorators: ``functools.cache`` and ``cache(...)`` give ``cache``.

        A function in a class that takes no instance, as its first parameter's name and annotation say, counts as a
        ``staticmethod``: it is called by way of its class alone, or a decorator of the class makes it one.
        """
        names = {"staticmethod"} if self.owner is not None and _takes_no_instance(self.definition) else set()
        for node in self.definition.decorator_list:
            target = node.func if isinstance(node, ast.Call) else node
            if isinstance(target, ast.Attribute):
                names.add(target.attr)
            elif isinstance(target, ast.Name):
                names.add(target.id)
        return same(frozenset(names))

    @property
    def is_decorated(self) -> bool:
        """Whether something may have been put in its place by a decorator."""
        return not _WITHOUT_EFFECT.issuperset(self.decorators)

    @cached_property
    def method_decorators(self) -> tuple[str, ...]:
        """Names of decorators that are attributes of something: ``@agent.instructions`` gives ``instructions``."""
        targets = (node.func if isinstance(node, ast.Call) else node for node in self.definition.decorator_list)
        return tuple(target.attr for target in targets if isinstance(target, ast.Attribute))

    @of_body
    def own_nodes(self) -> OwnNodes:
        """Nodes of the function without those of functions, lambdas and classes defined inside it."""
        return OwnNodes(self.node)

    @told
    def global_names(self) -> frozenset[str]:
        """Names that the function declares global."""
        return same(frozenset(name for node in self.own_nodes.of(ast.Global) for name in node.names))

    @told
    def changed_inside(self) -> frozenset[str]:
        """Names that functions defined in it bind anew (``nonlocal``) or add to: what calls these is not seen."""
        nodes = self.own_nodes
        inner = (*nodes.of(ast.FunctionDef), *nodes.of(ast.AsyncFunctionDef), *nodes.of(ast.Lambda))
        names: set[str] = set()
        for node in (node for function in inner for node in ast.walk(function)):
            if isinstance(node, ast.Nonlocal):
                names.update(node.names)
            elif isinstance(node, ast.Call) and adds(node.func) and isinstance(node.func.value, ast.Name):
                names.add(node.func.value.id)
        return same(frozenset(names))

    @told
    def shortens(self) -> bool:
        """Whether the function shortens any list."""
        return any(True for _ in shortened_lists(self.own_nodes))

    @told
    def cuts_conversation(self) -> bool:
        """Whether the function seems to shorten a list whose name says that it is a conversation."""
        return self.shortens and cuts_conversation(self.own_nodes)

    @told
    def finds_place(self) -> bool:
        """Whether the function counts back from the end of a conversation, and may give the place where that is cut."""
        return finds_place(self.own_nodes)

    @told
    def asks_for_newest(self) -> bool:
        """Whether the function asks a store for its newest rows."""
        return any(map(asks_for_newest, self.own_nodes.of(ast.Call)))

    @told
    def draws_at_random(self) -> bool:
        """Whether the function takes something from ``random``, of the standard library or of numpy."""
        return any(last_name(node.value) == "random" for node in self.own_nodes.of(ast.Attribute))

    @of_body
    def rewritten(self) -> Rewritten:
        """Where the function takes the first or last message of a list and changes it, with the list."""
        return rewritten(self.own_nodes)

    @told
    def emptied(self) -> frozenset[str]:
        """Attributes of objects that the function clears, as they are written: what it finds there is new each time."""
        called = (node.func for node in self.own_nodes.of(ast.Call) if not node.args)
        cleared = (f.value for f in called if isinstance(f, ast.Attribute) and f.attr == "clear")
        return same(frozenset(self.module.places.source(node) for node in cleared if isinstance(node, ast.Attribute)))

    @told
    def given_messages(self) -> frozenset[str]:
        """Last names of what the function calls with a message written out in the call."""
        calls = self.own_nodes.of(ast.Call)
        return same(frozenset(last_name(call.func) for call in calls if any(map(is_message, call.args))))

    @of_body
    def additions(self) -> tuple[Addition, ...]:
        """What the function adds to what outlives it."""
        return additions(self)

    def holds(self, place: Span) -> bool:
        """Whether a place is within the function."""
        self.looked_into()
        return place.path == self.module.path and self.line <= place.start.line <= self.lines.last

    @of_body
    def size(self) -> int:
        """Number of syntax nodes."""
        return self.own_nodes.count

    def looked_into(self) -> None:
        """Notes that somebody asks for what is in the body."""
        trace = self.module.trace
        if self.__dict__.get(LOOKED_AT) != trace.at:
            trace.note(("body", *self.place))
            self.__dict__[LOOKED_AT] = trace.at

    def has_at_most(self, nodes: int) -> bool:
        """Whether it has no more syntax nodes than that."""
        size = self.__dict__.get("size")
        if size is None:
            with self.module.trace.apart():
                size = self.size
        self.module.trace.note(("small", *self.place, nodes))
        return bool(size <= nodes)

    @told
    def leaves_traces(self) -> bool:
        """Whether a call does something to what its caller holds: to an attribute, an item or a list, by itself or by
        other methods of its object that it calls."""
        seen: dict[str, FunctionInfo] = {self.name: self}
        frontier = [self]
        while frontier:
            if any(info._changes for info in frontier):
                return True
            following = {name: info for method in frontier for name, info in method._siblings if name not in seen}
            seen.update(following)
            frontier = list(following.values())
        return False

    @cached_property
    def _changes(self) -> bool:
        nodes = self.own_nodes
        targets = [target for target, _ in nodes.bindings()]
        targets += [node.target for node in nodes.of(ast.AugAssign)]
        return any(isinstance(target, ast.Attribute | ast.Subscript) for target in targets) or any(
            isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES for node in nodes.of(ast.Call)
        )

    @cached_property
    def _siblings(self) -> tuple[tuple[str, FunctionInfo], ...]:
        """Methods of its class that a method calls on its object."""
        if self.owner is None:
            return ()
        called = {node.func.attr for node in self.own_nodes.of(ast.Call) if is_own(node.func)}
        return tuple((name, self.owner.methods[name]) for name in sorted(called & self.owner.methods.keys()))

    @cached_property
    def positional(self) -> tuple[str, ...]:
        """Names of the parameters that take positional arguments."""
        arguments = self.definition.args
        return tuple(parameter.arg for parameter in (*arguments.posonlyargs, *arguments.args))

    @cached_property
    def defaults(self) -> dict[str, ast.expr | None]:
        """Parameters in order, each with the expression of its default or None."""
        arguments = self.definition.args
        out: dict[str, ast.expr | None] = dict.fromkeys(self.positional)
        if arguments.defaults:
            out.update(zip(self.positional[-len(arguments.defaults) :], arguments.defaults, strict=True))
        out.update(zip((p.arg for p in arguments.kwonlyargs), arguments.kw_defaults, strict=True))
        return out

    @told
    def is_stub(self) -> bool:
        """Whether the body only documents or raises: an interface that others implement."""
        body = [s for s in self.node.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
        return all(isinstance(s, ast.Pass | ast.Raise) for s in body)

    @told
    def is_abstract(self) -> bool:
        """Whether the function only says what others implement."""
        return "abstractmethod" in self.decorators or self.is_stub

    @told
    def is_written_out(self) -> bool:
        """Whether the function gives what is written down in it, whoever calls it."""
        return is_written_out(self)

    @told
    def is_of_arguments(self) -> bool:
        """Whether what the function gives depends on nothing but its arguments."""
        return is_of_arguments(self)

    @told
    def makes_record(self) -> bool:
        """Whether the function, without a branch, makes an object of a class of its module and gives it."""
        nodes = self.own_nodes
        returned = nodes.of(ast.Return)
        if len(returned) != 1 or any(nodes.of(kind) for kind in _BRANCHING):
            return False
        given = returned[0].value
        if isinstance(given, ast.Name):
            given = self.bound_last.get(given.id)
        return isinstance(given, ast.Call) and isinstance(given.func, ast.Name) and given.func.id in self.module.classes

    @told
    def is_generator(self) -> bool:
        return bool(self.own_nodes.of(ast.Yield) or self.own_nodes.of(ast.YieldFrom))


Code = FunctionInfo | ast.Lambda
"""What can be entered."""


@dataclass(frozen=True, eq=False)
class ClassInfo:
    """A class that is defined at ``line`` and ``column``, as syntax nodes count them."""

    name: str
    line: int
    column: int
    module: ModuleInfo

    @classmethod
    def of(cls, node: ast.ClassDef, module: ModuleInfo) -> ClassInfo:
        info = cls(node.name, node.lineno, node.col_offset, module)
        info.__dict__["node"] = node
        return info

    @cached_property
    def node(self) -> ast.ClassDef:
        node = self.module.defined[self.line, self.column]
        assert isinstance(node, ast.ClassDef)
        return node

    @cached_property
    def lines(self) -> Lines:
        return lines_of(self.node, self.module.file)

    @cached_property
    def outline(self) -> ast.ClassDef:
        """Its syntax node, in which the methods may have no bodies."""
        found = None if "node" in self.__dict__ or self.module.has_tree else self.module.parse.outline_of(self)
        return self.node if found is None else found

    def without_tree(self) -> None:
        """Forgets what holds parts of the syntax tree. The lines stay: it can be parsed by itself then."""
        if "node" in self.__dict__:
            _ = self.lines
        _forget(self, _OF_CLASSES)

    @cached_property
    def place(self) -> Place:
        return self.module.path, self.line, self.column

    @cached_property
    def bases(self) -> Sequence[ast.expr]:
        """What it extends, as it is written. It stays when the tree goes: whoever asks for a method asks for it."""
        return self.outline.bases

    @cached_property
    def base_names(self) -> tuple[str, ...]:
        """Last names of the classes that it extends."""
        return tuple(name for base in self.bases if (name := last_name(base)))

    @cached_property
    def methods(self) -> dict[str, FunctionInfo]:
        """Methods by name; of several definitions the last one that is no overload and no property setter."""
        out: dict[str, FunctionInfo] = {}
        for node in self.node.body:
            if isinstance(node, FunctionNode):
                info = FunctionInfo.of(node, self.module, self)
                if "overload" not in info.decorators and "setter" not in info.decorators:
                    out[node.name] = info
        return out

    @cached_property
    def attributes(self) -> dict[str, ast.expr | None]:
        """Names assigned in the class body, with the assigned expression (None for a bare annotation)."""
        if self.__dict__.get("attribute_names") == {}:
            return {}
        out: dict[str, ast.expr | None] = {}
        for node in self.outline.body:
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        out[target.id] = node.value
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                out[node.target.id] = node.value
        return out

    @cached_property
    def attribute_names(self) -> Mapping[str, bool | None]:
        """The same names, each with whether more than None is assigned (None for a bare annotation). They stay when the
        tree goes."""
        return {name: None if node is None else not is_none(node) for name, node in self.attributes.items()}

    @cached_property
    def annotated(self) -> tuple[str, ...]:
        """Names that the class body annotates."""
        fields = (node.target for node in self.outline.body if isinstance(node, ast.AnnAssign))
        return tuple(target.id for target in fields if isinstance(target, ast.Name))

    @cached_property
    def switches(self) -> frozenset[str]:
        """Fields of its objects that are on or off unless who makes one says otherwise: ``enabled: bool = False``."""
        fields = (node for node in self.outline.body if isinstance(node, ast.AnnAssign) and node.value is not None)
        return frozenset(
            node.target.id
            for node in fields
            if isinstance(node.target, ast.Name) and last_name(node.annotation) == "bool"
        )

    def fills(self, base: ClassInfo) -> bool:
        """Whether its body gives a value to a name that the body of ``base`` leaves without one, or at None."""
        left = (name for name, known in base.attribute_names.items() if known is not True)
        return any(self.attribute_names.get(name) is not None for name in left)

    @cached_property
    def is_abstract(self) -> bool:
        """Whether a method of its own is abstract: only classes derived from it have instances."""
        return any("abstractmethod" in method.decorators for method in self.methods.values())

    @cached_property
    def is_record(self) -> bool:
        """Whether it does nothing but hold what it is made with."""
        return not self.bases and _OF_RECORDS.issuperset(self.methods)

    @told
    def added_to(self) -> frozenset[tuple[str, ...]]:
        """Attributes that methods other than ``__init__`` append to: ``("messages",)`` of ``self.messages``,
        ``("agent", "messages")`` of ``self.agent.messages``."""
        paths: set[tuple[str, ...]] = set()
        for method in self.methods.values():
            if method.name != "__init__":
                nodes = method.own_nodes
                targets: list[ast.expr] = [node.func.value for node in nodes.of(ast.Call) if adds(node.func)]
                targets += [node.target for node in nodes.of(ast.AugAssign)]
                targets += [target for target, _ in nodes.lengthenings()]
                for target in targets:
                    if is_own(target):
                        paths.add((target.attr,))
                    elif isinstance(target, ast.Attribute) and is_own(target.value):
                        paths.add((target.value.attr, target.attr))
        return frozenset(paths)

    @told
    def set_later(self) -> frozenset[str]:
        """Attributes of ``self`` that methods other than ``__init__`` and ``__post_init__`` assign."""
        return frozenset(self._assigned_later)

    def given_later(self, name: str) -> list[tuple[FunctionInfo, ast.expr]]:
        """The methods that assign one of these attributes, with what they assign, where that is more than None."""
        self.module.trace.note(("given later", *self.place, name))
        return [(method, value) for method, value in self._assigned_later.get(name, ()) if not is_none(value)]

    @cached_property
    def _assigned_later(self) -> dict[str, list[tuple[FunctionInfo, ast.expr]]]:
        out: dict[str, list[tuple[FunctionInfo, ast.expr]]] = {}
        with self.module.trace.apart():
            for method in self.methods.values():
                if method.name in ("__init__", "__post_init__"):
                    continue
                for target, value in method.own_nodes.bindings():
                    if is_own(target):
                        out.setdefault(target.attr, []).append((method, value))
        return out


# What is found of a tree and holds parts of it.
_OF_FUNCTIONS = frozenset(
    {"definition", "node", "own_nodes", "bound_last", "rewritten", "defaults", "positional", "global_names"}
)
_OF_CLASSES = frozenset({"node", "outline", "attributes", "_assigned_later"})
_OF_MODULES = frozenset({"tree", "outline", "defined", "own_nodes", "_imports"})


def _forget(info: FunctionInfo | ClassInfo | ModuleInfo, names: frozenset[str]) -> None:
    """A dictionary that things are taken out of stays as large as it was: it is made anew."""
    known = info.__dict__
    kept = {name: value for name, value in known.items() if name not in names and name not in MARKS}
    known.clear()
    known.update(kept)


_BRANCHING = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.Match)
_OF_RECORDS = frozenset({"__init__", "__repr__", "__str__", "__eq__", "__hash__", "to_dict", "from_dict"})
_WITHOUT_EFFECT = frozenset({"staticmethod", "classmethod"})
_INSTANCE = frozenset({"self", "cls", "mcs", "this", "_self", "_cls", "__self"})
_PLAIN_TYPES = frozenset({"str", "int", "float", "bool", "bytes", "list", "dict", "List", "Dict", "Annotated"})


def _takes_no_instance(node: FunctionNode) -> bool:
    """Whether a function in a class is given a text, a number or a collection where a method is given its object."""
    first = next(iter((*node.args.posonlyargs, *node.args.args)), None)
    if first is None or first.annotation is None or first.arg in _INSTANCE:
        return False
    written = first.annotation
    return last_name(written.value if isinstance(written, ast.Subscript) else written) in _PLAIN_TYPES


_CHANGES = ADDS | {"update", "setdefault", "pop", "clear", "remove", "reverse", "sort", "write"}


@dataclass(eq=False)
class ModuleInfo:
    """A parsed module. ``path`` is relative to the run's root, with forward slashes.

    ``parse`` gives its syntax tree, or parts of it, whenever these are asked for and not there.
    """

    path: str
    file: SourceFile
    parse: Parser = field(repr=False)
    trace: Trace = field(repr=False)
    places: Places = field(init=False)

    def __post_init__(self) -> None:
        self.places = Places(self.file)

    @cached_property
    def tree(self) -> ast.Module:
        return self.parse.tree(self)

    @cached_property
    def outline(self) -> ast.Module:
        """The tree, in which functions and classes may have no bodies: for what the module's own statements do."""
        found = None if self.has_tree else self.parse.outline(self)
        return self.tree if found is None else found

    @property
    def definitions(self) -> tuple[FunctionInfo | ClassInfo, ...]:
        """Functions, methods and classes that are known so far."""
        known = self.__dict__
        classes = known.get("classes", {}).values()
        methods = (method for owner in classes for method in owner.__dict__.get("methods", {}).values())
        return tuple(dict.fromkeys([*known.get("functions", ()), *methods, *classes]))

    @property
    def has_tree(self) -> bool:
        """Whether the tree is there."""
        return "tree" in self.__dict__

    def hold_tree(self) -> None:
        """Parses the module, so that its tree is there. Raises what ``ast.parse`` raises."""
        _ = self.tree

    @cached_property
    def defined(self) -> dict[tuple[int, int], FunctionNode | ast.ClassDef]:
        """Functions and classes of the tree, by line and column of their definition."""
        nodes = (node for node in statements_in(self.tree.body) if isinstance(node, FunctionNode | ast.ClassDef))
        return {(node.lineno, node.col_offset): node for node in nodes}

    def end(self) -> None:
        """Lets go of all that was found of it."""
        for info in self.definitions:
            info.__dict__.clear()
        self.places.forget()
        self.__dict__.clear()

    def without_tree(self) -> None:
        """Gives the tree back, with all that holds parts of it."""
        for info in self.definitions:
            info.without_tree()
        self.places.forget()
        _forget(self, _OF_MODULES)

    @cached_property
    def functions(self) -> tuple[FunctionInfo, ...]:
        """All functions and methods, nested ones too, in order."""
        out: list[FunctionInfo] = []
        _collect(self.tree.body, self, None, out)
        return tuple(out)

    @cached_property
    def star_imports(self) -> tuple[ast.ImportFrom, ...]:
        """``from x import *`` statements at the top level."""
        return tuple(n for n in self.tree.body if isinstance(n, ast.ImportFrom) and n.names[0].name == "*")

    def function_defined_by(self, node: FunctionNode) -> FunctionInfo | None:
        """The function of a node, which may be one of an earlier tree."""
        return self.function_at.get((node.lineno, node.col_offset))

    @cached_property
    def enclosing(self) -> dict[FunctionInfo, FunctionInfo]:
        """Functions that others are defined in, by the inner one; of methods that of their class."""
        out: dict[FunctionInfo, FunctionInfo] = {}
        with self.trace.apart():
            for info in self.functions:
                for node in defined_in(info.own_nodes):
                    inner = self.function_defined_by(node)
                    if inner is not None:
                        out[inner] = info
        return out

    @cached_property
    def function_at(self) -> dict[tuple[int, int], FunctionInfo]:
        """Functions by line and column of their definition, as syntax nodes count them."""
        return {(info.line, info.column): info for info in self.functions}

    @cached_property
    def classes(self) -> dict[str, ClassInfo]:
        """Classes at any depth of statements, by name; of several the first."""
        out: dict[str, ClassInfo] = {}
        _collect_classes(self.tree.body, self, out)
        return out

    @cached_property
    def _imports(self) -> tuple[ast.Import | ast.ImportFrom, ...]:
        """Import statements anywhere in the module."""
        return tuple(node for node in statements_in(self.tree.body) if isinstance(node, ast.Import | ast.ImportFrom))

    @cached_property
    def imported(self) -> frozenset[str]:
        """Every name that stands in an import statement of the module."""
        names: set[str] = set()
        for node in self._imports:
            if isinstance(node, ast.ImportFrom) and node.module:
                names.update(node.module.split("."))
            for alias in node.names:
                names.update(alias.name.split("."))
        return frozenset(names)

    @cached_property
    def imported_paths(self) -> frozenset[str]:
        """Dotted paths that the module imports by absolute names, anywhere in it."""
        names: set[str] = set()
        for node in self._imports:
            if isinstance(node, ast.Import):
                names.update(alias.name for alias in node.names)
            elif not node.level and node.module:
                names.update(sys.intern(f"{node.module}.{alias.name}") for alias in node.names)
        return frozenset(names)

    @cached_property
    def packages(self) -> frozenset[str]:
        """Top packages of what the module imports by absolute names."""
        return same(frozenset(path.partition(".")[0] for path in self.imported_paths))

    @cached_property
    def own_nodes(self) -> OwnNodes:
        """Nodes of the module without those of functions, lambdas and classes defined in it."""
        return OwnNodes(self.tree)

    @cached_property
    def names_added_to(self) -> dict[str, int]:
        """Names of the module that functions append to, each with the offset where one does."""
        out: dict[str, int] = {}
        with self.trace.apart():
            for info in self.functions:
                for node in info.own_nodes.of(ast.Call):
                    if adds(node.func) and isinstance(node.func.value, ast.Name):
                        out.setdefault(node.func.value.id, self.places.start(node.func.value))
                for target, _ in info.own_nodes.lengthenings() if info.global_names else ():
                    if isinstance(target, ast.Name) and target.id in info.global_names:
                        out.setdefault(target.id, self.places.start(target))
        return out

    def looked_into(self) -> None:
        """Notes that somebody asks for what is in the module."""
        self.trace.note(("module", self.path))

    @property
    def set_by_functions(self) -> frozenset[str]:
        """Names of the module that its functions bind anew (``global``)."""
        self.trace.note(("set by functions", self.path))
        return self.names_set_by_functions

    @cached_property
    def names_set_by_functions(self) -> frozenset[str]:
        with self.trace.apart():
            return frozenset(
                target.id
                for info in self.functions
                if info.global_names
                for target, _ in info.own_nodes.bindings()
                if isinstance(target, ast.Name) and target.id in info.global_names
            )

    @property
    def set_from_outside(self) -> frozenset[str]:
        """Names of attributes that are set on anything but ``self``: on a class, on an object that was made."""
        self.trace.note(("set from outside", self.path))
        return self.names_set_from_outside

    @cached_property
    def names_set_from_outside(self) -> frozenset[str]:
        with self.trace.apart():
            bodies = (self.own_nodes, *(info.own_nodes for info in self.functions))
            targets = (target for body in bodies for target, _ in body.bindings())
            return frozenset(t.attr for t in targets if isinstance(t, ast.Attribute) and not is_own(t))

    @cached_property
    def dotted(self) -> str:
        """The path with dots: ``src/pkg/module.py`` is ``src.pkg.module``, ``pkg/__init__.py`` is ``pkg``."""
        parts = self.path.removesuffix(".py").removesuffix("/__init__").split("/")
        return ".".join(part for part in parts if part not in ("", ".", ".."))

    @property
    def package(self) -> str:
        """Folder that relative imports start from."""
        return posixpath.dirname(self.path)


def _collect(body: list[ast.stmt], module: ModuleInfo, owner: ClassInfo | None, out: list[FunctionInfo]) -> None:
    for node in body:
        if isinstance(node, FunctionNode):
            known = owner.methods.get(node.name) if owner is not None else None
            is_known = known is not None and (known.line, known.column) == (node.lineno, node.col_offset)
            out.append(known if known is not None and is_known else FunctionInfo.of(node, module, owner))
            _collect(node.body, module, None, out)
        elif isinstance(node, ast.ClassDef):
            _collect(node.body, module, module.classes.get(node.name), out)
        elif isinstance(node, ast.If) and is_type_checking(node.test):
            _collect(node.orelse, module, owner, out)
        else:
            for inner in inner_bodies(node):
                _collect(inner, module, owner, out)


def defined_in(nodes: OwnNodes) -> Iterator[FunctionNode]:
    """Functions defined among these nodes, and the methods of classes that are."""
    yield from nodes.of(ast.FunctionDef)
    yield from nodes.of(ast.AsyncFunctionDef)
    for inner in nodes.of(ast.ClassDef):
        yield from defined_in(OwnNodes(inner))


def _collect_classes(body: list[ast.stmt], module: ModuleInfo, out: dict[str, ClassInfo]) -> None:
    for node in body:
        if isinstance(node, ast.ClassDef):
            out.setdefault(node.name, ClassInfo.of(node, module))
            _collect_classes(node.body, module, out)
        elif isinstance(node, FunctionNode):
            _collect_classes(node.body, module, out)
        else:
            for inner in inner_bodies(node):
                _collect_classes(inner, module, out)
