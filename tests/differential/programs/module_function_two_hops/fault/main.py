from openai import OpenAI
from prompts import system_prompt

client = OpenAI()


def handle(question):
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system_prompt()}, {"role": "user", "content": question}],
    )
