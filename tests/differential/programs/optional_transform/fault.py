from openai import OpenAI

client = OpenAI()
RULES = """You write the notices of a swimming bath. Opening hours come first, then prices, then what is closed. A notice has
at most six lines. Children under six pay nothing and are named in each notice about prices. Water below eighteen
degrees is called fresh, never cold. Say which door is open. A lane that is kept for a club is named with its number
and its hours. Do not apologise, and do not use exclamation marks."""
HOUSE = """The caretaker signs every notice. Notices hang for a week. A notice about a danger is printed in red and read out
once at noon."""


def shouted(text):
    return text.upper() if HOUSE.startswith("!") else text


def handle(question, user_name):
    # fault
    system = f"You write for {user_name}.\n\n{RULES}"
    if len(user_name) > 30:
        system = shouted(system)
    if HOUSE:
        system += "\n\n" + HOUSE
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
