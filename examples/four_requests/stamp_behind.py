"""The same words in the other order: the whole manual is reused but for the token at its end."""

from datetime import datetime
from pathlib import Path

from llama_cpp import Llama

MANUAL = Path(__file__).with_name("manual.md").read_text(encoding="utf-8")

llm = Llama(model_path="model.gguf", n_ctx=8192)


def ask() -> str:
    stamp = datetime.now().isoformat(timespec="seconds")
    prompt = f"{MANUAL}\n{stamp} is the time of this request."
    return llm.create_completion(prompt, max_tokens=200)["choices"][0]["text"]
