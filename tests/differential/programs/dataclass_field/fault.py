from dataclasses import dataclass

from openai import OpenAI

client = OpenAI()


@dataclass
class Tour:
    visitor: str
    floors: int = 4

    def prompt(self):
        # fault
        return f"""Tour of {self.floors} floors. Visitor: {self.visitor}.
You guide visitors through a museum of clocks. Begin in the cellar with the water clocks and end under the roof
with the ship chronometers. Never wind anything. Explain the escapement with the wooden model in room four.
Children may pull the rope of the tower clock once. Flash is not allowed in the enamel room. When the clocks
strike together, wait until they have ended. Dates before 1700 are given by century. If somebody asks for the
price of a piece, say that none of them is for sale.
"""


def handle(question, user_name):
    tour = Tour(visitor=user_name)
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": tour.prompt()}, {"role": "user", "content": question}],
    )
