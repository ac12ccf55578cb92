"""The conversation is kept in a deque of fixed length: from the twenty-first message on, each one pushes out the first."""

from collections import deque

from openai import OpenAI

client = OpenAI()

SYSTEM = "You are the night porter of a hotel by the sea and answer the guests' questions by telephone."


class Porter:
    def __init__(self):
        # expect: PFX301 `deque(maxlen=20)`
        self.history = deque(maxlen=20)

    def ask(self, question):
        self.history.append({"role": "user", "content": question})
        return client.chat.completions.create(
            model="gpt-4o", messages=[{"role": "system", "content": SYSTEM}, *self.history]
        )
