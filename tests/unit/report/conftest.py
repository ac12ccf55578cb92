"""A small run, written by hand: one prompt with a clock in line 2, a history, and a file that could not be read."""

from __future__ import annotations

import pytest
from prefixlint.model.findings import Finding, Related, Severity
from prefixlint.model.layouts import Breakpoint, Layout, Placed, SharedPrefix
from prefixlint.model.lifetimes import Confidence, Hop, HopKind, Lifetime, Origin, SourceKind
from prefixlint.model.segments import Segment, Text, Value
from prefixlint.model.sources import Position, SourceFile, SourceMap, Span
from prefixlint.model.targets import CacheModel, Prediction, Target
from prefixlint.model.templates import Block, Problem, Template
from prefixlint.run.result import RunResult

SOURCE = '''\
from clock import now

PROMPT = f"""You are the assistant of ACME.
Current time: {now()}. User: {user}
Answer in one sentence.
Never invent a price.
"""
client.chat.completions.create(model="gpt-4o", messages=[{"role": "system", "content": PROMPT}])
'''
CLOCK = "import datetime\n\n\ndef now():\n\treturn datetime.datetime.now()\n"


def span_of(file: SourceFile, part: str) -> Span:
    start = file.text.index(part)
    return file.span(start, start + len(part))


def text_of(file: SourceFile, part: str) -> Text:
    start = file.text.index(part)
    return Text(part, SourceMap.verbatim(file, start, start + len(part)))


@pytest.fixture
def result() -> RunResult:
    file, clock = SourceFile("app/agent.py", SOURCE), SourceFile("app/clock.py", CLOCK)
    value = Value(
        "now()",
        span_of(file, "{now()}"),
        Lifetime.REQUEST,
        Origin(SourceKind.CLOCK, (Hop(HopKind.CREATED, span_of(clock, "datetime.datetime.now()")),)),
        Confidence.CERTAIN,
        "timestamp",
    )
    user = Value("user", span_of(file, "{user}"), name="user")
    head = text_of(file, "You are the assistant of ACME.\nCurrent time: ")
    middle = text_of(file, ". User: ")
    tail = text_of(file, "\nAnswer in one sentence.\nNever invent a price.\n")
    segments: tuple[Segment, ...] = (head, value, middle, user, tail)
    call = span_of(file, "client.chat.completions.create")
    template = Template(
        "openai-chat",
        "PROMPT",
        span_of(file, 'PROMPT = f"""You'),
        (Block("system", "system", segments, call),),
        "openai",
        "gpt-4o",
        related=(Hop(HopKind.SENT, call),),
    )
    cache = CacheModel("block", 128, 1024)
    target = Target("openai:gpt-4o", "openai", cache, "gpt-4o", "o200k_base", chat_format="none", exact=True)

    def placed(segment: Text | Value, lifetime: Lifetime, start: int, end: int, text: str) -> Placed:
        return Placed(segment, "system", "system", lifetime, start, end, text, 0)

    layout = Layout(
        template=template,
        target=target,
        placed=(
            placed(head, Lifetime.CONSTANT, 0, 10, head.text),
            placed(value, Lifetime.REQUEST, 10, 20, "2026-03-04 05:06:07"),
            placed(middle, Lifetime.CONSTANT, 20, 23, middle.text),
            placed(user, Lifetime.UNKNOWN, 23, 24, "Ada"),
            placed(tail, Lifetime.CONSTANT, 24, 1824, tail.text),
        ),
        total_tokens=1824,
        breakpoint=Breakpoint(10, 9, value.span, "now()", Lifetime.REQUEST),
        stable_prefix_tokens=10,
        stable_tokens=1813,
        stranded_tokens=1803,
        history_stranded=False,
        shared_prefix=(SharedPrefix(Lifetime.USER, 10, 1790),),
        inversions=(),
        predictions=(
            Prediction(
                engine="openai",
                cached_tokens=0,
                cached_tokens_after_fix=1792,
                granularity=128,
                minimum=1024,
                note="below the minimum of 1,024 tokens",
                keep=300,
                within=(SharedPrefix(Lifetime.USER, 0, 1664),),
                invalidated_by=("another model",),
            ),
            Prediction("vllm", 0, 1808, 16, 16),
        ),
    )
    finding = Finding(
        code="PFX101",
        name="volatile-timestamp",
        severity=Severity.ERROR,
        confidence=Confidence.CERTAIN,
        message="`now()` changes with every request; move it behind them",
        span=value.span,
        template=template.id,
        lifetime=Lifetime.REQUEST,
        expression="now()",
        related=(Related(span_of(clock, "datetime.datetime.now()"), "created here"), Related(call, "sent here")),
        stable_tokens_before=10,
        stranded_tokens=1803,
        url="https://example.org/volatile-timestamp/",
    )
    problem = Problem("app/old.py", Position(3, 7), "cannot be parsed: print statement")
    unread = Finding(
        code="PFX901",
        name="file-not-analysed",
        severity=Severity.WARNING,
        confidence=Confidence.CERTAIN,
        message=problem.message,
        span=Span("app/old.py", Position(3, 7), Position(3, 8)),
    )
    note = Finding(
        code="PFX902",
        name="unused-suppression",
        severity=Severity.INFO,
        confidence=Confidence.CERTAIN,
        message="unused suppression: no PFX104 here; remove it",
        span=Span("app/zero.py", Position(1, 3), Position(1, 29)),
    )
    return RunResult(
        files=12,
        templates=(template,),
        layouts=(layout,),
        findings=(finding, unread, note),
        problems=(problem,),
        sources={file.path: file, clock.path: clock},
    )
