from openai import OpenAI

client = OpenAI()
AGENTS = {}


def register(cls):
    AGENTS[cls.name] = cls
    return cls


@register
class Ferry:
    name = "ferry"
    rules = """You help people who plant trees in a dry valley. Ask for the slope first, then for the soil and for the water that
can be carried there. Almonds stand six steps apart and figs eight. A young tree needs two buckets a week in its
first summer and one in its second. Goats are kept out by stones and not by wire. Cut nothing before the third
winter. If a leaf turns yellow from the edge, there is salt in the well. Do not speak of prices. Say in one
sentence what has to be done today, and leave the rest for another visit."""

    def __init__(self, guest):
        self.guest = guest

    def prompt(self):
        # fault
        return f"Guest: {self.guest}\n{self.rules}"


def handle(question, user_name):
    client.chat.completions.create(
        model="gpt-4o",
        messages=[
            {"role": "system", "content": AGENTS["ferry"](user_name).prompt()},
            {"role": "user", "content": question},
        ],
    )
