"""The same agent with the time in the last message."""

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
    parts.append("# Greenhouse agent")
    parts.append(CHARTER)
    return "\n\n".join(parts)


def step(messages):
    now = {"role": "user", "content": f"Now: {datetime.now().strftime('%Y-%m-%d %H:%M')}"}
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system_prompt()}, *messages, now],
    )
