"""The Python front end's way from files to templates."""

from __future__ import annotations

import gc
import sys
from collections import defaultdict
from contextlib import contextmanager
from typing import TYPE_CHECKING

from prefixlint.frontends.companions import by_companions
from prefixlint.frontends.introductions import by_introductions
from prefixlint.frontends.python.batches import fault_of
from prefixlint.frontends.python.calling_files import named_nowhere, no_others
from prefixlint.frontends.python.distributions import Distributions
from prefixlint.frontends.python.fill_sites import FillSites
from prefixlint.frontends.python.frames import Bounds
from prefixlint.frontends.python.given_back import shortened_conversations
from prefixlint.frontends.python.handlers import Handlers
from prefixlint.frontends.python.interest import CallGraph
from prefixlint.frontends.python.interpreter import Interpreter
from prefixlint.frontends.python.memory import Recollection
from prefixlint.frontends.python.merge import drifts, merged
from prefixlint.frontends.python.problems import left_out, not_parsed, unfollowed
from prefixlint.frontends.python.project import Project
from prefixlint.frontends.python.root_runs import run_module
from prefixlint.frontends.python.roots import CALLER_HOPS, Roots
from prefixlint.frontends.python.unsent import unsent_conversations
from prefixlint.frontends.python.unused import Unused
from prefixlint.frontends.python.workers import run_batches
from prefixlint.model.sources import Position
from prefixlint.model.templates import Extraction, Fault, Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from prefixlint.frontends.python.batches import Batch, Result
    from prefixlint.frontends.python.calling_files import Others
    from prefixlint.frontends.python.memory import Memory
    from prefixlint.frontends.python.modules import FunctionInfo, ModuleInfo
    from prefixlint.model.sources import SourceFile
    from prefixlint.model.templates import Template


RECURSION_LIMIT = 12_000


