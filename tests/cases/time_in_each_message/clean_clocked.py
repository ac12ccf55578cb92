"""Each message keeps the time at which it came in."""

from openai import OpenAI

client = OpenAI()

SYSTEM = "You are the night porter of a hotel by the sea and answer the guests' questions by telephone."


def turn(history):
    messages = [{"role": "system", "content": SYSTEM}]
    for entry in history:
        # ok: PFX303
        messages.append({"role": entry["role"], "content": f"[{entry['time']}] {entry['content']}"})
    return client.chat.completions.create(model="gpt-4o", messages=messages)
