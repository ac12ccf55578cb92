"""Messages that are more than five turns old are blanked: on each turn another one."""

from openai import OpenAI

client = OpenAI()

SYSTEM = "You are the night porter of a hotel by the sea and answer the guests' questions by telephone."


def turn(history):
    messages = [{"role": "system", "content": SYSTEM}]
    for place, entry in enumerate(history):
        # expect: PFX303 `place < len(history) - 5`
        if place < len(history) - 5:
            messages.append({"role": entry["role"], "content": "(left out)"})
        else:
            messages.append(entry)
    return client.chat.completions.create(model="gpt-4o", messages=messages)
