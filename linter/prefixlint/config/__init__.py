"""Configuration: ``[tool.prefixlint]`` of pyproject.toml, or prefixlint.toml."""

from prefixlint.config.load import find_file, load
from prefixlint.config.model import Config, ConfigError
from prefixlint.config.selection import Selection, enabled

__all__ = ["Config", "ConfigError", "Selection", "enabled", "find_file", "load"]
