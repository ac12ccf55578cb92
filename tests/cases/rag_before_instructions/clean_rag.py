"""Instructions first, search results with the question."""

import anthropic

client = anthropic.Anthropic()

INSTRUCTIONS = """Answer the question from the articles you are given. Each sentence of the answer ends with the
number of the article it rests on, in square brackets. Articles contradict one another at times: then give both
views and say which is newer. An article without a date counts as old. Do not use what you know from elsewhere,
and do not guess at what an article leaves out. If no article helps, answer with the single sentence: the
archive has nothing on this. Keep the answer below two hundred words and write for readers who do not know the
town."""


def answer(retriever, question):
    chunks = retriever.invoke(question)
    articles = "\n\n".join(f"[{number}] {chunk.page_content}" for number, chunk in enumerate(chunks, 1))
    return client.messages.create(
        model="claude-sonnet-4-5",
        max_tokens=600,
        system=INSTRUCTIONS,
        messages=[{"role": "user", "content": f"Articles:\n{articles}\n\nQuestion: {question}"}],
    )
