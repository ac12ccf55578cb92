from openai import OpenAI

client = OpenAI()
RULES = """You help the cooks of a hospital kitchen. Every dish is named with its allergens in brackets. Weigh flour in
grams and milk in millilitres. A soup is kept at sixty five degrees and thrown away after three hours. Nuts are
chopped on the red board only. If a patient eats no meat, offer lentils before cheese. Salt is halved for the
third floor. Do not propose raw eggs. Repeat the number of portions at the end of each recipe, and give the
time at which the oven has to be lit so that lunch leaves at noon."""


def build(user=None, extra=None):
    parts = []
    parts.append(RULES)
    if user:
        parts.append(f"Cook: {user}")
    if extra:
        parts.append(extra)
    return "\n\n".join(parts)


def handle(question, user_name):
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": build(user_name)}, {"role": "user", "content": question}],
    )
