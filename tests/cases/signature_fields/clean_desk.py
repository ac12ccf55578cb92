"""The register in front of the question, and a question without one."""

import dspy

BERTHS = """The register of the harbour lists each boat with its berth, its length and its owner. Berth one holds the Alma,
nine metres long. Berth two holds the Berta, eleven metres long, with an engine under repair. Berth three is free until
May. Berth four holds the Clara, twelve metres long, with a draught of two metres. Berth five is closed for repairs."""


class Answer(dspy.Signature):
    """Answer questions about boats from the register alone. Name the berth first and the boat behind it."""

    berths: str = dspy.InputField(desc="the whole register")
    # ok: PFX105
    question: str = dspy.InputField(desc="what the caller wants to know")
    answer: str = dspy.OutputField(desc="one sentence, with the berth in front and the boat behind it, and nothing else")


class Desk(dspy.Module):
    def __init__(self):
        super().__init__()
        self.answer = dspy.ChainOfThought(Answer)
        self.sort = dspy.Predict("question, tone, caller, weather, tide -> desk, urgency", "Sort what callers ask.")

    def forward(self, question, tone, caller, weather, tide):
        self.sort(question=question, tone=tone, caller=caller, weather=weather, tide=tide)
        return self.answer(question=question, berths=BERTHS)


def main():
    desk = Desk()
    while True:
        print(desk(question=input("> "), tone=input(), caller=input(), weather=input(), tide=input()).answer)
