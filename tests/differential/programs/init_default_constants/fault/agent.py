from constants import FERRY_PROMPT
from openai import OpenAI


class Agent:
    def __init__(self, client: OpenAI, template: str = FERRY_PROMPT, model: str = "gpt-4o"):
        self._client = client
        self._template = template
        self._model = model

    def ask(self, question, guest):
        system = self._template.format(guest=guest)
        return self._client.chat.completions.create(
            model=self._model,
            messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
        )
