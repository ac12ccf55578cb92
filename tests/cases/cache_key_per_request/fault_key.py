"""Each request has a cache key of its own."""

import uuid

from openai import OpenAI

client = OpenAI()

SYSTEM = "You are the night porter of a hotel by the sea and answer the guests' questions by telephone."


def turn(messages):
    return client.chat.completions.create(
        model="gpt-4o",
        # expect: PFX406 `str(uuid.uuid4())`
        prompt_cache_key=str(uuid.uuid4()),
        messages=[{"role": "system", "content": SYSTEM}, *messages],
    )
