"""YAML of single frameworks: NeMo Guardrails, SWE-agent, Haystack, smolagents."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.formats.chats import chat_blocks, is_chat, message_texts
from prefixlint.frontends.promptfiles.formats.known import known
from prefixlint.frontends.promptfiles.jinja_source import jinja_parts
from prefixlint.frontends.promptfiles.roles import messages
from prefixlint.frontends.promptfiles.yaml_source import Mapping_, Node, Scalar, Sequence_, at_path

if TYPE_CHECKING:
    from prefixlint.frontends.promptfiles.facts import Names
    from prefixlint.frontends.promptfiles.formats.common import Found
    from prefixlint.model.templates import Block


def read_nemo(found: Found, root: Mapping_) -> bool:
    """``prompts: - task: … content: …`` or ``messages:``; items of ``messages`` may be templates that give messages."""
    prompts = root.get("prompts")
    if not isinstance(prompts, Sequence_):
        return False
    tasks = [item for item in prompts.items if isinstance(item, Mapping_) and item.string("task")]
    if not tasks or len(tasks) < len(prompts.items):
        return False
    names = known("nemo")
    for task in tasks:
        content = task.get("content")
        blocks = [found.block(content, "", "jinja", names)]
        inner = task.get("messages")
        if isinstance(inner, Sequence_):
            for item in inner.items:
                if isinstance(item, Scalar):
                    blocks.append(found.block(item, "user", "jinja", names))
                elif isinstance(item, Mapping_):
                    role = item.string("type", "role") or "user"
                    blocks += [found.block(text, role, "jinja", names) for text in message_texts(item)]
        span = content.span if isinstance(content, Scalar) else task.span
        found.add("nemo", task.string("task"), blocks, span)
    return True


_STEPS = ("system_template", "instance_template")


def read_swe_agent(found: Found, root: Mapping_) -> bool:
    """SWE-agent: the system text, then the task. Templates of later steps only add to the end of the conversation."""
    holder = at_path(root, ("agent", "templates")) or root.get("agent") or root
    if not isinstance(holder, Mapping_) or not all(holder.string(key) for key in _STEPS):
        return False
    names = known("swe-agent")
    nodes = [holder.get(key) for key in _STEPS]
    blocks = [found.block(node, role, "jinja", names) for node, role in zip(nodes, ("system", "user"), strict=True)]
    found.add("swe-agent", PurePosixPath(found.file.path).stem, blocks, holder.span)
    return True


def read_haystack(found: Found, root: Mapping_) -> bool:
    """Pipelines: ``components: name: {type: …PromptBuilder, init_parameters: {template: …}}``."""
    components = root.get("components")
    if not isinstance(components, Mapping_) or root.get("connections") is None:
        return False
    names = known("haystack")
    for name, component in components.items():
        if not isinstance(component, Mapping_):
            continue
        for key in ("template", "system_prompt"):
            template = at_path(component, ("init_parameters", key))
            if isinstance(template, Scalar) and template.value.strip():
                role = "system" if key == "system_prompt" else ""
                found.add("haystack", name, _with_roles(found, template, names, role), template.span)
            elif template is not None and is_chat(template):
                found.add("haystack", name, chat_blocks(found, template, "jinja", names), template.span)
    return True


def _with_roles(found: Found, node: Scalar, names: Names, role: str = "") -> list[Block | None]:
    try:
        blocks = messages(jinja_parts(node.text(), names=names))
    except PromptFileError as error:
        found.problems.append(error.problem)
        return []
    if role and len(blocks) == 1:
        return [found.block(node, role, "jinja", names)]
    return list(blocks)


def read_smolagents(found: Found, root: Mapping_) -> bool:
    """smolagents: ``system_prompt``, ``planning``, ``managed_agent``, ``final_answer``; each text is one prompt."""
    if not isinstance(root.get("system_prompt"), Scalar) or not isinstance(root.get("planning"), Mapping_):
        return False
    if not isinstance(root.get("managed_agent"), Mapping_):
        return False
    names = known("smolagents")
    for key, node in root.items():
        if isinstance(node, Scalar):
            _add(found, key, node, "system" if key == "system_prompt" else "", names)
        elif isinstance(node, Mapping_):
            for inner, text in node.items():
                _add(found, f"{key}.{inner}", text, "", names)
    return True


def _add(found: Found, name: str, node: Node, role: str, names: Names) -> None:
    found.add("yaml-jinja", name, [found.block(node, role, "jinja", names)], node.span)
