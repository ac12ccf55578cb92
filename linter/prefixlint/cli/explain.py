"""``prefixlint explain``."""

from __future__ import annotations

import sys

import click

from prefixlint.cli import options


@click.command()
@click.argument("code")
def explain(code: str) -> int:
    """Print the page of the rule with this CODE (PFX101) or name (volatile-timestamp)."""
    from prefixlint.config import ConfigError
    from prefixlint.config.model import did_you_mean
    from prefixlint.report.reflow import reflowed
    from prefixlint.rulebase import rule_page
    from prefixlint.run.registry import installed_rules

    try:
        known = installed_rules()
    except ConfigError as error:
        raise options.fail(str(error)) from None
    rule = next((rule for rule in known if code.upper() == rule.code or code.lower() == rule.name), None)
    if rule is None:
        words = [rule.name for rule in known] if "-" in code else [rule.code for rule in known]
        near = did_you_mean(code if "-" in code else code.upper(), words)
        raise options.fail(f"no rule {code!r}{near or '; see: prefixlint rules'}")
    try:
        page = rule_page(rule)
    except LookupError as error:
        raise options.fail(str(error)) from None
    if sys.stdout.isatty():
        page = reflowed(page, options.terminal_width(None))
    options.emit(page if page.endswith("\n") else page + "\n")
    return 0
