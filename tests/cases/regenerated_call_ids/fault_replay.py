"""Stored tool calls get a new id each time they are replayed: the conversation differs from its first call on."""

import uuid

from openai import OpenAI

client = OpenAI()

SYSTEM = "You are the dispatcher of a taxi company. You find the nearest free car and tell the caller its number."


def replay(address, found, question):
    # expect: PFX303 `uuid`
    call_id = f"call_{uuid.uuid4().hex}"
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[
            {"role": "system", "content": SYSTEM},
            {"role": "assistant", "tool_calls": [{"id": call_id, "type": "function",
                                                  "function": {"name": "find_car", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": call_id, "content": """Cars are listed by distance. A car marked with a star takes
wheelchairs, one marked with a ring takes dogs. Cars with a driver on break are left out of the list and come
back after thirty minutes. A car that is more than fifteen minutes away is offered only when the caller asks for
it. Night fares hold from ten in the evening; the list shows them in brackets. Airport trips are booked a day
ahead, through the other line."""},
            {"role": "user", "content": question},
        ],
    )
