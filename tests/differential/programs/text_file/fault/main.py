from pathlib import Path

from openai import OpenAI

client = OpenAI()
RULES = (Path(__file__).parent / "rules.md").read_text(encoding="utf-8")


def handle(question, user_name):
    # fault
    system = f"{user_name}\n{RULES}"
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
