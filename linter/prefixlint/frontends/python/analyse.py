"""The Python front end's way from files to templates."""

from __future__ import annotations

import ast
import gc
import re
import sys
import traceback
from collections import Counter, defaultdict
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.introductions import by_introductions
from prefixlint.frontends.python.calling_files import no_others
from prefixlint.frontends.python.frames import Bounds, Emission, Frame, OutOfSteps
from prefixlint.frontends.python.handlers import Handlers
from prefixlint.frontends.python.held import held_prompts
from prefixlint.frontends.python.interest import CallGraph, is_interesting_body
from prefixlint.frontends.python.interpreter import Interpreter
from prefixlint.frontends.python.material import is_material, sets_material
from prefixlint.frontends.python.merge import merged
from prefixlint.frontends.python.modules import Project
from prefixlint.frontends.python.prompt_text import is_prompt_name, looks_like_prompt
from prefixlint.frontends.python.roots import CALLER_HOPS, Outcome, Roots
from prefixlint.frontends.python.state import State
from prefixlint.frontends.python.syntax_versions import written_for
from prefixlint.frontends.python.values import NONE, Class, ObjectThing, Ref, Str
from prefixlint.model.lifetimes import Confidence, Lifetime
from prefixlint.model.segments import Value, walk
from prefixlint.model.sources import Position
from prefixlint.model.templates import Extraction, Fault, Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from prefixlint.frontends.python.calling_files import Others
    from prefixlint.frontends.python.modules import ClassInfo, FunctionInfo, ModuleInfo
    from prefixlint.frontends.python.values import Val
    from prefixlint.model.sources import SourceFile
    from prefixlint.model.templates import Template


RECURSION_LIMIT = 12_000


def analyse(
    files: Sequence[SourceFile],
    read: Callable[[str], SourceFile | None],
    others: Others = no_others,
    bounds: Bounds = Bounds(),
) -> Mapping[str, Extraction]:
    """Templates of Python files, by the path of the file that builds or holds them.

    ``read(path)`` gives another file of the project (an imported module, a prompt file) by its path relative to the
    root of the run, or None. ``others(calls)`` gives the files of the run that are not among ``files`` and call one of
    these functions (see ``Others``): the callers of a wrapper need not mention prompts themselves. A file that cannot
    be parsed gives a ``Problem``; nothing is ever executed or imported.
    """
    with _deep_and_undisturbed():
        return _analyse(files, read, others, bounds)


@contextmanager
def _deep_and_undisturbed() -> Iterator[None]:
    """Room for deep calls, and no search for garbage.

    Calls are followed by calls of the interpreter's own, a dozen frames for each: the default limit is soon reached.
    All syntax trees live to the end, and looking through them for garbage took a fifth of the time.
    """
    limit = sys.getrecursionlimit()
    collecting = gc.isenabled()
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    gc.disable()
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        if collecting:
            gc.enable()


