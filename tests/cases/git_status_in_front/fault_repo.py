"""A coding agent that shows the state of the repository before it says what to do with it."""

import subprocess

import anthropic

client = anthropic.Anthropic()

MANUAL = """You keep the scores of an orchestra as files in a repository. One file holds one part. Before you
change a part you read the conductor's score. Bars are counted from the upbeat. A slur that crosses a page stays
one slur. Dynamics stand below the staff for strings and above it for voices. Never renumber rehearsal letters.
After a change, print the part and compare the number of bars with the score. Commit each part by itself, and
name the bars you touched in the message."""


def changed_files():
    return subprocess.run(["git", "status", "--porcelain"], capture_output=True, text=True, check=True).stdout


def edit(messages):
    # expect: PFX107 `changed_files()`
    system = f"Changed files:\n{changed_files()}\n{MANUAL}"
    return client.messages.create(model="claude-sonnet-4-5", max_tokens=2000, system=system, messages=messages)
