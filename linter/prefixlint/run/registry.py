"""Rules: found among the installed packages, chosen and set up by the configuration."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from prefixlint.config.model import ConfigError, did_you_mean
from prefixlint.config.selection import enabled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from prefixlint.config import Config
    from prefixlint.model.targets import Target
    from prefixlint.model.templates import Template
    from prefixlint.rulebase import Rule
    from prefixlint.run.stages import Stages

GROUP = "prefixlint.rules"


@cache
def installed_rules() -> tuple[Rule, ...]:
    """The rules of all installed packages, by code.

    The working directory is left out of the search: a folder that is being analysed must not bring code of its own.
    Raises ``ConfigError`` on a plugin that cannot be loaded or a code that two rules claim.
    """
    from importlib.metadata import distributions

    here = os.getcwd()
    places = [place for place in sys.path if place and os.path.abspath(place) != here]
    rules: dict[str, Rule] = {}
    seen = set()
    for distribution in distributions(path=places):
        for entry in distribution.entry_points:
            # An editable install is found twice when its source folder is on the path as well.
            if entry.group != GROUP or (entry.name, entry.value) in seen:
                continue
            seen.add((entry.name, entry.value))
            try:
                found = tuple(entry.load())
            except Exception as error:
                raise ConfigError(f"rule plugin {entry.name!r} ({entry.value}) cannot be loaded: {error}") from error
            for rule in found:
                if rule.code in rules:
                    raise ConfigError(f"rule plugin {entry.name!r} ({entry.value}): code {rule.code} is already taken")
                rules[rule.code] = rule
    return tuple(rules[code] for code in sorted(rules))


def check_codes(where: str, codes: Iterable[str], rules: Sequence[Rule]) -> None:
    """Raises ``ConfigError`` for a code or prefix that no rule has."""
    known = [rule.code for rule in rules]
    for code in codes:
        if not any(name.startswith(code) for name in known):
            raise ConfigError(f"{where}: unknown rule code {code!r}{did_you_mean(code, known)}")


def runs(rule: Rule, config: Config) -> bool:
    """Whether the configuration selects a rule; one in preview runs only where these are asked for."""
    return (config.preview or not rule.preview) and enabled(rule.code, rule.default, config.selections)


def chosen_rules(config: Config, rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules that run, with their options set. Raises ``ConfigError``."""
    from prefixlint.rulebase import configured, option_names

    for layer in config.selections:
        check_codes(config.where("select"), (*(layer.select or ()), *layer.extend), rules)
        check_codes(config.where("ignore"), layer.ignore, rules)
    for pattern, codes in config.per_file_ignores:
        check_codes(config.where(f"per-file-ignores.{pattern!r}"), codes, rules)
    known = {rule.code: rule for rule in rules}
    for code in config.rules:
        if code not in known:
            raise ConfigError(f"{config.where('rules')}: unknown rule code {code!r}{did_you_mean(code, known)}")
    for layer in config.selections:
        for code in (*(layer.select or ()), *layer.extend):
            if not config.preview and code in known and known[code].preview:
                raise ConfigError(
                    f"{config.where('select')}: {code} is a rule in preview; set preview = true or give --preview"
                )
    out = []
    for rule in rules:
        if not runs(rule, config):
            continue
        settings = dict(config.rules.get(rule.code, {}))
        # The general minimum stands behind the rule's own.
        if config.min_stranded_tokens is not None and "min-stranded-tokens" in option_names(rule):
            settings.setdefault("min-stranded-tokens", config.min_stranded_tokens)
        try:
            out.append(configured(rule, settings))
        except ValueError as error:
            raise ConfigError(f"{config.where(f'rules.{rule.code}')}: {error}") from None
    return tuple(out)


def chosen_targets(config: Config, stages: Stages) -> tuple[Target, ...]:
    """The targets that the user configured; none means each template's default. Raises ``ConfigError``."""
    for name in config.target_overrides:
        _load(name, config, stages)
    return tuple(replace(_load(name, config, stages), configured=True) for name in config.targets)


def named_target(name: str, config: Config, stages: Stages, facts: Mapping[str, object] | None = None) -> Target:
    """One target by its name, with the facts that the configuration overrides, and ``facts`` over those.

    Raises ``ConfigError``.
    """
    return _load(name, config, stages, facts)


def default_targets(template: Template, config: Config, stages: Stages) -> tuple[Target, ...]:
    """The targets for a template where the user chose none, with the facts that the configuration overrides."""
    return tuple(
        replace(_load(target.name, config, stages), configured=False) if _overrides(target.name, config) else target
        for target in stages.default_targets(template)
    )


def _overrides(name: str, config: Config) -> Mapping[str, object]:
    """The table for this name, or else the one for its engine whatever the model."""
    tables = config.target_overrides
    return tables.get(name) or tables.get(name.partition(":")[0], {})


def _rooted(overrides: Mapping[str, object], root: str) -> dict[str, object]:
    """The same with files named from the configuration's folder on, as far as they are there."""
    out = dict(overrides)
    for key in ("tokenizer", "chat-template"):
        value = out.get(key)
        if isinstance(value, str) and os.path.exists(path := os.path.join(root, os.path.expanduser(value))):
            out[key] = path
    return out


def moved(config: Config, root: str, top: str) -> Config:
    """The configuration for a copy of a project's files in the folder ``top``; ``root`` is where it then stands.

    The files that targets name stay where they are.
    """
    overrides = {name: _rooted(table, config.root) for name, table in config.target_overrides.items()}
    return replace(config, root=root, top=top, target_overrides=overrides)


def _load(name: str, config: Config, stages: Stages, facts: Mapping[str, object] | None = None) -> Target:
    overrides = {**_rooted(_overrides(name, config), config.root), **(facts or {})}
    try:
        return stages.load_target(name, overrides)
    except (ValueError, LookupError) as error:
        reason = str(error.args[0]) if error.args else str(error)
        key = f"targets.{name}" if overrides else "target"
        raise ConfigError(f"{config.where(key)}: {reason}") from None
