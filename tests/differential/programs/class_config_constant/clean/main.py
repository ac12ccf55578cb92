from config import Settings
from openai import OpenAI

client = OpenAI()


def handle(question, user_name):
    system = f"{Settings.RULES}\n{user_name}"
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
