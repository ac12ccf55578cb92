"""No continuation takes away a guaranteed token of published tokenizers: a seeded part of the recorded campaign."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest
import registry
from prefixlint.tokens import get_tokenizer

sys.path.append(str(Path(__file__).parents[1] / "unit" / "tokens"))

from continuations import CHARACTERS, CONTRACTIONS, completions, least_common, trials, vocabulary

pytestmark = pytest.mark.downloads

# For each the most that the bound may give up on average beyond what these continuations took.
FOLDERS = {"qwen3": 0.1, "llama3_1": 0.1, "gemma3": 0.1, "deepseek_v3": 0.1, "mistral_nemo": 0.1}
ORIGINALS = {"tekken_240911.json": 0.1, "llama3.model": 0.1, "llama4.model": 0.1}
GGUF = {"command-r": 0.1, "deepseek-llm": 0.1, "llama-spm": 0.1, "gemma-4": 0.1, "nomic-bert-moe": 0.5}


@pytest.mark.parametrize(("name", "most"), [*FOLDERS.items(), *ORIGINALS.items(), *GGUF.items()])
def test_no_continuation_takes_anything_away(name: str, most: float, cache_folder: Path) -> None:
    if name in FOLDERS:
        path = registry.tokenizer_folder(cache_folder, name)
    elif name in ORIGINALS:
        path = registry.original_tokenizers(cache_folder) / name
    else:
        path = registry.templates_and_vocabularies(cache_folder) / f"ggml-vocab-{name}.gguf"
    tokenizer = get_tokenizer(str(path))
    words, rng = vocabulary(tokenizer), random.Random(3)
    made = trials(seed=20261130, texts=60, continuations=30)
    gap = tried = 0
    for trial in made:
        following = (*trial.continuations, *CHARACTERS, *CONTRACTIONS, *completions(rng, words, trial.text, 8))
        least, taken_by = least_common(tokenizer, trial.text, following)
        sure = tokenizer.guaranteed(trial.text)
        assert sure <= least, (trial.text, taken_by)
        gap += least - sure
        tried += len(following) + 1
    assert tried > 7_000
    assert gap / len(made) < most
