"""What is said of a chat template's effects, and when."""

from __future__ import annotations

from dataclasses import replace

import pytest
from handmade import layout
from prefixlint.api import Confidence, Finding, Lifetime, Severity, TemplateEffect, configured
from prefixlint_rules import RULES

RULE = {rule.code: rule for rule in RULES}


def check(code: str, effect: TemplateEffect) -> list[Finding]:
    subject = replace(layout(), effects=(effect,))
    assert all(code == rule.code for rule in RULES for _ in rule.check(subject))
    return list(RULE[code].check(subject))


def effect(kind: str, lifetime: Lifetime, stranded: int, **more: object) -> TemplateEffect:
    return TemplateEffect(kind, lifetime, 20, stranded, False, "own.jinja", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(("lifetime", "severity"), [(Lifetime.DAY, Severity.INFO), (Lifetime.REQUEST, Severity.ERROR)])
def test_dates(lifetime: Lifetime, severity: Severity) -> None:
    (finding,) = check("PFX501", effect("date", lifetime, 1800))
    assert finding.severity is severity
    assert (finding.stable_tokens_before, finding.stranded_tokens) == (20, 1800)
    assert "writes the clock at token 20" in finding.message
    assert "1,800 stable tokens" in finding.message


def test_moved_text() -> None:
    (finding,) = check("PFX502", effect("moved", Lifetime.TURN, 1800, parts=("tools", "system")))
    assert finding.severity is Severity.WARNING
    assert "puts the tools and the system text behind the conversation, at token 20" in finding.message


@pytest.mark.parametrize("code", ["PFX501", "PFX502"])
def test_few_tokens_are_no_finding(code: str) -> None:
    kind = {"PFX501": "date", "PFX502": "moved"}[code]
    small = replace(layout(), effects=(effect(kind, Lifetime.TURN, 63, parts=("system",)),))
    assert list(RULE[code].check(small)) == []
    assert len(list(configured(RULE[code], {"min-stranded-tokens": 63}).check(small))) == 1


def test_removed_reasoning() -> None:
    (finding,) = check("PFX503", effect("rewritten", Lifetime.TURN, 0))
    assert finding.severity is Severity.INFO
    (finding,) = check("PFX503", effect("rewritten", Lifetime.TURN, 0, kept_by=("clear_thinking=false",)))
    assert finding.severity is Severity.WARNING
    assert finding.message.endswith("hand clear_thinking=false to the template")


def test_in_what_may_be_no_prompt_an_effect_is_no_more_than_info() -> None:
    plain = layout()
    unsure = replace(plain, template=replace(plain.template, confidence=Confidence.LOW))
    (finding,) = RULE["PFX501"].check(replace(unsure, effects=(effect("date", Lifetime.REQUEST, 1800),)))
    assert (finding.severity, finding.confidence) == (Severity.INFO, Confidence.LOW)
