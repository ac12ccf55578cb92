"""The block that ends in the cache marker holds the time."""

from datetime import datetime

import anthropic

client = anthropic.Anthropic()

RULES = """You help with the files of a choir. Scores are kept by composer and opus, recordings by the day of the concert. Before
you move a file, say where it will stand. A score that is on loan is never deleted, whatever its age. Names of
singers do not appear in names of files. When two files hold the same piece, keep the one with the fingerings.
Write in full sentences and without praise, and end with the path of what you have changed."""

MANUAL = RULES * 18


def ask(question):
    # expect: PFX101 `now()`
    # expect: PFX401 `now()`
    now = f"It is {datetime.now():%H:%M}."
    return client.messages.create(
        model="claude-sonnet-4-5",
        max_tokens=400,
        system=[{"type": "text", "text": f"{now} {MANUAL}", "cache_control": {"type": "ephemeral"}}],
        messages=[{"role": "user", "content": question}],
    )
