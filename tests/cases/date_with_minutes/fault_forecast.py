"""A date would do; the format prints seconds."""

from datetime import datetime

import anthropic

client = anthropic.Anthropic()

STYLE = """You write the tide table of a fishing harbour. High water comes first, then low water, then the hours
in which the bar can be crossed. Boats with more than two metres of draught get a line of their own. Wind
against the tide is marked with a star. In fog the table is shortened to the next six hours. Spring tides are
explained in one sentence, neap tides not at all. Times are local and never rounded up. The last line is always
the telephone number of the harbour master."""


def table(question):
    today = datetime.now().isoformat()
    return client.messages.create(
        model="claude-sonnet-4-5",
        max_tokens=500,
        # expect: PFX101 `today`
        system=f"Date: {today}\n\n{STYLE}",
        messages=[{"role": "user", "content": question}],
    )
