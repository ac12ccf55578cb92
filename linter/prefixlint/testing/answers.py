"""What the recording client answers: objects with the attributes that programs read, all together or piece by piece."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

_LEFT_OUT = frozenset({"NotGiven", "Omit"})
"""Classes with which clients say that an argument is not given."""


def unsent(value: Any) -> Any:
    """``value`` as JSON has it: models of messages as objects. ``NotImplemented`` for an argument that is not given."""
    if type(value).__name__ in _LEFT_OUT:
        return NotImplemented
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", exclude_none=True)
    if isinstance(value, SimpleNamespace):
        return {name: unsent(each) for name, each in vars(value).items() if each is not None}
    if isinstance(value, dict):
        return {name: unsent(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [unsent(each) for each in value]
    return value


def answer(endpoint: str, method: str, text: str, model: str, streamed: bool, awaited: bool) -> Any:
    """The answer ``text``. A method ``stream`` gives a context, an argument ``stream=True`` an iterator."""
    whole = _WHOLE[endpoint](text, model)
    if method == "stream":
        return Stream(_pieces(endpoint, text, model), text, whole, awaited)
    if streamed:
        given: Any = Stream(_pieces(endpoint, text, model), text, whole, awaited)
    else:
        given = whole
    return _later(given) if awaited else given


async def _later(value: Any) -> Any:
    return value


class Stream:
    """Events one by one, as a context or without; with awaited clients for ``async with`` and ``async for``."""

    def __init__(self, events: Sequence[Any], text: str, whole: Any, awaited: bool) -> None:
        self._events, self._text, self._whole, self._awaited = events, text, whole, awaited

    def __iter__(self) -> Iterator[Any]:
        return iter(self._events)

    async def __aiter__(self) -> AsyncIterator[Any]:
        for event in self._events:
            yield event

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *error: object) -> None: ...

    async def __aenter__(self) -> Stream:
        return self

    async def __aexit__(self, *error: object) -> None: ...

    @property
    def text_stream(self) -> Any:
        return _each([self._text]) if self._awaited else iter([self._text])

    def _final(self, value: Any) -> Any:
        return _later(value) if self._awaited else value

    def get_final_message(self) -> Any:
        return self._final(self._whole)

    def get_final_text(self) -> Any:
        return self._final(self._text)

    def get_final_completion(self) -> Any:
        return self._final(self._whole)

    def get_final_response(self) -> Any:
        return self._final(self._whole)


async def _each(values: Sequence[Any]) -> AsyncIterator[Any]:
    for value in values:
        yield value


def _chat(text: str, model: str) -> SimpleNamespace:
    message = SimpleNamespace(
        role="assistant", content=text, refusal=None, tool_calls=None, function_call=None, parsed=None
    )
    choice = SimpleNamespace(index=0, message=message, finish_reason="stop", logprobs=None)
    details = SimpleNamespace(cached_tokens=0)
    usage = SimpleNamespace(prompt_tokens=0, completion_tokens=0, total_tokens=0, prompt_tokens_details=details)
    return SimpleNamespace(id="recorded", object="chat.completion", model=model, choices=[choice], usage=usage)


def _completion(text: str, model: str) -> SimpleNamespace:
    choice = SimpleNamespace(index=0, text=text, finish_reason="stop", logprobs=None)
    usage = SimpleNamespace(prompt_tokens=0, completion_tokens=0, total_tokens=0)
    return SimpleNamespace(id="recorded", object="text_completion", model=model, choices=[choice], usage=usage)


def _responses(text: str, model: str) -> SimpleNamespace:
    part = SimpleNamespace(type="output_text", text=text, annotations=[])
    message = SimpleNamespace(id="recorded", type="message", role="assistant", status="completed", content=[part])
    details = SimpleNamespace(cached_tokens=0)
    usage = SimpleNamespace(input_tokens=0, output_tokens=0, total_tokens=0, input_tokens_details=details)
    told = {"model": model, "status": "completed", "output": [message], "output_text": text, "usage": usage}
    return SimpleNamespace(id="recorded", object="response", **told)


def _messages(text: str, model: str) -> SimpleNamespace:
    usage = SimpleNamespace(input_tokens=0, output_tokens=0, cache_read_input_tokens=0, cache_creation_input_tokens=0)
    content = [SimpleNamespace(type="text", text=text, citations=None)]
    told = {"model": model, "content": content, "stop_reason": "end_turn", "usage": usage}
    return SimpleNamespace(id="recorded", type="message", role="assistant", **told)


_WHOLE = {"chat": _chat, "completion": _completion, "responses": _responses, "messages": _messages}


def _pieces(endpoint: str, text: str, model: str) -> list[Any]:
    """The events of a stream: one with the text, one that ends it."""
    if endpoint == "chat":
        delta = SimpleNamespace(role="assistant", content=text, tool_calls=None)
        none = SimpleNamespace(role=None, content=None, tool_calls=None)
        return [_chunk(model, delta, None), _chunk(model, none, "stop")]
    if endpoint == "completion":
        return [_completion(text, model)]
    if endpoint == "responses":
        whole = _responses(text, model)
        return [
            SimpleNamespace(type="response.output_text.delta", delta=text),
            SimpleNamespace(type="response.completed", response=whole),
        ]
    delta = SimpleNamespace(type="text_delta", text=text)
    return [
        SimpleNamespace(type="message_start", message=_messages("", model)),
        SimpleNamespace(type="content_block_delta", index=0, delta=delta),
        SimpleNamespace(type="message_stop"),
    ]


def _chunk(model: str, delta: SimpleNamespace, reason: str | None) -> SimpleNamespace:
    choice = SimpleNamespace(index=0, delta=delta, finish_reason=reason)
    return SimpleNamespace(id="recorded", object="chat.completion.chunk", model=model, choices=[choice], usage=None)
