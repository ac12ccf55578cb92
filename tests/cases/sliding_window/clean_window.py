"""The conversation is sent whole, and cut to half only when it is too long: one new start in many turns."""

from openai import OpenAI

client = OpenAI()

SYSTEM = "You are the telephone exchange of a hospital. You connect callers with wards and give no information on patients."


def turn(messages):
    if len(messages) > 40:
        del messages[:20]
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": SYSTEM}, *messages],
    )
