"""The rules, the conversation, the question."""

from openai import OpenAI

client = OpenAI()


def minutes(conversation_history, question):
    prompt = f"""You are the scribe of a debating club and answer questions on the debate below. Give the
speaker and the round with every quotation. A speech that was broken off counts as held. Remarks from the
audience are quoted without a name. The chair is never quoted against a speaker. If two speakers said the same,
the first one gets it. Votes are given as they were announced, even where the count was disputed; the dispute is
then mentioned in brackets. What was said after the closing bell was not said.

{conversation_history}

{question}"""
    return client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": prompt}])
