"""Models installed in Ollama: their files, and the chat template that Ollama renders itself.

How a request is made is taken from ollama/ollama, template/template.go and server/, at fb30760996 (2026-08-21):
consecutive messages of one role are joined; a template that knows no ``.Messages`` is rendered once for each turn.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prefixlint.tokens.chat_render import ChatTemplate, ChatTemplateError
from prefixlint.tokens.files import LARGEST_TEMPLATE, checked
from prefixlint.tokens.gguf import gguf_begin, gguf_chat_template
from prefixlint.tokens.gotemplate import GoTemplateError, Struct, parse, run
from prefixlint.tokens.gotemplate.nodes import Action, Branch, Field, Node, Pipeline, names_used
from prefixlint.tokens.gotemplate.run import Listed, as_json
from prefixlint.tokens.local import OLLAMA
from prefixlint.tokens.protocol import TokenizerError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_IMAGE = "application/vnd.ollama.image."


@dataclass(frozen=True, slots=True)
class Installed:
    """An installed model: its GGUF file, its template in Go's language if it has one of its own, its system text, and
    the renderer in Ollama itself that stands in for a template."""

    gguf: Path
    template: Path | None
    system: Path | None
    renderer: str


def installed(model: str) -> Installed:
    """The installed model called ``model`` (``qwen2.5:7b``). Raises ``TokenizerError``."""
    folder = Path(os.environ.get("OLLAMA_MODELS") or Path.home() / ".ollama" / "models")
    manifest = folder / "manifests" / _manifest(model)
    try:
        content = json.loads(manifest.read_text(encoding="utf-8"))
        layers = {str(layer["mediaType"]): str(layer["digest"]) for layer in content["layers"]}
        digest = layers[f"{_IMAGE}model"]
        config = content.get("config", {}).get("digest", "")
    except OSError:
        raise TokenizerError(
            f"Ollama has no model {model!r} here ({manifest} is missing): install it with `ollama pull {model}`, or "
            "set OLLAMA_MODELS to the folder of its models"
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise TokenizerError(f"{manifest} is not a manifest of Ollama that names a model file") from None

    def blob(digest: str) -> Path:
        found = folder / "blobs" / digest.replace(":", "-")
        if not found.is_file():
            raise TokenizerError(f"{manifest} names {found}, which is missing: `ollama pull {model}` brings it back")
        return found

    renderer = ""
    if config and (folder / "blobs" / config.replace(":", "-")).is_file():
        renderer = str(_table(blob(config)).get("renderer") or "")
    template = layers.get(f"{_IMAGE}template") or layers.get(f"{_IMAGE}prompt")
    system = layers.get(f"{_IMAGE}system")
    return Installed(blob(digest), blob(template) if template else None, blob(system) if system else None, renderer)


def _table(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(checked(path, LARGEST_TEMPLATE).read_text(encoding="utf-8"))
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}


def _manifest(model: str) -> Path:
    """``qwen2.5:7b`` is ``registry.ollama.ai/library/qwen2.5/7b``."""
    path, _, tag = model.partition(":") if "/" not in model.partition(":")[2] else (model, "", "")
    parts = path.split("/")
    host = parts.pop(0) if len(parts) > 2 else "registry.ollama.ai"
    space = parts.pop(0) if len(parts) > 1 else "library"
    if ".." in (host, space, *parts, tag) or not all((host, space, *parts)):
        raise TokenizerError(f"{model!r} is not a name of an Ollama model")
    return Path(host, space, *parts, tag or "latest")


@dataclass(frozen=True, slots=True, eq=False)
class GoChatTemplate(ChatTemplate):
    """A chat template in Go's language. ``system`` is the system text of a request that has none; ``begin`` is the
    token that the engine puts in front of every prompt, as text."""

    system: str = ""
    begin: str = ""

    def render(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        now: datetime,
        tools: Sequence[Mapping[str, Any]] | None = None,
        generation: bool = True,
        arguments: Mapping[str, Any] | None = None,
    ) -> str:
        """As ``ChatTemplate.render``. Ollama's templates open the answer in any case, and take no arguments."""
        chat = [dict(message) for message in messages]
        if self.system and chat and chat[0].get("role") != "system":
            chat.insert(0, {"role": "system", "content": self.system})
        try:
            return self.begin + _executed(_parsed(self.text), chat, tools or (), _functions(now))
        except GoTemplateError as error:
            raise ChatTemplateError(f"{self.source} is not rendered here: {error}") from error
        except RecursionError as error:
            raise ChatTemplateError(f"{self.source} is not rendered here: it is nested too deep") from error


