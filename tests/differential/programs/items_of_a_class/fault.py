from openai import OpenAI

client = OpenAI()


class Texts:
    # fault
    _texts = {"ferry": """Guest: {guest}
You describe walks for guests of a mountain hut. Begin with the time that a slow walker needs, then say where water is
found and where the path turns. Warn of the scree above the second bridge in wet weather. Nobody is sent over the
glacier without a guide. Children under eight stay below the chapel. If snow fell in the night, name the valley
path only. Cows have the right of way. Write the heights in metres and the times in quarters of an hour. End with
the hour at which the last soup is served.
"""}

    def __getattr__(self, name):
        return self._texts[name]

    def __getitem__(self, name):
        return self._texts[name]


texts = Texts()


def handle(question, user_name):
    system = texts["ferry"].format(guest=user_name)
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
