from openai import OpenAI

client = OpenAI()
TEMPLATE = """You guide visitors through a museum of clocks. Begin in the cellar with the water clocks and end under the roof
with the ship chronometers. Never wind anything. Explain the escapement with the wooden model in room four.
Children may pull the rope of the tower clock once. Flash is not allowed in the enamel room. When the clocks
strike together, wait until they have ended. Dates before 1700 are given by century. If somebody asks for the
price of a piece, say that none of them is for sale.
Guest <name>."""


def fill(text, values):
    for key, value in values.items():
        text = text.replace(f"<{key}>", value)
    return text


def handle(question, user_name):
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": fill(TEMPLATE, {"name": user_name, "floor": "3"})}, {"role": "user", "content": question}],
    )
