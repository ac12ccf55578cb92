"""A template as two requests that an API takes: the same layout twice, with other volatile values the second time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from prefixlint.layout.messages import render
from prefixlint.layout.order import engine_order
from prefixlint.layout.variations import NEXT, SAME
from prefixlint.model.segments import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from prefixlint.model.templates import Block, Template

Turn = tuple[str, str, bool]
"""Role, text, and whether a cache marker ends it."""

_OUTPUT: Final = 1
"""Tokens asked for: only the prompt matters."""


@dataclass(frozen=True, slots=True)
class Api:
    """An API that can be asked. ``usage`` names its counters in ``usage.toml``, "" for whichever are there.

    ``engine`` is what predictions are made for where the user names no target.
    """

    name: str
    path: str
    engine: str
    chat: bool
    usage: str
    build: Callable[[str | None, Sequence[Turn]], dict[str, Any]]
    key_header: str = "Authorization"


class CannotAsk(ValueError):
    """A template that the API does not take: the message says why and the way out."""


def _completion(model: str | None, turns: Sequence[Turn]) -> dict[str, Any]:
    return {**_named(model), "prompt": _joined(turns), "n_predict": _OUTPUT, "cache_prompt": True, "temperature": 0}


def _generate(model: str | None, turns: Sequence[Turn]) -> dict[str, Any]:
    body = {**_named(model), "prompt": _joined(turns), "raw": True, "stream": False}
    return {**body, "options": {"num_predict": _OUTPUT, "temperature": 0}}


def _ollama_chat(model: str | None, turns: Sequence[Turn]) -> dict[str, Any]:
    body = {**_named(model), "messages": _messages(turns), "stream": False}
    return {**body, "options": {"num_predict": _OUTPUT, "temperature": 0}}


def _openai_chat(model: str | None, turns: Sequence[Turn]) -> dict[str, Any]:
    # Newer OpenAI models refuse max_tokens, most servers know nothing else.
    limit = (
        "max_completion_tokens" if model and model.startswith(("gpt-5", "gpt-6", "o1", "o3", "o4")) else "max_tokens"
    )
    return {**_named(model), "messages": _messages(turns), limit: _OUTPUT}


def _responses(model: str | None, turns: Sequence[Turn]) -> dict[str, Any]:
    # The API's own minimum is 16 tokens.
    return {**_named(model), "input": _messages(turns), "max_output_tokens": 16, "store": False}


def _anthropic(model: str | None, turns: Sequence[Turn]) -> dict[str, Any]:
    system = [_block(text, marker) for role, text, marker in turns if role == "system"]
    body: dict[str, Any] = {**_named(model), "max_tokens": _OUTPUT}
    if system:
        body["system"] = system
    messages = [{"role": role, "content": [_block(text, marker)]} for role, text, marker in turns if role != "system"]
    body["messages"] = messages or [{"role": "user", "content": [_block("Go on.", False)]}]
    return body


def _block(text: str, marker: bool) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "text", "text": text}
    return {**block, "cache_control": {"type": "ephemeral"}} if marker else block


def _named(model: str | None) -> dict[str, Any]:
    return {"model": model} if model else {}


def _joined(turns: Sequence[Turn]) -> str:
    return "".join(text for _, text, _ in turns)


def _messages(turns: Sequence[Turn]) -> list[dict[str, Any]]:
    return [{"role": role, "content": text} for role, text, _ in turns]


APIS: Mapping[str, Api] = {
    api.name: api
    for api in (
        Api("llama-completion", "/completion", "llama-server", False, "llama-server", _completion),
        Api("ollama-generate", "/api/generate", "ollama", False, "ollama", _generate),
        Api("ollama-chat", "/api/chat", "ollama", True, "ollama", _ollama_chat),
        Api("openai-chat", "/v1/chat/completions", "vllm", True, "", _openai_chat),
        Api("openai-responses", "/v1/responses", "vllm", True, "openai-responses", _responses),
        Api("anthropic", "/v1/messages", "anthropic", True, "anthropic", _anthropic, "x-api-key"),
    )
}
"""What ``verify`` speaks."""


def prepared(template: Template, api: Api, order: Sequence[str], nonce: str) -> Template:
    """``template`` as it will be sent: ``nonce`` in front of all, no tools, and roles that the API knows.

    A nonce of its own keeps a run from finding what an earlier run left in the server's cache. Raises ``CannotAsk``.
    """
    blocks = [block for block in template.blocks if block.component != "tools" and block.segments]
    if not blocks:
        raise CannotAsk(f"{template.id} has no text to send")
    if api.chat:
        blocks = [replace(block, role=_role(block), component=_component(block)) for block in blocks]
    elif any(block.role for block in blocks):
        raise CannotAsk(f"{template.id} is a chat, and {api.name} takes a plain prompt: use the server's chat API")
    index, first = engine_order(blocks, order)[0]
    blocks[index] = replace(first, segments=(Text(nonce, first.span), *first.segments))
    return replace(template, blocks=tuple(blocks))


def _role(block: Block) -> str:
    if block.component == "system":
        return "system"
    return block.role if block.role in ("user", "assistant") else "user"


def _component(block: Block) -> Any:
    return "system" if block.component == "system" else "messages"


def requests(
    template: Template, api: Api, order: Sequence[str], model: str | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Bodies of the two requests: as the template is laid out, and with all that varies changed."""
    blocks = engine_order(template.blocks, order)
    one, other = (api.build(model, _turns(blocks, variation)) for variation in (SAME, NEXT))
    return one, other


def _turns(blocks: Sequence[tuple[int, Block]], variation: Any) -> list[Turn]:
    return [
        (message.role, message.text, any(block.cache_marker for _, block in message.blocks))
        for message in render(blocks, variation)
    ]
