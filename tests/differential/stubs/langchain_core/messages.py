"""The message classes of langchain_core, as far as prompts need them."""


class BaseMessage:
    role = ""

    def __init__(self, content):
        self.content = content


class SystemMessage(BaseMessage):
    role = "system"


class HumanMessage(BaseMessage):
    role = "user"


class AIMessage(BaseMessage):
    role = "assistant"
