"""A client that sends nothing: it keeps the requests made of it and gives answers of the right shape."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from prefixlint.testing.answers import answer, unsent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ENDPOINTS = {
    ("chat", "completions"): "chat",
    ("completions",): "completion",
    ("responses",): "responses",
    ("messages",): "messages",
}
METHODS = ("create", "parse", "stream")
_NOT_SENT = ("extra_headers", "extra_query", "extra_body", "timeout", "stream", "stream_options", "text_format")
"""Arguments that say how to send a request, and are no part of it."""


@dataclass(slots=True)
class Recorder:
    """``client`` and ``async_client`` take the place of clients of OpenAI and Anthropic alike::

        def test_requests_share_the_manual(llm_requests, monkeypatch):
            monkeypatch.setattr("app.agent.client", llm_requests.client)
            app.agent.answer("How much is a day ticket?")
            app.agent.answer("Are dogs allowed?")
            llm_requests.assert_stable_prefix(at_least=1024)

    ``requests`` are the bodies as they were when they were sent, oldest first. ``answers`` are the texts given back,
    one after the other, the last one again and again.
    """

    requests: list[dict[str, Any]] = field(default_factory=list)
    answers: Sequence[str] = ("ok",)

    @property
    def client(self) -> Client:
        return Client(self, awaited=False)

    @property
    def async_client(self) -> Client:
        return Client(self, awaited=True)

    def record(self, endpoint: str, arguments: Mapping[str, Any]) -> str:
        """Keeps a request; gives the text to answer with."""
        body = {name: unsent(value) for name, value in arguments.items() if name not in _NOT_SENT}
        body.update(arguments.get("extra_body") or {})
        body = {name: value for name, value in body.items() if value is not NotImplemented}
        if endpoint == "messages":
            # Tells a request to Anthropic from one to OpenAI; its client sends it as a header.
            body.setdefault("anthropic_version", "2023-06-01")
        self.requests.append(copy.deepcopy(body))
        return self.answers[min(len(self.requests), len(self.answers)) - 1] if self.answers else ""

    def assert_stable_prefix(self, *, at_least: int = 1024, target: str = "openai:gpt-4o") -> None:
        """Fails unless each request begins with ``at_least`` so many tokens of the one before it.

        Raises ``AssertionError``, also where fewer than two requests were recorded, and ``ValueError`` for an unknown
        target.
        """
        __tracebackhide__ = True
        from prefixlint.testing.comparing import too_short

        if len(self.requests) < 2:
            raise AssertionError(f"{len(self.requests)} recorded: it takes two to compare them")
        wrong = too_short(self.requests, at_least, target)
        if wrong:
            raise AssertionError("\n".join(wrong))


class Client:
    """Has the endpoints of OpenAI's and Anthropic's clients that take a prompt, and no others."""

    def __init__(self, recorder: Recorder, *, awaited: bool, path: tuple[str, ...] = ()) -> None:
        self._recorder, self._awaited, self._path = recorder, awaited, path

    def __getattr__(self, name: str) -> Any:
        path = (*self._path, name)
        # A beta namespace has the same endpoints.
        plain = path[1:] if path[0] == "beta" else path
        endpoint = ENDPOINTS.get(plain[:-1])
        if endpoint is not None and name in METHODS:
            return _Method(self._recorder, endpoint, name, self._awaited)
        if any(known[: len(plain)] == plain for known in ENDPOINTS):
            return Client(self._recorder, awaited=self._awaited, path=path)
        if not self._path and name in ("with_options", "copy"):
            return lambda **options: self
        raise AttributeError(f"the recording client has no {'.'.join(path)}")

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: object) -> None: ...

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *error: object) -> None: ...

    def close(self) -> Any:
        return _nothing() if self._awaited else None


async def _nothing() -> None: ...


@dataclass(frozen=True, slots=True)
class _Method:
    recorder: Recorder
    endpoint: str
    name: str
    awaited: bool

    def __call__(self, **arguments: Any) -> Any:
        streamed = bool(arguments.get("stream"))
        text = self.recorder.record(self.endpoint, arguments)
        return answer(self.endpoint, self.name, text, str(arguments.get("model", "")), streamed, self.awaited)
