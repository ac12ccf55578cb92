from jinja2 import Template
from openai import OpenAI

client = OpenAI()
RULES = """You look after the beehives of a convent. Open no hive below twelve degrees. The swarm in the south wall is left
alone. Honey is taken in June and in August, never in autumn. Sugar water is given from October on, a litre for
each hive. Note the weight of each hive on Sundays. A queen is marked with the colour of her year. Wasps are kept
out with the narrow entrance. Whoever is stung goes to the kitchen, where the vinegar stands."""
# fault
SYSTEM = Template("{{ keeper.house }}, keeper {{ keeper.name }}, {{ keeper.duty() }}\n{{ rules }}")


class Keeper:
    house = "Convent"

    def __init__(self, name):
        self.name = name

    def duty(self):
        return "hives one to nine"


def handle(question, user_name):
    system = SYSTEM.render(keeper=Keeper(user_name), rules=RULES)
    messages = [{"role": "system", "content": system}, {"role": "user", "content": question}]
    client.chat.completions.create(model="gpt-4o", messages=messages)
