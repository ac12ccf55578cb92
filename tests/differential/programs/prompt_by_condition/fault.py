from openai import OpenAI

client = OpenAI()
# fault
NOTES = """Notes of the hive inspection stand below.
<notes>
{notes}
</notes>
Answer as the keeper of the apiary would. Say first which colony the notes speak of. A colony without eggs has lost its
queen: name the day on which this will be certain. Feed no honey of another apiary. Brood that smells is a matter for the
inspector, and nothing else is said about it. Give weights in kilograms and the yield of a frame in grams. Close with the
next date on which the hive should be opened."""


def handle(question, memory):
    prompt = question
    if "hive" in question or memory:
        prompt = NOTES.replace("{notes}", memory) + "\n" + question
    client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": prompt}])
