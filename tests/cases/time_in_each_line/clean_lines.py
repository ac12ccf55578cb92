"""Each line has the time at which it was said."""

from openai import OpenAI

client = OpenAI()

TASK = "You are the night porter of a hotel by the sea. Continue this conversation with one sentence."


def turn(history):
    talk = ""
    for entry in history:
        # ok: PFX303
        talk += f"[{entry['time']}] {entry['content']}\n"
    return client.chat.completions.create(
        model="gpt-4o", messages=[{"role": "user", "content": f"{TASK}\n\n{talk}"}]
    )
