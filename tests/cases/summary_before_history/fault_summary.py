"""A summary that is written anew on each turn stands in front of the conversation it sums up."""

from openai import OpenAI

client = OpenAI()

SYSTEM = "You moderate the meeting of a street that plans a feast. Keep to the agenda and let everybody finish."


def turn(summary, messages):
    # expect: PFX105 `summary`
    system = f"{SYSTEM}\n\nSo far: {summary}"
    return client.chat.completions.create(
        model="gpt-4o", messages=[{"role": "system", "content": system}, *messages]
    )
