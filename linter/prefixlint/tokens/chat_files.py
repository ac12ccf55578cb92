"""Where chat templates lie: files of their own, tokenizer folders, entries of the Hugging Face cache."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prefixlint.tokens import is_gguf
from prefixlint.tokens.chat_render import ChatTemplate, ChatTemplateError
from prefixlint.tokens.files import LARGEST_TEMPLATE, checked
from prefixlint.tokens.folders import model_folder
from prefixlint.tokens.gguf import gguf_chat_template
from prefixlint.tokens.local import OLLAMA, local_path
from prefixlint.tokens.ollama import ollama_chat_template
from prefixlint.tokens.protocol import TokenizerError

if TYPE_CHECKING:
    from collections.abc import Mapping

_PARTS = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")


@cache
def chat_template(name: str, tokenizer: str = "") -> ChatTemplate:
    """The chat template in the file or folder ``name``; ``tokenizer`` names the folder with its special tokens where
    ``name`` is a bare template.

    A folder holds it as ``chat_template.jinja``, or inside ``chat_template.json`` or ``tokenizer_config.json``. Raises
    ``ChatTemplateError``.
    """
    if name.startswith(OLLAMA):
        return ollama_chat_template(name.removeprefix(OLLAMA))
    path = local_path(name) or Path(name)
    if path.is_dir():
        path = model_folder(path)
        found = _in_folder(path)
        if found is None:
            raise ChatTemplateError(f"{path} holds no chat template (chat_template.jinja, tokenizer_config.json)")
        file, text = found
        return ChatTemplate(str(file), text, special_tokens(path))
    if is_gguf(path):
        text, special = gguf_chat_template(path)
        if not text:
            raise ChatTemplateError(f"{path} holds no chat template")
        return ChatTemplate(str(path), text, special)
    text = _of(path, _json(path)) if path.suffix == ".json" else _read(path)
    if not text:
        raise ChatTemplateError(f"{path} holds no chat_template")
    return ChatTemplate(str(path), text, _special_of(tokenizer) or special_tokens(path.parent))


def has_chat_template(tokenizer: str) -> bool:
    """Whether the tokenizer called ``tokenizer`` is a model's folder or file that also holds its chat template, or an
    installed Ollama model, which always has one that counts."""
    try:
        path = local_path(tokenizer)
        if tokenizer.startswith(OLLAMA):
            return True
        if path is None:
            return False
        if path.is_dir():
            return _in_folder(model_folder(path)) is not None
        return is_gguf(path) and bool(gguf_chat_template(path)[0])
    except TokenizerError:
        return False


def special_tokens(folder: Path) -> dict[str, str]:
    """The special tokens by their part, as ``tokenizer_config.json`` and ``special_tokens_map.json`` name them."""
    out: dict[str, str] = {}
    for name in ("special_tokens_map.json", "tokenizer_config.json"):
        file = folder / name
        if file.is_file():
            for part, token in _json(file).items():
                content = token.get("content") if isinstance(token, dict) else token
                if part in _PARTS and isinstance(content, str):
                    out[part] = content
    return out


def _special_of(tokenizer: str) -> dict[str, str]:
    """The special tokens that come with the tokenizer called ``tokenizer``; none for an encoding."""
    path = local_path(tokenizer) if tokenizer else None
    if path is None:
        return {}
    if is_gguf(path):
        return gguf_chat_template(path)[1]
    return special_tokens(model_folder(path) if path.is_dir() else path.parent)


def _in_folder(folder: Path) -> tuple[Path, str] | None:
    file = folder / "chat_template.jinja"
    if file.is_file():
        return file, _read(file)
    for name in ("chat_template.json", "tokenizer_config.json"):
        file = folder / name
        if file.is_file() and (text := _of(file, _json(file))):
            return file, text
    return None


def _of(file: Path, content: Mapping[str, Any]) -> str:
    """The template in a JSON file: text, or a list of named ones, of which "default" counts."""
    found = content.get("chat_template")
    if isinstance(found, list):
        named = {str(each.get("name")): each.get("template") for each in found if isinstance(each, dict)}
        found = named.get("default")
        if found is None and named:
            raise ChatTemplateError(
                f"{file} holds the chat templates {', '.join(named)} and no default one; save the one in use to a file "
                "of its own and name it with chat-template"
            )
    return found if isinstance(found, str) else ""


def _json(file: Path) -> dict[str, Any]:
    try:
        content = json.loads(_read(file))
    except ValueError as error:
        raise ChatTemplateError(f"{file} is not JSON: {error}") from error
    return content if isinstance(content, dict) else {}


def _read(file: Path) -> str:
    try:
        return checked(file, LARGEST_TEMPLATE).read_text(encoding="utf-8")
    except TokenizerError as error:
        raise ChatTemplateError(str(error)) from error
    except OSError as error:
        raise ChatTemplateError(f"cannot read the chat template {file}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ChatTemplateError(f"{file} is not UTF-8 text: {error}") from error
