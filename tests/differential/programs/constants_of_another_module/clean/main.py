from openai import OpenAI
from texts import RULES, TEMPLATE

client = OpenAI()


def handle(question, user_name):
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": TEMPLATE.format(name=user_name, rules=RULES)}, {"role": "user", "content": question}],
    )
