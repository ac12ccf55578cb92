"""Rasa (CALM): Jinja files that ``config.yml`` and ``endpoints.yml`` name, and prompts of rephrased responses.

Source: Rasa documentation, reference/config/components/llm-command-generators ("Customizing the prompt template"),
reference/config/policies/enterprise-search-policy, reference/primitives/contextual-response-rephraser; read 2026-11.
Paths are those from the project's folder, in which these files lie.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.formats.known import known
from prefixlint.frontends.promptfiles.jinja_source import jinja_segments
from prefixlint.frontends.promptfiles.mapping import verbatim
from prefixlint.frontends.promptfiles.roles import block
from prefixlint.frontends.promptfiles.yaml_source import Mapping_, Node, Scalar, Sequence_, at_path
from prefixlint.model.lifetimes import Hop, HopKind

if TYPE_CHECKING:
    from prefixlint.frontends.promptfiles.formats.common import Found

_KEYS = ("prompt_template", "prompt")


def read(found: Found, root: Mapping_) -> bool:
    components = [
        item
        for key in ("pipeline", "policies")
        if isinstance(listed := root.get(key), Sequence_)
        for item in listed.items
        if isinstance(item, Mapping_) and item.string("name")
    ]
    rephraser = root.get("nlg")
    if isinstance(rephraser, Mapping_) and rephraser.string("type") == "rephrase":
        components.append(rephraser)
    for component in components:
        _file(found, component.string("name") or "rephrase", component.get(*_KEYS))
    responses = root.get("responses")
    held = list(_rephrased(responses)) if isinstance(responses, Mapping_) else []
    for name, prompt in held:
        found.add("rasa", name, [found.block(prompt, "user", "jinja", known("rasa"))], prompt.span)
    return bool(held) or any(component.get(*_KEYS) is not None for component in components)


def _file(found: Found, name: str, node: Node | None) -> None:
    if not isinstance(node, Scalar) or not node.value or found.read is None:
        return
    folder = PurePosixPath(found.file.path).parent
    source = found.read(str(folder / node.value)) or found.read(str(folder.parent / node.value))
    if source is None:
        return
    try:
        held = jinja_segments(verbatim(source), names=known("rasa"))
    except PromptFileError:
        return  # told where the file itself is read
    related = (Hop(HopKind.NAMED, source.span(0, 0)),)
    found.add("rasa", name.rpartition(".")[2], [block("user", held)], node.span, constant_too=True, related=related)


def _rephrased(responses: Mapping_) -> list[tuple[str, Scalar]]:
    out: list[tuple[str, Scalar]] = []
    for name, variants in responses.items():
        for variant in variants.items if isinstance(variants, Sequence_) else ():
            prompt = at_path(variant, ("metadata", "rephrase_prompt"))
            if isinstance(prompt, Scalar) and prompt.value.strip():
                out.append((name, prompt))
    return out
