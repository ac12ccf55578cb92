from pathlib import Path

FOLDER = Path(__file__).parent / "prompts"


def load_prompt(name, **values):
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    return text.format(**values)
