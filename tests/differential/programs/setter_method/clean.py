from openai import OpenAI

RULES = """You help the cooks of a hospital kitchen. Every dish is named with its allergens in brackets. Weigh flour in
grams and milk in millilitres. A soup is kept at sixty five degrees and thrown away after three hours. Nuts are
chopped on the red board only. If a patient eats no meat, offer lentils before cheese. Salt is halved for the
third floor. Do not propose raw eggs. Repeat the number of portions at the end of each recipe, and give the
time at which the oven has to be lit so that lunch leaves at noon."""


class Bot:
    def __init__(self):
        self.client = OpenAI()
        self.system = RULES

    def set_user(self, name):
        self.system = f"{self.system}\n{name}"

    def ask(self, question):
        self.client.chat.completions.create(
            model="gpt-4o",
            messages=[{"role": "system", "content": self.system}, {"role": "user", "content": question}],
        )


def handle(question, user_name):
    bot = Bot()
    bot.set_user(user_name)
    bot.ask(question)