def ollama_chat_template(model: str) -> ChatTemplate:
    """The chat template that Ollama renders for ``model``: its own, or else the one in the GGUF file.

    Raises ``TokenizerError`` where it is not here, or Ollama has code of its own for it.
    """
    found = installed(model)
    if found.renderer:
        raise ChatTemplateError(
            f"Ollama writes the prompts of {model} by a program of its own ({found.renderer}); save the model's chat "
            "template to a file and name it with chat-template for counts that come near"
        )
    if found.template is None:
        text, special = gguf_chat_template(found.gguf)
        if not text:
            raise ChatTemplateError(f"{found.gguf} holds no chat template")
        return ChatTemplate(f"{OLLAMA}{model}", text, special)
    text, system = (
        checked(each, LARGEST_TEMPLATE).read_text(encoding="utf-8") if each else ""
        for each in (found.template, found.system)
    )
    return GoChatTemplate(f"{OLLAMA}{model}", text.replace("\r\n", "\n"), {}, system, gguf_begin(found.gguf))


@cache
def _parsed(text: str) -> tuple[Node, ...]:
    nodes = parse(text)
    if not _knows(nodes, "messages") and not _knows(nodes, "response"):
        return (*nodes, Action(Pipeline(((Field(("Response",)),),))))
    return nodes


def _knows(nodes: Sequence[Node], name: str) -> bool:
    return any(name in names_used(node) for node in nodes)


def _functions(now: datetime) -> dict[str, Callable[..., Any]]:
    return {
        "json": as_json,
        "currentDate": lambda *_: now.strftime("%Y-%m-%d"),
        "yesterdayDate": lambda *_: (now - timedelta(days=1)).strftime("%Y-%m-%d"),
    }


def _executed(
    nodes: Sequence[Node],
    chat: Sequence[Mapping[str, Any]],
    tools: Sequence[Mapping[str, Any]],
    functions: Mapping[str, Callable[..., Any]],
) -> str:
    # A model that can think is asked to, unless a request says otherwise.
    thinks = _knows(nodes, "thinking")
    common = {"Response": "", "Think": thinks, "ThinkLevel": "", "IsThinkSet": thinks}
    system, messages = _collated(chat)
    if _knows(nodes, "messages"):
        made = [_message(message) for message in messages]
        return run(nodes, {**common, "System": system, "Messages": made, "Tools": _tools(tools)}, functions)
    return _turn_by_turn(nodes, messages, common, functions)


def _turn_by_turn(
    nodes: Sequence[Node],
    messages: Sequence[Mapping[str, Any]],
    common: Mapping[str, Any],
    functions: Mapping[str, Callable[..., Any]],
) -> str:
    out = ""
    turn = {"System": "", "Prompt": "", "Response": ""}

    def finished() -> str:
        text = run(nodes, {**common, **turn}, functions)
        turn.update(System="", Prompt="", Response="")
        return text

    for message in messages:
        content = str(message.get("content") or "")
        if message["role"] == "system":
            out += finished() if turn["Prompt"] or turn["Response"] else ""
            turn["System"] = content
        elif message["role"] == "user":
            out += finished() if turn["Response"] else ""
            turn["Prompt"] = content
        elif message["role"] == "assistant":
            turn["Response"] = content
    last, _ = _up_to_response(nodes)
    return out + run(last, {**common, **turn}, functions)


