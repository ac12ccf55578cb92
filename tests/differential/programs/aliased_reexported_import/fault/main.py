import station.api as st
from openai import OpenAI

client = OpenAI()


def handle(question):
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": st.announce()}, {"role": "user", "content": question}],
    )
