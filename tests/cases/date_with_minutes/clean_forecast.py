"""The table first, the date behind it, and no more of the date than is needed."""

from datetime import date

import anthropic

client = anthropic.Anthropic()

STYLE = """You write the tide table of a fishing harbour. High water comes first, then low water, then the hours
in which the bar can be crossed. Boats with more than two metres of draught get a line of their own. Wind
against the tide is marked with a star. In fog the table is shortened to the next six hours. Spring tides are
explained in one sentence, neap tides not at all. Times are local and never rounded up. The last line is always
the telephone number of the harbour master."""


def table(question):
    return client.messages.create(
        model="claude-sonnet-4-5",
        max_tokens=500,
        system=f"{STYLE}\n\nDate: {date.today()}",
        messages=[{"role": "user", "content": question}],
    )
