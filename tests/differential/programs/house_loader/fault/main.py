from loader import load_prompt
from openai import OpenAI

client = OpenAI()


# fault: prompts/kitchen.md:1
def handle(question, user_name):
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": load_prompt("kitchen", user_name=user_name)}, {"role": "user", "content": question}],
    )
