"""Folders of models: one with the files themselves, or an entry of the Hugging Face cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefixlint.tokens.protocol import TokenizerError

if TYPE_CHECKING:
    from pathlib import Path


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
