"""The template is a file beside the program."""

from datetime import datetime
from pathlib import Path

from openai import OpenAI

client = OpenAI()

SYSTEM = (Path(__file__).parent / "prompts" / "fault_system.txt").read_text()


def entry(note):
    # expect: PFX101 `now` at prompts/fault_system.txt:1
    system = SYSTEM.format(now=datetime.now())
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": note}],
    )
