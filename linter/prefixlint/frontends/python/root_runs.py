"""Runs single roots: a function with its parameters open, or a module's own statements."""

from __future__ import annotations

import ast
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from prefixlint.frontends.python.filled_nearby import filled_nearby
from prefixlint.frontends.python.frames import Frame, OutOfSteps
from prefixlint.frontends.python.held import held_prompts
from prefixlint.frontends.python.interest import is_interesting_body
from prefixlint.frontends.python.material import is_material, sets_material
from prefixlint.frontends.python.own_nodes import bound_by
from prefixlint.frontends.python.prompt_text import (
    MINIMUM_CHARACTERS,
    is_prompt_name,
    keeps_prompts,
    looks_like_prompt,
    pairs,
)
from prefixlint.frontends.python.state import State
from prefixlint.frontends.python.values import NONE, Class, DictThing, ObjectThing, Ref, Str
from prefixlint.model.lifetimes import Confidence, HopKind, Lifetime
from prefixlint.model.segments import Choice, Value, walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence, Set

    from prefixlint.frontends.python.interpreter import Interpreter
    from prefixlint.frontends.python.modules import ClassInfo, FunctionInfo, ModuleInfo
    from prefixlint.frontends.python.values import Val
    from prefixlint.model.templates import Template


_DEEPEST = 3
"""Dictionaries and objects in one another in which texts are looked for."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of running one function: whether it ``sent`` a prompt, which a text that it only gives back is none of,
    whether a caller decides over a value of one (``open``), and whether it gives what a caller could make one of
    (``useful``)."""

    sent: bool
    open: bool
    useful: bool


def run_function(interpreter: Interpreter, info: FunctionInfo) -> Outcome:
    """Runs a function, a method once for each class that it may be one of; what it sends is in ``emissions`` then."""
    interpreter.reads_given = False
    before = len(interpreter.emissions)
    came = [_function_templates(interpreter, info, owner) for owner in interpreter.owners(info)]
    found = interpreter.emissions[before:]
    is_open = interpreter.reads_given or _are_open([emission.template for emission in found], info)
    # What is made once around a function, and how often that calls it, the function around it shows.
    is_open = is_open or (bool(found) and info in info.module.enclosing)
    return Outcome(any(sent for _, sent in came), is_open, any(useful for useful, _ in came))


def _function_templates(interpreter: Interpreter, info: FunctionInfo, of: ClassInfo | None) -> tuple[bool, bool]:
    """Emits what one function sends, returns or holds, a method as one of class ``of``; says whether it knows a sink,
    hands text to something it was given, or gives back what a prompt could be made of; then whether it has sent one, or
    holds one that is no text."""
    before = len(interpreter.emissions)
    around = interpreter.lookup.enclosing.variables(info)
    frame = Frame(info.module, info, State({}), stack=(info,), closure=around)
    if info.name == "__init__":
        frame.moment = Lifetime.SESSION
    interpreter.steps = 0
    interpreter.promising = interpreter.cut_short = False
    interpreter.uncut.clear()
    covered = set(interpreter.ledger.covered)
    useful = False
    sent: int | None = None
    owner: Val | None = None
    thing: object = None
    assert frame.state is not None
    try:
        if of is not None and "staticmethod" not in info.decorators:
            owner = Class(of) if "classmethod" in info.decorators else interpreter.lookup.instance(of, frame)
            thing = interpreter.thing(owner, frame)
        result = interpreter.run_root(info, frame, owner)
        sent = len(interpreter.emissions)
        held_prompts(interpreter, info, frame, result)
        useful = interpreter.cut_short or is_material(interpreter, result, frame)
        if not interpreter.cut_short:
            interpreter.ledger.followed.add(info)
        elif len(interpreter.emissions) == before:
            interpreter.ledger.cut_off[info] = None
    except OutOfSteps:
        useful = True
        # What it was in the middle of, or went through, may come to more by itself.
        interpreter.ledger.covered = covered
        interpreter.steps = 0
        interpreter.forget_silence()
        if frame.state is not None:
            with suppress(OutOfSteps):
                held_prompts(interpreter, info, frame, NONE)
        interpreter.note_bound(before)
        if len(interpreter.emissions) == before:
            interpreter.ledger.cut_off[info] = None
    if not useful and isinstance(owner, Ref) and isinstance(thing, ObjectThing):
        with suppress(OutOfSteps):
            useful = sets_material(interpreter, owner, thing, frame)
    texts = () if sent is None or sent > before else interpreter.emissions[before:]
    only_text = bool(texts) and all(emission.rank == 1 and len(emission.template.blocks) == 1 for emission in texts)
    return useful or interpreter.promising, len(interpreter.emissions) > before and not only_text


