"""The keys of the configuration: what each fills, how it is read, and what the reference says of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefixlint.config import own, values
from prefixlint.config.model import Config, ConfigError
from prefixlint.discover import globs
from prefixlint.model.findings import Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True, slots=True)
class Key:
    """``field`` is the field of ``Config`` that it fills (``select``, ``extend`` and ``ignore``: of its selection).

    ``read`` takes ``file: key`` and the value, and raises ``ConfigError``. ``group``, ``about`` and ``default`` are
    for the reference: its section, and Markdown for its table.
    """

    field: str
    read: Callable[[str, object], object]
    group: str
    about: str
    default: str = "none"


def _codes(where: str, value: object) -> tuple[str, ...]:
    return tuple(code.upper() for code in values.strings(where, value))


def _severity(where: str, value: object) -> Severity:
    return values.member(where, value, Severity)


def _rules(where: str, value: object) -> Mapping[str, Mapping[str, object]]:
    return {name.upper(): inner for name, inner in values.tables(where, value).items()}


def _ignores(where: str, value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    pairs = []
    for pattern, codes in values.table(where, value).items():
        if not globs.valid(pattern):
            raise ConfigError(f"{where}: {pattern!r} is not a valid glob")
        pairs.append((pattern, _codes(f"{where}.{pattern!r}", codes)))
    return tuple(pairs)


_DEFAULTS = Config(root="")

KEYS: Mapping[str, Key] = {
    "select": Key(
        "select", _codes, "rules", "codes or the beginnings of codes that run", "all rules that are on by default"
    ),
    "extend-select": Key(
        "extend", _codes, "rules", "codes that run as well; a rule that is off by default needs its whole code"
    ),
    "ignore": Key(
        "ignore",
        _codes,
        "rules",
        "codes that do not run; of `select` and `ignore` the longer code wins, `ignore` on a tie",
    ),
    "per-file-ignores": Key(
        "per_file_ignores", _ignores, "rules", "table of a glob and the codes that are not reported there"
    ),
    "rules": Key(
        "rules",
        _rules,
        "rules",
        "a table for each rule, `rules.PFX101`: its options, listed on its page (`prefixlint explain PFX101`)",
    ),
    "preview": Key(
        "preview",
        values.boolean,
        "rules",
        "whether rules in preview run, where they are selected; `prefixlint rules` names them",
        f"`{str(_DEFAULTS.preview).lower()}`",
    ),
    "min-stranded-tokens": Key(
        "min_stranded_tokens",
        values.count,
        "rules",
        "how many more stable tokens a value must strand for a finding, half of them in one piece (short texts between "
        "values are their labels), what is there under an option only counted for a quarter; a rule's own option comes "
        "first",
        "the rule's own, 64 for most",
    ),
    "fail-on": Key(
        "fail_on",
        _severity,
        "rules",
        '`"error"`, `"warning"` or `"info"`: findings from there on end the run with status 1',
        f'`"{_DEFAULTS.fail_on.value}"`',
    ),
    "show-info": Key(
        "show_info",
        values.boolean,
        "rules",
        "whether findings of severity info are printed",
        f"`{str(_DEFAULTS.show_info).lower()}`",
    ),
    "exclude": Key(
        "exclude",
        values.glob_patterns,
        "files",
        "globs of files and folders that are left out, instead of the list below",
        "the list below",
    ),
    "extend-exclude": Key("extend_exclude", values.glob_patterns, "files", "globs that are left out besides"),
    "include": Key("include", values.glob_patterns, "files", "globs; only files that match one are looked at", "all"),
    "force-exclude": Key(
        "force_exclude",
        values.boolean,
        "files",
        "whether files that are named on the command line are left out too, as `--force-exclude` does",
        "`false`",
    ),
    "max-file-size": Key(
        "max_file_size",
        values.count,
        "files",
        "bytes; a larger file that may hold a prompt is reported as not analysed (PFX901)",
        f"{_DEFAULTS.max_file_size:_}",
    ),
    "target": Key(
        "targets",
        values.strings,
        "targets",
        "engines and providers, each with a colon and a model where one matters; `prefixlint targets` lists them",
        "what the code calls",
    ),
    "targets": Key(
        "target_overrides",
        values.tables,
        "targets",
        'a table for each target, `targets.vllm` or `targets."openai:gpt-4o"`: facts that differ from what prefixlint'
        " knows, of an engine whatever the model or of one target",
    ),
    "names": Key(
        "names",
        own.names,
        "own",
        "table of what parameters, placeholders and attributes of a name hold ([Names](#names))",
    ),
    "sources": Key("sources", own.sources, "own", "table of what calls give ([Sources](#sources))"),
    "handlers": Key(
        "handlers", own.handlers, "own", "table of what a framework gives to functions ([Handlers](#handlers))"
    ),
    "sinks": Key("sinks", own.sinks, "own", "table of calls that send a prompt ([Sinks](#sinks))"),
    "templates": Key(
        "templates", own.templates, "own", "table of which files are prompts ([Prompt files](#prompt-files))"
    ),
}
"""Each key of the file, in the order of the reference."""
