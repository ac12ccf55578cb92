from openai import OpenAI

from .texts import RULES

client = OpenAI()


def ask(question, user_name):
    system = f"{RULES}\n{user_name}"
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
