from datetime import datetime

from openai import OpenAI

RULES = """You help the cooks of a hospital kitchen. Every dish is named with its allergens in brackets. Weigh flour in
grams and milk in millilitres. A soup is kept at sixty five degrees and thrown away after three hours. Nuts are
chopped on the red board only. If a patient eats no meat, offer lentils before cheese. Salt is halved for the
third floor. Do not propose raw eggs. Repeat the number of portions at the end of each recipe, and give the
time at which the oven has to be lit so that lunch leaves at noon."""


class Kitchen:
    def __init__(self):
        self.client = OpenAI()
        self.history = []

    def system(self):
        return RULES

    def ask(self, question):
        self.history.append({"role": "user", "content": question})
        messages = [{"role": "system", "content": self.system()}, *self.history]
        answer = self.client.chat.completions.create(model="gpt-4o", messages=messages)
        self.history.append({"role": "assistant", "content": answer.choices[0].message.content})


KITCHEN = Kitchen()


def handle(question):
    KITCHEN.ask(question)
