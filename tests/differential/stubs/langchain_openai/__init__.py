"""Chat models of langchain_openai: they keep what they are asked."""

from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import Runnable
from requests_recorder import record


class ChatOpenAI(Runnable):
    def __init__(self, **_):
        pass

    def invoke(self, value):
        if isinstance(value, str):
            record(prompt=value)
        else:
            record(messages=[_as_dict(item) for item in value])
        return AIMessage("Certainly.")

    async def ainvoke(self, value):
        return self.invoke(value)


def _as_dict(item):
    if isinstance(item, BaseMessage):
        return {"role": item.role, "content": item.content}
    if isinstance(item, tuple):
        return {"role": item[0], "content": item[1]}
    return item
