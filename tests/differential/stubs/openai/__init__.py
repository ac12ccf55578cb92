"""Stands for the openai package: keeps what it is asked and gives one fixed answer."""

from types import SimpleNamespace

from requests_recorder import record


def _answer():
    said = SimpleNamespace(role="assistant", content="Certainly.", tool_calls=None)
    return SimpleNamespace(choices=[SimpleNamespace(message=said)], output_text="Certainly.")


class _Completions:
    def create(self, *, model, messages, tools=None, **_):
        record(tools=tools, messages=messages)
        return _answer()

    parse = create


class _Responses:
    def create(self, *, model, input, instructions=None, tools=None, **_):
        record(tools=tools, system=instructions, messages=input)
        return _answer()


class _AsyncCompletions:
    async def create(self, **arguments):
        return _Completions().create(**arguments)


class _AsyncResponses:
    async def create(self, **arguments):
        return _Responses().create(**arguments)


class OpenAI:
    def __init__(self, **_):
        self.chat = SimpleNamespace(completions=_Completions())
        self.responses = _Responses()

    def with_options(self, **_):
        return self


class AsyncOpenAI:
    def __init__(self, **_):
        self.chat = SimpleNamespace(completions=_AsyncCompletions())
        self.responses = _AsyncResponses()


class AzureOpenAI(OpenAI):
    pass


chat = SimpleNamespace(completions=_Completions())
