import texts
from openai import OpenAI

client = OpenAI()


def load(name):
    return getattr(texts, name)


def handle(question, user_name):
    # fault
    system = f"{user_name}\n{load('KITCHEN')}"
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
