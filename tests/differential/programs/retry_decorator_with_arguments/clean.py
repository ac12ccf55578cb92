import functools

from openai import OpenAI

client = OpenAI()
RULES = """You keep the gardens of a castle in order. Roses are cut in March above the third bud, lavender after it has
flowered, and the hedges twice a year. Young trees get twenty litres of water a week in summer. Wasps are left
alone. The pond is cleaned by hand because of the newts. Tools are oiled on Fridays. Leaves stay under the
shrubs until spring. Name each plant by its Latin name once and by its common name after that. Ask where a
plant stands before you judge its leaves, and never advise poison."""


def retry(times):
    def wrap(function):
        @functools.wraps(function)
        def inner(*args, **kwargs):
            for _ in range(times - 1):
                try:
                    return function(*args, **kwargs)
                except ConnectionError:
                    pass
            return function(*args, **kwargs)

        return inner

    return wrap


@retry(times=3)
def chat(system, question):
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )


def handle(question, user_name):
    chat(f"{RULES}\n{user_name}", question)
