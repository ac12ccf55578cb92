"""A summary that is written anew on each turn stands in front of the conversation it sums up."""

from openai import OpenAI

client = OpenAI()

SYSTEM = "You moderate the meeting of a street that plans a feast. Keep to the agenda and let everybody finish."


def summarize(messages):
    request = [*messages, {"role": "user", "content": "Sum up what was said, in ten lines."}]
    return client.chat.completions.create(model="gpt-4o-mini", messages=request).choices[0].message.content


def turn(messages):
    summary = summarize(messages)
    # expect: PFX304 `summary`
    system = f"{SYSTEM}\n\nSo far: {summary}"
    return client.chat.completions.create(
        model="gpt-4o", messages=[{"role": "system", "content": system}, *messages]
    )
