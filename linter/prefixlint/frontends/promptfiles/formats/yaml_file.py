"""YAML files: the first format that claims a document reads it, the generic one what is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.frontends.promptfiles.formats import yaml_generic
from prefixlint.frontends.promptfiles.yaml_source import documents

if TYPE_CHECKING:
    from prefixlint.frontends.promptfiles.formats.common import Found


def read(found: Found) -> None:
    yaml_generic.read(found, documents(found.file))
