"""Tenant and plan first: each customer has a prefix of their own."""

import anthropic

client = anthropic.Anthropic()

SUPPORT = """You answer for a maker of tents. A pole that breaks within two years is replaced, a zip within
five. Ask for the model and the year, both are printed on the bag. Never ask for a receipt first. Storm damage
is no fault of the tent above force eight, and below it always is. Patches are sent free of charge. When
somebody writes from the road, give the nearest dealer before anything else. Returned tents are dried and given
to schools. Keep to six sentences and sign with the name of the workshop."""


def support(customer_name, messages):
    # expect: PFX106 `customer_name`
    system = f"Customer: {customer_name}\n\n{SUPPORT}"
    return client.messages.create(model="claude-sonnet-4-5", max_tokens=400, system=system, messages=messages)
