from collections import defaultdict

from openai import OpenAI

client = OpenAI()
RULES = """You keep the gardens of a castle in order. Roses are cut in March above the third bud, lavender after it has
flowered, and the hedges twice a year. Young trees get twenty litres of water a week in summer. Wasps are left
alone. The pond is cleaned by hand because of the newts. Tools are oiled on Fridays. Leaves stay under the
shrubs until spring. Name each plant by its Latin name once and by its common name after that. Ask where a
plant stands before you judge its leaves, and never advise poison."""
SESSIONS = defaultdict(list)


def handle(question, session_id):
    history = SESSIONS[session_id]
    system = {"role": "system", "content": RULES}
    history.append({"role": "user", "content": question})
    answer = client.chat.completions.create(model="gpt-4o", messages=[system, *history])
    history.append({"role": "assistant", "content": answer.choices[0].message.content})
