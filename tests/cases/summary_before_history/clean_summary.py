"""The summary follows the conversation."""

from openai import OpenAI

client = OpenAI()

SYSTEM = "You moderate the meeting of a street that plans a feast. Keep to the agenda and let everybody finish."


def summarize(messages):
    request = [*messages, {"role": "user", "content": "Sum up what was said, in ten lines."}]
    return client.chat.completions.create(model="gpt-4o-mini", messages=request).choices[0].message.content


def turn(messages):
    if len(messages) > 40:
        # ok: PFX304
        messages[:30] = [{"role": "user", "content": f"So far: {summarize(messages[:30])}"}]
    return client.chat.completions.create(
        model="gpt-4o", messages=[{"role": "system", "content": SYSTEM}, *messages]
    )
