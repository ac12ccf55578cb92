"""promptflow: ``flow.dag.yaml``, whose nodes of type ``llm`` and ``prompt`` send Jinja files with the flow's values.

Source: promptflow documentation, "Develop a dag flow" and reference/tools-reference/llm-tool, read 2026-11.
``${inputs.x}`` is an input of the flow, ``${node.output}`` what a node gave; everything else stands for itself. The
text of a prompt node goes into the node that names its output.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.facts import CONSTANT, Facts, combine, dotted, named, of_segments
from prefixlint.frontends.promptfiles.formats.front_matter import model_in
from prefixlint.frontends.promptfiles.formats.jinja_file import ROLE_SYNTAX
from prefixlint.frontends.promptfiles.jinja_expressions import Bound
from prefixlint.frontends.promptfiles.jinja_source import jinja_parts
from prefixlint.frontends.promptfiles.mapping import verbatim
from prefixlint.frontends.promptfiles.marks import without_marks
from prefixlint.frontends.promptfiles.roles import messages
from prefixlint.frontends.promptfiles.yaml_source import Mapping_, Scalar, Sequence_, at_path
from prefixlint.model.lifetimes import Confidence, Hop, HopKind, Lifetime, Origin, SourceKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prefixlint.frontends.promptfiles.formats.common import Found
    from prefixlint.frontends.promptfiles.marks import Part
    from prefixlint.frontends.promptfiles.yaml_source import Node
    from prefixlint.model.sources import SourceFile

_REFERENCE = re.compile(r"\$\{\s*([\w\-]+)(?:\.([\w\-.\[\]]+))?\s*\}")
_SENDERS = ("llm", "custom_llm")
_ASKED = Facts(Lifetime.REQUEST, Origin(SourceKind.USER_INPUT), Confidence.HIGH)
_HISTORY = Facts(Lifetime.TURN, Origin(SourceKind.HISTORY), Confidence.HIGH, grows=True)
_INPUT = Facts(Lifetime.REQUEST, Origin(SourceKind.USER_INPUT), Confidence.LOW)
_ANSWERED = Facts(Lifetime.REQUEST, Origin(SourceKind.PARAMETER), Confidence.HIGH)
_MAX_DEPTH = 20
_TOOL_INPUTS = frozenset(
    {
        "deployment_name", "model", "temperature", "top_p", "max_tokens", "stop", "presence_penalty", "response_format",
        "frequency_penalty", "logit_bias", "suffix", "logprobs", "echo", "best_of", "functions", "function_call",
        "tools", "tool_choice", "seed", "detail", "connection",
    }
)  # fmt: skip
"""Inputs of the LLM tool itself: none of them is filled into the prompt."""


@dataclass(slots=True)
class _Flow:
    found: Found
    root: Mapping_
    nodes: dict[str, Mapping_] = field(default_factory=dict)

    def facts(self, node: Node, depth: int = 0) -> Facts:
        """What is known of an input of a node."""
        if not isinstance(node, Scalar):
            return CONSTANT
        return combine([self._referred(owner, rest, depth) for owner, rest in _REFERENCE.findall(node.value)])

    def _referred(self, owner: str, rest: str, depth: int) -> Facts:
        if owner in ("inputs", "flow"):
            return self._flow_input(rest.removeprefix("inputs."))
        node = self.nodes.get(owner)
        if node is None or depth > _MAX_DEPTH:
            return Facts(name=owner)
        given = node.get("inputs")
        held = [
            self.facts(value, depth + 1)
            for key, value in (given.items() if isinstance(given, Mapping_) else ())
            if key not in _TOOL_INPUTS
        ]
        facts = combine(held)
        if node.string("type") in _SENDERS and facts.lifetime.varies:
            return replace(_ANSWERED, name=facts.name)
        # Code without inputs may still draw on anything.
        own = dotted(owner)
        if facts.lifetime is Lifetime.CONSTANT:
            return own if own.lifetime.known else Facts(name=owner)
        return replace(facts, grows=False, shape="text")

    def _flow_input(self, path: str) -> Facts:
        name = path.partition(".")[0].partition("[")[0]
        declared = at_path(self.root, ("inputs", name))
        if isinstance(declared, Mapping_):
            if declared.string("is_chat_input").lower() == "true":
                return replace(_ASKED, name=name)
            if declared.string("is_chat_history").lower() == "true":
                return replace(_HISTORY, name=name)
        known = named(name)
        return known if known.lifetime.known else replace(_INPUT, name=name)


def read(found: Found, root: Mapping_) -> bool:
    nodes = root.get("nodes")
    if not isinstance(nodes, Sequence_) or not PurePosixPath(found.file.path).name.startswith("flow.dag"):
        return False
    flow = _Flow(found, root)
    senders: list[tuple[str, Mapping_]] = []
    for node in nodes.items:
        if isinstance(node, Mapping_) and (name := node.string("name")):
            variants = list(_variants(root, name, node))
            flow.nodes[name] = variants[0][1]
            senders += [(label, settings) for label, settings in variants if settings.string("type") in _SENDERS]
    for label, settings in senders:
        _send(flow, label, settings)
    return True


def _variants(root: Mapping_, name: str, node: Mapping_) -> Iterator[tuple[str, Mapping_]]:
    """The node itself, or all that ``node_variants`` puts in its place, the default one first."""
    listed = at_path(root, ("node_variants", name))
    variants = listed.get("variants") if isinstance(listed, Mapping_) else None
    default = listed.string("default_variant_id") if isinstance(listed, Mapping_) else ""
    held: list[tuple[str, Mapping_]] = []
    if node.string("use_variants").lower() == "true" and isinstance(variants, Mapping_):
        for label, variant in sorted(variants.items(), key=lambda pair: pair[0] != default):
            inner = variant.get("node") if isinstance(variant, Mapping_) else None
            if isinstance(inner, Mapping_):
                held.append((f"{name}.{label}", inner))
    yield from held or [(name, node)]


def _send(flow: _Flow, name: str, node: Mapping_) -> None:
    found = flow.found
    source = _source(found, flow.root, node)
    if source is None:
        return
    try:
        parts = _parts(flow, node, source)
    except PromptFileError:
        return  # told where the file itself is read
    given = node.get("inputs")
    found.add(
        "promptflow",
        name,
        messages(parts),
        node.span,
        model=model_in(given),
        constant_too=True,
        related=(Hop(HopKind.NODE, source.span(0, 0)),),
    )


def _parts(flow: _Flow, node: Mapping_, source: SourceFile, depth: int = 0) -> tuple[Part, ...]:
    """The node's template, its variables bound to what the node's inputs hold."""
    given = node.get("inputs")
    bound: dict[str, Bound] = {}
    for name, value in given.items() if isinstance(given, Mapping_) else ():
        if name in _TOOL_INPUTS or not isinstance(value, Scalar):
            continue
        reference = _REFERENCE.fullmatch(value.value.strip())
        inner = flow.nodes.get(reference.group(1)) if reference else None
        text = _source(flow.found, flow.root, inner) if inner is not None and inner.string("type") == "prompt" else None
        if inner is not None and text is not None and depth < _MAX_DEPTH:
            segments = without_marks(_parts(flow, inner, text, depth + 1))
            bound[name] = Bound(of_segments(segments), segments)
        elif "${" not in value.value:
            bound[name] = Bound(CONSTANT, (value.text(),) if value.value else ())
        else:
            facts = flow.facts(value)
            bound[name] = Bound(facts if facts.lifetime.known else named(name))
    return jinja_parts(verbatim(source), syntax=ROLE_SYNTAX, given=bound)


def _source(found: Found, root: Mapping_, node: Mapping_) -> SourceFile | None:
    """The Jinja file of a node: next to the flow, or one of ``additional_includes``."""
    path = at_path(node, ("source", "path"))
    if found.read is None or not isinstance(path, Scalar) or path.value.endswith(".py"):
        return None
    folder = PurePosixPath(found.file.path).parent
    own = found.read(str(folder / path.value))
    if own is not None:
        return own
    includes = root.get("additional_includes")
    for item in includes.items if isinstance(includes, Sequence_) else ():
        if isinstance(item, Scalar) and PurePosixPath(item.value).name == PurePosixPath(path.value).parts[0]:
            inner = PurePosixPath(item.value, *PurePosixPath(path.value).parts[1:])
            return found.read(str(folder / inner))
    return None
