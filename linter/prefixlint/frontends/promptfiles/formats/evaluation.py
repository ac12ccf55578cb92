"""Tasks of lm-evaluation-harness: description, few-shot examples, then the document through ``doc_to_text``.

Source: lm-evaluation-harness, docs/task_guide.md, read 2026-11. Every field of the document differs from request to
request; the default sampler draws other examples for each document, ``first_n`` always the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.facts import Facts
from prefixlint.frontends.promptfiles.jinja_tree import JinjaSyntax
from prefixlint.frontends.promptfiles.roles import block
from prefixlint.frontends.promptfiles.yaml_source import Mapping_, Node, Scalar, at_path
from prefixlint.model.lifetimes import Confidence, Lifetime, Origin, SourceKind

if TYPE_CHECKING:
    from prefixlint.frontends.promptfiles.formats.common import Found
    from prefixlint.model.segments import Segment, Value

_SYNTAX = JinjaSyntax(keep_trailing_newline=True)
_FIELD = Facts(Lifetime.REQUEST, Origin(SourceKind.USER_INPUT), Confidence.HIGH)
_SAMPLED = Facts(Lifetime.REQUEST, Origin(SourceKind.RANDOM), Confidence.HIGH)
_FIXED = Facts(Lifetime.CONSTANT, Origin(SourceKind.CONFIGURATION), Confidence.HIGH)


def _field(name: str) -> Facts:
    return Facts(_FIELD.lifetime, _FIELD.origin, _FIELD.confidence, name=name)


def read(found: Found, root: Mapping_) -> bool:
    document = root.get("doc_to_text")
    if document is None or not (
        root.string("task") or root.get("doc_to_target", "dataset_path", "include", "output_type")
    ):
        return False
    held: list[Segment] = [
        *_text(found, root.get("description")),
        *_examples(root),
        *_text(found, document, field=True),
    ]
    name = root.string("task") or found.file.path.rpartition("/")[2].partition(".")[0]
    found.add("lm-eval", name, [block("", held)] if held else [], root.span)
    return True


def _text(found: Found, node: Node | None, *, field: bool = False) -> tuple[Segment, ...]:
    if not isinstance(node, Scalar) or not node.value:
        return ()
    if node.tag.startswith("!function"):
        return (_FIELD.value(node.value, node.span),)
    if field and "{" not in node.value and node.value.isidentifier():
        return (_field(node.value).value(node.value, node.span),)
    return found.segments(node.text(), "jinja", _field, _SYNTAX)


def _examples(root: Mapping_) -> tuple[Value, ...]:
    count = root.get("num_fewshot")
    if not isinstance(count, Scalar) or not count.value.isdigit() or int(count.value) == 0:
        return ()
    sampler = at_path(root, ("fewshot_config", "sampler"))
    fixed = isinstance(sampler, Scalar) and sampler.value == "first_n"
    return ((_FIXED if fixed else _SAMPLED).value(f"{count.value} few-shot examples", count.span),)
