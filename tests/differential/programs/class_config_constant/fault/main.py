from config import Settings
from openai import OpenAI

client = OpenAI()


def handle(question, user_name):
    # fault
    system = f"{user_name}\n{Settings.RULES}"
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
