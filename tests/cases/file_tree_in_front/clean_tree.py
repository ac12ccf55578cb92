"""The rules first, the tree behind them, sorted."""

from pathlib import Path

from openai import OpenAI

client = OpenAI()

RULES = """You help with the files of a choir. Scores are kept by composer and opus, recordings by the day of the concert. Before
you move a file, say where it will stand. A score that is on loan is never deleted, whatever its age. Names of
singers do not appear in names of files. When two files hold the same piece, keep the one with the fingerings.
Write in full sentences and without praise, and end with the path of what you have changed."""


def ask(folder, question):
    tree = "\n".join(str(path) for path in sorted(Path(folder).rglob("*")))
    # ok: PFX202
    system = f"{RULES}\n\nFiles:\n{tree}"
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
