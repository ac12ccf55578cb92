"""What a search of the memory finds for this question is written into the system prompt."""

from openai import OpenAI

client = OpenAI()

RULES = """You help with the files of a choir. Scores are kept by composer and opus, recordings by the day of the concert. Before
you move a file, say where it will stand. A score that is on loan is never deleted, whatever its age. Names of
singers do not appear in names of files. When two files hold the same piece, keep the one with the fingerings.
Write in full sentences and without praise, and end with the path of what you have changed."""


def ask(memory, question, messages):
    found = memory.search(query=question)
    # expect: PFX104 `found`
    system = f"{RULES}\n\nWhat you know of the singer:\n{found}"
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, *messages, {"role": "user", "content": question}],
    )
