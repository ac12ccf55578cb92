"""CrewAI: ``agents.yaml`` (role, goal, backstory) and ``tasks.yaml`` (description, expected_output).

Source: CrewAI documentation, "Agents" and "Tasks", read 2026-11. The engine sees role, backstory and goal as the system
text, then the task, in the framework's own words (data: ``crewai.toml``). Only ``{name}`` is live; other braces are
text.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prefixlint import package_data
from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.facts import Facts, named
from prefixlint.frontends.promptfiles.mapping import cut, span_of
from prefixlint.frontends.promptfiles.roles import block
from prefixlint.frontends.promptfiles.yaml_source import Mapping_, Scalar, Sequence_, documents
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind, shortest
from prefixlint.model.segments import Segment, Text, Value, merge_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from prefixlint.frontends.promptfiles.formats.common import Found
    from prefixlint.frontends.promptfiles.yaml_source import Node
    from prefixlint.model.templates import Block

_PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_\-]*)\}")
_OTHERS = Facts(Lifetime.REQUEST, Origin(SourceKind.PARAMETER), Confidence.HIGH)
"""What other tasks have given: answers of a model."""


@cache
def _words() -> dict[str, str]:
    return package_data.table(__file__, "crewai.toml")


def read(found: Found, root: Mapping_) -> bool:
    agents = _holding(root, ("role", "goal", "backstory"))
    tasks = _holding(root, ("description", "expected_output"))
    if not agents and not tasks:
        return False
    for name, agent in agents.items():
        found.add("crewai", name, [_agent(agent)], agent.span)
    others = agents or _agents_beside(found)
    for name, task in tasks.items():
        doer = others.get(task.string("agent"))
        blocks = [_agent(doer)] if doer is not None else []
        found.add("crewai", name, [*blocks, _task(task, doer)], task.span)
    return True


def _holding(root: Mapping_, keys: tuple[str, ...]) -> dict[str, Mapping_]:
    """Entries that hold all of ``keys``, at the top or under ``agents:`` or ``tasks:``."""
    out: dict[str, Mapping_] = {}
    for holder in (root, root.get("agents"), root.get("tasks"), root.get("crew")):
        if isinstance(holder, Mapping_):
            for name, entry in holder.items():
                if isinstance(entry, Mapping_) and all(entry.string(key) for key in keys):
                    out.setdefault(name, entry)
    return out


def _agents_beside(found: Found) -> dict[str, Mapping_]:
    path = PurePosixPath(found.file.path)
    if found.read is None or not path.stem.endswith("tasks"):
        return {}
    source = found.read(str(path.with_name(path.name.replace("tasks", "agents"))))
    try:
        roots = documents(source) if source is not None else ()
    except PromptFileError:
        return {}
    return _holding(roots[0], ("role", "goal", "backstory")) if roots and isinstance(roots[0], Mapping_) else {}


def _segments(node: Node | None) -> tuple[Segment, ...]:
    if not isinstance(node, Scalar):
        return ()
    text = node.text()
    out: list[Segment] = []
    at = 0
    for match in _PLACEHOLDER.finditer(text.text):
        out.append(cut(text, at, match.start()))
        out.append(named(match.group(1)).value(match.group(1), span_of(text, match.start(), match.end())))
        at = match.end()
    out.append(cut(text, at, len(text.text)))
    return merge_text(out)


def _said(key: str, entry: Mapping_, given: Mapping[str, Sequence[Segment]]) -> list[Segment]:
    """The framework's words of this ``key`` with what is ``given`` in their places; the words stand where it does.

    Its last words live no longer than what is given: nothing can be put behind them.
    """
    words = _words()[key]
    place = entry.file.span(entry.start, entry.start)
    out: list[Segment] = []
    at = 0
    for match in _PLACEHOLDER.finditer(words):
        out += (Text(words[at : match.start()], place), *given[match.group(1)])
        last = out[-1]
        place = last.span() if isinstance(last, Text) else last.span
        at = match.end()
    values = (part for parts in given.values() for part in parts if isinstance(part, Value))
    lived = shortest(value.lifetime for value in values)
    return [*out, Text(words[at:], place, lived if lived.known else Lifetime.CONSTANT)]


def _agent(agent: Mapping_) -> Block | None:
    given = {key: _segments(agent.get(key)) for key in ("role", "backstory", "goal")}
    return block("system", _ended(_said("agent", agent, given)), agent.span)


def _task(task: Mapping_, doer: Mapping_ | None) -> Block | None:
    given = {key: _segments(task.get(key)) for key in ("description", "expected_output")}
    held: Sequence[Segment] = _said("input", task, given)
    context = task.get("context")
    if isinstance(context, Sequence_) and context.items:
        value = _OTHERS.value("context", context.span)
        held = _said("input_with_context", task, {"task": held, "context": (value,)})
    tools = any(_items(entry.get("tools")) for entry in (task, doer) if entry is not None)
    return block("user", _ended(_said("task" if tools else "task_without_tools", task, {"input": held})), task.span)


def _ended(segments: Sequence[Segment]) -> list[Segment]:
    """The same without white space at the end."""
    held = list(segments)
    while held and isinstance(last := held[-1], Text):
        kept = cut(last, 0, len(last.text.rstrip()))
        if kept.text:
            return [*held[:-1], kept]
        held.pop()
    return held


def _items(node: Node | None) -> bool:
    return isinstance(node, Sequence_) and bool(node.items)
