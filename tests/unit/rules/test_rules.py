"""Which rule takes which inversion, and what it says of it."""

from __future__ import annotations

import itertools

import pytest
from handmade import inversion, layout, span, target
from prefixlint.api import (
    Component,
    Confidence,
    Finding,
    Hop,
    HopKind,
    InversionRule,
    Layout,
    Lifetime,
    LinterRule,
    Prediction,
    Related,
    Severity,
    SourceKind,
    configured,
)
from prefixlint_rules import RULES

RULE = {rule.code: rule for rule in RULES}


def check(code: str, subject: Layout) -> list[Finding]:
    return list(RULE[code].check(subject))


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (SourceKind.CLOCK, "PFX101"),
        (SourceKind.ID, "PFX102"),
        (SourceKind.RANDOM, "PFX103"),
        (SourceKind.RETRIEVAL, "PFX104"),
        (SourceKind.USER_INPUT, "PFX105"),
        (SourceKind.SESSION, "PFX106"),
        (SourceKind.ENVIRONMENT, "PFX107"),
        (SourceKind.CONFIGURATION, "PFX107"),
        (SourceKind.HISTORY, "PFX108"),
        (SourceKind.CONDITIONAL, "PFX109"),
        (SourceKind.ATTACHMENT, "PFX110"),
        (SourceKind.UNORDERED, "PFX201"),
        (SourceKind.LISTING, "PFX202"),
        (SourceKind.SHUFFLED, "PFX204"),
        (SourceKind.IDENTITY, "PFX206"),
    ],
)
def test_rule_by_kind(kind: SourceKind, code: str) -> None:
    subject = layout(inversion(kind))
    assert [finding.code for rule in RULES for finding in rule.check(subject)] == [code]


@pytest.mark.parametrize(
    ("lifetime", "code"),
    [
        (Lifetime.REQUEST, "PFX105"),
        (Lifetime.TURN, "PFX105"),
        (Lifetime.SESSION, "PFX106"),
        (Lifetime.USER, "PFX106"),
        (Lifetime.HOUR, "PFX107"),
        (Lifetime.DAY, "PFX107"),
        (Lifetime.PROCESS, "PFX107"),
        (Lifetime.DEPLOYMENT, "PFX107"),
        (Lifetime.UNKNOWN, "PFX111"),
    ],
)
def test_rule_of_a_parameter_follows_its_lifetime(lifetime: Lifetime, code: str) -> None:
    subject = layout(inversion(SourceKind.PARAMETER, lifetime))
    assert [finding.code for rule in RULES for finding in rule.check(subject)] == [code]


@pytest.mark.parametrize("kind", SourceKind)
def test_a_choice_is_always_a_conditional_block(kind: SourceKind) -> None:
    for lifetime in (Lifetime.REQUEST, Lifetime.UNKNOWN):
        subject = layout(inversion(kind, lifetime, choice=True))
        assert [finding.code for rule in RULES for finding in rule.check(subject)] == ["PFX109"]


@pytest.mark.parametrize(
    ("kind", "component", "shape", "code"),
    [
        (SourceKind.UNORDERED, "system", "json", "PFX203"),
        (SourceKind.LISTING, "messages", "json", "PFX203"),
        (SourceKind.UNORDERED, "tools", "json", "PFX205"),
        (SourceKind.RETRIEVAL, "tools", "json", "PFX205"),
        (SourceKind.CLOCK, "tools", "json", "PFX101"),
        (SourceKind.USER_INPUT, "system", "json", "PFX105"),
    ],
)
def test_rule_by_place_and_form(kind: SourceKind, component: Component, shape: str, code: str) -> None:
    subject = layout(inversion(kind, component=component, shape=shape))
    assert [finding.code for rule in RULES for finding in rule.check(subject)] == [code]


def test_every_inversion_has_exactly_one_rule() -> None:
    lifetimes = [lifetime for lifetime in Lifetime if lifetime is not Lifetime.CONSTANT]
    rules = [rule for rule in RULES if isinstance(rule, InversionRule)]
    components: tuple[Component, ...] = ("tools", "system", "messages")
    for kind, lifetime, choice, component, shape, history in itertools.product(
        SourceKind, lifetimes, (False, True), components, ("text", "json"), (False, True)
    ):
        one = inversion(kind, lifetime, choice=choice, component=component, shape=shape, history=history)
        assert sum(rule.selects(one) for rule in rules) == 1, one


