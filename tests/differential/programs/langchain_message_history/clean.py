from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_openai import ChatOpenAI

RULES = """You announce trains in the station of a border town. Say the destination first, then the platform, then the
delay in minutes. Delays under four minutes are not mentioned. The last train is announced twice. If a platform
changes, begin with the word attention. Numbers are spoken digit by digit. Freight trains pass without notice,
but people are told to stand back from the edge. Between ten at night and six in the morning the bell stays
silent. Names of foreign cities are given in both languages, ours first."""


class Voice:
    def __init__(self, name):
        self.llm = ChatOpenAI()
        self.messages = [SystemMessage(content=f"{RULES}\n{name}")]

    def ask(self, question):
        self.messages.append(HumanMessage(content=question))
        answer = self.llm.invoke(self.messages)
        self.messages.append(AIMessage(content=answer.content))


def handle(question, user_name):
    Voice(user_name).ask(question)
