from contextlib import contextmanager

from openai import OpenAI

client = OpenAI()
RULES = """You answer for a ferry line between two islands. Boats leave at every full hour from six in the morning until nine
at night. Bicycles travel free, dogs pay half. A ticket that was not used can be given back within three days.
Cars have to be at the pier twenty minutes early. When the wind is too strong, say that crews decide one hour
before and that nobody is asked to pay. Never promise a seat on the upper deck. Groups of more than ten people
write to the office first. Lost things are kept for a month in the harbour shed."""


class Builder:
    def __init__(self):
        self.lines = []

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return False

    @contextmanager
    def tag(self, name):
        self.lines.append(f"<{name}>")
        yield self
        self.lines.append(f"</{name}>")

    def add(self, text):
        # fault
        self.lines.append(text)

    def text(self):
        return "\n".join(self.lines)


def handle(question, user_name):
    with Builder() as builder:
        with builder.tag("guest"):
            builder.add(user_name)
        with builder.tag("rules"):
            builder.add(RULES)
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": builder.text()}, {"role": "user", "content": question}],
    )
