"""Which files and functions are worth running: those that hold prompt text or send a request, and their callers."""

from __future__ import annotations

import ast
import posixpath
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from prefixlint.frontends.python.naming import part_of
from prefixlint.frontends.python.predictors import body_calls_predictor, calls_predictor, is_entered
from prefixlint.frontends.python.prompt_text import is_prompt_name, keeps_prompts
from prefixlint.frontends.python.remembered import once, same
from prefixlint.frontends.python.sending import asks
from prefixlint.frontends.python.syntax import is_own, last_name
from prefixlint.knowledge.call_names import call_names
from prefixlint.knowledge.libraries import libraries
from prefixlint.knowledge.names import meaning
from prefixlint.knowledge.python_files import file_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Set

    from prefixlint.frontends.python.modules import ClassInfo, FunctionInfo, ModuleInfo
    from prefixlint.frontends.python.own_nodes import OwnNodes

_LONG = 120
_MADE_OF = 2
"""How often a constant is made of another one that holds a long text."""
MAX_CALLERS = 60
MOST_DERIVED = 3
MOST_LEVELS = 3
MOST_BEARERS = 2
MOST_BASES = 4


def might_hold_prompt(data: bytes) -> bool:
    """Cheap test on the bytes of a Python file: whether parsing it can be worth it."""
    lower = data.lower()
    return file_words().found_in(lower) or any(name.encode() in data for name in libraries().own_sinks)


