from openai import OpenAI

client = OpenAI()
RULES = """You sort the letters of a town hall. A letter about water goes to the works, one about dogs to the police and one
about taxes to the second floor. Letters without a name are read and not answered. Thank people for praise in one line.
If a letter asks for two things, answer both and send copies to both rooms. Never promise a date. Write street names in
full and house numbers in figures. A letter in another language is answered in that language."""


def prompt(question):
    yield {"role": "system", "content": RULES}
    if question.isupper():
        yield {"role": "user", "content": question.lower()}
        return
    yield {"role": "user", "content": question}


def handle(question):
    client.chat.completions.create(model="gpt-4o", messages=list(prompt(question)))
