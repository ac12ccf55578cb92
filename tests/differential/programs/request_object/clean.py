from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from openai import OpenAI

RULES = """You sort letters in a post office on an island. Letters for the north leave with the morning boat, those for
the south with the mail car. A letter without a stamp is delivered all the same, and the receiver pays. Parcels
over ten kilos wait for the Thursday ferry. Registered mail is signed for with full name. Medicine comes first
in any weather. When the sea is too high for the boat, hang out the yellow flag and write the delay on the
board. Read no postcard aloud, whatever it says."""


@dataclass
class Request:
    prompt: str | None = None
    system_prompt: str = ""
    contexts: list = field(default_factory=list)


class Provider(ABC):
    def __init__(self):
        self.model = "gpt-4o"

    @abstractmethod
    def text_chat(self, prompt, system_prompt, contexts):
        """Sends one request."""


class OpenAIProvider(Provider):
    def __init__(self):
        super().__init__()
        self.client = OpenAI()

    def text_chat(self, prompt, system_prompt, contexts):
        messages = [{"role": "system", "content": system_prompt}, *contexts, {"role": "user", "content": prompt}]
        return self.client.chat.completions.create(model=self.model, messages=messages)


class Runner:
    def __init__(self, provider: Provider):
        self.provider = provider

    def step(self, req: Request):
        return self.provider.text_chat(prompt=req.prompt, system_prompt=req.system_prompt, contexts=req.contexts)


def greet(req: Request, user_name):
    req.system_prompt += f"\nYou speak with {user_name}."


def instruct(req: Request):
    req.system_prompt += RULES


def handle(question, user_name):
    req = Request()
    instruct(req)
    greet(req, user_name)
    req.prompt = question
    Runner(OpenAIProvider()).step(req)
