"""What stands behind the conversation tells how things are in this turn: in front, each turn would change it."""

from openai import OpenAI

client = OpenAI()

SYSTEM = "You are the harbour master of a small island and answer the skippers over the radio."
BERTHS = """Give a free berth to whoever asks, the inner pier first; whoever carries fuel stays outside. Boats of more
than twelve metres lie at the outer pier. If none is free, give the time at which the next one leaves. Keep to the plan
unless a boat is in distress. Say the tide in hours and minutes, and the depth in metres. The plan for the next hours
and the berths, with who lies there now:
{plan}
{berths}"""


def turn(history, call, harbour, question):
    state = BERTHS.format(berths=harbour.search(question), plan=harbour.plan(call))
    messages = [
        {"role": "system", "content": SYSTEM},
        # ok: PFX305
        *history,
        {"role": "system", "content": state},
        {"role": "user", "content": call},
    ]
    return client.chat.completions.create(model="gpt-4o", messages=messages)
