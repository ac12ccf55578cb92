import tomllib
from pathlib import Path

from openai import OpenAI

client = OpenAI()
CONFIG = tomllib.loads(Path(__file__).with_name("prompts.toml").read_text())


def handle(question, user_name):
    # fault
    system = f"{user_name}\n{CONFIG['post']['rules']}"
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
