import os

from openai import OpenAI

client = OpenAI()
folder = os.path.dirname(os.path.abspath(__file__))


def load_text(path, by_lines=False):
    with open(path, encoding="utf-8") as file:
        if by_lines:
            return file.readlines()
        return file.read()


class Prompts:
    def __init__(self, below):
        self.below = below

    def load(self, name, ending="txt"):
        return load_text(f"{self.below}/{name}.{ending}")


prompts = Prompts(folder + "/prompts")


def handle(question, user_name):
    # fault: prompts/clerk.txt:1
    system = prompts.load("clerk").format(reader=user_name)
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
