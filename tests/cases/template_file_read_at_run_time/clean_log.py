"""The same with the time in the last line of the file."""

from datetime import datetime
from pathlib import Path

from openai import OpenAI

client = OpenAI()

SYSTEM = (Path(__file__).parent / "prompts" / "clean_system.txt").read_text()


def entry(note):
    system = SYSTEM.format(now=datetime.now())
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": note}],
    )
