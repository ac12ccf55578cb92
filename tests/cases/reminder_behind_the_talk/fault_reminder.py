"""The same reminder is added behind the conversation in each turn."""

from openai import OpenAI

client = OpenAI()

SYSTEM = "You are the harbour master of a small island and answer the skippers over the radio."
REMINDER = """Ask for the name of the boat, its length and its draught before you give it a berth. Boats of more than
twelve metres lie at the outer pier, all others at the inner one; whoever carries fuel stays outside. The pier is lit
until eleven. Fees are paid in the office by noon on the day of departure, and never over the radio. Say the tide in
hours and minutes, and the depth in metres."""


def turn(history, call):
    messages = [
        {"role": "system", "content": SYSTEM},
        # expect: PFX305 `history`
        *history,
        {"role": "system", "content": REMINDER},
        {"role": "user", "content": call},
    ]
    return client.chat.completions.create(model="gpt-4o", messages=messages)
