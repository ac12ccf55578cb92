from datetime import datetime

from openai import OpenAI

client = OpenAI()
RULES = """You write the notices of a swimming bath. Opening hours come first, then prices, then what is closed. A notice has
at most six lines. Children under six pay nothing and are named in each notice about prices. Water below eighteen
degrees is called fresh, never cold. Say which door is open. A lane that is kept for a club is named with its number
and its hours. Do not apologise, and do not use exclamation marks."""


def instructions(markdown):
    more = []
    if markdown:
        more.append("Use markdown.")
    # fault
    more.append(f"The time is {datetime.now():%H:%M}.")
    text = ""
    for line in more:
        text += f"- {line}\n"
    text += RULES
    return text


def handle(question, user_name):
    system = instructions(len(user_name) < 90)
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
