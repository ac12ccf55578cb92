import json
from pathlib import Path

from openai import OpenAI

client = OpenAI()
PROMPTS = json.loads((Path(__file__).parent / "prompts.json").read_text())


def handle(question, session_id):
    system = f"{PROMPTS['post']}\n{session_id}"
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
