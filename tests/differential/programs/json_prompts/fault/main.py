import json
from pathlib import Path

from openai import OpenAI

client = OpenAI()
PROMPTS = json.loads((Path(__file__).parent / "prompts.json").read_text())


def handle(question, session_id):
    # fault
    system = f"{session_id}\n{PROMPTS['post']}"
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
