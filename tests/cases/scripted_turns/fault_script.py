"""A second request of a script, with rules that never change behind what is asked."""

from openai import OpenAI

client = OpenAI()
RULES = """You write the labels of a museum of clocks. A label has at most forty words and names the maker, the town and
the year. Say how long the spring lasts. Do not guess a year: write "about" and the decade. Wood is named by its tree.
A clock that still runs is marked with a star. Children read the labels too, so explain an escapement in plain words.
Never praise a donor on a label, and keep the order of the cases in the hall."""
CHECK = """Read the label you have just written once more as a child of ten would. Replace every word that needs a second
reading, count the words again, and make sure that the maker, the town, the year and the length of the spring are all
there. Then give the label alone, without any remark on what you have changed."""


def handle(question):
    # expect: PFX105 `question`
    messages = [{"role": "system", "content": RULES}, {"role": "user", "content": question}]
    first = client.chat.completions.create(model="gpt-4o", messages=messages)
    messages.append({"role": "assistant", "content": first.choices[0].message.content})
    again = messages + [{"role": "system", "content": CHECK}]
    client.chat.completions.create(model="gpt-4o", messages=again)
