from openai import OpenAI

client = OpenAI()


def cook(name):
    """You help the cooks of a hospital kitchen. Every dish is named with its allergens in brackets. Weigh flour in
    grams and milk in millilitres. A soup is kept at sixty five degrees and thrown away after three hours. Nuts are
    chopped on the red board only. If a patient eats no meat, offer lentils before cheese. Salt is halved for the
    third floor. Do not propose raw eggs. Repeat the number of portions at the end of each recipe, and give the
    time at which the oven has to be lit so that lunch leaves at noon."""
    return name


def handle(question, user_name):
    # fault
    system = f"{cook(user_name)}\n{cook.__doc__}"
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