@dataclass(frozen=True, slots=True)
class Mentions:
    """What a function names: ``names`` are those that it reads or binds, ``imported`` attributes of what its module
    imports. ``sends`` is true where it names an attribute that sends."""

    names: tuple[str, ...]
    imported: tuple[str, ...]
    sends: bool


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the run's modules say of each other: ``own`` are the top packages that they form, ``texts`` the names of
    their constants with a long text, ``prompts`` those with one that speaks to somebody."""

    own: frozenset[str]
    texts: frozenset[str]
    prompts: frozenset[str]
    _sending: dict[str, list[str]] = field(default_factory=dict, compare=False)

    def talks_to(self, module: ModuleInfo) -> list[str]:
        """Packages outside of the run that the module imports and that can send a prompt."""
        if module.path not in self._sending:
            sending = (path.partition(".")[0] for path in module.imported_paths if libraries().sends(path))
            self._sending[module.path] = [package for package in dict.fromkeys(sending) if package not in self.own]
        return self._sending[module.path]

    @classmethod
    def of(cls, modules: Iterable[ModuleInfo]) -> Surroundings:
        modules = list(modules)
        folders = {module.package for module in modules if module.path.endswith("__init__.py")}
        own = {posixpath.basename(folder) for folder in folders if folders.isdisjoint(_above(folder))}
        texts, prompts = _long_texts([constant for module in modules for constant in constants(module)])
        return cls(frozenset(own), texts, prompts)


def _above(folder: str) -> Iterator[str]:
    while folder:
        folder = posixpath.dirname(folder)
        yield folder
        if folder == posixpath.dirname(folder):
            return


@dataclass(frozen=True, slots=True)
class _Constant:
    """A name assigned at the top level of a module: whether a long text is in it (``long``), or in one of the ``uses``
    that it is made of, and whether that text speaks to somebody (``addressed``), as all texts of a module of prompts
    are taken to."""

    name: str
    long: bool
    addressed: bool
    uses: frozenset[str]


@once
def constants(module: ModuleInfo) -> tuple[_Constant, ...]:
    """Names assigned at the top level of a module, in order."""
    return tuple(_constants(module))


def _constants(module: ModuleInfo) -> Iterator[_Constant]:
    told = keeps_prompts(module.path)
    for statement in module.tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            names = [target.id for target in targets if isinstance(target, ast.Name)]
            # Most constants are single values: they are judged without a walk.
            value = statement.value
            if names and not isinstance(value, ast.Name | ast.Attribute):
                nodes = (value,) if isinstance(value, ast.Constant) else tuple(ast.walk(value))
                texts = [n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]
                long = [text for text in texts if len(text) >= _LONG]
                addressed = any(told or words in text for text in long for words in file_words().addresses)
                used = (n for n in nodes if isinstance(n, ast.Name | ast.Attribute))
                uses = frozenset(n.id if isinstance(n, ast.Name) else n.attr for n in used)
                if long or uses:
                    yield from (_Constant(name, bool(long), addressed, uses) for name in names)


def _long_texts(constants: list[_Constant]) -> tuple[frozenset[str], frozenset[str]]:
    """Names of constants with a long text in them, or in what they are made of (``Template(HEAD + RULES)``), and those
    with one that speaks to somebody."""
    texts = {constant.name for constant in constants if constant.long}
    prompts = {constant.name for constant in constants if constant.addressed}
    for _ in range(_MADE_OF):
        texts.update([c.name for c in constants if not texts.isdisjoint(c.uses)])
        prompts.update([c.name for c in constants if not prompts.isdisjoint(c.uses)])
    return frozenset(texts), frozenset(prompts)


def is_interesting(info: FunctionInfo, around: Surroundings) -> bool:
    """Whether a function by itself builds or sends what could be a prompt."""
    packages = info.module.packages
    if info.decorators and libraries().decorators(info.method_decorators, info.decorators, packages):
        return True
    if any(libraries().text_decorator(name, packages) for name in info.decorators):
        return True
    talks_to = around.talks_to(info.module)
    if talks_to and _sends_with(mentions(info), talks_to):
        return True
    if is_prompt_name(info.name) or _holds(info) or (talks_to and (calls_predictor(info) or is_entered(info))):
        return True
    named = _texts_named(info, around.texts)
    if not named:
        return info.cuts_conversation and _posts(info.own_nodes)
    if any(map(is_prompt_name, named)) or not around.prompts.isdisjoint(named):
        return True
    nodes = info.own_nodes
    put = any(map(_sets_prompt, nodes.of(ast.Attribute))) or any(map(_keys_prompt, nodes.of(ast.Dict)))
    return put or _posts(nodes) or any(map(asks, nodes.of(ast.Call)))


def _texts_named(info: FunctionInfo, texts: Set[str]) -> list[str]:
    """Names of constants with a long text that a function names, also as what a module holds: ``prompts.RULES``."""
    named = mentions(info)
    return [name for name in (*named.names, *named.imported) if name in texts]


@once
def mentions(info: FunctionInfo) -> Mentions:
    nodes, imported, sending = info.own_nodes, info.module.imported, call_names().sending
    attributes = nodes.of(ast.Attribute)
    held = (node.attr for node in attributes if isinstance(node.value, ast.Name) and node.value.id in imported)
    return Mentions(
        tuple({node.id: None for node in nodes.of(ast.Name)}),
        tuple(dict.fromkeys(held)),
        any(node.attr in sending for node in attributes),
    )


def settle_interest(info: FunctionInfo) -> None:
    """Finds what the graph asks of each function, so that it need not look at its nodes then."""
    called_names(info)
    mentions(info)
    _holds(info)
    _given_back(info)
    _speaks(info)


def _sets_prompt(node: ast.Attribute) -> bool:
    """Whether an attribute with the name of a prompt is assigned: ``request.system_prompt += RULES``."""
    return isinstance(node.ctx, ast.Store) and not is_own(node) and is_prompt_name(node.attr)


def _keys_prompt(node: ast.Dict) -> bool:
    """Whether a dictionary has a key that names a prompt: ``{"system_prompt": RULES}``."""
    keys = (key.value for key in node.keys if isinstance(key, ast.Constant))
    return any(isinstance(key, str) and is_prompt_name(key) for key in keys)


@once
def _fills_messages(info: FunctionInfo) -> bool:
    """Whether messages are put in front of those of a request that came from elsewhere, or in their place, or whether
    the first of them is changed."""
    nodes = info.own_nodes
    inserted = (node.func for node in nodes.of(ast.Call) if isinstance(node.func, ast.Attribute))
    listed = [func.value for func in inserted if func.attr == "insert"]
    listed += [target for target, _ in nodes.bindings()]
    return any(map(_is_part_of_request, listed)) or _changes_first(info)


def _changes_first(info: FunctionInfo) -> bool:
    """Whether the first message of those of a request that came from elsewhere is changed."""
    return any(not end.last and _is_part_of_request(end.listed) for _, end in info.rewritten.values())


def _is_part_of_request(node: ast.expr) -> bool:
    """``request.messages`` and ``body["messages"]``."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return isinstance(node.slice.value, str) and meaning(node.slice.value).grows
    if not isinstance(node, ast.Attribute) or is_own(node):
        return False
    known = part_of(f"{last_name(node.value)}.{node.attr}")
    return meaning(node.attr).grows or (known is not None and known.grows)


