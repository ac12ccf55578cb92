"""llama.cpp's own server on a model of random weights: what it reuses of a prompt does not depend on them."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

CHAT = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
MERGED = ["Ġt", "Ġth", "Ġthe", "er", "in", "Ġa"]
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]

SERVE = """
import json
import sys
import xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.hostnames = ["127.0.0.1"]
params.port = 0
params.n_ctx = 8192
params.n_parallel = 1
params.cache_ram_mib = 0
params.warmup = False
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
params.use_jinja = True
for name, value in json.loads(sys.argv[2]).items():
    setattr(params, name, value)
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


def vocabulary() -> list[str]:
    """256 tokens for the bytes, as GPT-2 writes them, then a few merges and the special tokens."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    names = {byte: chr(byte) for byte in printable} | {byte: chr(256 + at) for at, byte in enumerate(others)}
    return [names[byte] for byte in range(256)] + MERGED + SPECIAL


def write_model(path: Path) -> None:
    """A model of one layer, 80 KB."""
    width, inner, heads = 32, 64, 2
    writer = _writer(path, "llama", width)
    writer.add_feed_forward_length(inner)
    writer.add_head_count(heads)
    writer.add_head_count_kv(heads)
    writer.add_rope_dimension_count(width // heads)
    shapes = {"blk.0.ffn_down": (width, inner)}
    shapes |= {f"blk.0.attn_{name}": (width, width) for name in ("q", "k", "v", "output")}
    shapes |= {f"blk.0.ffn_{name}": (inner, width) for name in ("gate", "up")}
    _finish(writer, width, {f"{name}.weight": shape for name, shape in shapes.items()}, ("attn_norm", "ffn_norm"))


def write_recurrent_model(path: Path) -> None:
    """A model of one layer of Mamba: its state cannot be rolled back."""
    width, inner, conv, state, rank = 32, 64, 4, 8, 4
    writer = _writer(path, "mamba", width)
    writer.add_feed_forward_length(0)
    writer.add_head_count(0)
    writer.add_ssm_conv_kernel(conv)
    writer.add_ssm_inner_size(inner)
    writer.add_ssm_state_size(state)
    writer.add_ssm_time_step_rank(rank)
    shapes = {
        "ssm_in.weight": (2 * inner, width),
        "ssm_conv1d.weight": (inner, conv),
        "ssm_conv1d.bias": (inner,),
        "ssm_x.weight": (rank + 2 * state, inner),
        "ssm_dt.weight": (inner, rank),
        "ssm_dt.bias": (inner,),
        "ssm_a": (inner, state),
        "ssm_d": (inner,),
        "ssm_out.weight": (width, inner),
    }
    _finish(writer, width, {f"blk.0.{name}": shape for name, shape in shapes.items()}, ("attn_norm",))


def _writer(path: Path, architecture: str, width: int) -> Any:
    import gguf

    tokens = vocabulary()
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_context_length(8192)
    writer.add_embedding_length(width)
    writer.add_block_count(1)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    kinds = [gguf.TokenType.NORMAL] * (len(tokens) - len(SPECIAL)) + [gguf.TokenType.CONTROL] * len(SPECIAL)
    writer.add_token_types(kinds)
    writer.add_token_merges(["Ġ t", "Ġt h", "Ġth e", "e r", "i n", "Ġ a"])
    writer.add_bos_token_id(len(tokens) - 3)
    writer.add_eos_token_id(len(tokens) - 1)
    writer.add_add_bos_token(False)
    writer.add_chat_template(CHAT)
    return writer


def _finish(writer: Any, width: int, shapes: Mapping[str, tuple[int, ...]], norms: Sequence[str]) -> None:
    """Writes random weights of these shapes, and norms of the layer and the output."""
    import numpy

    random = numpy.random.default_rng(7)
    for name, shape in {"token_embd.weight": (len(vocabulary()), width), **shapes}.items():
        writer.add_tensor(name, (random.standard_normal(shape) * 0.02).astype(numpy.float32))
    for name in ("output_norm", *(f"blk.0.{norm}" for norm in norms)):
        writer.add_tensor(f"{name}.weight", numpy.ones(width, numpy.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


@contextmanager
def llama_server(folder: Path, write: Callable[[Path], None] = write_model, **parameters: object) -> Iterator[str]:
    """Its address. One slot and no host prompt cache, so that the slot's last prompt is all that can be reused.

    ``parameters`` are further ones of the server.
    """
    model = folder / "tiny.gguf"
    write(model)
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(model), json.dumps(parameters)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.stdin.close()
        process.kill()
        process.wait()
