"""os.listdir gives names in no order."""

import os

from openai import OpenAI

client = OpenAI()

ORDERS = """You answer questions on the minutes of a village council. Open a file only when its name fits the
question. Quote the resolution with its number and the day it was passed. A resolution that was later taken back
is given with both days. Votes are given as numbers, without names. Building plans are described but not judged.
Land that belongs to a member of the council is never mentioned in connection with that member. When the minutes
are silent, say so and name the files you have read."""


def ask(folder, question):
    names = "\n".join(os.listdir(folder))
    # expect: PFX202 `names`
    system = f"Files:\n{names}\n\n{ORDERS}"
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
