from typing import Protocol

from openai import OpenAI

RULES = """You sort letters in a post office on an island. Letters for the north leave with the morning boat, those for
the south with the mail car. A letter without a stamp is delivered all the same, and the receiver pays. Parcels
over ten kilos wait for the Thursday ferry. Registered mail is signed for with full name. Medicine comes first
in any weather. When the sea is too high for the boat, hang out the yellow flag and write the delay on the
board. Read no postcard aloud, whatever it says."""


class Model(Protocol):
    def complete(self, system: str, user: str) -> str: ...


class OpenAIModel:
    def __init__(self):
        self.client = OpenAI()

    def complete(self, system: str, user: str) -> str:
        messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        return self.client.chat.completions.create(model="gpt-4o", messages=messages).choices[0].message.content


def run(model: Model, name: str, question: str) -> str:
    return model.complete(f"{RULES}\n{name}", question)


def handle(question, user_name):
    run(OpenAIModel(), user_name, question)
