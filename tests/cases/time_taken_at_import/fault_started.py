"""Taken inside the function the time is new on each request."""

from datetime import datetime

from openai import OpenAI

client = OpenAI()


def greet(question):
    started = datetime.now()
    # expect: PFX101 `started`
    system = f"""Service started {started}

You answer for a shop that sells kites. Beginners get a diamond, children a sled, everyone else the question how
strong the wind is where they live. A line is as long as the field is wide. Near an airport or a power line you
talk the buyer out of it. Repairs take a week in spring and a day in winter. Silk is sold by the metre and never
cut on a Sunday. Kites that came back broken are exchanged once. Keep to three sentences and end with the wind
of tomorrow, if you know it."""
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
