import json
import os

from openai import OpenAI

client = OpenAI()
with open(os.path.join(os.path.dirname(__file__), "prompts.json")) as file:
    PROMPTS = json.load(file)


def handle(question, user_name):
    system = f"{PROMPTS['desk']['text']}\n{user_name}"
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
