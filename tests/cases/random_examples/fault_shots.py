"""Three examples drawn anew for each request, in front of the task."""

import random

from openai import OpenAI

client = OpenAI()

POOL = ["bloom -> spring", "ember -> winter", "harvest -> autumn", "thunder -> summer", "thaw -> spring", "sickle -> autumn"]

TASK = """You match words with seasons for a card game. Each word gets one season and nothing else. Words that
fit two seasons go to the one in which they are rarer. Food goes to the season in which it is gathered, not to
the one in which it is eaten. Weather goes by the hills, where snow falls in April. Animals go to the season in
which they are first heard. A word you do not know gets the season of the word before it. Write in lower case,
with an arrow between word and season."""


def match(words):
    shots = "\n".join(random.sample(POOL, 3))
    # expect: PFX204 `shots`
    system = f"Examples:\n{shots}\n\n{TASK}"
    return client.chat.completions.create(
        model="gpt-4o-mini",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": words}],
    )
