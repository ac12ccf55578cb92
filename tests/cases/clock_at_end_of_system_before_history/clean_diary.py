"""The time stands behind the conversation."""

from datetime import datetime

from openai import OpenAI

client = OpenAI()

SYSTEM = "You keep the diary of a beekeeper. Write down what is told, ask for the number of the hive, and keep quiet otherwise."


def turn(messages):
    moment = {"role": "user", "content": f"Current time: {datetime.now():%H:%M}"}
    return client.chat.completions.create(
        model="gpt-4o", messages=[{"role": "system", "content": SYSTEM}, *messages, moment]
    )
