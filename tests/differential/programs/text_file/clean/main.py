from pathlib import Path

from openai import OpenAI

client = OpenAI()
RULES = (Path(__file__).parent / "rules.md").read_text(encoding="utf-8")


def handle(question, user_name):
    system = f"{RULES}\n{user_name}"
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
