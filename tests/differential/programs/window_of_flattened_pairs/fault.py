from functools import reduce

from openai import OpenAI

client = OpenAI()
RULES = """You keep the diary of a lighthouse. Ships are entered with name, flag and heading, storms with the hour at which
the glass fell. Nothing is written about quarrels. The oil is measured on Sundays and the lamp is trimmed at dusk. Birds
that strike the glass are counted by kind. Letters from the mainland are answered within the week. If fog hides the
reef, sound the horn twice a minute and enter every quarter of an hour. Supplies come on the first of the month, when
the sea allows. Do not write what you have not seen."""


def handle(question, history):
    asked, told = history[0::2], history[1::2]
    pairs = [[asked[i], told[i]] for i in range(max(0, len(asked) - 1), len(asked))]
    past = reduce(lambda left, right: [*left, *right], pairs, [])
    # fault
    messages = [{"role": "system", "content": RULES}, *past, {"role": "user", "content": question + "\n" + RULES}]
    client.chat.completions.create(model="gpt-4o", messages=messages)
