"""Front end for prompt files: YAML, Jinja, JSON, .prompty and other files that hold prompts.

``extract`` and ``might_hold_prompt`` serve whole files. The rest serves front ends that load such files from code:
parsers from text to segments, one YAML value with its places, and the filling of placeholders.
"""

from prefixlint.frontends.promptfiles.binding import bind
from prefixlint.frontends.promptfiles.byte_tests import might_hold_prompt
from prefixlint.frontends.promptfiles.dispatch import extract
from prefixlint.frontends.promptfiles.errors import PromptFileError
from prefixlint.frontends.promptfiles.jinja_source import jinja_segments
from prefixlint.frontends.promptfiles.jinja_tree import JinjaSyntax
from prefixlint.frontends.promptfiles.placeholders import (
    format_segments,
    mustache_segments,
    percent_segments,
    template_segments,
)
from prefixlint.frontends.promptfiles.toml_source import load_toml_value
from prefixlint.frontends.promptfiles.yaml_source import load_yaml_value

__all__ = [
    "JinjaSyntax",
    "PromptFileError",
    "bind",
    "extract",
    "format_segments",
    "jinja_segments",
    "load_toml_value",
    "load_yaml_value",
    "might_hold_prompt",
    "mustache_segments",
    "percent_segments",
    "template_segments",
]
