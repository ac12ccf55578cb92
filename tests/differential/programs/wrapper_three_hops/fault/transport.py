from openai import OpenAI

client = OpenAI()


def send(messages, model="gpt-4o", **options):
    return client.chat.completions.create(model=model, messages=messages, **options)
