"""The examples are shuffled before each request, so that the model does not lean on the last one."""

import random

from openai import OpenAI

client = OpenAI()

EXAMPLES = [
    "Room 12, tap drips: plumber, this week",
    "Room 3, no light: electrician, today",
    "Lift stuck: lift company, at once",
    "Hedge too high: gardener, this month",
]

TASK = """You pass on the messages of tenants. Each gets a trade and a term. Water that runs comes first, then
light, then heat, then all else. In winter heat changes places with light. A smell of gas is not passed on:
answer with the emergency number alone. Noise is no matter for a trade. When a tenant writes twice about the
same thing, the term is halved. Keep to the form of the examples and write nothing else, not even a greeting."""


def pass_on(message):
    examples = list(EXAMPLES)
    random.shuffle(examples)
    # expect: PFX204 `examples`
    system = "Examples:\n" + "\n".join(examples) + "\n\n" + TASK
    return client.chat.completions.create(
        model="gpt-4o-mini",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": message}],
    )
