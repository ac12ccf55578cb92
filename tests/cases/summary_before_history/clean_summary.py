"""The summary follows the conversation."""

from openai import OpenAI

client = OpenAI()

SYSTEM = "You moderate the meeting of a street that plans a feast. Keep to the agenda and let everybody finish."


def turn(summary, messages):
    return client.chat.completions.create(
        model="gpt-4o",
        messages=[
            {"role": "system", "content": SYSTEM},
            *messages,
            # ok: PFX105 `summary`
            {"role": "system", "content": f"So far: {summary}"},
        ],
    )
