"""A note on the question is inserted behind the system message, in front of the conversation."""

from openai import OpenAI

client = OpenAI()

SYSTEM = "You are the night porter of a hotel by the sea and answer the guests' questions by telephone."


def turn(retrieved, messages):
    request = [{"role": "system", "content": SYSTEM}, *messages]
    # expect: PFX302 `retrieved`
    request.insert(1, {"role": "user", "content": f"From the house rules: {retrieved}"})
    return client.chat.completions.create(model="gpt-4o", messages=request)