def test_the_linters_own_rules_find_nothing_in_a_layout() -> None:
    subject = layout(inversion())
    assert [list(rule.check(subject)) for rule in RULES if isinstance(rule, LinterRule)] == [[], [], []]


def test_finding_carries_what_the_inversion_says() -> None:
    hop = Hop(HopKind.CREATED, span(3))
    call = Hop(HopKind.SENT, span(30))
    subject = layout(inversion(hops=(hop, Hop(HopKind.PASSED, span(12, 18, 14)))), related=(call, hop))
    (finding,) = check("PFX101", subject)
    assert finding.severity is Severity.ERROR
    assert finding.confidence is Confidence.HIGH
    assert finding.name == "volatile-timestamp"
    assert finding.span == span(12, 18, 14)
    assert finding.template == "app/agent.py:10:build_messages"
    assert finding.lifetime is Lifetime.REQUEST
    assert finding.expression == "datetime.now()"
    assert (finding.stable_tokens_before, finding.stranded_tokens, finding.history_stranded) == (40, 1772, False)
    # The hop at the finding's own place says nothing new, and a place is named once.
    assert finding.related == (
        Related(span(3), "created here", HopKind.CREATED),
        Related(span(30), "sent here", HopKind.SENT),
    )
    assert finding.fix is None


def test_findings_come_in_the_order_of_the_layout() -> None:
    subject = layout(
        inversion(expression="first()"), inversion(SourceKind.ID), inversion(expression="second()", before=90)
    )
    assert [finding.expression for finding in check("PFX101", subject)] == ["first()", "second()"]


@pytest.mark.parametrize(("times", "found"), [(1, 1), (3, 3), (4, 1), (90, 1)])
def test_a_value_that_is_woven_into_the_text_is_told_once(times: int, found: int) -> None:
    woven = [inversion(SourceKind.SESSION, Lifetime.USER, expression="user", before=9 * n) for n in range(times)]
    findings = check("PFX106", layout(*woven, inversion(SourceKind.SESSION, Lifetime.USER, expression="other")))
    assert [finding.expression for finding in findings] == ["user"] * found + ["other"]
    assert findings[0].stable_tokens_before == 0
    assert (f"here and at {times - 1} more places" in findings[0].message) is (times > 3)


@pytest.mark.parametrize(
    ("stranded", "history", "count"), [(63, False, 0), (64, False, 1), (0, True, 1), (63, True, 1), (0, False, 0)]
)
def test_threshold(stranded: int, history: bool, count: int) -> None:
    assert len(check("PFX101", layout(inversion(stranded=stranded, history=history)))) == count


@pytest.mark.parametrize(("stranded", "count"), [(0, 0), (63, 0), (64, 1)])
def test_a_conversation_behind_a_conversation_is_no_finding(stranded: int, count: int) -> None:
    one = inversion(SourceKind.HISTORY, Lifetime.TURN, stranded=stranded, history=True, grows=True)
    assert len(check("PFX108", layout(one))) == count


def test_threshold_is_an_option() -> None:
    rule = configured(RULE["PFX101"], {"min-stranded-tokens": 2000})
    assert list(rule.check(layout(inversion(stranded=1999)))) == []
    assert len(list(rule.check(layout(inversion(stranded=2000))))) == 1


@pytest.mark.parametrize(
    ("lifetime", "severity"),
    [
        (Lifetime.REQUEST, Severity.ERROR),
        (Lifetime.TURN, Severity.ERROR),
        (Lifetime.SESSION, Severity.WARNING),
        (Lifetime.USER, Severity.WARNING),
        (Lifetime.HOUR, Severity.INFO),
        (Lifetime.DAY, Severity.INFO),
        (Lifetime.PROCESS, Severity.INFO),
        (Lifetime.DEPLOYMENT, Severity.INFO),
    ],
)
def test_severity_by_lifetime(lifetime: Lifetime, severity: Severity) -> None:
    (finding,) = check("PFX101", layout(inversion(lifetime=lifetime)))
    assert finding.severity is severity


@pytest.mark.parametrize(
    ("value", "template", "severity", "confidence"),
    [
        (Confidence.CERTAIN, Confidence.CERTAIN, Severity.ERROR, Confidence.CERTAIN),
        (Confidence.HIGH, Confidence.CERTAIN, Severity.ERROR, Confidence.HIGH),
        (Confidence.LOW, Confidence.CERTAIN, Severity.INFO, Confidence.LOW),
        (Confidence.CERTAIN, Confidence.LOW, Severity.INFO, Confidence.LOW),
    ],
)
def test_severity_by_confidence(
    value: Confidence, template: Confidence, severity: Severity, confidence: Confidence
) -> None:
    (finding,) = check("PFX101", layout(inversion(confidence=value), confidence=template))
    assert (finding.severity, finding.confidence) == (severity, confidence)


