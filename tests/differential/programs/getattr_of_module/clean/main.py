import texts
from openai import OpenAI

client = OpenAI()


def load(name):
    return getattr(texts, name)


def handle(question, user_name):
    system = f"{load('KITCHEN')}\n{user_name}"
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