def analyse(
    files: Sequence[SourceFile],
    read: Callable[[str], SourceFile | None],
    others: Others = no_others,
    bounds: Bounds = Bounds(),
    jobs: int = 1,
    memory: Memory | None = None,
    named: Callable[[str], bool] = named_nowhere,
) -> Mapping[str, Extraction]:
    """Templates of Python files, by the path of the file that builds or holds them.

    ``read(path)`` gives another file of the project (an imported module, a prompt file) by its path relative to the
    root of the run, or None. ``others(calls)`` gives the files of the run that are not among ``files`` and call one of
    these functions (see ``Others``): the callers of a wrapper need not mention prompts themselves. ``named(name)`` says
    whether one of those files has a name in it. A file that cannot
    be parsed gives a ``Problem``; nothing is ever executed or imported. A long run is shared among ``jobs`` processes,
    which changes nothing of what is found; what an earlier run
    left in ``memory`` is used again where it still holds.
    """
    with _deep_and_undisturbed():
        return _analyse(files, read, others, named, bounds, jobs, memory)


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
    files: Sequence[SourceFile],
    read: Callable[[str], SourceFile | None],
    others: Others,
    named: Callable[[str], bool],
    bounds: Bounds,
    jobs: int,
    memory: Memory | None,
) -> Mapping[str, Extraction]:
    project = Project(read)
    project.trees.room = bounds.room_beside(sum(len(file.text) for file in files))
    for file in files:
        project.add(file)
    modules, graph = _with_callers(files, others, project)
    interpreter = Interpreter(project, bounds)
    interpreter.handlers = Handlers(modules)
    interpreter.graph = graph
    interpreter.index([info for module in modules for info in module.functions])
    hops = 0 if graph.is_silent else CALLER_HOPS
    interpreter.relevant = graph.leading(graph.interesting, hops) | graph.leading(graph.makers(), 0)
    problems: dict[str, list[Problem]] = defaultdict(list)
    faults: dict[str, list[Fault]] = defaultdict(list)
    left: dict[str, list[FunctionInfo]] = defaultdict(list)
    for module in modules:
        try:
            run_module(interpreter, module)
        except RecursionError:
            interpreter.forget_silence()
            problems[module.path].append(Problem(module.path, Position(1, 1), "nested too deeply to follow"))
        except Exception as error:
            interpreter.forget_silence()
            faults[module.path].append(fault_of(module.path, error))
    emissions = interpreter.emissions[:]

    recollection = Recollection(None if memory is None else memory.load())
    recollection.begin(interpreter)

    def run(batches: Sequence[Batch]) -> Sequence[Result]:
        known = [recollection.recall(batch, interpreter) for batch in batches]
        anew = iter(run_batches([b for b, r in zip(batches, known, strict=True) if r is None], interpreter, jobs))
        results = [next(anew) if result is None else result for result in known]
        for batch, result, old in zip(batches, results, known, strict=True):
            if memory is not None and old is None:
                recollection.keep(batch, result, interpreter)
            emissions.extend(result.emissions)
            faults[batch.path].extend(result.faults)
            left[batch.path].extend(result.left_out)
            problems[batch.path].extend(unfollowed(info, "it is nested too deeply") for info in result.too_deep)
            interpreter.ledger.add(result.added)
        return results

    Roots(graph, run).follow()
    if memory is not None:
        memory.save(recollection.data(interpreter))
    emitted = len(interpreter.emissions)
    cut = {place for emission in emissions for place in drifts(emission.template)}
    shortened_conversations(interpreter, cut)
    unsent_conversations(interpreter, cut)
    emissions.extend(interpreter.emissions[emitted:])
    templates: dict[str, list[Template]] = defaultdict(list)
    unused, fill_sites = Unused(modules, named), FillSites(modules)
    for template in merged(emissions):
        judged = fill_sites.judged(unused.judged(template))
        templates[template.span.path].append(by_companions(by_introductions(judged)))
    for path, infos in left.items():
        if infos:
            sends = bool(templates) or graph.talks_to_models(infos[0].module)
            problems[path].append(left_out(infos, minor=not sends))
    ledger = interpreter.ledger
    candidates = set(graph.interesting) - ledger.covered - ledger.followed
    for info in ledger.cut_off:
        if info in candidates:
            problems[info.module.path].append(
                unfollowed(info, "it takes more steps than the analysis makes", minor=True)
            )
    errors = project.errors
    interpreter.end()
    project.end()
    for file in files:
        told = errors.get(file.path)
        problem = None if told is None else not_parsed(file, *told)
        if problem is not None:
            problems[file.path].append(problem)
    paths = dict.fromkeys([*(file.path for file in files), *templates, *problems, *faults])
    return {
        path: Extraction(tuple(templates.get(path, ())), tuple(problems.get(path, ())), tuple(faults.get(path, ())))
        for path in paths
    }


def _with_callers(files: Sequence[SourceFile], others: Others, project: Project) -> tuple[list[ModuleInfo], CallGraph]:
    """The modules of the files, and those in which callers of their wrappers stand; who calls what in all of them."""
    modules: list[ModuleInfo] = []
    _add(files, modules, project)
    graph = CallGraph(modules, Distributions(modules, project).group)
    for _ in range(0 if graph.is_silent else CALLER_HOPS):
        # Callers of wrappers in files that mention no prompt; then the callers of these.
        more = [file for file in others(graph.entrances(modules)) if project.is_new(file)]
        for file in more:
            project.add(file)
        if not _add(more, modules, project):
            break
        graph = CallGraph(modules, Distributions(modules, project).group)
    return modules, graph


def _add(files: Sequence[SourceFile], modules: list[ModuleInfo], project: Project) -> bool:
    """Adds the modules of the files, and says whether there is one."""
    before = len(modules)
    for file in files:
        module = project.module(file.path)
        if module is not None:
            modules.append(module)
            project.trees.of_run.add(module)
    return len(modules) > before
