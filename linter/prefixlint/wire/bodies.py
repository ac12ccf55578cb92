"""Request bodies of each API as one thing: messages of parts, in the order in which the body lists them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Literal

from prefixlint.knowledge.attachments import attachments
from prefixlint.model.templates import SYSTEM_ROLES
from prefixlint.wire.paths import at

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from prefixlint.model.templates import Component

Form = Literal[
    "text", "openai-chat", "openai-responses", "anthropic", "bedrock", "gemini", "ollama-generate", "completion"
]

ENGINES: Mapping[str, str] = {
    "openai-chat": "openai",
    "openai-responses": "openai",
    "anthropic": "anthropic",
    "bedrock": "bedrock",
    "gemini": "gemini",
    "ollama-generate": "ollama",
    "ollama-chat": "ollama",
    "completion": "llama-server",
}
"""The engine that a form of body is of, where nothing else says so."""

SETTINGS = (
    "model",
    "tool_choice",
    "toolConfig.toolChoice",
    "parallel_tool_calls",
    "response_format",
    "text",
    "reasoning",
    "reasoning_effort",
    "verbosity",
    "thinking",
    "output_config",
    "speed",
    "prompt_cache_key",
    "prompt_cache_isolation_key",
    "user_id",
    "user",
    "cache_salt",
    "extra_key",
    "chat_template_kwargs",
    "service_tier",
    "cachedContent",
    "template",
    "options.num_ctx",
    "id_slot",
    "lora",
)
"""Fields besides the prompt that decide whether a cached prefix is found; see the invalidators of each target. A dot
leads into an object."""

IMAGES = "images"
"""A setting that no body has as a field: how many images and other media are in it."""


class NotABody(ValueError):
    """A JSON value that is no request body of a known form."""


@dataclass(frozen=True, slots=True)
class Part:
    """One text of a request. ``place`` is its path in the body (``messages[0].content[1]``).

    ``ids`` are given where the body gives tokens instead of text; ``digest`` stands for what is no text, an image.
    ``kind`` is the type of a tool's block: a run of one kind is one block to a provider that looks back over blocks.
    """

    place: str
    text: str
    marker: bool = False
    ids: tuple[int, ...] = ()
    digest: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """``role`` is "" where the engine puts no framing of a message around the text."""

    role: str
    component: Component
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Body:
    """A request. ``settings`` are those of ``SETTINGS`` that it has, as JSON text, and the number of ``IMAGES``.

    ``chat`` are the ``messages`` and ``tools`` as a chat template takes them: contents as one text each.
    """

    form: str
    messages: tuple[Message, ...]
    model: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    chat: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict, repr=False)

    @property
    def engine(self) -> str | None:
        return ENGINES.get(self.form)


def of_text(text: str) -> Body:
    """A rendered prompt as it is, without messages."""
    return Body("text", (Message("", "messages", (Part("", text),)),))


def of_json(value: object) -> Body:
    """The request that a JSON value is: a body of one of the known forms, or a list of messages.

    Raises ``NotABody``.
    """
    if _is_messages(value):
        value = {"messages": value}
    if not isinstance(value, dict):
        raise NotABody("neither an object nor a list of messages")
    form = _form(value)
    if form is None:
        raise NotABody("it has none of messages, input, contents and prompt")
    messages = tuple(message for message in _READERS[form](value) if message.parts)
    model = value.get("model", value.get("modelId"))
    settings = {name: _dumps(found) for name in SETTINGS if (found := at(value, name)) is not None}
    if media := sum(bool(part.digest) for message in messages for part in message.parts):
        settings[IMAGES] = str(media)
    chat = _chat_of(form, value, messages)
    return Body(_label(form, value), messages, model if isinstance(model, str) else None, settings, chat)


def _chat_of(
    form: Form, value: Mapping[str, Any], messages: Sequence[Message]
) -> dict[str, Sequence[Mapping[str, Any]]]:
    """The chat behind a body; none for a plain prompt, which no template touches."""
    if form == "completion" or all(not message.role for message in messages):
        return {}
    if form == "openai-chat":
        sent = [message for message in value["messages"] if isinstance(message, dict)]
        told = [{**message, "content": _flat(message.get("content"))} for message in sent]
    else:
        # Other APIs' servers turn their messages into these before they render them.
        roles = {"model": "assistant"}
        told = [
            {"role": roles.get(message.role, message.role), "content": "".join(part.text for part in message.parts)}
            for message in messages
            if message.component != "tools"
        ]
    tools = value.get("tools")
    return {"messages": told, "tools": tools if isinstance(tools, list) else []}


def _flat(content: object) -> object:
    return "".join(part.text for part in _content(content, "")) if isinstance(content, list) else content


def _is_messages(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(m, dict) and "role" in m for m in value)


def _form(value: Mapping[str, Any]) -> Form | None:
    if isinstance(value.get("contents"), list | str):
        return "gemini"
    if isinstance(value.get("messages"), list):
        if _bedrock(value):
            return "bedrock"
        return "anthropic" if _anthropic(value) else "openai-chat"
    if isinstance(value.get("input"), str | list):
        return "openai-responses"
    if isinstance(value.get("prompt"), str | list):
        ollama = value.keys() & {"system", "template", "keep_alive", "raw", "context", "options"}
        return "ollama-generate" if ollama and isinstance(value["prompt"], str) else "completion"
    return None


def _label(form: Form, value: Mapping[str, Any]) -> str:
    """The form as a name; a chat with Ollama's own fields differs from OpenAI's in these alone."""
    if form == "openai-chat" and value.keys() & {"options", "keep_alive"}:
        return "ollama-chat"
    return form


def _anthropic(value: Mapping[str, Any]) -> bool:
    model = value.get("model")
    if "system" in value or "anthropic_version" in value or (isinstance(model, str) and "claude" in model.lower()):
        return not isinstance(model, str) or not model.startswith(("gpt-", "o1", "o3", "o4"))
    return any(isinstance(tool, dict) and "input_schema" in tool for tool in value.get("tools") or ())


def _bedrock(value: Mapping[str, Any]) -> bool:
    if value.keys() & {"inferenceConfig", "toolConfig", "modelId"}:
        return True
    contents = [message.get("content") for message in value["messages"] if isinstance(message, dict)]
    parts = [part for content in contents if isinstance(content, list) for part in content]
    return bool(parts) and all(isinstance(part, dict) and "type" not in part and "text" in part for part in parts)


def _dumps(value: object) -> str:
    # Key order stays: to an engine that renders it, another order is another text.
    return json.dumps(value, ensure_ascii=False)


def _chat(value: Mapping[str, Any]) -> Iterator[Message]:
    yield from _tools(value.get("tools"), "tools")
    if value.get("system") is not None:
        yield Message("system", "system", tuple(_content(value["system"], "system")))
    yield from _turns(value["messages"], "messages")


def _responses(value: Mapping[str, Any]) -> Iterator[Message]:
    yield from _tools(value.get("tools"), "tools")
    if isinstance(value.get("instructions"), str):
        yield Message("system", "system", (Part("instructions", value["instructions"]),))
    if isinstance(value["input"], str):
        yield Message("user", "messages", (Part("input", value["input"]),))
    else:
        yield from _turns(value["input"], "input")


def _converse(value: Mapping[str, Any]) -> Iterator[Message]:
    config = value.get("toolConfig")
    yield from _tools(config.get("tools") if isinstance(config, dict) else None, "toolConfig.tools")
    if value.get("system") is not None:
        yield Message("system", "system", tuple(_content(value["system"], "system")))
    yield from _turns(value["messages"], "messages")


def _gemini(value: Mapping[str, Any]) -> Iterator[Message]:
    for name in ("systemInstruction", "system_instruction"):
        if value.get(name) is not None:
            yield Message("system", "system", tuple(_content(value[name], name)))
    yield from _tools(value.get("tools"), "tools")
    contents = value["contents"]
    yield from _turns([{"role": "user", "parts": contents}] if isinstance(contents, str) else contents, "contents")


def _generate(value: Mapping[str, Any]) -> Iterator[Message]:
    if value.get("raw") is True:
        yield Message("", "messages", (Part("prompt", value["prompt"]),))
        return
    if isinstance(value.get("system"), str):
        yield Message("system", "system", (Part("system", value["system"]),))
    yield Message("user", "messages", (Part("prompt", value["prompt"]),))


def _completion(value: Mapping[str, Any]) -> Iterator[Message]:
    prompt = value["prompt"]
    if isinstance(prompt, str):
        yield Message("", "messages", (Part("prompt", prompt),))
    elif all(isinstance(item, int) and not isinstance(item, bool) for item in prompt):
        yield Message("", "messages", (Part("prompt", "", ids=tuple(prompt)),))
    else:
        yield Message("", "messages", tuple(part for i, x in enumerate(prompt) for part in _content(x, f"prompt[{i}]")))


_READERS = {
    "openai-chat": _chat,
    "anthropic": _chat,
    "openai-responses": _responses,
    "bedrock": _converse,
    "gemini": _gemini,
    "ollama-generate": _generate,
    "completion": _completion,
}


def _tools(tools: object, place: str) -> Iterator[Message]:
    """Tool definitions as the JSON that they are; the engine has its own way to write them."""
    if isinstance(tools, list) and tools:
        parts = tuple(
            Part(f"{place}[{number}]", _dumps(_without_marker(tool)) + "\n", _marked(tool))
            for number, tool in enumerate(tools)
        )
        yield Message("", "tools", parts)


def _turns(messages: Sequence[Any], place: str) -> Iterator[Message]:
    leading = True
    for number, message in enumerate(messages):
        here = f"{place}[{number}]"
        if not isinstance(message, dict):
            yield Message("user", "messages", tuple(_content(message, here)))
            continue
        role = message.get("role")
        role = role if isinstance(role, str) else _role_of_item(message)
        leading = leading and role in SYSTEM_ROLES
        parts: list[Part] = []
        if isinstance(message.get("reasoning_content"), str):
            parts.append(Part(f"{here}.reasoning_content", message["reasoning_content"]))
        for key in ("content", "parts"):
            if message.get(key) is not None:
                parts.extend(_content(message[key], f"{here}.{key}"))
        for image in message.get("images") or ():
            parts.append(_opaque(image, f"{here}.images"))
        for key in ("tool_calls", "function_call"):
            if message.get(key) is not None:
                parts.append(Part(f"{here}.{key}", _dumps(message[key])))
        if role.startswith("function_call"):
            parts.append(Part(here, _dumps(message)))
        if _marked(message) and parts:
            parts[-1] = replace(parts[-1], marker=True)
        yield Message(role, "system" if leading else "messages", tuple(parts))


def _role_of_item(item: Mapping[str, Any]) -> str:
    kind = item.get("type")
    if kind in ("function_call", "function_call_output"):
        return str(kind)
    return "user"


def _content(content: object, place: str) -> Iterator[Part]:
    if isinstance(content, str):
        yield Part(place, content)
    elif isinstance(content, list):
        for number, item in enumerate(content):
            found = tuple(_content(item, f"{place}[{number}]"))
            if found or not _marker_alone(item):
                yield from found
            else:
                yield Part(f"{place}[{number}]", "", True)
    elif isinstance(content, dict):
        kind = content.get("type")
        read = _part(content, place)
        yield from (replace(part, kind=str(kind)) for part in read) if kind in TOOL_BLOCKS else read
    elif content is not None:
        yield Part(place, _dumps(content))


def _part(part: Mapping[str, Any], place: str) -> Iterator[Part]:
    marker = _marked(part)
    for key in ("text", "thinking"):
        if isinstance(part.get(key), str):
            yield Part(f"{place}.{key}", part[key], marker)
            return
    if isinstance(part.get("parts"), list):
        yield from _content(part["parts"], f"{place}.parts")
    elif part.get("type") == "tool_result" and part.get("content") is not None:
        inner = [*_content(part["content"], f"{place}.content")]
        yield from inner[:-1]
        if inner:
            yield replace(inner[-1], marker=marker)
    elif _is_media(part):
        yield _opaque(_without_marker(part), place, marker)
    elif not _marker_alone(part):
        yield Part(place, _dumps(_without_marker(part)), marker)


TOOL_BLOCKS = ("tool_use", "tool_result")


def _is_media(part: Mapping[str, Any]) -> bool:
    known = attachments()
    return part.get("type") in known.types or not known.keys.isdisjoint(part)


def _opaque(value: object, place: str, marker: bool = False) -> Part:
    return Part(place, "", marker, digest=blake2b(_dumps(value).encode("utf-8", "replace"), digest_size=8).hexdigest())


_MARKS = ("cache_control", "cachePoint")


def _marked(value: object) -> bool:
    return isinstance(value, dict) and any(value.get(name) is not None for name in _MARKS)


def _marker_alone(value: object) -> bool:
    """A block that is nothing but a marker, as Bedrock writes it: it ends the block before."""
    return isinstance(value, dict) and value.keys() <= {*_MARKS, "type"} and _marked(value)


def _without_marker(value: object) -> object:
    if isinstance(value, dict) and _marked(value):
        return {key: inner for key, inner in value.items() if key not in _MARKS}
    return value
