"""Random texts and continuations for the soundness of ``guaranteed``, and the brute force it is compared with.

Run as a program for a long campaign: ``python tests/unit/tokens/continuations.py o200k_base 1000000``.
"""

from __future__ import annotations

import random
import sys
import time
from bisect import bisect_left
from dataclasses import dataclass

from prefixlint.tokens import Tokenizer, get_tokenizer
from prefixlint.tokens.huggingface import HuggingFaceTokenizer
from prefixlint.tokens.openai import TiktokenTokenizer

SAMPLES = {
    "english": (
        "You are a careful assistant. Answer the user's question in at most three sentences; don't guess, and say what "
        "you've checked. Today's date is given below. I'd rather hear that we'll need more time than a wrong answer. "
        "THE RULES AREN'T NEGOTIABLE: iPhone, McDonald's, NASA's O'Reilly don't they're you'd she'll I'm "
        "it's HE'S IT'LL "
    ),
    "chinese": (
        "你是一名严谨的助手。今天天气很好，我们去公园散步吧！请根据以下资料回答用户的问题："
        "如果不知道，请直接说明。《红楼梦》的作者是谁？时间：2026年11月29日。"
    ),
    "turkish": "Sen dikkatli bir yardımcısın. Kullanıcının sorusunu en çok üç cümleyle yanıtla; İstanbul'un tarihini, "
    "Ankara'ya giden yolları ve Çığ düşmesini açıkla. Öğrencilere güncel bilgi ver, ŞÜPHELİYSEN söyle. Iğdır'dan ",
    "code": (
        'def build_messages(user_id: int, now: datetime) -> list[dict[str, str]]:\n    """Prompt."""\n'
        '    if not user_id:\n\t\treturn []\n    system = f"You\'re {name}.\\n\\n{now:%Y-%m-%d}"\n'
        '    return [{"role": "system", "content": system}, {"id": 0x1F}]\n\n\nfor (int i = 0; i < n; ++i) {\n'
        "    std::vector<int> xs{1, 22, 333, 4444};\r\n  }\r\n"
        "//////// ======= https://example.com/a/b?c=d&e=f /* x */\n"
    ),
    "markdown": (
        "# Title\n\n## Rules\n\n- one\n- two\n  1. nested **bold** and _it's_\n\n| a | b |\n| --- | ---: |\n\n"
        "```python\nprint('hi')\n```\n\n> quote\n\n<context>\n{documents}\n</context>\n\n---\nAnswer:\n\n* * *\n"
    ),
    "space": "  \n\n   \t\t \r\n    \n \u00a0 \u3000  \n\n\n\n        \n    x \n",
    "other": "café naïve Ångström e\u0301 été ﬁn Привет, мир! नमस्ते दुनिया 日本語のテキスト 한국어 "
    "👩‍👩‍👧 🙂🙂 ªº ǅ ½ ٣٤ İſK'ſ ʼn",
}
CONTRACTIONS = ("'", "'s", "'S", "'t", "'re", "'RE", "'ve", "'ll", "'d", "'m", "'r", "'v", "'l", "'x", "’s", "'ſ")
CHARACTERS = (
    " \n\r\t'\"/.,:-_(){}[]<>=#*`0159aAeEsStTrRvVlLmMdDnNzZéÉßİığ你好的。，"
    "\u0301\u030c\u0327\u0323\u0338\u00a0\u3000½ǅʰ🙂\u200d\x00\u0378"
)


@dataclass(frozen=True, slots=True)
class Trial:
    text: str
    continuations: tuple[str, ...]


def piece(rng: random.Random, longest: int) -> str:
    """A random cut out of the samples, a contraction, or a few random characters."""
    kind = rng.random()
    if kind < 0.12:
        return rng.choice(CONTRACTIONS)
    if kind < 0.35:
        return "".join(rng.choice(CHARACTERS) for _ in range(rng.randint(1, 5)))
    sample = rng.choice(list(SAMPLES.values()))
    start = rng.randrange(len(sample))
    return sample[start : start + rng.randint(1, longest)]


