"""Stands for ollama: keeps what it is asked and gives one fixed answer."""

from requests_recorder import record


def chat(model, messages, tools=None, **_):
    record(tools=tools, messages=messages)
    return {"message": {"role": "assistant", "content": "Certainly."}}


def generate(model, prompt, system=None, **_):
    record(system=system, messages=prompt if system is not None else (), prompt=prompt if system is None else None)
    return {"response": "Certainly."}


class Client:
    def __init__(self, **_):
        pass

    def chat(self, model, messages, **arguments):
        return chat(model, messages, **arguments)

    def generate(self, model, prompt, **arguments):
        return generate(model, prompt, **arguments)
