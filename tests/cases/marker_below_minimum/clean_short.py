"""No marker: there is nothing to be cached."""

import anthropic

client = anthropic.Anthropic()


def ask(question):
    return client.messages.create(
        model="claude-sonnet-4-5",
        max_tokens=400,
        # ok: PFX404
        system="You are the night porter of a hotel by the sea.",
        messages=[{"role": "user", "content": question}],
    )
