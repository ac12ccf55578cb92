from openai import OpenAI

client = OpenAI()
BASE = [
    {"role": "system", "content": """You guide visitors through a museum of clocks. Begin in the cellar with the water clocks and end under the roof
with the ship chronometers. Never wind anything. Explain the escapement with the wooden model in room four.
Children may pull the rope of the tower clock once. Flash is not allowed in the enamel room. When the clocks
strike together, wait until they have ended. Dates before 1700 are given by century. If somebody asks for the
price of a piece, say that none of them is for sale."""},
    {"role": "user", "content": "Hello."},
    {"role": "assistant", "content": "Welcome to the museum."},
]


def handle(question, user_name):
    # fault
    guest = {"role": "system", "content": f"Guest: {user_name}"}
    messages = [guest, *BASE, {"role": "user", "content": question}]
    client.chat.completions.create(model="gpt-4o", messages=messages)
