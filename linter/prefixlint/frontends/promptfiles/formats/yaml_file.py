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


def of_formats(found: Found, roots: Sequence[Node]) -> list[Node]:
    """Reads the documents, YAML or JSON, that are of a format; gives back the others."""
    return _read(found, roots, (_config_map, *_FORMATS))


def _config_map(found: Found, root: Mapping_) -> bool:
    # The files in a ConfigMap are no ConfigMaps: each one within another would be read once more.
    return configmap.read(found, root, lambda found, roots: _read(found, roots, _FORMATS))


def _read(found: Found, roots: Sequence[Node], forms: Sequence[Callable[[Found, Mapping_], bool]]) -> list[Node]:
    return [root for root in roots if not (isinstance(root, Mapping_) and any(form(found, root) for form in forms))]
