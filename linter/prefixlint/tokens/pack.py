"""Packs an original rank file: ``python -m prefixlint.tokens.pack o200k_base.tiktoken``.

Writes ``data/<encoding>.ranks`` beside this module, for an encoding that ``encodings.toml`` lists, after checking
that the file has the sha256 listed there, which is the one that tiktoken itself expects. For maintainers: run it when
an encoding is added, and commit the result.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from prefixlint.tokens.encodings import DATA, encoding_specs
from prefixlint.tokens.ranks import pack, parse_rank_file, unpack, write_rank_file


def main(arguments: list[str]) -> int:
    """Packs each file named; returns the exit status (0 done, 1 a file is not what its name says, 2 wrong use)."""
    if not arguments:
        print("usage: python -m prefixlint.tokens.pack FILE.tiktoken...", file=sys.stderr)
        return 2
    hashes = {spec.sha256: spec for spec in encoding_specs().values()}
    for argument in arguments:
        original = Path(argument).read_bytes()
        spec = hashes.get(hashlib.sha256(original).hexdigest())
        if spec is None:
            print(f"{argument}: its sha256 is not one that encodings.toml lists", file=sys.stderr)
            return 1
        packed = pack(parse_rank_file(original))
        if write_rank_file(unpack(packed)) != original:
            print(f"{argument}: the packed form does not give the original back", file=sys.stderr)
            return 1
        target = DATA / f"{spec.ranks}.ranks"
        target.write_bytes(packed)
        print(f"{target}: {len(packed):,} bytes from {len(original):,}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
