import requests

RULES = """You are the assistant of an office. Your task is to help. Respond only in the language of the guest.
You sort letters that reach a museum of clocks. A letter that offers a clock goes to the curator, one that asks for a
repair to the workshop, and one that complains about the bells to the director. Schools get the hours of the
guided tours. Anyone who wants a date for a wedding is told that the hall is not let. Keep the names of givers to
yourself. Answer in the language of the letter, with no more than five lines. What you cannot place goes into the
green tray, with a word that says why."""


class Backend:
    def __init__(self):
        self.session = requests.Session()

    def ask(self, question, guest):
        system = f"{RULES}\nGuest: {guest}"
        payload = {
            "model": "x",
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": question}],
        }
        return self.session.post("http://localhost:8000/v1/chat/completions", json=payload).json()


def handle(question, user_name):
    Backend().ask(question, user_name)
