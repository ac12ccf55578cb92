"""The block that ends in the marker holds the rules alone; the time follows in one of its own."""

from datetime import datetime

import anthropic

client = anthropic.Anthropic()

RULES = """You help with the files of a choir. Scores are kept by composer and opus, recordings by the day of the concert. Before
you move a file, say where it will stand. A score that is on loan is never deleted, whatever its age. Names of
singers do not appear in names of files. When two files hold the same piece, keep the one with the fingerings.
Write in full sentences and without praise, and end with the path of what you have changed."""

MANUAL = RULES * 18


def ask(question):
    now = f"It is {datetime.now():%H:%M}."
    return client.messages.create(
        model="claude-sonnet-4-5",
        max_tokens=400,
        # ok: PFX401
        system=[
            {"type": "text", "text": MANUAL, "cache_control": {"type": "ephemeral"}},
            {"type": "text", "text": now},
        ],
        messages=[{"role": "user", "content": question}],
    )
