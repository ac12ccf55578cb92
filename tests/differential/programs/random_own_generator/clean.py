# gap: what a seeded generator of its own gives is unknown
import random

from openai import OpenAI

client = OpenAI()
RULES = """You guide visitors through a museum of clocks. Begin in the cellar with the water clocks and end under the roof
with the ship chronometers. Never wind anything. Explain the escapement with the wooden model in room four.
Children may pull the rope of the tower clock once. Flash is not allowed in the enamel room. When the clocks
strike together, wait until they have ended. Dates before 1700 are given by century. If somebody asks for the
price of a piece, say that none of them is for sale."""


def handle(question):
    dice = random.Random(3)
    system = f"Begin in room {dice.randint(1, 1000000)}\n{RULES}"
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
