# gap: two processes never share an address, two requests of one process may: no lifetime says both
from openai import OpenAI

client = OpenAI()
RULES = """You guide visitors through a museum of clocks. Begin in the cellar with the water clocks and end under the roof
with the ship chronometers. Never wind anything. Explain the escapement with the wooden model in room four.
Children may pull the rope of the tower clock once. Flash is not allowed in the enamel room. When the clocks
strike together, wait until they have ended. Dates before 1700 are given by century. If somebody asks for the
price of a piece, say that none of them is for sale."""


class Clock:
    pass


# What is kept has an address of its own: that of one that is gone is given to the next.
SHOWN = []


def handle(question):
    piece = Clock()
    SHOWN.append(piece)
    # fault
    system = f"Shown first: {piece}\n{RULES}"
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
