"""Once there are too many messages, each turn throws the first one away."""

from openai import OpenAI

client = OpenAI()

SYSTEM = "You are the night porter of a hotel by the sea and answer the guests' questions by telephone."


class Porter:
    def __init__(self):
        self.history = []

    def ask(self, question):
        self.history.append({"role": "user", "content": question})
        while len(self.history) > 40:
            # expect: PFX301 `self.history.pop(0)`
            self.history.pop(0)
        return client.chat.completions.create(
            model="gpt-4o", messages=[{"role": "system", "content": SYSTEM}, *self.history]
        )
