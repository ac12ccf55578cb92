"""Stands for litellm: keeps what it is asked and gives one fixed answer."""

from types import SimpleNamespace

from requests_recorder import record


def completion(model, messages, tools=None, **_):
    record(tools=tools, messages=messages)
    said = SimpleNamespace(role="assistant", content="Certainly.")
    return SimpleNamespace(choices=[SimpleNamespace(message=said)])


async def acompletion(model, messages, **arguments):
    return completion(model, messages, **arguments)
