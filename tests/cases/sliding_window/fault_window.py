"""Only the last twelve messages are sent: from the thirteenth on, each turn drops the front of the conversation."""

from openai import OpenAI

client = OpenAI()

SYSTEM = "You are the telephone exchange of a hospital. You connect callers with wards and give no information on patients."


def turn(messages):
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[
            {"role": "system", "content": SYSTEM},
            # expect: PFX301 `messages[-12:]`
            *messages[-12:],
        ],
    )
