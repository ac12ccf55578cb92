"""The same list, sorted."""

from openai import OpenAI

client = OpenAI()

CORE = {"read_file", "write_file", "search", "run_tests"}
EXTRA = {"browse", "draw", "translate"}

RULES = """Use a skill only when the task calls for it, and one at a time. Read the skill's sheet before you use
it for the first time. When a skill fails twice in the same way, stop and describe what happened. Never chain a
skill that writes behind one that browses. Results that are longer than a page are summarised before they are
used further. The names of skills are written as they stand in the list. A skill that is not in the list does
not exist."""


def system_prompt():
    # ok: PFX201
    # ok: PFX107 `name`
    return "Skills:\n" + "\n".join(f"- {name}" for name in sorted(CORE | EXTRA)) + "\n\n" + RULES


def ask(question):
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system_prompt()}, {"role": "user", "content": question}],
    )
