from datetime import datetime

from openai import OpenAI

client = OpenAI()
RULES = """You keep the gardens of a castle in order. Roses are cut in March above the third bud, lavender after it has
flowered, and the hedges twice a year. Young trees get twenty litres of water a week in summer. Wasps are left
alone. The pond is cleaned by hand because of the newts. Tools are oiled on Fridays. Leaves stay under the
shrubs until spring. Name each plant by its Latin name once and by its common name after that. Ask where a
plant stands before you judge its leaves, and never advise poison."""


class Prompt:
    def __init__(self, with_time=False):
        self.with_time = with_time

    def build(self):
        parts = []
        if self.with_time:
            parts.append(f"Now {datetime.now():%H:%M}")
        parts.append(RULES)
        return "\n".join(parts)


def handle(question):
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": Prompt(with_time=False).build()}, {"role": "user", "content": question}],
    )
