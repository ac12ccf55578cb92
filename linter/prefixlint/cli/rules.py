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
    from prefixlint.fixes import fixable

    names = max((len(rule.name) for rule in known), default=0)
    lines = []
    for rule in known:
        state = "in preview" if rule.preview else "" if rule.default else "off by default"
        notes = [note for note in (state, fixable(rule.code)) if note]
        end = f" ({', '.join(notes)})" if notes else ""
        lines.append(f"{rule.code}  {rule.name:<{names}}  {rule.summary}{end}\n")
    options.emit("".join(lines))
    return 0
