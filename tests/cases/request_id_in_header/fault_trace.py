"""A trace id for the logs, at the head of the system prompt."""

from uuid import uuid4

import litellm

POLICY = """You check expense reports of a theatre on tour. Meals count up to the daily rate of the country,
taxis only after eleven at night or with luggage. A bill without a date is sent back. Drinks at the bar are
never paid, flowers for a premiere always. Two nights in the same town at different prices need a word of
explanation. Amounts in other currencies are converted at the rate of the day of the bill. Answer with a table
of the items and the word paid, open or refused behind each of them."""


def check(report):
    # expect: PFX102 `uuid4()`
    header = f"trace: {uuid4()}\n"
    return litellm.completion(
        model="gpt-4o",
        messages=[{"role": "system", "content": header + POLICY}, {"role": "user", "content": report}],
    )