def _analyse(
    files: Sequence[SourceFile], read: Callable[[str], SourceFile | None], others: Others, bounds: Bounds
) -> Mapping[str, Extraction]:
    project = Project(read)
    for file in files:
        project.add(file)
    modules = [module for file in files if (module := project.module(file.path)) is not None]
    graph = CallGraph(modules)
    for _ in range(CALLER_HOPS):
        # Callers of wrappers in files that mention no prompt; then the callers of these.
        more = [file for file in others(graph.entrances(modules)) if project.is_new(file)]
        for file in more:
            project.add(file)
        before = len(modules)
        modules.extend(module for file in more if (module := project.module(file.path)) is not None)
        if len(modules) == before:
            break
        graph = CallGraph(modules)
    interpreter = Interpreter(project, bounds)
    interpreter.handlers = Handlers(modules)
    interpreter.graph = graph
    interpreter.index([info for module in modules for info in module.functions])
    emissions: list[Emission] = []
    problems: dict[str, list[Problem]] = defaultdict(list)
    faults: dict[str, list[Fault]] = defaultdict(list)

    spent: Counter[str] = Counter()
    left_out: dict[str, list[FunctionInfo]] = defaultdict(list)

    def run(info: FunctionInfo) -> Outcome | None:
        interpreter.reads_given = False
        if spent[info.module.path] > bounds.steps_of_file:
            left_out[info.module.path].append(info)
            return None
        before = interpreter.total
        try:
            runs = [_function_templates(interpreter, info, owner) for owner in graph.owners(info)]
        except RecursionError:
            interpreter.forget_silence()
            problems[info.module.path].append(_unfollowed(info, "it is nested too deeply"))
            return None
        except Exception as error:
            interpreter.forget_silence()
            faults[info.module.path].append(_fault(f"{info.module.path}:{info.node.lineno}:{info.name}", error))
            return None
        finally:
            spent[info.module.path] += interpreter.total - before
        found = [emission for sent, _ in runs for emission in sent]
        emissions.extend(found)
        is_open = interpreter.reads_given or any(_is_open(emission.template, info) for emission in found)
        return Outcome(bool(found), is_open, any(useful for _, useful in runs))

    interpreter.relevant = graph.leading(graph.interesting, CALLER_HOPS)
    for module in modules:
        try:
            emissions.extend(_module_templates(interpreter, module))
        except RecursionError:
            interpreter.forget_silence()
            problems[module.path].append(Problem(module.path, Position(1, 1), "nested too deeply to follow"))
        except Exception as error:
            interpreter.forget_silence()
            faults[module.path].append(_fault(module.path, error))
    Roots(interpreter, graph, run).follow()
    for path, infos in left_out.items():
        first = min(infos, key=lambda info: info.node.lineno)
        problems[path].append(_unfollowed(first, _takes_long(len(infos) - 1)))
    candidates = {info.node for info in graph.interesting} - interpreter.covered - interpreter.followed
    for info in interpreter.cut_off.values():
        if info.node in candidates:
            problems[info.module.path].append(
                _unfollowed(info, "it takes more steps than the analysis makes", minor=True)
            )
    for path, (message, line, column) in project.errors.items():
        source = next((file for file in files if file.path == path), None)
        if source is not None and not _makes_code(source, line):
            text = _line(source, line)
            # Behind a string of several lines the parser counts from its first one.
            place = Position(line, min(max(column, 1), len(text.rstrip("\r\n")) + 1))
            problems[path].append(Problem(path, place, _not_valid(message, text)))
    templates: dict[str, list[Template]] = defaultdict(list)
    for template in merged(emissions):
        templates[template.span.path].append(by_introductions(template))
    paths = dict.fromkeys([*(file.path for file in files), *templates, *problems, *faults])
    return {
        path: Extraction(tuple(templates.get(path, ())), tuple(problems.get(path, ())), tuple(faults.get(path, ())))
        for path in paths
    }


def _fault(where: str, error: Exception) -> Fault:
    return Fault(where, f"{type(error).__name__}: {error}", "".join(traceback.format_exception(error)))


def _makes_code(file: SourceFile, line: int) -> bool:
    """True for a template that Python is made of (cookiecutter, copier): its tags are what does not parse."""
    return any(mark in name for mark in ("{%", "{{") for name in (file.path, _line(file, line)))


def _line(file: SourceFile, number: int) -> str:
    starts = file.line_starts
    if number > len(starts):
        return ""
    return file.text[starts[number - 1] : starts[number] if number < len(starts) else None]


def _not_valid(message: str, line: str) -> str:
    running = ".".join(str(part) for part in sys.version_info[:2])
    version = written_for(line)
    if version == "Python 2":
        way_out = "this looks like Python 2, which prefixlint does not read: convert the file, or exclude it"
    elif version:
        way_out = f"this looks like {version}: run prefixlint with that"
    else:
        way_out = "if the file is for a newer Python, run prefixlint with that one"
    return f"not valid Python {running}: {message} ({way_out})"


def _is_open(template: Template, info: FunctionInfo) -> bool:
    """Whether a caller of the function, or who made the object that it is a method of, decides over a value of the
    template: a parameter, or a part of one."""
    made = info.owner.methods.get("__init__") if info.owner is not None else None
    names = {*_parameters(info), *(() if made is None else _parameters(made))} - {"self", "cls"}
    return any(
        segment.name in names or not names.isdisjoint(_roots(segment))
        for block in template.blocks
        for segment in walk(block.segments)
        if isinstance(segment, Value)
    )


_ROOT = re.compile(r"`?([A-Za-z_]\w*)[.\[]")


def _roots(value: Value) -> Iterator[str]:
    """First names of the attributes and items that a value came from: ``row`` of ``row["text"]``.

    Of one that is known to vary no caller can say more.
    """
    if value.confidence is Confidence.CERTAIN or value.lifetime.varies:
        return
    for text in (value.expression, *(hop.note for hop in value.origin.hops)):
        match = _ROOT.match(text)
        if match is not None:
            yield match[1]


def _parameters(info: FunctionInfo) -> Iterator[str]:
    arguments = info.node.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        yield argument.arg
    yield from (star.arg for star in (arguments.vararg, arguments.kwarg) if star is not None)


def _unfollowed(info: FunctionInfo, reason: str, *, minor: bool = False) -> Problem:
    place = Position(info.node.lineno, info.node.col_offset + 1)
    end = "put what builds a prompt into a function of its own" if minor else "its prompts are not checked"
    message = f"`{info.name}()` could not be followed{' to its end' if minor else ''}: {reason}; {end}"
    return Problem(info.module.path, place, message, minor)


