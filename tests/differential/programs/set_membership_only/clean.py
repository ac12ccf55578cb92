# gap: the condition of a comprehension over constants is not evaluated
from openai import OpenAI

client = OpenAI()
RULES = """You keep the gardens of a castle in order. Roses are cut in March above the third bud, lavender after it has
flowered, and the hedges twice a year. Young trees get twenty litres of water a week in summer. Wasps are left
alone. The pond is cleaned by hand because of the newts. Tools are oiled on Fridays. Leaves stay under the
shrubs until spring. Name each plant by its Latin name once and by its common name after that. Ask where a
plant stands before you judge its leaves, and never advise poison."""
PLANTS = ["rose", "yew", "box", "lime", "pear"]
POISONOUS = {"yew", "box", "oleander"}


def handle(question):
    shown = [p for p in PLANTS if p not in POISONOUS]
    system = "Plants: " + ", ".join(shown) + "\n" + RULES
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
