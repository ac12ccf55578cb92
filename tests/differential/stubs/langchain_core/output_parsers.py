"""The parser that hands on the text of an answer."""

from langchain_core.runnables import Runnable


class StrOutputParser(Runnable):
    def invoke(self, value):
        return value.content
