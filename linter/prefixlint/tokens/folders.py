"""Folders of models: one with the files themselves, or an entry of the Hugging Face cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.tokens.protocol import TokenizerError

if TYPE_CHECKING:
    from pathlib import Path

# Files that hold a tokenizer, the one that engines read first.
_TOKENIZERS = ("tokenizer.json", "tekken*.json", "tokenizer.model*", "*.tiktoken")


def model_folder(path: Path) -> Path:
    """``path``, or in a cache entry the snapshot that ``refs/main`` names, or the only one.

    Raises ``TokenizerError``.
    """
    snapshots = path / "snapshots"
    if not snapshots.is_dir():
        return path
    reference = path / "refs" / "main"
    if reference.is_file():
        return snapshots / reference.read_text(encoding="utf-8").strip()
    folders = [folder for folder in snapshots.iterdir() if folder.is_dir()]
    if len(folders) != 1:
        raise TokenizerError(f"{snapshots} holds {len(folders)} snapshots and no refs/main; name one of them")
    return folders[0]


def tokenizer_file(path: Path) -> Path:
    """The tokenizer that ``path`` means: the file itself, or what a model's folder holds. Raises ``TokenizerError``."""
    if path.is_file():
        return path
    folder = model_folder(path)
    for pattern in _TOKENIZERS:
        files = sorted(file for file in folder.glob(pattern) if file.is_file())
        if len(files) == 1:
            return files[0]
        if files:
            names = ", ".join(file.name for file in files)
            raise TokenizerError(f"{folder} holds several tokenizers ({names}); name one of them")
    only = ", only vocab.json, a vocabulary without its tokenizer" if (folder / "vocab.json").exists() else ""
    raise TokenizerError(
        f"{folder} holds no tokenizer ({', '.join(_TOKENIZERS)}){only}; save one there with transformers: "
        "AutoTokenizer.from_pretrained(...).save_pretrained(...)"
    )
