import json

from openai import OpenAI

client = OpenAI()
STEPS = [
    "Boats leave at every full hour from six in the morning until nine at night, in winter until seven only.",
    "Bicycles travel free, dogs pay half. A ticket that was not used can be given back within three days.",
    "Cars have to be at the pier twenty minutes early. Groups of more than ten people write to the office first.",
    "Never promise a seat on the upper deck. Lost things are kept for a month in the harbour shed by the pier.",
]


def handle(question, user_name):
    # fault
    task = {
        "guest": user_name,
        "role": "You answer for a ferry line between two islands.",
        "steps": STEPS,
    }
    prompt = "Follow the task below.\n" + json.dumps(task, indent=2, ensure_ascii=False)
    client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": prompt}])
