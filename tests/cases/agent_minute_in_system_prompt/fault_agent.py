"""An agent that joins its system prompt from sections, the time among the first."""

import platform
from datetime import datetime

from openai import OpenAI

client = OpenAI()

CHARTER = """## How you work
You look after a small greenhouse through sensors and valves. Read every sensor before you open a valve. Water
in the morning or in the evening, never in full sun. When two sensors of one bed disagree by more than ten
percent, trust neither and tell the keeper. Log what you did in one line. You may close any valve at any time;
opening one for more than twenty minutes needs the keeper's word. Frost comes before drought: below three
degrees the heating goes first."""


def system_prompt():
    parts = []
    # expect: PFX101 `now`
    parts.append(f"# Greenhouse agent\nNow: {datetime.now().strftime('%Y-%m-%d %H:%M')}")
    parts.append(CHARTER)
    return "\n\n".join(parts)


def step(messages):
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system_prompt()}, *messages],
    )
