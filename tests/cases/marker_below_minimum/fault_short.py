"""The cache marker stands behind two sentences: the provider caches nothing so short."""

import anthropic

client = anthropic.Anthropic()


def ask(question):
    return client.messages.create(
        model="claude-sonnet-4-5",
        max_tokens=400,
        # expect: PFX404
        system=[
            {
                "type": "text",
                "text": "You are the night porter of a hotel by the sea.",
                "cache_control": {"type": "ephemeral"},
            }
        ],
        messages=[{"role": "user", "content": question}],
    )
