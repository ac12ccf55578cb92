"""ChatDev: phases of a company (``PhaseConfig.json`` with ``RoleConfig.json`` beside it), and agents of its workflows.

Source, read 2026-11: OpenBMB/ChatDev, chatdev/chat_chain.py, chatdev/phase.py, camel/agents/role_playing.py (version 1:
lines of a role are joined by one line break, lines of a phase by two; the role is the system text, the phase the first
message), and runtime/node/executor/agent_executor.py (version 2: ``role`` is the system text, ``${X}`` stands for a
variable of ``vars`` or of the environment).
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.facts import Facts
from prefixlint.frontends.promptfiles.formats import json_source
from prefixlint.frontends.promptfiles.formats.known import known
from prefixlint.frontends.promptfiles.mapping import cut, span_of
from prefixlint.frontends.promptfiles.roles import block
from prefixlint.frontends.promptfiles.yaml_source import Mapping_, Scalar, Sequence_, at_path
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Segment, Text

if TYPE_CHECKING:
    from prefixlint.frontends.promptfiles.formats.common import Found
    from prefixlint.frontends.promptfiles.yaml_source import Node
    from prefixlint.model.templates import Block

_VARIABLE = re.compile(r"\$\{([A-Za-z_]\w*)\}")
_ENVIRONMENT = Facts(Lifetime.DEPLOYMENT, Origin(SourceKind.ENVIRONMENT), Confidence.HIGH)
_ASKED = Facts(Lifetime.REQUEST, Origin(SourceKind.USER_INPUT), Confidence.HIGH)


def read(found: Found, root: Mapping_) -> bool:
    nodes = at_path(root, ("graph", "nodes"))
    if isinstance(nodes, Sequence_):
        return _workflow(found, root, nodes)
    phases = {name: node for name, node in root.items() if isinstance(node, Mapping_) and _is_phase(node)}
    if not phases:
        return False
    roles = _roles_beside(found)
    for name, phase in phases.items():
        system = roles.get(phase.string("assistant_role_name"))
        first = block("user", _lines(found, phase.get("phase_prompt"), "\n\n"), phase.span)
        found.add("chatdev", name, [_role(found, system), first], phase.span)
    return True


def _is_phase(node: Mapping_) -> bool:
    return isinstance(node.get("phase_prompt"), Sequence_) and bool(node.string("assistant_role_name"))


def _roles_beside(found: Found) -> dict[str, Node]:
    path = str(PurePosixPath(found.file.path).with_name("RoleConfig.json"))
    source = found.read(path) if found.read is not None else None
    try:
        roots = json_source.documents(source) if source is not None else ()
    except PromptFileError:
        return {}
    return dict(roots[0].items()) if roots and isinstance(roots[0], Mapping_) else {}


def _role(found: Found, node: Node | None) -> Block | None:
    return block("system", _lines(found, node, "\n"), node.span) if node is not None else None


def _lines(found: Found, node: Node | None, separator: str) -> list[Segment]:
    names = known("chatdev")
    out: list[Segment] = []
    for line in node.items if isinstance(node, Sequence_) else ():
        if not isinstance(line, Scalar):
            continue
        if out:
            out.append(Text(separator, line.file.span(line.start, line.start)))
        out += found.segments(line.text(), "format", names)
    return out


def _workflow(found: Found, root: Mapping_, nodes: Sequence_) -> bool:
    """Agents of a workflow; what they are asked comes behind the role."""
    agents = [node for node in nodes.items if isinstance(node, Mapping_) and node.string("type") == "agent"]
    if not any(isinstance(at_path(agent, ("config", "role")), Scalar) for agent in agents):
        return False
    held = root.get("vars")
    given = dict(held.items()) if isinstance(held, Mapping_) else {}
    for agent in agents:
        config = agent.get("config")
        role = config.get("role") if isinstance(config, Mapping_) else None
        if not isinstance(config, Mapping_) or not isinstance(role, Scalar) or not role.value.strip():
            continue
        asked = block("user", (_ASKED.value("input", role.span),), role.span)
        model = config.string("name")
        found.add(
            "chatdev",
            agent.string("id"),
            [block("system", _filled(role, given), role.span), asked],
            role.span,
            engine=config.string("provider") or None,
            model=model if model and "$" not in model else None,
        )
    return True


def _filled(role: Scalar, given: dict[str, Node]) -> list[Segment]:
    text = role.text()
    out: list[Segment] = []
    at = 0
    for match in _VARIABLE.finditer(text.text):
        out.append(cut(text, at, match.start()))
        at = match.end()
        value = given.get(match.group(1))
        if isinstance(value, Scalar):
            out.append(value.text())
        else:
            out.append(_ENVIRONMENT.value(match.group(1), span_of(text, match.start(), match.end())))
    out.append(cut(text, at, len(text.text)))
    return out
