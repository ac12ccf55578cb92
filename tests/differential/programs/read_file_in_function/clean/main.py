from functools import lru_cache
from pathlib import Path

from openai import OpenAI

client = OpenAI()
BASE_DIR = Path(__file__).resolve().parent
PROMPT_DIR = BASE_DIR / "prompts"


@lru_cache
def load(name):
    return (PROMPT_DIR / name).read_text(encoding="utf-8").strip()


def handle(question, user_name):
    system = load("desk.md") + "\n" + user_name
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