def _posts(nodes: OwnNodes) -> bool:
    """Whether a body with a prompt in it is made and sent: ``session.post(url, json={"prompt": …})``."""
    body, posting = call_names().body_keys, call_names().posting
    if not any(node.value in body for node in nodes.of(ast.Constant)):
        return False
    # A request that the function, or its object, was given is none that it sends.
    called = (call.func for call in nodes.of(ast.Call))
    named = (node for node in nodes.of(ast.Attribute) if not is_own(node))
    return any(last_name(node) in posting for node in (*called, *named))


def _asks(info: FunctionInfo) -> bool:
    """Whether a function posts a body with a prompt in it, or calls something that seems to ask a model."""
    return _posts(info.own_nodes) or any(map(asks, info.own_nodes.of(ast.Call)))


def _sends_with(named: Mentions, packages: list[str]) -> bool:
    """Whether something that sends is named, or a class of these packages that makes an agent or a prompt."""
    return named.sends or any(libraries().at_path(f"{package}.{name}") for name in named.names for package in packages)


@once
def is_interesting_body(module: ModuleInfo) -> bool:
    """Whether a module's own statements build and send what could be a prompt (scripts, agents made at import)."""
    return bool(module.own_nodes.of(ast.Call)) and (_holds_prompt(module.own_nodes) or body_calls_predictor(module))


def _calls_own_sink(nodes: OwnNodes) -> bool:
    names = libraries().own_sinks
    return bool(names) and (
        any(node.id in names for node in nodes.of(ast.Name))
        or any(node.attr in names for node in nodes.of(ast.Attribute))
    )


def _holds_prompt(nodes: OwnNodes) -> bool:
    if _calls_own_sink(nodes):
        return True
    documentation = {id(node.value) for node in nodes.of(ast.Expr) if isinstance(node.value, ast.Constant)}
    letters = 0
    for node in nodes.of(ast.Constant):
        value = node.value
        if isinstance(value, str) and id(node) not in documentation:
            letters += len(value)
            if len(value) >= _LONG or value == "role":
                return True
    arguments = call_names().agent_arguments
    if any(node.arg in arguments for node in nodes.of(ast.keyword)) or _posts(nodes):
        return True
    if any(node.attr in arguments and _sets_prompt(node) for node in nodes.of(ast.Attribute)):
        return True
    names = {node.id for node in nodes.of(ast.Name)}
    attributes = {node.attr for node in nodes.of(ast.Attribute)}
    if not attributes.isdisjoint(call_names().adding_to_system | call_names().setting_system):
        return True
    sending = call_names().sending
    sends = (
        letters >= _LONG
        or not sending.isdisjoint(names)
        or not sending.isdisjoint(attributes)
        or any(name.endswith("Message") for name in names)
    )
    return sends and (_speaks_of_prompts(nodes, names | attributes))


def _speaks_of_prompts(nodes: OwnNodes, names: Iterable[str]) -> bool:
    keywords = {node.arg for node in nodes.of(ast.keyword) if node.arg is not None}
    return "messages" in keywords or any(map(is_prompt_name, keywords)) or any(map(is_prompt_name, names))


@once
def _holds(info: FunctionInfo) -> bool:
    return _holds_prompt(info.own_nodes) or _changes_first(info)


@once
def _speaks(info: FunctionInfo) -> bool:
    """Whether names or texts of a function speak of prompts."""
    nodes = info.own_nodes
    names = {*(node.id for node in nodes.of(ast.Name)), *(node.attr for node in nodes.of(ast.Attribute))}
    return _speaks_of_prompts(nodes, names) or any(node.value == "role" for node in nodes.of(ast.Constant))


def called_names(info: FunctionInfo) -> frozenset[str]:
    """Last names of everything that a function calls or passes on by name."""
    return frozenset(_called_names(info))


@once
def _called_names(info: FunctionInfo) -> tuple[str, ...]:
    # A set of names takes three times the memory of the names in a row.
    return tuple(names_called(info.own_nodes.of(ast.Call)))


@cache
def _handing() -> frozenset[str]:
    names = call_names()
    return frozenset((*names.handing_on, *names.mapping, "partial"))


def names_called(nodes: Iterable[ast.Call]) -> frozenset[str]:
    """Last names of everything that calls call or pass on by name."""
    names, handing = set(), _handing()
    for node in nodes:
        if isinstance(node.func, ast.Attribute):
            names.add(node.func.attr)
        elif isinstance(node.func, ast.Name):
            names.add(node.func.id)
        names.update(argument.id for argument in node.args if isinstance(argument, ast.Name))
        if last_name(node.func) in handing:
            # ``pool.submit(self.ask, question)``, ``partial(self.ask, question)``
            names.update(argument.attr for argument in node.args if isinstance(argument, ast.Attribute))
    return frozenset(names)


