import importlib

from openai import OpenAI

client = OpenAI()
texts = importlib.import_module("texts")


# fault: texts.py:1
def handle(question, user_name):
    system = texts.FERRY_SYSTEM.format(guest=user_name)
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
