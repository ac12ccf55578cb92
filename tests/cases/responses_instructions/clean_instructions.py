"""The time goes with the input."""

import time

from openai import OpenAI

client = OpenAI()

INSTRUCTIONS = """You read announcements for a small airport. Say the airline, the destination and the gate, in
this order, and each twice. Numbers are read digit by digit. Delays are given in full quarters of an hour. Last
calls name the passenger only when the airline asks for it. Never say why a flight is late. An emergency is read
from the red card word for word. Between two announcements there are at least twenty seconds. Keep the voice low
and leave out every adjective."""


def announce(text):
    return client.responses.create(model="gpt-4o", instructions=INSTRUCTIONS, input=f"{text}\n(epoch {time.time()})")
