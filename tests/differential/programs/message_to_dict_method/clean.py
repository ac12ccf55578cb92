from dataclasses import dataclass

from openai import OpenAI

client = OpenAI()
RULES = """You help the cooks of a hospital kitchen. Every dish is named with its allergens in brackets. Weigh flour in
grams and milk in millilitres. A soup is kept at sixty five degrees and thrown away after three hours. Nuts are
chopped on the red board only. If a patient eats no meat, offer lentils before cheese. Salt is halved for the
third floor. Do not propose raw eggs. Repeat the number of portions at the end of each recipe, and give the
time at which the oven has to be lit so that lunch leaves at noon."""


@dataclass
class Message:
    role: str
    content: str

    def to_dict(self):
        return {"role": self.role, "content": self.content}


def handle(question, user_name):
    system = Message("system", f"{RULES}\n{user_name}")
    messages = [system, Message("user", question)]
    client.chat.completions.create(model="gpt-4o", messages=[m.to_dict() for m in messages])
