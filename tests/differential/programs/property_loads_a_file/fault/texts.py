import pathlib


def load(name: str) -> str:
    return (pathlib.Path(__file__).parent / "prompts" / f"{name}.txt").read_text(encoding="utf-8")
