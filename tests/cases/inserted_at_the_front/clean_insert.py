"""Put behind it instead."""

from openai import OpenAI

client = OpenAI()

SYSTEM = "You are the guide of a botanical garden and walk with a visitor from house to house."


def turn(retrieved_facts, messages):
    # ok: PFX104 `retrieved_facts`
    facts = {"role": "system", "content": f"Facts for this question: {retrieved_facts}"}
    return client.chat.completions.create(
        model="gpt-4o", messages=[{"role": "system", "content": SYSTEM}, *messages, facts]
    )
