"""CrewAI: ``agents.yaml`` (role, goal, backstory) and ``tasks.yaml`` (description, expected_output).

Source: CrewAI documentation, "Agents" and "Tasks", read 2026-11. The engine sees role, backstory and goal as the system
text, then the task. Only ``{name}`` is live; other braces are text.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.facts import named
from prefixlint.frontends.promptfiles.mapping import cut, span_of
from prefixlint.frontends.promptfiles.roles import block
from prefixlint.frontends.promptfiles.yaml_source import Mapping_, Scalar, documents
from prefixlint.model.segments import Segment, Text, merge_text

if TYPE_CHECKING:
    from prefixlint.frontends.promptfiles.formats.common import Found
    from prefixlint.frontends.promptfiles.yaml_source import Node
    from prefixlint.model.templates import Block

_PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_\-]*)\}")


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
        held = [part for key in ("description", "expected_output") for part in _segments(task.get(key))]
        found.add("crewai", name, [*blocks, block("user", held, task.span)] if held else [], task.span)
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
    held = merge_text(out)
    if held and isinstance(held[-1], Text) and not held[-1].text.endswith("\n"):
        held = (*held, Text("\n", node.file.span(node.end, node.end)))
    return held


def _agent(agent: Mapping_) -> Block | None:
    held = [part for key in ("role", "backstory", "goal") for part in _segments(agent.get(key))]
    return block("system", held, agent.span)