def trials(seed: int, texts: int, continuations: int) -> list[Trial]:
    """``texts`` random texts with ``continuations`` random continuations each."""
    rng = random.Random(seed)
    made = []
    for _ in range(texts):
        text = "".join(piece(rng, 60) for _ in range(rng.randint(1, 3)))
        if rng.random() < 0.3:
            text += rng.choice(CONTRACTIONS + tuple(" \n\t") + ("\n\n", "  ", "```", "://", " ("))
        following = tuple(
            "".join(piece(rng, 12) for _ in range(rng.choice((1, 1, 1, 2, 3)))) for _ in range(continuations)
        )
        made.append(Trial(text, following))
    return made


def common(first: list[int], second: list[int]) -> int:
    for at, (a, b) in enumerate(zip(first, second, strict=False)):
        if a != b:
            return at
    return min(len(first), len(second))


def least_common(tokenizer: Tokenizer, text: str, continuations: tuple[str, ...]) -> tuple[int, str]:
    """Fewest leading tokens of ``text`` that some continuation left, and that continuation."""
    tokens = tokenizer.encode(text)
    return min((common(tokens, tokenizer.encode(text + more)), more) for more in ("", *continuations))


def vocabulary(tokenizer: Tokenizer) -> list[str]:
    """The tokens that are whole characters, as text, in order."""
    if isinstance(tokenizer, TiktokenTokenizer):
        words = {token.decode("utf-8", "ignore") for token in tokenizer._merges._ranks.tokens}
    else:
        assert isinstance(tokenizer, HuggingFaceTokenizer)
        words = set(tokenizer._backend.get_vocab(with_added_tokens=False))
        if "Ġ" in words:
            alphabet = {char: bytes([byte]) for byte, char in enumerate(_byte_characters())}
            spelled = (b"".join(alphabet.get(char, b"\xff") for char in word) for word in words)
            words = {data.decode("utf-8", "ignore") for data in spelled}
        else:
            words = {word.replace("▁", " ").removeprefix("##") for word in words}
    return sorted(words - {""})


def _byte_characters() -> list[str]:
    """GPT-2's characters for the bytes 0 to 255, as its encoder.py makes them."""
    shown = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    hidden = [byte for byte in range(256) if byte not in shown]
    return [chr(byte if byte in shown else 256 + hidden.index(byte)) for byte in range(256)]


def completions(rng: random.Random, words: list[str], text: str, wanted: int) -> list[str]:
    """Continuations that finish a token of the vocabulary which begins inside ``text``: the likeliest to change it."""
    made = []
    for length in range(1, 16):
        end = text[-length:]
        low = bisect_left(words, end)
        high = bisect_left(words, end + "\U0010ffff")
        for at in rng.sample(range(low, high), min(high - low, wanted)):
            more = words[at][len(end) :]
            made += [more, more + rng.choice((" ", "\n", "a", "S", ".", "'s", "1", "的", "\u0301"))]
    return made


def main(name: str, wanted: int, seed: int = 0) -> None:
    tokenizer = get_tokenizer(name)
    words = vocabulary(tokenizer)
    done = lost = over = texts = gap = 0
    start = time.perf_counter()
    rng = random.Random(seed)
    while done < wanted:
        for trial in trials(seed, 100, 150):
            sure = tokenizer.guaranteed(trial.text)
            following = (*trial.continuations, *CHARACTERS, *CONTRACTIONS, *completions(rng, words, trial.text, 8))
            least, more = least_common(tokenizer, trial.text, following)
            done += len(following) + 1
            texts += 1
            lost += len(tokenizer.encode(trial.text)) - sure
            gap += max(0, least - sure)
            if sure > least:
                over += 1
                print("OVER-CLAIM", name, repr(trial.text), repr(more), sure, least, flush=True)
        seed += 1
    took = time.perf_counter() - start
    print(f"{name}: {done:,} continuations of {texts:,} texts: {over} over-claims; {lost / texts:.3f} tokens given up,")
    print(f"  {gap / texts:.3f} more than the sampled continuations took; {took:.0f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *map(int, sys.argv[3:]))
