"""Messages are cut when they come in, and sent as they were sent before."""

from openai import OpenAI

client = OpenAI()

SYSTEM = "You are the night porter of a hotel by the sea and answer the guests' questions by telephone."


def turn(history):
    messages = [{"role": "system", "content": SYSTEM}]
    for entry in history:
        # ok: PFX303
        messages.append({"role": entry["role"], "content": entry["content"]})
    return client.chat.completions.create(model="gpt-4o", messages=messages)
