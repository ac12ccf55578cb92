"""YAML files: the first format that claims a document reads it, the generic one what is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.formats import (
    chat_yaml,
    chatdev,
    configmap,
    crewai,
    dify,
    evaluation,
    frameworks,
    kernel,
    langchain,
    promptflow,
    promptfoo,
    rasa,
    yaml_generic,
)
from prefixlint.frontends.promptfiles.yaml_source import Mapping_, documents

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from prefixlint.frontends.promptfiles.formats.common import Found
    from prefixlint.frontends.promptfiles.yaml_source import Node

_FORMATS: tuple[Callable[[Found, Mapping_], bool], ...] = (
    langchain.read,
    promptflow.read,
    chatdev.read,
    rasa.read,
    promptfoo.read,
    dify.read,
    frameworks.read_nemo,
    crewai.read,
    chat_yaml.read,
    evaluation.read,
    frameworks.read_swe_agent,
    frameworks.read_haystack,
    kernel.read_yaml,
    frameworks.read_smolagents,
)
"""Each reads a document and returns True, or returns False for one that is not its own."""


def read(found: Found) -> None:
    rest = of_formats(found, documents(found.file))
    if rest:
        yaml_generic.read(found, rest)


def _config_map(found: Found, root: Mapping_) -> bool:
    return configmap.read(found, root, of_formats)


def of_formats(found: Found, roots: Sequence[Node]) -> list[Node]:
    """Reads the documents, YAML or JSON, that are of a format; gives back the others."""
    forms = (_config_map, *_FORMATS)
    return [root for root in roots if not (isinstance(root, Mapping_) and any(form(found, root) for form in forms))]
