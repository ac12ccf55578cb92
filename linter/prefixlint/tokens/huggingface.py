"""Any local ``tokenizer.json`` through the ``tokenizers`` library."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from prefixlint.tokens.added import Added, AddedTokens
from prefixlint.tokens.common import common_prefix
from prefixlint.tokens.components import NotAnalysed, Preparation, read_preparation
from prefixlint.tokens.composition import joined_forms, open_end
from prefixlint.tokens.files import checked
from prefixlint.tokens.protocol import TokenizerError, replace_surrogates
from prefixlint.tokens.splitting import TooManyWays
from prefixlint.tokens.stability import settled_tokens
from prefixlint.tokens.vocabulary import HuggingFaceMerges, read_merges
from prefixlint.tokens.words import Words

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import tokenizers


def load_tokenizer_json(name: str, path: Path, *, chat: bool = False) -> HuggingFaceTokenizer:
    """Loads the ``tokenizer.json`` ``path``. ``chat``: special tokens in the text count as such.

    Raises ``TokenizerError``.
    """
    import tokenizers

    try:
        backend = tokenizers.Tokenizer.from_file(str(checked(path)))
    except TokenizerError:
        raise
    except Exception as error:  # the library raises plain Exception for every fault in the file
        raise TokenizerError(f"{path} is not a tokenizer.json that can be read: {error}") from error
    return made_of(name, backend, chat=chat)


def made_of(name: str, backend: tokenizers.Tokenizer, *, chat: bool = False) -> HuggingFaceTokenizer:
    """A tokenizer around ``backend``, which is set up for it. ``chat``: special tokens in the text count as such."""
    backend.no_truncation()
    backend.no_padding()
    # Offsets must stand where tokens stand: a byte-level post-processor would move them past white space.
    backend.post_processor = None
    backend.encode_special_tokens = not chat
    return HuggingFaceTokenizer(name, backend, chat)


@dataclass(frozen=True, eq=False)
class HuggingFaceTokenizer:
    """A ``tokenizer.json``. Ordinary added tokens in the text are found, as every engine does; special ones are text,
    unless it is for the text of a ``chat``, whose template writes them.

    ``guaranteed`` is worked out for byte-pair models (byte-level ones with the usual ways to split, and character ones
    with or without a pre-tokenizer), Unigram and WordPiece. ``not_analysed`` says why it is always 0 for another
    tokenizer, else "".
    """

    name: str
    _backend: tokenizers.Tokenizer = field(repr=False)
    chat: bool = False

    def encode(self, text: str) -> list[int]:
        ids: list[int] = self._backend.encode(replace_surrogates(text), add_special_tokens=False).ids
        return ids

    def token_starts(self, text: str) -> list[int]:
        starts = []
        last = 0
        for start, _ in self._backend.encode(replace_surrogates(text), add_special_tokens=False).offsets:
            last = max(last, start)
            starts.append(last)
        return starts

    def guaranteed(self, text: str) -> int:
        analysis = self._analysis
        if isinstance(analysis, str):
            return 0
        text = replace_surrogates(text)
        tokens = self.encode(text)
        least = len(tokens)
        for at in self._added.unfinished(text):
            least = min(least, common_prefix(tokens, self.encode(text[:at])))
        matches = self._added.matches(text)
        start = matches[-1][1] if matches else 0
        if start < len(text):
            if isinstance(analysis, Words):
                least = min(least, analysis.settled(text[start:], tokens))
            else:
                least = min(least, self._settled(text[start:], tokens, start == 0, *analysis))
        return least

    @property
    def not_analysed(self) -> str:
        """Why nothing is guaranteed for this tokenizer, or ""."""
        return self._analysis if isinstance(self._analysis, str) else ""

    @cached_property
    def _added(self) -> AddedTokens:
        return AddedTokens(
            {
                token.content: Added(
                    token.content,
                    token.special and not self.chat,
                    token.lstrip,
                    token.rstrip,
                    token.single_word,
                    token.normalized,
                )
                for token in self._backend.get_added_tokens_decoder().values()
            }
        )

    @cached_property
    def _analysis(self) -> tuple[Preparation, HuggingFaceMerges] | Words | str:
        try:
            if type(self._backend.model).__name__ in ("Unigram", "WordPiece"):
                self._require_found_everywhere(lambda _: self._backend.normalizer is not None)
                return Words.of(self._backend)
            preparation = read_preparation(self._backend)
            self._require_found_everywhere(preparation.alters)
            return preparation, read_merges(self._backend, byte_level=preparation.byte_level)
        except NotAnalysed as reason:
            return str(reason)

    def _require_found_everywhere(self, alters: Callable[[str], bool]) -> None:
        """Raises ``NotAnalysed`` for an added token that not every place of it makes a token; ``alters`` says whether
        normalisation can change it."""
        for token in self._added.tokens.values():
            if not token.special and (token.single_word or (token.normalized and alters(token.content))):
                raise NotAnalysed(f"the added token {token.content!r}, which not every place of it makes a token")

    def _settled(
        self, chunk: str, tokens: list[int], first: bool, preparation: Preparation, merges: HuggingFaceMerges
    ) -> int:
        """Leading tokens of the whole text that stay whatever follows the last chunk (no added token begins in it)."""
        splitter = preparation.splitter
        whole = preparation.prepared(chunk, first=first)
        sure = open_end(whole) if preparation.compose else len(whole)
        tail_start = splitter.settled(whole[:sure])
        tail = whole[tail_start:]
        own = _own_tokens(tail, tokens, preparation, merges)
        if own is None:
            return 0
        before = len(tokens) - len(own)
        least = settled_tokens(tail, own, splitter, merges)
        if sure == len(whole):
            return before + least
        # Something follows that changes the last character: the text in front of it, and anything.
        lowest = settled_tokens(whole[tail_start:sure], own, splitter, merges)
        forms = joined_forms(whole[sure]) if sure + 1 == len(whole) else None
        if forms is None or lowest >= least:
            return before + min(least, lowest)
        for form in forms:
            least = min(least, settled_tokens(whole[tail_start:sure] + form, own, splitter, merges))
            if least <= lowest:
                break
        return before + least


def _own_tokens(tail: str, tokens: list[int], preparation: Preparation, merges: HuggingFaceMerges) -> list[int] | None:
    """The last of ``tokens``, those of ``tail``; None where our reading of the tokenizer does not give them."""
    try:
        cuts = preparation.splitter.cuts(tail, closed=True)
    except TooManyWays:
        return None
    for cut in cuts:
        own = [token for piece in cut.closed for token in merges.piece(piece.encode())]
        if own == tokens[len(tokens) - len(own) :]:
            return own
    return None
