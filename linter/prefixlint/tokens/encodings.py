"""The table of OpenAI's encodings, and loading one of them for tiktoken without its cache and without the network."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prefixlint import package_data
from prefixlint.tokens.files import checked
from prefixlint.tokens.protocol import TokenizerError
from prefixlint.tokens.ranks import Ranks, pack, parse_rank_file, unpack

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

DATA = Path(__file__).parent / "data"
_FIRST_LINE = re.compile(rb"[A-Za-z0-9+/]+={0,2} 0\r?\n")


@dataclass(frozen=True, slots=True)
class EncodingSpec:
    """One encoding. ``ranks`` names its rank file, ``sha256`` is that of the original ``.tiktoken`` file."""

    name: str
    ranks: str
    sha256: str
    pattern: str
    special: tuple[tuple[str, int], ...]

    @property
    def shipped(self) -> bool:
        """Whether the rank file is package data."""
        return (DATA / f"{self.ranks}.ranks").is_file()

    def load(self) -> Ranks:
        """The shipped rank file. Raises ``TokenizerError`` where it is missing or damaged."""
        path = DATA / f"{self.ranks}.ranks"
        try:
            return unpack(path.read_bytes())
        except OSError as error:
            way_out = f"name the file itself as the tokenizer (a path to {self.ranks}.tiktoken)"
            raise TokenizerError(f"the rank file of {self.name} is not at hand: {path}; {way_out}") from error


@cache
def encoding_specs() -> dict[str, EncodingSpec]:
    """All encodings of ``encodings.toml`` by name."""
    table = package_data.table(__file__, "encodings.toml")
    entries = {name: entry for name, entry in table.items() if isinstance(entry, dict)}
    return {
        name: EncodingSpec(
            name=name,
            ranks=entry["ranks"],
            sha256=entry["sha256"],
            pattern="|".join(entries[entry.get("same_text_as", name)]["pattern"]),
            special=(*entry["special"].items(), *_runs(entry.get("special_runs", ()))),
        )
        for name, entry in entries.items()
    }


def _runs(runs: Iterable[dict[str, Any]]) -> Iterator[tuple[str, int]]:
    """Special tokens whose ids follow one another: ``names``, or ``count`` numbered ones from ``{first}`` on."""
    for run in runs:
        names = run.get("names") or [run["numbered"].format(run["first"] + at) for at in range(run["count"])]
        yield from ((name, run["from"] + at) for at, name in enumerate(names))


def is_rank_file(path: Path) -> bool:
    """Whether ``path`` begins as a rank file does: with a token in base64 and rank 0. Meta names its own ``.model``."""
    if path.suffix == ".tiktoken":
        return True
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return _FIRST_LINE.fullmatch(file.readline(80)) is not None


def load_rank_file(path: Path) -> tuple[EncodingSpec, Ranks]:
    """Reads an original ``.tiktoken`` file of a known encoding. Raises ``TokenizerError``."""
    try:
        data = checked(path).read_bytes()
    except OSError as error:
        raise TokenizerError(f"cannot read the rank file {path}: {error.strerror or error}") from error
    digest = hashlib.sha256(data).hexdigest()
    for spec in encoding_specs().values():
        if spec.sha256 == digest:
            return spec, unpack(pack(parse_rank_file(data)))
    known = ", ".join(sorted({spec.ranks for spec in encoding_specs().values()}))
    raise TokenizerError(
        f"{path} is none of the rank files known here ({known}), so its pattern is unknown; it may be damaged"
    )
