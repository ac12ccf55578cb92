"""Asks SGLang's own RadixCache what it reuses of token sequences; runs where sglang is installed.

``python ask_sglang.py SETTINGS.json OUT.json``, as ``ask_vllm.py``. The prefix looked up leaves the last token out, as
SGLang's schedule policy does.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import json
import sys
from array import array
from types import ModuleType

# What the cache does not use: GPU kernels, and parts that want a matching build of torch.
UNUSED = (
    "gguf",
    "compressed_tensors",
    "sentencepiece",
    "torchvision",
    "tvm_ffi",
    "sgl_kernel",
    "flashinfer",
    "triton_kernels",
)


class Anything(ModuleType):
    """Has every attribute, can be called, decorated with and derived from."""

    __path__ = ()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything(name)

    def __call__(self, *given, **named):
        return given[0] if len(given) == 1 and callable(given[0]) else self

    def __mro_entries__(self, bases):
        return (object,)

    def __or__(self, other):
        return self

    __ror__ = __getitem__ = __or__


class Unused(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands in for the packages of ``UNUSED``."""

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in UNUSED:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return Anything(spec.name)

    def exec_module(self, module):
        pass


import transformers  # noqa: E402, F401  (it looks for some of them, and takes what it finds for real)

sys.meta_path.insert(0, Unused())

import torch  # noqa: E402
from sglang.srt.mem_cache.base_prefix_cache import InsertParams, MatchPrefixParams  # noqa: E402
from sglang.srt.mem_cache.radix_cache import RadixCache, RadixKey  # noqa: E402


def run(setting, prompts):
    """Tokens found of each prompt, in order."""
    cache = RadixCache.create_simulated(page_size=setting["blocks"][0])
    found = []
    for prompt in prompts:
        hit = cache.match_prefix(MatchPrefixParams(key=RadixKey(array("q", prompt[:-1]))))
        found.append(hit.device_prefix_len)
        cache.insert(InsertParams(key=RadixKey(array("q", prompt)), value=torch.arange(len(prompt))))
    return found


def main(source, out):
    with open(source, encoding="utf-8") as file:
        settings = json.load(file)
    answers = [[run(setting, prompts) for prompts in setting["runs"]] for setting in settings]
    with open(out, "w", encoding="utf-8") as file:
        json.dump(answers, file)


if __name__ == "__main__":
    main(*sys.argv[1:3])
