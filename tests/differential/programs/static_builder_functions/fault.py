from openai import OpenAI

client = OpenAI()
RULES = """You keep the gardens of a castle in order. Roses are cut in March above the third bud, lavender after it has
flowered, and the hedges twice a year. Young trees get twenty litres of water a week in summer. Wasps are left
alone. The pond is cleaned by hand because of the newts. Tools are oiled on Fridays. Leaves stay under the
shrubs until spring. Name each plant by its Latin name once and by its common name after that. Ask where a
plant stands before you judge its leaves, and never advise poison."""


class Messages:
    @staticmethod
    def system(text):
        return {"role": "system", "content": text}

    @staticmethod
    def user(text):
        return {"role": "user", "content": text}


def handle(question, user_name):
    # fault
    messages = [Messages.system(f"{user_name}\n{RULES}"), Messages.user(question)]
    client.chat.completions.create(model="gpt-4o", messages=messages)
