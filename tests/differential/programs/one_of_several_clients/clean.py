import os
from abc import ABC, abstractmethod

from anthropic import Anthropic
from openai import OpenAI

RULES = """You announce trains in the station of a border town. Say the destination first, then the platform, then the
delay in minutes. Delays under four minutes are not mentioned. The last train is announced twice. If a platform
changes, begin with the word attention. Numbers are spoken digit by digit. Freight trains pass without notice,
but people are told to stand back from the edge. Between ten at night and six in the morning the bell stays
silent. Names of foreign cities are given in both languages, ours first."""


class Voice(ABC):
    def __init__(self, model, loud, retries):
        self.model, self.loud, self.retries = model, loud, retries

    @abstractmethod
    def say(self, text):
        pass


class FirstVoice(Voice):
    def say(self, text):
        OpenAI().chat.completions.create(model=self.model, messages=[{"role": "user", "content": text}])


class SecondVoice(Voice):
    def say(self, text):
        messages = [{"role": "user", "content": text}]
        Anthropic().messages.create(model=self.model, max_tokens=100, messages=messages)


def voice_of(backend):
    if backend == "first":
        return FirstVoice(model="gpt-4o", loud=backend == "first", retries=len(backend))
    elif backend == "second":
        return SecondVoice(model="claude-opus-4-1", loud=backend == "first", retries=len(backend))
    raise ValueError(backend)


def handle(question, user_name):
    voice = voice_of(os.environ.get("VOICE", "first"))
    voice.say(f"{RULES}\nSpeak to {user_name}.\n{question}")
