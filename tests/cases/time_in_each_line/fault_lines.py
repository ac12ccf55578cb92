"""The conversation is printed with the present time in each line."""

from datetime import datetime

from openai import OpenAI

client = OpenAI()

TASK = "You are the night porter of a hotel by the sea. Continue this conversation with one sentence."


def turn(history):
    talk = ""
    for entry in history:
        # expect: PFX303 `datetime.now()`
        talk += f"[{datetime.now():%H:%M}] {entry['content']}\n"
    return client.chat.completions.create(
        model="gpt-4o", messages=[{"role": "user", "content": f"{TASK}\n\n{talk}"}]
    )