@pytest.mark.parametrize(
    ("configured_", "stranded", "history", "severity"),
    [
        (True, 983, False, Severity.INFO),  # 40 + 983 stay below 1,024 tokens even with the value moved
        (True, 984, False, Severity.ERROR),
        (False, 983, False, Severity.ERROR),  # a client's default target proves nothing of the engine behind it
        (True, 983, True, Severity.ERROR),  # a conversation grows past every minimum
    ],
)
def test_minimum_of_the_provider(configured_: bool, stranded: int, history: bool, severity: Severity) -> None:
    subject = layout(inversion(stranded=stranded, history=history), target=target(1024, configured_))
    (finding,) = check("PFX101", subject)
    assert finding.severity is severity


@pytest.mark.parametrize(
    ("code", "subject", "message"),
    [
        (
            "PFX101",
            layout(inversion()),
            "`datetime.now()` changes with every request and stands at token 40 of 1,852: "
            "1,772 stable tokens behind it are computed again each time; move it behind them",
        ),
        (
            "PFX101",
            layout(inversion(), predictions=(Prediction("vllm", 32, 1808, 16, 16),)),
            "`datetime.now()` changes with every request and stands at token 40 of 1,852: "
            "1,772 stable tokens behind it are computed again each time; "
            "move it behind them and vllm reuses 1,808 tokens instead of 32",
        ),
        (
            "PFX101",
            layout(inversion(), inversion(before=90), predictions=(Prediction("vllm", 32, 1808, 16, 16),)),
            "`datetime.now()` changes with every request and stands at token 40 of 1,852: "
            "1,772 stable tokens behind it are computed again each time; move it behind them",
        ),
        (
            "PFX106",
            layout(inversion(SourceKind.SESSION, Lifetime.USER, expression="user.name", before=6)),
            "`user.name` differs from user to user and stands at token 6 of 1,852: "
            "1,772 stable tokens behind it are computed again for each user; move it behind them",
        ),
        (
            "PFX105",
            layout(inversion(SourceKind.USER_INPUT, history=True, expression="question", confidence=Confidence.LOW)),
            "`question` seems to change with every request and stands at token 40 of 1,852: "
            "1,772 stable tokens and the conversation behind it are computed again each time; "
            "move it into the last message",
        ),
        (
            "PFX101",
            layout(inversion(history=True, stranded=0)),
            "`datetime.now()` changes with every request and stands at token 40 of 1,852: "
            "the conversation behind it is computed again each time; move it into the last message",
        ),
        (
            "PFX108",
            layout(inversion(SourceKind.HISTORY, Lifetime.TURN, expression="history", grows=True)),
            "`history` grows with every turn and stands at token 40 of 1,852: "
            "1,772 stable tokens behind it are computed again on each turn; "
            "put the fixed text in front of the conversation",
        ),
        (
            "PFX201",
            layout(inversion(SourceKind.UNORDERED, Lifetime.PROCESS, expression="a | b")),
            "`a | b` comes in an order that differs from process to process and stands at token 40 of 1,852: "
            "1,772 stable tokens behind it are computed again for each process; sort it",
        ),
        (
            "PFX109",
            layout(inversion(SourceKind.CONDITIONAL, Lifetime.UNKNOWN, expression="verbose", choice=True)),
            "the block that depends on `verbose` may change from request to request and stands at token 40 of 1,852: "
            "1,772 stable tokens behind it are computed again whenever it changes; move it behind them",
        ),
    ],
)
def test_message(code: str, subject: Layout, message: str) -> None:
    assert check(code, subject)[0].message == message


def test_message_shows_a_long_expression_on_one_line_and_cut() -> None:
    (finding,) = check("PFX101", layout(inversion(expression="datetime.now(\n    tz=" + "x" * 80 + ")")))
    shown = finding.message.split("`")[1]
    assert shown == "datetime.now( tz=" + "x" * 42 + "…"
    assert len(shown) == 60
    assert "\n" in (finding.expression or "")


def test_one_stable_token_is_singular() -> None:
    rule = configured(RULE["PFX101"], {"min-stranded-tokens": 1})
    (finding,) = rule.check(layout(inversion(stranded=1)))
    assert "1 stable token behind it is computed again" in finding.message