@once
def _given_back(info: FunctionInfo) -> frozenset[str]:
    """Last names of what is called for what a function returns, whether at once or kept in a variable before."""
    return same(frozenset(_gives(info)))


def _gives(info: FunctionInfo) -> Iterator[str]:
    returned = [node.value for node in info.own_nodes.of(ast.Return)]
    kept = {value.id for value in returned if isinstance(value, ast.Name)}
    bound = info.own_nodes.bindings() if kept else ()
    given = [value for target, value in bound if isinstance(target, ast.Name) and target.id in kept]
    return (last_name(value.func) for value in (*returned, *given) if isinstance(value, ast.Call))


def _called_as(info: FunctionInfo) -> str:
    """The name under which a function is called; what makes an object, or calls one, names its class."""
    names_class = info.name in ("__init__", "__call__") or is_entered(info)
    return info.owner.name if info.owner is not None and names_class else info.name


_Name = tuple[str, str]
"""A name, behind the group of modules in which it is borne or called."""


class CallGraph:
    """Who calls what, by name alone among modules of one ``group``: cheap, and wide enough to find the callers worth
    running. ``is_silent`` is true where none of the modules can send a prompt."""

    def __init__(self, modules: Iterable[ModuleInfo], group: Callable[[ModuleInfo], str] = lambda _: "") -> None:
        modules = list(modules)
        self._group = cache(group)
        functions = [info for module in modules for info in module.functions]
        self._callers: dict[_Name, list[FunctionInfo]] = defaultdict(list)
        for info in functions:
            for name in called_names(info):
                self._callers[self._group(info.module), name].append(info)
        self._derived: dict[_Name, list[ClassInfo]] = defaultdict(list)
        self._implementations: dict[tuple[FunctionInfo, ClassInfo], list[tuple[ClassInfo, FunctionInfo]]] = {}
        self._named: dict[_Name, list[ClassInfo]] = defaultdict(list)
        self._found: dict[FunctionInfo, list[FunctionInfo]] = {}
        for module in modules:
            for derived in module.classes.values():
                self._named[self._group(module), derived.name].append(derived)
                for name in derived.base_names:
                    self._derived[self._group(module), name].append(derived)
        # One family of classes counts once.
        families = {
            owner: (self._bases(owner) or [owner.name])[-1] for module in modules for owner in module.classes.values()
        }
        self._bearers: dict[_Name, set[str]] = defaultdict(set)
        for info in functions:
            if info.owner is not None:
                self._bearers[self._group(info.module), info.name].add(families[info.owner])
        # Those that nothing seems to call come first: what they enter need not be run by itself again.
        self._around = Surroundings.of(modules)
        self.interesting = sorted(
            (info for info in functions if is_interesting(info, self._around)), key=lambda i: bool(self.callers(i))
        )
        owners = (info.owner.name for info in self.interesting if info.owner is not None)
        self._telling = frozenset([*(info.name for info in self.interesting), *owners])
        self.is_silent = not libraries().own_sinks and not (
            any(map(self.talks_to_models, modules)) or any(map(_asks, self.interesting))
        )

    def owners(self, info: FunctionInfo) -> list[ClassInfo | None]:
        """Classes to run a method for: its own, or those derived from it where nothing makes an instance of its own."""
        owner = info.owner
        if owner is None:
            return [None]
        name = self._group(owner.module), owner.name
        derived = self._derived.get(name, [])
        if not derived or (name in self._callers and not owner.is_abstract):
            return [owner]
        return list(derived[:MOST_DERIVED])

    def implementations(self, info: FunctionInfo, owner: ClassInfo) -> list[tuple[ClassInfo, FunctionInfo]]:
        """Classes derived from ``owner`` that implement an abstract method of it, each with its method, nearest first.

        Only methods that could make or send a prompt by themselves: stores and transports are abstract too.
        """
        key = (info, owner)
        if key not in self._implementations:
            self._implementations[key] = list(islice(self._implementing(info.name, owner), MOST_DERIVED))
        return self._implementations[key]

    def _implementing(self, name: str, owner: ClassInfo) -> Iterator[tuple[ClassInfo, FunctionInfo]]:
        seen: set[FunctionInfo] = set()
        level, group = [owner], self._group(owner.module)
        for _ in range(MOST_LEVELS):
            level = [derived for current in level for derived in self._derived.get((group, current.name), ())]
            for derived in level:
                method = derived.methods.get(name)
                if method is None or method.is_abstract or method in seen:
                    continue
                seen.add(method)
                if is_interesting(method, self._around):
                    yield derived, method

    def callers(self, info: FunctionInfo) -> list[FunctionInfo]:
        """Functions that call something of this name and whose module has it, or imports it or its module.

        A method can be called where its class is not imported: there any caller counts, unless the name is too common
        to say anything, or classes that have nothing to do with each other bear it.
        """
        if info not in self._found:
            self._found[info] = self._callers_of(info)
        return self._found[info]

    def _callers_of(self, info: FunctionInfo) -> list[FunctionInfo]:
        name = _called_as(info)
        if name.startswith("__") and name.endswith("__"):
            return []
        grouped = self._group(info.module), name
        found = self._callers.get(grouped, [])
        if info.owner is not None and len(found) <= MAX_CALLERS and len(self._bearers[grouped]) <= MOST_BEARERS:
            return found
        owners = [info.owner.name, *self._bases(info.owner)] if info.owner is not None else []
        steps = info.module.dotted.split(".")
        reaching = {info.module}
        for module in {caller.module for caller in found}:
            # A package that both lie in is named by nearly every module of it: that says nothing.
            pairs = zip(steps, module.dotted.split("."), strict=False)
            shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
            if not module.imported.isdisjoint((*steps[shared:], name, *owners)):
                reaching.add(module)
        return [caller for caller in found if caller.module in reaching]

    def _bases(self, owner: ClassInfo) -> list[str]:
        """Names of the classes that a class extends, and of those that these do."""
        names: dict[str, bool] = {}
        frontier, group = [owner], self._group(owner.module)
        for _ in range(MOST_BASES):
            bases = [base for derived in frontier for base in derived.base_names if base not in names]
            names.update(dict.fromkeys(bases, True))
            frontier = [known for base in bases for known in self._named.get((group, base), ())]
        return list(names)

    def names_text(self, info: FunctionInfo) -> bool:
        """Whether a function names a constant with a long text, of any module."""
        return bool(_texts_named(info, self._around.texts))

    def talks_to_models(self, module: ModuleInfo) -> bool:
        """Whether a module imports what can send a prompt."""
        return bool(self._around.talks_to(module))

    def fills_requests(self, info: FunctionInfo) -> bool:
        """Whether a function puts text into an object's prompt, or messages in front of those of a request: what it
        holds at its end is a prompt by itself."""
        return any(map(_sets_prompt, info.own_nodes.of(ast.Attribute))) or _fills_messages(info)

    def takes_part(self, info: FunctionInfo, but: str) -> bool:
        """Whether a function that calls ``but`` could make a prompt of what that gives: it also calls something that
        sends or has to do with prompts, or makes an object that does, or speaks of them."""
        if self.is_silent:
            return False  # Of what it makes nothing is sent.
        called = called_names(info) - {but}
        if not called.isdisjoint(call_names().sending) or not called.isdisjoint(self._telling):
            return True
        return self.names_text(info) or any(map(is_prompt_name, called)) or _speaks(info)

    def entrances(self, modules: Iterable[ModuleInfo]) -> dict[str, frozenset[str]]:
        """Names under which functions that lead to a prompt are called, with the last names of their modules.

        Those of interesting functions with parameters, and of the functions that call them.
        """
        leading = self.leading(self.interesting, 1)
        out: dict[str, set[str]] = defaultdict(set)
        for module in modules:
            stem = module.dotted.rpartition(".")[2]
            for info in module.functions:
                if info not in leading or not info.parameters:
                    continue
                name = _called_as(info)
                if not name.startswith("__"):
                    out[name].add(stem)
        return {name: frozenset(stems) for name, stems in out.items()}

    def makers(self) -> list[FunctionInfo]:
        """Functions that give back an object of one of several classes that send prompts: ``get_client(provider)``."""
        named: dict[str, set[str]] = defaultdict(set)
        for info in self.interesting:
            if info.owner is not None:
                named[self._group(info.module)].add(info.owner.name)
        makers: dict[FunctionInfo, None] = {}
        for group, names in named.items():
            infos = dict.fromkeys(info for name in names for info in self._callers.get((group, name), ()))
            makers.update((info, None) for info in infos if len(names & _given_back(info)) > 1)
        return list(makers)

    def leading(self, functions: Iterable[FunctionInfo], hops: int) -> frozenset[FunctionInfo]:
        """These functions and those that lead to them within ``hops`` calls."""
        frontier = list(functions)
        found = set(frontier)
        for _ in range(hops):
            frontier = list(dict.fromkeys(c for info in frontier for c in self.callers(info) if c not in found))
            found.update(frontier)
        return frozenset(found)
