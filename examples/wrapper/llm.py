"""The one place where the program calls a model."""

import litellm


def complete(prompt: str) -> str:
    reply = litellm.completion(model="gpt-4o-mini", messages=[{"role": "user", "content": prompt}])
    return reply.choices[0].message.content
