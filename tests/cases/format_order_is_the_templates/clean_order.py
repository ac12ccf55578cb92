"""Here the arguments come in a bad order and the fields in a good one."""

from openai import OpenAI

client = OpenAI()

RULES = """A move is a piece and a square. The baker moves like a knight, the miller along the river, the mayor
one square at a time and never twice in a row. Bread on a square protects it for one round. Whoever holds the
mill at dusk takes a sack of flour. A piece on the bridge cannot be taken. The game ends when the mayor has no
bread left or when the last sack is baked. Explain an illegal move in one sentence and ask for another. Never
give advice to only one of the players."""

# ok: PFX105
TEMPLATE = """{rules}

{question}"""


def referee(question):
    prompt = TEMPLATE.format(question=question, rules=RULES)
    return client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": prompt}])
