"""The time stands at the very end of the system prompt, and yet in front of the whole conversation."""

from datetime import datetime

from openai import OpenAI

client = OpenAI()

SYSTEM = "You keep the diary of a beekeeper. Write down what is told, ask for the number of the hive, and keep quiet otherwise."


def turn(messages):
    # expect: PFX101 `datetime.now()`
    system = f"{SYSTEM}\nCurrent time: {datetime.now():%H:%M}"
    return client.chat.completions.create(
        model="gpt-4o", messages=[{"role": "system", "content": system}, *messages]
    )
