"""Stands for the anthropic package: keeps what it is asked and gives one fixed answer."""

from contextlib import contextmanager
from types import SimpleNamespace

from requests_recorder import record


class _Messages:
    def create(self, *, model, max_tokens, messages, system=None, tools=None, **_):
        record(tools=tools, system=system, messages=messages)
        return SimpleNamespace(content=[SimpleNamespace(type="text", text="Certainly.")])

    @contextmanager
    def stream(self, **arguments):
        yield SimpleNamespace(text_stream=["Certainly."], answer=self.create(**arguments))


class _AsyncMessages:
    async def create(self, **arguments):
        return _Messages().create(**arguments)


class Anthropic:
    def __init__(self, **_):
        self.messages = _Messages()
        self.beta = SimpleNamespace(messages=self.messages)


class AsyncAnthropic:
    def __init__(self, **_):
        self.messages = _AsyncMessages()