def _are_open(templates: Sequence[Template], info: FunctionInfo) -> bool:
    """Whether a caller of the function, or who made the object that it is a method of, decides over a value of one of
    the templates: a parameter, a part of one, or an item."""
    if not templates:
        return False
    made = info.owner.methods.get("__init__") if info.owner is not None else None
    names = {*info.all_parameters, *(() if made is None else made.all_parameters)} - {"self", "cls"}
    items = _items_of(names, info)
    return any(
        segment.name in names or not (names | items).isdisjoint(_roots(segment)) or _is_item(segment, items)
        for template in templates
        for block in template.blocks
        for segment in walk(block.segments)
        if isinstance(segment, Value)
    )


def _items_of(names: Set[str], info: FunctionInfo) -> frozenset[str]:
    """Variables of loops and comprehensions over what one of these names tells: ``row`` of ``enumerate(rows)``."""
    nodes = info.own_nodes
    return frozenset(
        node.id
        for loop in (*nodes.loops(), *nodes.of(ast.comprehension))
        if any(isinstance(each, ast.Name) and each.id in names for each in ast.walk(loop.iter))
        for node in ast.walk(loop.target)
        if isinstance(node, ast.Name)
    )


def _is_item(value: Value, items: Set[str]) -> bool:
    return value.expression in items and not value.lifetime.known


_ROOT = re.compile(r"([A-Za-z_]\w*)[.\[]")


def _roots(value: Value) -> Iterator[str]:
    """First names of the attributes and items that a value came from: ``row`` of ``row["text"]``.

    Of one that is known to vary no caller can say more.
    """
    if value.confidence is Confidence.CERTAIN or value.lifetime.varies:
        return
    for text in (value.expression, *(hop.expression for hop in value.origin.hops if hop.kind is not HopKind.PART)):
        match = _ROOT.match(text)
        if match is not None:
            yield match[1]


def run_module(interpreter: Interpreter, module: ModuleInfo) -> None:
    """Emits the templates that a module builds at import, and its constants with open placeholders."""
    before = len(interpreter.emissions)
    interpreter.steps = 0
    interpreter.uncut.clear()
    environment = interpreter.lookup.environment(module)
    frame = Frame(module, None, State({}), moment=Lifetime.PROCESS)
    assert frame.state is not None
    frame.state.variables = dict(environment)
    if is_interesting_body(module):
        running = Frame(module, None, State({}), moment=Lifetime.PROCESS)
        interpreter.as_script = True
        try:
            interpreter.statements.run_block(module.tree.body, running)
        except OutOfSteps:
            interpreter.note_bound(before)
        finally:
            interpreter.as_script = False
    interpreter.steps = 0
    with suppress(OutOfSteps):
        _constant_templates(interpreter, module, environment, frame)


