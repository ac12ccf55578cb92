"""The clock is two modules and one constant away from the prompt."""

from openai import OpenAI

from fault_clockwork import stamp

client = OpenAI()

# expect: PFX101 `stamp`
TEMPLATE = """Time of request: {stamp}

You read the meter of a small dam. Give the level in centimetres above the sill, the inflow and the outflow in
litres per second. Above two hundred and ten centimetres the lower gate opens by a hand's width, above two
hundred and forty by two. Ice on the grid counts as outflow lost. Fish are let through at dawn. When the level
falls though no gate is open, call the warden and do not touch anything. Write the numbers first and the words
after them, in at most three lines."""


def report(reading):
    system = TEMPLATE.format(stamp=stamp())
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": reading}],
    )
