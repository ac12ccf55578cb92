"""Each message gets the present time whenever the list is built."""

from datetime import datetime

from openai import OpenAI

client = OpenAI()

SYSTEM = "You are the night porter of a hotel by the sea and answer the guests' questions by telephone."


def turn(history):
    messages = [{"role": "system", "content": SYSTEM}]
    for entry in history:
        # expect: PFX303 `datetime.now()`
        messages.append({"role": entry["role"], "content": f"[{datetime.now():%H:%M}] {entry['content']}"})
    return client.chat.completions.create(model="gpt-4o", messages=messages)
