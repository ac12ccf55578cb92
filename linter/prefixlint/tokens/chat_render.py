"""Chat templates rendered as transformers renders them: jinja2 in its sandbox, set up in the same way.

A chat template comes with a model, from anyone. It is rendered in jinja2's immutable sandbox only, sees no file and no
network, and its clock is an argument.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from prefixlint.tokens.protocol import TokenizerError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    import jinja2


class ChatTemplateError(TokenizerError):
    """A chat template that cannot be read, or that refuses a conversation. The message names the file and says why."""


@dataclass(frozen=True, slots=True, eq=False)
class ChatTemplate:
    """A chat template. ``source`` says where it is from; ``special`` are its tokenizer's special tokens by their part
    (``bos_token``), which every template can use."""

    source: str
    text: str = field(repr=False)
    special: Mapping[str, str] = field(default_factory=dict)

    def render(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        now: datetime,
        tools: Sequence[Mapping[str, Any]] | None = None,
        generation: bool = True,
        arguments: Mapping[str, Any] | None = None,
    ) -> str:
        """The whole request as text. ``generation`` adds the prompt that opens the answer; ``arguments`` are what an
        engine or a caller hands to the template by name.

        Raises ``ChatTemplateError``.
        """
        import jinja2

        from prefixlint.tokens.chat_bounds import LONGEST, allowance

        variables = {
            **self.special,
            **(arguments or {}),
            "messages": [_aliased(message) for message in messages],
            "tools": list(tools) if tools else None,
            "documents": None,
            "add_generation_prompt": generation,
            "strftime_now": lambda form: now.strftime(form),
        }
        try:
            compiled = _compiled(self.text)
            out, length = [], 0
            with allowance():
                for piece in compiled.generate(variables):
                    out.append(piece)
                    length += len(piece)
                    if length > LONGEST:
                        raise ChatTemplateError(f"{self.source} does not come to an end")
        except jinja2.TemplateSyntaxError as error:
            raise ChatTemplateError(f"{self.source}, line {error.lineno}: {error.message}") from error
        except jinja2.TemplateError as error:
            raise ChatTemplateError(f"{self.source} refuses the conversation: {error.message}") from error
        except (
            TypeError,
            ValueError,
            ArithmeticError,
            LookupError,
            AttributeError,
            RecursionError,
            MemoryError,
        ) as error:
            # What a faulty template makes of Python's own operators and methods.
            raise ChatTemplateError(f"{self.source} fails: {type(error).__name__}: {error}") from error
        return "".join(out)


def _aliased(message: Mapping[str, Any]) -> dict[str, Any]:
    """A message without fields that are None, and with its reasoning under the name that gpt-oss reads, too."""
    out = {key: value for key, value in message.items() if value is not None}
    if "reasoning_content" in out:
        out.setdefault("thinking", out["reasoning_content"])
    return out


@cache
def _compiled(text: str) -> jinja2.Template:
    return _environment().from_string(text)


@cache
def _environment() -> jinja2.Environment:
    """As transformers/utils/chat_template_utils.py (5.24.0) sets it up, but for the clock, which is a variable."""
    import jinja2
    from jinja2 import ext, nodes
    from jinja2.utils import Namespace

    from prefixlint.tokens.chat_bounds import BoundedEnvironment

    class Generation(ext.Extension):
        """``{% generation %}`` marks what a model is trained on; the text within stands as it is."""

        tags = {"generation"}  # noqa: RUF012 (jinja2 declares it so)

        def parse(self, parser: Any) -> nodes.Node:
            line = next(parser.stream).lineno
            body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
            return nodes.CallBlock(self.call_method("_as_it_is"), [], [], body).set_lineno(line)

        def _as_it_is(self, caller: Any) -> str:
            return str(caller())

    class Plain(Namespace):
        """``namespace()`` without names that reach into Python."""

        def __init__(self, **values: Any) -> None:
            super().__init__()
            for name, value in values.items():
                self[name] = value

        def __setitem__(self, name: str, value: Any) -> None:
            if name.startswith("_"):
                raise jinja2.exceptions.SecurityError(f"a namespace cannot hold {name!r}")
            super().__setitem__(name, value)

    def raise_exception(message: str) -> None:
        raise jinja2.TemplateError(message)

    def tojson(
        value: Any,
        ensure_ascii: bool = False,
        indent: int | str | None = None,
        separators: tuple[str, str] | None = None,
        sort_keys: bool = False,
    ) -> str:
        # jinja2's own filter escapes for HTML.
        return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)

    environment = BoundedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[Generation, ext.loopcontrols])
    environment.add_filter("tojson", tojson)
    environment.globals.update(raise_exception=raise_exception, namespace=Plain, dict=lambda **items: items)
    return environment
