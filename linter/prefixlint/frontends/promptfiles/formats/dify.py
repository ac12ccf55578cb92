"""Dify apps (DSL): LLM nodes of workflows, and the prompts of simple chat apps.

Source: Dify documentation (guides/application-orchestrate, guides/workflow/node/llm), read 2026-11. The engine sees the
messages of ``prompt_template``, then the memory, then the query.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.facts import Facts, Names
from prefixlint.frontends.promptfiles.formats.front_matter import model_in
from prefixlint.frontends.promptfiles.formats.known import known
from prefixlint.frontends.promptfiles.placeholders import dify_segments
from prefixlint.frontends.promptfiles.roles import block
from prefixlint.frontends.promptfiles.yaml_source import Mapping_, Node, Scalar, Sequence_, at_path
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.frontends.promptfiles.formats.common import Found
    from prefixlint.model.templates import Block

_HISTORY = Facts(Lifetime.TURN, Origin(SourceKind.HISTORY), Confidence.HIGH, grows=True)
_RETRIEVED = Facts(Lifetime.REQUEST, Origin(SourceKind.RETRIEVAL), Confidence.HIGH)
_COMPUTED = Facts(Lifetime.REQUEST, Origin(SourceKind.PARAMETER), Confidence.HIGH)
_ASKED = Facts(Lifetime.REQUEST, Origin(SourceKind.USER_INPUT), Confidence.LOW)
_OWNERS = {
    "env": Facts(Lifetime.DEPLOYMENT, Origin(SourceKind.CONFIGURATION), Confidence.HIGH),
    "conversation": Facts(Lifetime.SESSION, Origin(SourceKind.SESSION), Confidence.HIGH),
}
_PROMPT_NODES = ("llm", "agent", "question-classifier", "parameter-extractor")


def read(found: Found, root: Mapping_) -> bool:
    # Apps exported by old versions lack the kind.
    if not isinstance(root.get("app"), Mapping_) or root.get("workflow", "model_config") is None:
        return False
    if root.string("kind") != "app" and at_path(root, ("app", "mode")) is None:
        return False
    nodes = at_path(root, ("workflow", "graph", "nodes"))
    data = [held for node in _items(nodes) if isinstance(node, Mapping_) and (held := _data(node)) is not None]
    types = {node.string("id"): held.string("type") for node, held in data}
    names = _names(types)
    for _, settings in data:
        if settings.string("type") in _PROMPT_NODES:
            _node(found, settings, names)
    _simple(found, root, names)
    return True


def _items(node: Node | None) -> Iterator[Node]:
    if isinstance(node, Sequence_):
        yield from node.items


def _data(node: Mapping_) -> tuple[Mapping_, Mapping_] | None:
    data = node.get("data")
    return (node, data) if isinstance(data, Mapping_) else None


def _names(types: dict[str, str]) -> Names:
    """Judges ``node.variable`` by the type of the node that it comes from."""
    documented = known("dify")

    def judge(path: str) -> Facts:
        facts = documented(path)
        owner, _, variable = path.partition(".")
        if not variable or (facts.lifetime.known and path.startswith("sys.")):
            return facts
        held = _OWNERS.get(owner)
        if held is not None:
            return held
        kind = types.get(owner, "")
        own = documented(variable.rpartition(".")[2])
        if kind == "knowledge-retrieval":
            return _RETRIEVED
        if kind == "start":
            return own if own.lifetime.known else _ASKED
        if kind in ("loop", "iteration", ""):
            return own
        return own if own.lifetime is Lifetime.REQUEST else _COMPUTED

    return judge


def _block(found: Found, node: Node | None, role: str, names: Names) -> Block | None:
    if not isinstance(node, Scalar) or not node.value.strip():
        return None
    return block(role, dify_segments(node.text(), names), node.span)


def _node(found: Found, data: Mapping_, names: Names) -> None:
    template = data.get("prompt_template")
    blocks: list[Block | None] = []
    for item in _items(template):
        if isinstance(item, Mapping_):
            blocks.append(_message(found, item, item.string("role") or "user", names))
    if isinstance(template, Mapping_):
        blocks.append(_message(found, template, "", names))
    agent = data.get("agent_parameters")
    if isinstance(agent, Mapping_):
        blocks.append(_block(found, at_path(agent, ("instruction", "value")), "system", names))
        blocks.append(_block(found, at_path(agent, ("query", "value")), "user", names))
    for key in ("instruction", "instructions"):
        blocks.append(_block(found, data.get(key), "system", names))
    memory = data.get("memory")
    if isinstance(memory, Mapping_) and memory.string("enabled").lower() != "false":
        window = memory.get("window")
        slides = isinstance(window, Mapping_) and window.string("enabled").lower() == "true"
        history = replace(_HISTORY, grows=not slides)
        blocks.append(block("user", (history.value("memory", memory.span),)))
        blocks.append(_block(found, memory.get("query_prompt_template"), "user", names))
    model = data.get("model")
    found.add(
        "dify",
        data.string("title") or data.string("type"),
        blocks,
        (template or data).span,
        model=model.string("name") or None if isinstance(model, Mapping_) else None,
    )


def _message(found: Found, item: Mapping_, role: str, names: Names) -> Block | None:
    if item.string("edition_type") == "jinja2" and item.string("jinja2_text"):
        return found.block(item.get("jinja2_text"), role, "jinja")
    return _block(found, item.get("text"), role, names)


def _simple(found: Found, root: Mapping_, names: Names) -> None:
    """A chat or completion app without a workflow: its prompt, the retrieved context, the history, the query."""
    settings = root.get("model_config")
    prompt = settings.get("pre_prompt") if isinstance(settings, Mapping_) else None
    if not isinstance(settings, Mapping_) or not isinstance(prompt, Scalar):
        return
    blocks = [_block(found, prompt, "system", names)]
    mode = at_path(root, ("app", "mode"))
    if isinstance(mode, Scalar) and mode.value in ("chat", "agent-chat"):
        blocks.append(block("user", (_HISTORY.value("histories", prompt.span),)))
    found.add("dify", "pre_prompt", blocks, prompt.span, model=model_in(settings))
