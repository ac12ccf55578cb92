"""The header tells the model how full its context is: new on each step, in front of everything."""

from openai import OpenAI

client = OpenAI()

GUIDE = """You sort a photo archive. Look at one folder at a time. Give each photo a title, a place and a year;
put a question mark behind what you are not sure of. Photos of the same moment form a group, and the sharpest
one leads it. Do not name people unless a name is written on the back. Never delete a photo, even a blurred one:
move it to the folder called aside. When the context is nearly full, write down where you are and stop."""


class Archivist:
    def __init__(self, limit):
        self.limit = limit
        self.used_tokens = 0
        self.messages = []

    def step(self):
        # expect: PFX107 `used_tokens`
        system = f"[context {100 * self.used_tokens // self.limit}% full]\n{GUIDE}"
        reply = client.chat.completions.create(
            model="gpt-4o",
            messages=[{"role": "system", "content": system}, *self.messages],
        )
        self.used_tokens = reply.usage.total_tokens
        self.messages.append(reply.choices[0].message)
        return reply
