"""Search results first, then a page of instructions."""

import anthropic

client = anthropic.Anthropic()

INSTRUCTIONS = """Answer the question from the articles above. Each sentence of the answer ends with the number
of the article it rests on, in square brackets. Articles contradict one another at times: then give both views
and say which is newer. An article without a date counts as old. Do not use what you know from elsewhere, and do
not guess at what an article leaves out. If no article helps, answer with the single sentence: the archive has
nothing on this. Keep the answer below two hundred words and write for readers who do not know the town."""


def answer(retriever, question):
    chunks = retriever.invoke(question)
    # expect: PFX104 `enumerate(chunks, 1)`
    articles = "\n\n".join(f"[{number}] {chunk.page_content}" for number, chunk in enumerate(chunks, 1))
    system = f"Articles:\n{articles}\n\n{INSTRUCTIONS}"
    return client.messages.create(
        model="claude-sonnet-4-5",
        max_tokens=600,
        system=system,
        messages=[{"role": "user", "content": question}],
    )
