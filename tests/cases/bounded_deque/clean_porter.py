"""A list, cut to half when it has become too long."""

from openai import OpenAI

client = OpenAI()

SYSTEM = "You are the night porter of a hotel by the sea and answer the guests' questions by telephone."


class Porter:
    def __init__(self):
        self.history = []

    def ask(self, question):
        self.history.append({"role": "user", "content": question})
        if len(self.history) > 40:
            # ok: PFX301
            self.history = self.history[-20:]
        return client.chat.completions.create(
            model="gpt-4o", messages=[{"role": "system", "content": SYSTEM}, *self.history]
        )
