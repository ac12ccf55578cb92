from openai import OpenAI

from station import prompts

client = OpenAI()


def ask(question, name):
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": prompts.VOICE.format(name=name)}, {"role": "user", "content": question}],
    )
