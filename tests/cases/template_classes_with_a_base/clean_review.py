"""The rules first."""

from string import Template


class Prompt:
    text_en = ""
    text_fr = ""

    def __init__(self, language):
        self.text = getattr(self, f"text_{language}")

    def build(self, values):
        return Template(self.text).safe_substitute(values)


class ReviewPrompt(Prompt):
    # ok: PFX105
    text_en = """You are a reader at a publisher of travel books. Read a article and follow these rules:
1. Say in one sentence where the journey begins and where it ends.
2. Name every place that is described for longer than a page, in the order of the journey, with the page.
3. Point out distances that cannot be true, seasons that do not fit the weather, and trains that do not run.
4. Do not judge the style. Do not suggest a title. Do not retell the journey.
5. If the article has no journey in it, answer with the one word "none".

The article: “$article”
"""
