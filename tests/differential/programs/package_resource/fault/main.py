from importlib import resources

from openai import OpenAI

import library

client = OpenAI()
RULES = resources.files(library).joinpath("rules.txt").read_text()


def handle(question, user_name):
    # fault
    system = f"{user_name}\n{RULES}"
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
