"""Whether transformers, through which some engines load a tokenizer, makes of a model's folder what its file says.

``AutoTokenizer`` builds the tokenizer anew for some classes that ``tokenizer_config.json`` names, with the normaliser
and the cuts of that class. In repackaged models that is another tokenizer than the one in ``tokenizer.json``.
"""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING

from prefixlint.tokens.files import LARGEST_TEMPLATE, checked
from prefixlint.tokens.folders import model_folder
from prefixlint.tokens.protocol import TokenizerError

if TYPE_CHECKING:
    from pathlib import Path

ENGINES = frozenset({"vllm", "sglang", "tgi", "tensorrt-llm"})
"""Engines that load a tokenizer through transformers."""

# Classes that take the file as it is.
_AS_IT_IS = ("", "PreTrainedTokenizerFast", "TokenizersBackend")
_PROBES = (
    "Don't guess: it's 2026-03-14, 09:26:53, and we'll need 4444 more.",
    "  def f(x):\n\n\treturn {'a': [1, 22, 333]}\r\n",
    "今天天气很好。İstanbul'un tarihini açıkla. Привет! e\u0301 🙂 ½",
    " leading and trailing ",
)


def disagreement(path: Path) -> str:
    """What transformers makes otherwise of the model in the folder ``path`` than its ``tokenizer.json`` says, or "".

    Loads transformers, which takes seconds, and only where the folder names a class that may be built anew. Nothing of
    the folder is executed, nothing is downloaded.
    """
    try:
        folder = model_folder(path)
        config = json.loads(checked(folder / "tokenizer_config.json", LARGEST_TEMPLATE).read_text(encoding="utf-8"))
        name = config.get("tokenizer_class") or ""
    except (OSError, ValueError, AttributeError, TokenizerError):
        return ""
    if name in _AS_IT_IS or not (folder / "tokenizer.json").is_file():
        return ""
    import tokenizers

    logging.getLogger("transformers").setLevel(logging.ERROR)
    from transformers import AutoTokenizer

    try:
        raw = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        theirs = AutoTokenizer.from_pretrained(str(folder), local_files_only=True, trust_remote_code=False)
        for probe in _PROBES:
            ours = raw.encode(probe, add_special_tokens=False).ids
            other = list(theirs.encode(probe, add_special_tokens=False))
            if ours != other:
                return (
                    f"{path}: transformers builds its tokenizer anew as a {name} and cuts text otherwise than its "
                    f"tokenizer.json ({probe[:24]!r}…: {len(other)} tokens, not {len(ours)}); counts are those of the "
                    "file, an engine that loads it through transformers has the others"
                )
    except Exception as error:  # whatever a class of transformers raises for files that are not its own
        return f"{path}: transformers does not load its tokenizer as a {name} ({error})"
    return ""
