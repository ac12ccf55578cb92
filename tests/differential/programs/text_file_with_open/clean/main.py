import os

from openai import OpenAI

client = OpenAI()


def load(name):
    with open(os.path.join(os.path.dirname(__file__), "prompts", name)) as file:
        return file.read()


def handle(question, user_name):
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": load("desk.txt").format(name=user_name)}, {"role": "user", "content": question}],
    )
