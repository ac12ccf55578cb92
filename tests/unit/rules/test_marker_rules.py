"""Rules about cache markers, on layouts that the layout stage builds from templates made by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from handmade import span
from prefixlint.api import (
    Block,
    Choice,
    Component,
    Confidence,
    Finding,
    Layout,
    Lifetime,
    Origin,
    Segment,
    Severity,
    SourceKind,
    Template,
    Text,
    Value,
)
from prefixlint.engines import load_target
from prefixlint.layout import build
from prefixlint_rules import RULES

RULE = {rule.code: rule for rule in RULES}
MANUAL = "Answer from the manual and from nothing else. " * 200
SHORT = "Be brief. "


def text(content: str, line: int = 1) -> Text:
    return Text(content, span(line))


def value(
    kind: SourceKind = SourceKind.CLOCK,
    lifetime: Lifetime = Lifetime.REQUEST,
    *,
    confidence: Confidence = Confidence.CERTAIN,
    line: int = 50,
) -> Value:
    return Value("now()", span(line), lifetime, Origin(kind), confidence)


def block(*segments: Segment, marked: bool = False, component: Component = "system", line: int = 1) -> Block:
    role = {"system": "system", "messages": "user", "tools": ""}[component]
    return Block(role, component, segments, span(line), marked)


def layout(*blocks: Block, target: str = "anthropic:claude-sonnet-4-5", engine: str | None = "anthropic") -> Layout:
    template = Template("anthropic", "answer", span(9), blocks, engine=engine)
    return build(template, (replace(load_target(target), configured=False),))


def check(code: str, *blocks: Block, target: str = "anthropic:claude-sonnet-4-5") -> list[Finding]:
    return list(RULE[code].check(layout(*blocks, target=target)))


def test_marker_on_a_block_with_a_clock() -> None:
    (finding,) = check("PFX401", block(text(MANUAL), value(), marked=True))
    assert finding.severity is Severity.ERROR
    assert finding.span == span(50)
    assert finding.expression == "now()"
    assert finding.message == (
        "`now()` changes with every request and stands in a block that ends in a cache marker: each request writes an "
        "entry that none reads; end that block in front of it"
    )


@pytest.mark.parametrize(
    "quiet",
    [
        value(SourceKind.RETRIEVAL),
        value(SourceKind.PARAMETER),
        value(lifetime=Lifetime.DAY),
        value(SourceKind.SESSION, Lifetime.SESSION),
        value(confidence=Confidence.LOW),
    ],
)
def test_values_that_may_come_back_are_no_fault(quiet: Value) -> None:
    blocks = (block(quiet), block(text(MANUAL), quiet, marked=True))
    assert check("PFX401", *blocks) == check("PFX402", *blocks) == []


def test_marker_on_a_message_is_read_by_the_next_turn() -> None:
    message = block(value(SourceKind.USER_INPUT), value(), marked=True, component="messages")
    fixed = replace(message, segments=(text(SHORT),))
    assert check("PFX401", block(text(MANUAL), marked=True), message) == []
    assert check("PFX402", message, fixed) == []
    # No turn reads it if the system text is another one each time.
    assert len(check("PFX402", block(text(MANUAL), value()), fixed)) == 1


def test_marker_behind_a_clock_stands_at_the_marked_block() -> None:
    blocks = (block(value()), block(text(MANUAL, 20), marked=True, line=20))
    (finding,) = check("PFX402", *blocks)
    assert (finding.span, finding.related[0].span) == (span(20), span(50))
    assert check("PFX401", *blocks) == []
    assert check("PFX402", blocks[1], blocks[0]) == []


def test_the_engine_sees_tools_first_whatever_the_source_says() -> None:
    blocks = (block(text(MANUAL), marked=True), block(text("{}"), value(), component="tools"))
    assert len(check("PFX402", *blocks)) == 1


@pytest.mark.parametrize(("count", "found"), [(4, 0), (5, 1), (7, 1)])
def test_markers_are_counted(count: int, found: int) -> None:
    blocks = [block(text(SHORT), marked=True, line=number) for number in range(1, count + 1)]
    findings = check("PFX403", *blocks)
    assert len(findings) == found
    assert all(finding.span == span(5) and finding.severity is Severity.ERROR for finding in findings)


def test_markers_that_may_not_be_there_are_not_counted() -> None:
    perhaps = Choice(((text(SHORT),), ()), "x", span(1))
    assert check("PFX403", *[block(text(SHORT), marked=True)] * 4, block(perhaps, marked=True)) == []


def test_an_engine_without_markers_has_no_limit() -> None:
    assert check("PFX403", *[block(text(SHORT), marked=True)] * 9, target="vllm") == []


def test_marker_below_the_minimum() -> None:
    (finding,) = check("PFX404", block(text(SHORT), marked=True, line=3))
    assert (finding.severity, finding.span) == (Severity.WARNING, span(3))
    assert "caches nothing below 1,024" in finding.message
    # 200 times 10 tokens.
    assert check("PFX404", block(text(MANUAL), marked=True)) == []
    # Opus 4.6 has a minimum of 4,096.
    assert len(check("PFX404", block(text(MANUAL), marked=True), target="anthropic:claude-opus-4-6")) == 1


def test_the_last_marker_counts() -> None:
    assert check("PFX404", block(text(SHORT), marked=True), block(text(MANUAL), marked=True)) == []


def test_a_stand_in_leaves_room() -> None:
    # 80 times 10 tokens of the stand-in may be more than 1,024 of the provider's.
    assert check("PFX404", block(text("Answer from the manual and from nothing else. " * 80), marked=True)) == []


def test_a_value_has_no_known_length() -> None:
    document = value(SourceKind.RETRIEVAL)
    assert check("PFX404", block(text(SHORT), document, marked=True)) == []


def test_no_marker_on_a_long_stable_prefix() -> None:
    (finding,) = check("PFX405", block(text(MANUAL)), block(value(SourceKind.USER_INPUT), component="messages"))
    assert (finding.severity, finding.span) == (Severity.WARNING, span(9))
    assert check("PFX405", block(text(SHORT))) == []
    assert check("PFX405", block(text(MANUAL), marked=True)) == []
    assert check("PFX405", block(text(MANUAL)), target="openai:gpt-4o") == []
    assert check("PFX405", block(text(MANUAL)), target="openai:gpt-5.6") == []


def test_an_unnamed_engine_is_not_judged() -> None:
    guessed = layout(block(text(MANUAL)), engine=None)
    assert list(RULE["PFX405"].check(guessed)) == []
    assert list(RULE["PFX404"].check(layout(block(text(SHORT), marked=True), engine=None))) == []


@pytest.mark.parametrize(
    ("code", "blocks"),
    [
        ("PFX401", (block(value(), marked=True),)),
        ("PFX402", (block(value()), block(text(MANUAL), marked=True))),
        ("PFX403", (block(text(SHORT), marked=True),) * 5),
        ("PFX404", (block(text(SHORT), marked=True),)),
        ("PFX405", (block(text(MANUAL)),)),
    ],
)
def test_in_what_may_be_no_prompt_a_marker_is_no_more_than_info(code: str, blocks: tuple[Block, ...]) -> None:
    sure = layout(*blocks)
    (finding,) = RULE[code].check(sure)
    assert finding.severity in (Severity.ERROR, Severity.WARNING)
    unsure = replace(sure, template=replace(sure.template, confidence=Confidence.LOW))
    assert list(RULE[code].check(unsure)) == [replace(finding, severity=Severity.INFO, confidence=Confidence.LOW)]


def test_a_marked_block_without_text_has_no_length() -> None:
    assert check("PFX404", block(marked=True)) == []
    (finding,) = check("PFX404", block(text(SHORT), marked=True, line=3), block(marked=True, line=4))
    assert finding.span == span(3)


@pytest.mark.parametrize(
    ("client", "model", "target", "severity"),
    [
        ("openai", "gpt-4o", "openai:gpt-4o", Severity.WARNING),
        ("azure-openai", "gpt-4o", "azure-openai:gpt-4o", Severity.WARNING),
        ("openai", "claude-sonnet-4-5", "anthropic:claude-sonnet-4-5", Severity.INFO),
        ("openai", "anthropic/claude-sonnet-4-5", "anthropic:claude-sonnet-4-5", None),  # a relay translates markers
        ("openai", None, "openai", None),
        ("openai", "qwen3", "vllm:qwen3", None),
        ("anthropic", "claude-sonnet-4-5", "anthropic:claude-sonnet-4-5", None),
        ("litellm", "claude-sonnet-4-5", "litellm:claude-sonnet-4-5", None),
    ],
)
def test_marker_that_the_api_does_not_know(
    client: str, model: str | None, target: str, severity: Severity | None
) -> None:
    made = layout(block(text(MANUAL), marked=True), target=target, engine=client)
    made = replace(made, template=replace(made.template, model=model))
    assert [finding.severity for finding in RULE["PFX407"].check(made)] == ([severity] if severity else [])
    unmarked = layout(block(text(MANUAL)), target=target, engine=client)
    assert list(RULE["PFX407"].check(unmarked)) == []
