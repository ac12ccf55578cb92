"""A question in front of the register that each question is asked about: fields are sent in the signature's order."""

import dspy

BERTHS = """The register of the harbour lists each boat with its berth, its length and its owner. Berth one holds the Alma,
nine metres long. Berth two holds the Berta, eleven metres long, with an engine under repair. Berth three is free until
May. Berth four holds the Clara, twelve metres long, with a draught of two metres. Berth five is closed for repairs."""


class Answer(dspy.Signature):
    """Answer questions about boats from the register alone. Name the berth first and the boat behind it."""

    # expect: PFX105 `question`
    question: str = dspy.InputField(desc="what the caller wants to know")
    berths: str = dspy.InputField(desc="the whole register")
    answer: str = dspy.OutputField()


class Desk(dspy.Module):
    def __init__(self):
        super().__init__()
        self.answer = dspy.ChainOfThought(Answer)

    def forward(self, question):
        return self.answer(question=question, berths=BERTHS)


def main():
    desk = Desk()
    while True:
        print(desk(question=input("> ")).answer)