def _constant_templates(
    interpreter: Interpreter, module: ModuleInfo, environment: Mapping[str, Val], frame: Frame
) -> None:
    texts: dict[str, tuple[Str, ast.expr]] = {}
    for name, node in _constants(module):
        value = environment.get(name)
        if value is None and name in module.classes:
            continue
        if isinstance(value, Str):
            texts[name] = value, node
        if value is not None:
            for held, text in _held_texts(interpreter, name, value, frame):
                _constant(interpreter, held, text, node, frame)
    for system, user in pairs(texts):
        _pair(interpreter, {name: texts[name] for name in (system, user)}, frame)
    for info in module.classes.values():
        for name, expression in info.attributes.items():
            if expression is None or not (_says_prompt(name, info) or _is_long(expression)):
                continue
            found = interpreter.lookup.class_attribute(info, name)
            for held, text in () if found is None else _held_texts(interpreter, name, found, frame):
                _constant(interpreter, held, text, expression, frame, info)


def _held_texts(
    interpreter: Interpreter, name: str, value: Val, frame: Frame, depth: int = _DEEPEST
) -> Iterator[tuple[str, Str]]:
    """A text, those between which something decides, or those that a dictionary or an object of the project holds, each
    with the names that lead to it."""
    if isinstance(value, Str):
        only = value.segments[0] if len(value.segments) == 1 else None
        for arm in only.arms if isinstance(only, Choice) else (value.segments,):
            yield name, Str(arm)
        return
    thing = interpreter.thing(value, frame) if depth > 0 else None
    if isinstance(thing, DictThing | ObjectThing):
        held = thing.entries if isinstance(thing, DictThing) else thing.attributes.items()
        for key, inner in held:
            yield from _held_texts(interpreter, f"{name}_{key}", inner, frame, depth - 1)


def _is_long(node: ast.expr) -> bool:
    """Whether a text as long as prompts are stands in an expression."""
    texts = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
    return any(isinstance(text, str) and len(text) >= MINIMUM_CHARACTERS for text in texts)


def _says_prompt(name: str, info: ClassInfo) -> bool:
    """Whether the name of an attribute, its class or one that this extends, or the place of the file says that it is a
    prompt."""
    return any(map(is_prompt_name, (name + info.name, *info.base_names))) or keeps_prompts(info.module.path)


def _constant(
    interpreter: Interpreter, name: str, value: Str, node: ast.expr, frame: Frame, of: ClassInfo | None = None
) -> None:
    """A constant, of the module or ``of`` a class: with its placeholders open where it reads like a prompt and has
    any."""
    names = (name,) if of is None else (name, "_".join((*of.base_names, of.name, name)))
    told = next((each for each in names if looks_like_prompt(each, value.segments)), None)
    if told is None:
        return
    around = [frame.module] if of is None else [info.module for info in interpreter.lookup.ancestry(of)]
    for module in around:
        module.looked_into()
    segments = filled_nearby(interpreter.calls.prompts.opened(value.segments, frame, around), frame.module)
    if any(isinstance(s, Value) for s in walk(segments)):
        emitted = len(interpreter.emissions)
        interpreter.calls.requests.candidate(Str(segments), told, node, frame, constant=True)
        for index in range(emitted, len(interpreter.emissions)):
            old = interpreter.emissions[index]
            interpreter.emissions[index] = replace(old, template=replace(old.template, name=name))


def _pair(interpreter: Interpreter, texts: Mapping[str, tuple[Str, ast.expr]], frame: Frame) -> None:
    """A system text and the user text of the same name beside it: one prompt, where both are sent by what is not
    followed."""
    if not any(looks_like_prompt(name, value.segments) for name, (value, _) in texts.items()):
        return
    opened = interpreter.calls.prompts.opened
    emitted = len(interpreter.emissions)
    interpreter.calls.requests.constants(
        {name: (opened(value.segments, frame), node) for name, (value, node) in texts.items()}, frame
    )
    for index in range(emitted, len(interpreter.emissions)):
        old = interpreter.emissions[index]
        interpreter.emissions[index] = replace(old, template=replace(old.template, name=next(iter(texts))))


def _constants(module: ModuleInfo) -> list[tuple[str, ast.expr]]:
    """Names assigned at the top level, with the assigned expression."""
    out: list[tuple[str, ast.expr]] = []
    for node in module.outline.body:
        out.extend((target.id, value) for target, value in bound_by(node) if isinstance(target, ast.Name))
    return out
