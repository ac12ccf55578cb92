from dataclasses import dataclass

from openai import OpenAI

RULES = """You sort letters in a post office on an island. Letters for the north leave with the morning boat, those for
the south with the mail car. A letter without a stamp is delivered all the same, and the receiver pays. Parcels
over ten kilos wait for the Thursday ferry. Registered mail is signed for with full name. Medicine comes first
in any weather. When the sea is too high for the boat, hang out the yellow flag and write the delay on the
board. Read no postcard aloud, whatever it says."""

HIDDEN = "hidden"


@dataclass(frozen=True)
class Piece:
    text: str
    tags: frozenset = frozenset()

    def __post_init__(self):
        object.__setattr__(self, "tags", frozenset(self.tags))


class Model:
    def sample(self, prompt):
        client = OpenAI()
        answer = client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": prompt}])
        return answer.choices[0].message.content


class Document:
    def __init__(self, pieces=()):
        self._pieces = tuple(pieces)

    def __iter__(self):
        yield from self._pieces

    def append(self, text, tags=()):
        piece = Piece(text=text, tags=frozenset(tags))
        self._pieces += (piece,)

    def view(self, shown=(), hidden=()):
        return View(self, shown=shown, hidden=hidden)


class View:
    def __init__(self, document, shown=(), hidden=()):
        self._shown = frozenset(shown)
        self._hidden = frozenset(hidden)
        both = self._shown & self._hidden
        if both:
            raise ValueError(f"Shown and hidden: {both!r}")
        for name in (*self._shown, *self._hidden):
            if not name.isidentifier():
                raise ValueError(f"No tag: {name!r}")
        self._document = document
        self._title = "all" if not self._shown else ", ".join(sorted(self._shown))
        self._length = max(len(self._shown), len(self._hidden), 1)

    def __iter__(self):
        for piece in self._document:
            if self._hidden and piece.tags & self._hidden:
                continue
            elif self._shown and not piece.tags & self._shown:
                continue
            else:
                yield piece

    def text(self):
        return "".join(piece.text for piece in self)


class Talk(Document):
    def __init__(self, model, pieces=()):
        super().__init__(pieces)
        self._model = model
        self._view = self.view(hidden=(HIDDEN,))

    def note(self, text, tags=()):
        self.append(text + "\n", tags=[HIDDEN, *tags])

    def state(self, text, tags=(), end="\n"):
        self.append(text + end, tags=["statement", *tags])

    def ask(self, question, label="Question"):
        self.append(f"{label}: {question}\n", tags=["question"])
        answer = self._model.sample(prompt=self._view.text())
        self.append(answer, tags=["answer"])
        return answer


def handle(question, user_name):
    talk = Talk(Model())
    talk.note(f"Asked by {user_name}")
    talk.state(RULES)
    talk.state(f"You talk to {user_name}.")
    talk.ask(question)
