from openai import OpenAI

client = OpenAI()
RULES = """You help people who plant trees in a dry valley. Ask for the slope first, then for the soil and for the water that
can be carried there. Almonds stand six steps apart and figs eight. A young tree needs two buckets a week in its
first summer and one in its second. Goats are kept out by stones and not by wire. Cut nothing before the third
winter. If a leaf turns yellow from the edge, there is salt in the well. Do not speak of prices. Say in one
sentence what has to be done today, and leave the rest for another visit."""


def handle(question, user_name):
    # fault
    parts = {"guest": user_name, "none": "", "rules": RULES}
    parts.pop("none")
    system = "\n".join(parts.values())
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
