from __future__ import annotations

from dataclasses import replace

from prefixlint.model.findings import Finding, Severity
from prefixlint.model.lifetimes import Confidence
from prefixlint.model.sources import Position, Span
from prefixlint.model.templates import Template
from prefixlint.ratchet.identity import Identity, fingerprints, identities

PLACE = Span("app/a.py", Position(4, 1), Position(4, 9))
TEMPLATE = Template("openai-chat", "ask:all", PLACE, ())
FINDING = Finding(
    "PFX101",
    "volatile-timestamp",
    Severity.ERROR,
    Confidence.CERTAIN,
    "`now()` stands at token 5 of 1,200",
    PLACE,
    TEMPLATE.id,
    expression="now(\n    tz)",
)


def test_a_value_is_called_by_its_source() -> None:
    assert identities([FINDING], [TEMPLATE]) == (Identity("app/a.py", "ask:all", "PFX101", "now( tz)"),)


def test_a_message_stands_for_a_finding_without_a_value_whatever_its_numbers() -> None:
    messages = ("marker at about 117 tokens, nothing below 1,024.", "marker at about 9 tokens, nothing below 2,048.")
    one, other = (replace(FINDING, expression=None, message=message, template="") for message in messages)
    assert identities([one, other], [TEMPLATE]) == (
        (Identity("app/a.py", "", "PFX101", "marker at about # tokens, nothing below #"),) * 2
    )


def test_fingerprints_tell_equal_findings_apart_by_their_order() -> None:
    first, second, third = fingerprints([FINDING, FINDING, replace(FINDING, code="PFX102")], [TEMPLATE])
    assert len({first, second, third}) == 3
    assert fingerprints([FINDING], [TEMPLATE]) == (first,)
    assert {len(each) for each in (first, second, third)} == {32}


def test_any_text_has_a_fingerprint() -> None:
    assert len(fingerprints([replace(FINDING, expression="\ud800\0")], [TEMPLATE])) == 1
