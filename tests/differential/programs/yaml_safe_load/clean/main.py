from pathlib import Path

import yaml
from openai import OpenAI

client = OpenAI()
with open(Path(__file__).parent / "prompts.yaml", encoding="utf-8") as file:
    PROMPTS = yaml.safe_load(file)


def handle(question, user_name):
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": PROMPTS["museum"]["system"].format(user_name=user_name)}, {"role": "user", "content": question}],
    )
