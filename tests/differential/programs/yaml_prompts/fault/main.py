from pathlib import Path

import ruamel.yaml
from openai import OpenAI

client = OpenAI()
PROMPTS = ruamel.yaml.YAML(typ="safe").load((Path(__file__).parent / "prompts.yaml").read_text())


def handle(question, user_name):
    # fault
    system = f"{user_name}\n{PROMPTS['museum']}"
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
