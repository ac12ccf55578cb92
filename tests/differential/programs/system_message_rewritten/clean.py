from openai import OpenAI

RULES = """You help the cooks of a hospital kitchen. Every dish is named with its allergens in brackets. Weigh flour in
grams and milk in millilitres. A soup is kept at sixty five degrees and thrown away after three hours. Nuts are
chopped on the red board only. If a patient eats no meat, offer lentils before cheese. Salt is halved for the
third floor. Do not propose raw eggs. Repeat the number of portions at the end of each recipe, and give the
time at which the oven has to be lit so that lunch leaves at noon."""


class Kitchen:
    def __init__(self):
        self.client = OpenAI()
        self.messages = [{"role": "system", "content": RULES}]

    def ask(self, question, memory):
        self.messages.append({"role": "user", "content": f"You remember: {memory}\n{question}"})
        answer = self.client.chat.completions.create(model="gpt-4o", messages=self.messages)
        self.messages.append({"role": "assistant", "content": answer.choices[0].message.content})


KITCHEN = Kitchen()


def handle(question, memory):
    KITCHEN.ask(question, memory)