def _takes_long(others: int) -> str:
    more = f", nor could {others:,} other function{'s' if others > 1 else ''} of the file" if others else ""
    return f"the file takes too many steps{more} (split it, or exclude it)"


def _function_templates(
    interpreter: Interpreter, info: FunctionInfo, of: ClassInfo | None
) -> tuple[list[Emission], bool]:
    """Templates that one function sends, returns or holds, a method as one of class ``of``; and whether it knows a
    sink, hands text to something it was given, or gives back what a prompt could be made of."""
    before = len(interpreter.emissions)
    frame = Frame(info.module, info, State({}), stack=(info.node,))
    if info.name == "__init__":
        frame.moment = Lifetime.SESSION
    interpreter.steps = 0
    interpreter.promising = False
    covered = set(interpreter.covered)
    useful = False
    owner: Val | None = None
    thing: object = None
    assert frame.state is not None
    try:
        if of is not None and "staticmethod" not in info.decorators:
            owner = Class(of) if "classmethod" in info.decorators else interpreter.lookup.instance(of, frame)
            thing = interpreter.thing(owner, frame)
        result = interpreter.run_root(info, frame, owner)
        held_prompts(interpreter, info, frame, result)
        useful = is_material(interpreter, result, frame)
        interpreter.followed.add(info.node)
    except OutOfSteps:
        useful = True
        # What it was in the middle of, or went through, may come to more by itself.
        interpreter.covered = covered
        interpreter.steps = 0
        interpreter.forget_silence()
        if frame.state is not None:
            with suppress(OutOfSteps):
                held_prompts(interpreter, info, frame, NONE)
        interpreter.note_bound(before)
        if len(interpreter.emissions) == before:
            interpreter.cut_off[info.node] = info
    if isinstance(owner, Ref) and isinstance(thing, ObjectThing):
        useful = useful or sets_material(interpreter, owner, thing, frame)
    return interpreter.emissions[before:], useful or interpreter.promising


def _module_templates(interpreter: Interpreter, module: ModuleInfo) -> list[Emission]:
    """Templates that a module builds at import, and constants with open placeholders."""
    before = len(interpreter.emissions)
    interpreter.steps = 0
    environment = interpreter.lookup.environment(module)
    frame = Frame(module, None, State({}), moment=Lifetime.PROCESS)
    assert frame.state is not None
    frame.state.variables = dict(environment)
    if is_interesting_body(module):
        running = Frame(module, None, State({}), moment=Lifetime.PROCESS)
        interpreter.as_script = True
        try:
            interpreter.run_block(module.tree.body, running)
        except OutOfSteps:
            interpreter.note_bound(before)
        finally:
            interpreter.as_script = False
    interpreter.steps = 0
    with suppress(OutOfSteps):
        _constant_templates(interpreter, module, environment, frame)
    return interpreter.emissions[before:]


def _constant_templates(
    interpreter: Interpreter, module: ModuleInfo, environment: Mapping[str, Val], frame: Frame
) -> None:
    for name, node in _constants(module):
        value = environment.get(name)
        if value is None and name in module.classes:
            continue
        if isinstance(value, Str):
            _constant(interpreter, name, value, node, frame)
    for info in module.classes.values():
        for name, expression in info.attributes.items():
            if expression is None or not is_prompt_name(name + info.name):
                continue
            found = interpreter.lookup.class_attribute(info, name)
            if isinstance(found, Str):
                _constant(interpreter, name, found, expression, frame)


def _constant(interpreter: Interpreter, name: str, value: Str, node: ast.expr, frame: Frame) -> None:
    """A constant: with its placeholders open where it reads like a prompt and has any."""
    if looks_like_prompt(name, value.segments) is None:
        return
    segments = interpreter.calls.prompts.parse(value.segments, "format", frame)
    if not any(isinstance(s, Value) for s in segments):
        segments = value.segments
    if any(isinstance(s, Value) for s in walk(segments)):
        emitted = len(interpreter.emissions)
        interpreter.calls.requests.candidate(Str(segments), name, node, frame)
        for index in range(emitted, len(interpreter.emissions)):
            old = interpreter.emissions[index]
            template = replace(old.template, form="prompt-constant", name=name)
            interpreter.emissions[index] = replace(old, template=template, rank=0)


def _constants(module: ModuleInfo) -> list[tuple[str, ast.expr]]:
    """Names assigned at the top level, with the assigned expression."""
    out: list[tuple[str, ast.expr]] = []
    for node in module.tree.body:
        if isinstance(node, ast.Assign):
            out.extend((t.id, node.value) for t in node.targets if isinstance(t, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            out.append((node.target.id, node.value))
    return out
