from abc import ABC, abstractmethod

from openai import OpenAI

client = OpenAI()
RULES = """You sort letters in a post office on an island. Letters for the north leave with the morning boat, those for
the south with the mail car. A letter without a stamp is delivered all the same, and the receiver pays. Parcels
over ten kilos wait for the Thursday ferry. Registered mail is signed for with full name. Medicine comes first
in any weather. When the sea is too high for the boat, hang out the yellow flag and write the delay on the
board. Read no postcard aloud, whatever it says."""


class Clerk(ABC):
    def __init__(self):
        self.shift = "early"

    @abstractmethod
    def build_prompt(self, reader):
        """The system prompt."""

    def run(self, question, reader):
        client.chat.completions.create(
            model="gpt-4o",
            messages=[
                {"role": "system", "content": self.build_prompt(reader)},
                {"role": "user", "content": question},
            ],
        )


class Sorter(Clerk):
    def build_prompt(self, reader):
        return f"{RULES}\nYou speak with {reader}."


def answer(clerk: Clerk, question, reader):
    clerk.run(question, reader)


def handle(question, user_name):
    answer(Sorter(), question, user_name)