def _up_to_response(nodes: Sequence[Node]) -> tuple[tuple[Node, ...], bool]:
    """``nodes`` without what stands behind the place of the answer, and whether that place was found."""
    kept: list[Node] = []
    for node in nodes:
        if isinstance(node, Branch):
            body, found = _up_to_response(node.body)
            otherwise, other = ((), True) if found else _up_to_response(node.otherwise)
            kept.append(Branch(node.kind, node.pipeline, body, otherwise))
            if found or (other and node.otherwise):
                return tuple(kept), True
        else:
            kept.append(node)
            if isinstance(node, Action) and "response" in names_used(node):
                return tuple(kept), True
    return tuple(kept), False


def _collated(chat: Sequence[Mapping[str, Any]]) -> tuple[str, list[dict[str, Any]]]:
    """All system texts, and the messages with neighbours of one role joined, but for those of tools."""
    system = [str(message.get("content") or "") for message in chat if message["role"] == "system"]
    joined: list[dict[str, Any]] = []
    for message in chat:
        content = str(message.get("content") or "")
        if joined and joined[-1]["role"] == message["role"] != "tool":
            joined[-1]["content"] += f"\n\n{content}"
        else:
            joined.append({**message, "content": content})
    return "\n\n".join(system), joined


def _message(message: Mapping[str, Any]) -> Struct:
    calls = [
        Struct({"ID": str(call.get("id", "")), "Function": _called(at, call["function"])})
        for at, call in enumerate(message.get("tool_calls") or ())
    ]
    return Struct(
        {
            "Role": str(message["role"]),
            "Content": str(message.get("content") or ""),
            "Thinking": str(message.get("reasoning_content") or ""),
            "Images": [],
            "ToolCalls": calls,
            "ToolName": str(message.get("name") or ""),
            "ToolCallID": str(message.get("tool_call_id") or ""),
        }
    )


def _called(at: int, function: Mapping[str, Any]) -> Struct:
    given = function.get("arguments") or {}
    arguments = json.loads(given) if isinstance(given, str) else given
    ordered = {key: arguments[key] for key in sorted(arguments)}
    return Struct({"Index": at, "Name": str(function["name"]), "Arguments": Struct(as_json=ordered, items=ordered)})


def _tools(tools: Sequence[Mapping[str, Any]]) -> Listed:
    return Listed(_tool(tool) for tool in tools)


def _tool(tool: Mapping[str, Any]) -> Struct:
    function = tool["function"]
    parameters = function.get("parameters") or {}
    properties = {name: parameters["properties"][name] for name in sorted(parameters.get("properties") or {})}
    written = {name: _property(each) for name, each in properties.items()}
    required = list(parameters.get("required") or ())
    kept = {key: parameters[key] for key in ("$defs", "items") if parameters.get(key)}
    schema = {
        "type": str(parameters.get("type") or ""),
        **kept,
        **({"required": required} if required else {}),
        "properties": {name: each.as_json for name, each in written.items()},
    }
    fields = {
        "Type": schema["type"],
        "Required": required,
        "Properties": Struct(as_json=schema["properties"], items=written),
    }
    name, description = str(function["name"]), str(function.get("description") or "")
    described = {"name": name, "description": description, "parameters": schema}
    outer = {"type": str(tool.get("type") or ""), "function": described}
    # Versions of Ollama differ in how they print these two; as JSON they are the same.
    given = Struct(fields, schema, prints=False)
    inner = Struct({"Name": name, "Description": description, "Parameters": given}, described, prints=False)
    return Struct({"Type": outer["type"], "Function": inner}, outer)


_IN_ORDER = ("anyOf", "type", "items", "description", "enum", "properties", "required")


def _property(schema: Mapping[str, Any]) -> Struct:
    written = {key: schema[key] for key in _IN_ORDER if schema.get(key)}
    kind = schema.get("type") or ""
    fields = {
        "Type": kind if isinstance(kind, str) else f"[{' '.join(kind)}]",
        "Description": str(schema.get("description") or ""),
        "Enum": list(schema.get("enum") or ()),
    }
    return Struct(fields, written, prints=False)
