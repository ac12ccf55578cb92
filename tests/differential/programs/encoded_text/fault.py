from openai import OpenAI

client = OpenAI()
RULES = """You keep the logbook of a diving school. A dive has a site, a depth in metres and the air that is left at the end. Nobody
dives deeper than the card allows, nor alone. After a deep dive the next one waits for two hours. Cameras are noted
with their owner. A lost fin is replaced from the shed behind the boats. Write in the past tense, name the buddy
first, and never estimate a depth that the computer did not show. Currents are given in knots, from where they come."""


def handle(question, user_name):
    # fault
    data = user_name.encode() + b"\n" + RULES.encode() + b"\nBe brief."
    text = data.decode()
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": text}, {"role": "user", "content": question}],
    )
