"""``--allow-download``: the tokenizers that a configuration names are brought to the Hugging Face cache first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from prefixlint.config import Config

_KEY = "prefixlint.allow_download"


def _note(context: click.Context, _: click.Parameter, value: bool) -> None:
    context.meta[_KEY] = value


def allow_download(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds --allow-download, which ``fetched`` asks for."""
    return click.option(
        "--allow-download",
        is_flag=True,
        expose_value=False,
        callback=_note,
        help="Fetch the tokenizers of targets' models from the Hugging Face hub, where they are not on this machine.",
    )(command)


def fetched(config: Config) -> Config:
    """``config`` as it is; where the option was given, with the tokenizers that targets name, or that belong to their
    models, fetched. One that cannot be had is told on standard error, and the run goes on with the stand-in."""
    context = click.get_current_context(silent=True)
    if context is None or not context.meta.get(_KEY):
        return config
    tables = dict(config.target_overrides)
    for name in dict.fromkeys((*config.targets, *tables)):
        overrides = tables.get(name) or tables.get(name.partition(":")[0], {})
        tokenizer = _wanted(name, overrides)
        if tokenizer and _brought(tokenizer):
            tables[name] = {**overrides, "tokenizer": tokenizer}
    return replace(config, target_overrides=tables)


def _wanted(target: str, overrides: Mapping[str, object]) -> str | None:
    """The hub id of the tokenizer that ``target`` lacks, if any."""
    from prefixlint.tokens.download import hub_id
    from prefixlint.tokens.local import is_hub_id
    from prefixlint.tokens.models import tokenizer_for

    named = overrides.get("tokenizer")
    if named is not None:
        return named if isinstance(named, str) and is_hub_id(named) else None
    model = str(overrides.get("model") or target.partition(":")[2])
    if not model or tokenizer_for(model).exact:
        return None
    return hub_id(model) or (model if is_hub_id(model) else None)


def _brought(tokenizer: str) -> bool:
    from prefixlint.tokens import TokenizerError
    from prefixlint.tokens.download import fetch

    try:
        if fetch(tokenizer):
            click.echo(f"prefixlint: fetched the tokenizer of {tokenizer}", err=True)
    except TokenizerError as error:
        click.echo(f"prefixlint: {error}", err=True)
        return False
    return True
