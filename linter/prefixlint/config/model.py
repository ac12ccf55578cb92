"""What can be configured, as one frozen value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from prefixlint.discover.walk import DEFAULT_EXCLUDE
from prefixlint.model.findings import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from prefixlint.config.selection import Selection
    from prefixlint.knowledge.libraries import Handler, Sink, Source
    from prefixlint.knowledge.names import NameMeaning


class ConfigError(ValueError):
    """A configuration that cannot be used: the message names file, key and way out."""


@dataclass(frozen=True, slots=True)
class TemplateFiles:
    """Globs of files that are prompts whatever they are called, and of files that are none.

    ``keys`` are keys of YAML files whose text is a prompt.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Config:
    """Everything a run can be told.

    ``root`` is the absolute folder that globs start from (the configuration file's, else the working directory).
    ``selections`` are applied in order, later ones over earlier ones. ``force_exclude``: what is left out is so where
    it is named as well. ``min_stranded_tokens`` is None where the rules' own value holds. ``per_file_ignores`` pairs
    globs with codes. ``sources`` and ``sinks`` are by dotted path or bare name, ``names`` by name, ``first_*`` or
    ``*_last``. ``file`` is where it came from, "" for the defaults. ``top`` is the absolute folder of the
    project where it is known; "" leaves it to be found above each file.
    """

    root: str
    file: str = ""
    selections: tuple[Selection, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    targets: tuple[str, ...] = ()
    target_overrides: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    include: tuple[str, ...] = ()
    force_exclude: bool = False
    max_file_size: int = 2_000_000
    min_stranded_tokens: int | None = None
    fail_on: Severity = Severity.WARNING
    show_info: bool = False
    preview: bool = False
    rules: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    sources: Mapping[str, Source] = field(default_factory=dict)
    handlers: Mapping[str, Handler] = field(default_factory=dict)
    sinks: Mapping[str, Sink] = field(default_factory=dict)
    names: Mapping[str, NameMeaning] = field(default_factory=dict)
    templates: TemplateFiles = TemplateFiles()
    top: str = ""

    @property
    def names_rules(self) -> bool:
        """True when it says anything about single rules."""
        return bool(self.selections or self.per_file_ignores or self.rules)

    def where(self, key: str) -> str:
        """``file: key``, to begin a message with."""
        return f"{self.file}: {key}" if self.file else key


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``"; did you mean 'ignore'?"`` for the nearest known word, "" when none is near."""
    from difflib import get_close_matches

    near = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""
