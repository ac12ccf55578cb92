"""Options from a configuration file, pages, and a rule written by someone else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from handmade import inversion, layout
from prefixlint.api import (
    Finding,
    InversionRule,
    Layout,
    LinterRule,
    RuleOptions,
    SourceKind,
    configured,
    inversion_finding,
    option_names,
    rule_page,
)
from prefixlint_rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class ClockOptions(RuleOptions):
    allowed: tuple[str, ...] = ()
    strict: bool = False
    zone: str = "UTC"


@dataclass(frozen=True, slots=True)
class ThirdPartyRule(InversionRule):
    options: ClockOptions = field(default_factory=ClockOptions)

    code = "ACME01"
    name = "acme-clock"
    since = "1.0.0"
    summary = "A clock that the company does not allow"
    kinds = frozenset({SourceKind.CLOCK})

    def check(self, layout: Layout) -> Iterator[Finding]:
        for one in layout.inversions:
            if self.selects(one) and one.expression not in self.options.allowed:
                yield inversion_finding(self, layout, one)


def test_options_of_a_third_party_rule() -> None:
    rule = ThirdPartyRule()
    assert option_names(rule) == ("min-stranded-tokens", "allowed", "strict", "zone")
    subject = layout(inversion())
    assert [finding.code for finding in rule.check(subject)] == ["ACME01"]
    allowed = configured(rule, {"allowed": ["datetime.now()"], "strict": True, "zone": "CET"})
    assert allowed.options == ClockOptions(64, ("datetime.now()",), True, "CET")
    assert list(allowed.check(subject)) == []
    assert rule.options == ClockOptions()


def test_no_settings_leave_the_rule_as_it_is() -> None:
    rule = ThirdPartyRule()
    assert configured(rule, {}) is rule


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"min-stranded": 3}, "ACME01 .acme-clock. has no option 'min-stranded'; it has: min-stranded-tokens, allowed"),
        ({"min_stranded_tokens": 3}, "no option 'min_stranded_tokens'"),
        ({"min-stranded-tokens": "3"}, "'min-stranded-tokens' of rule ACME01 must be a whole number from 0, not '3'"),
        ({"min-stranded-tokens": -1}, "must be a whole number from 0"),
        ({"min-stranded-tokens": True}, "must be a whole number from 0"),
        ({"allowed": "now"}, "must be a list of strings, not 'now'"),
        ({"allowed": [1]}, "must be a list of strings"),
        ({"strict": 1}, "must be true or false, not 1"),
        ({"zone": 1}, "must be a string, not 1"),
    ],
)
def test_bad_settings(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        configured(ThirdPartyRule(), settings)


def test_a_rule_without_options_says_so() -> None:
    rule = next(rule for rule in RULES if isinstance(rule, LinterRule))
    with pytest.raises(ValueError, match="it has: none"):
        configured(rule, {"x": 1})


def test_rule_page_is_the_file_beside_the_module() -> None:
    assert rule_page(RULES[0]).startswith("# volatile-timestamp (PFX101)\n")


def test_a_rule_without_page() -> None:
    with pytest.raises(LookupError, match=r"ACME01 \(acme-clock\) has no page"):
        rule_page(ThirdPartyRule())
