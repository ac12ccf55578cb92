import io

from openai import OpenAI

client = OpenAI()
RULES = """You describe walks for guests of a mountain hut. Begin with the time that a slow walker needs, then say where water is
found and where the path turns. Warn of the scree above the second bridge in wet weather. Nobody is sent over the
glacier without a guide. Children under eight stay below the chapel. If snow fell in the night, name the valley
path only. Cows have the right of way. Write the heights in metres and the times in quarters of an hour. End with
the hour at which the last soup is served."""


def handle(question, user_name):
    buffer = io.StringIO()
    # fault
    print(f"Guest: {user_name}", file=buffer)
    print(RULES, file=buffer)
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": buffer.getvalue()}, {"role": "user", "content": question}],
    )
