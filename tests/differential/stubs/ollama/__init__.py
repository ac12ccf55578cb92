"""Stands for ollama: keeps what it is asked and gives one fixed answer."""

from requests_recorder import record


def chat(model, messages, tools=None, **_):
    record(tools=tools, messages=messages)
    return {"message": {"role": "assistant", "content": "Certainly."}}


def generate(model, prompt, system=None, **_):
    # The server puts the model's chat template around both.
    record(system=system, messages=[{"role": "user", "content": prompt}])
    return {"response": "Certainly."}


class Client:
    def __init__(self, **_):
        pass

    def chat(self, model, messages, **arguments):
        return chat(model, messages, **arguments)

    def generate(self, model, prompt, **arguments):
        return generate(model, prompt, **arguments)
