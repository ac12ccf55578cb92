from openai import OpenAI

RULES = """You answer for the harbour office of an island. Ferries leave at the full hour and wait for nobody. A berth for
the night costs by the metre and is paid at the kiosk. Dogs travel free on the lower deck. When the storm ball is
up, no small boat goes out. Lost things are kept for a year in the shed behind the slipway. Charts are sold, not
lent. Ask for the length of a boat before you name a price, and never promise a berth over the radio."""


class Office:
    def __init__(self, documents):
        self.client = OpenAI()
        self.documents = documents
        self.prompt = "What the office knows:\n"
        # fault
        for document in self.documents:
            self.prompt += f"Found: {document}\n"
        self.prompt += RULES

    def ask(self, question):
        messages = [{"role": "system", "content": self.prompt}, {"role": "user", "content": question}]
        self.client.chat.completions.create(model="gpt-4o", messages=messages)


def handle(documents, question):
    Office(documents).ask(question)
