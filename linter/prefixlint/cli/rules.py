"""``prefixlint rules``."""

from __future__ import annotations

import click

from prefixlint.cli import options


@click.command()
def rules() -> int:
    """List the rules: code, name, and what each looks for."""
    from prefixlint.config import ConfigError
    from prefixlint.run.registry import installed_rules

    try:
        known = installed_rules()
    except ConfigError as error:
        raise options.fail(str(error)) from None
    names = max((len(rule.name) for rule in known), default=0)
    lines = [
        f"{rule.code}  {rule.name:<{names}}  {rule.summary}{'' if rule.default else ' (off by default)'}\n"
        for rule in known
    ]
    options.emit("".join(lines))
    return 0
