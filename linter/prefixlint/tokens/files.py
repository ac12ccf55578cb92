"""Reads the files of models: regular ones, and none that is larger than any of its kind."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

from prefixlint.tokens.protocol import TokenizerError

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Final

LARGEST_TOKENIZER: Final = 256_000_000
"""Bytes of a tokenizer that is read as a whole; the largest of 2026 (Gemma 3's tokenizer.json) has 33 MB."""
LARGEST_TEMPLATE: Final = 32_000_000
"""Bytes of a chat template, or of a tokenizer_config.json that holds one among its added tokens."""


def checked(path: Path, most: int = LARGEST_TOKENIZER) -> Path:
    """``path``, where reading it comes to an end. Raises ``TokenizerError`` for a pipe, a device, a file that is too
    large, or one that is not there."""
    try:
        status = path.stat()
    except (OSError, ValueError) as error:
        raise TokenizerError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from error
    if not stat.S_ISREG(status.st_mode):
        raise TokenizerError(f"{path} is no regular file; name the model's own file")
    if status.st_size > most:
        raise TokenizerError(f"{path} has {status.st_size:,} bytes; no more than {most:,} are read of such a file")
    return path
